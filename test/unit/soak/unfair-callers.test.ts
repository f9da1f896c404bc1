import { expect, test } from "vitest";
import { judgeServed } from "../../../tools/soak/unfair-callers.ts";

const statuses = (served: number, refused: number): number[] => [
  ...Array.from({ length: served }, () => 200),
  ...Array.from({ length: refused }, () => 503),
];

test.each([
  { what: "nothing", served: 0, refused: 0 },
  { what: "19 responses", served: 19, refused: 0 },
  { what: "2 refusals in 100", served: 98, refused: 2 },
])("a normal caller who gets $what next to an unfair one is not served", ({ served, refused }) => {
  expect(judgeServed(statuses(served, refused))).toContain("a normal caller");
});

test("a normal caller with one refusal in a hundred is served", () => {
  expect(judgeServed(statuses(99, 1))).toBeUndefined();
});
