import { expect, test } from "vitest";
import type { PlaceSummary } from "../../../src/client/answers.ts";
import { reweigh } from "../../../src/playground/reweigh.ts";

/** Found in this order: `near` is next door, `known` is famous, `named` matches the words best. */
const FOUND = [
  { data_id: "near", explanation: { text: 0.9, distance: 0.12, prominence: 0, score: 1.02 } },
  { data_id: "named", explanation: { text: 1, distance: 0.01, prominence: 0.005, score: 1.015 } },
  { data_id: "known", explanation: { text: 0.94, distance: 0.02, prominence: 0.03, score: 0.99 } },
] as unknown as readonly PlaceSummary[];

test.each([
  ["nearer", ["near", "named", "known"]],
  ["anywhere", ["named", "known", "near"]],
  ["known", ["known", "named", "near"]],
] as const)("with other weights (%s), the order is %j", (order, ids) => {
  expect(reweigh(FOUND, order).map(({ data_id }) => data_id)).toEqual(ids);
});

test("places without scores, and those with equal ones, stay in their order", () => {
  const places = ["b", "a", "c"].map((data_id) => ({ data_id })) as unknown as readonly PlaceSummary[];
  expect(reweigh(places, "known")).toEqual(places);
});
