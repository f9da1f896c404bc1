import { inspect } from "node:util";
import { expect, test } from "vitest";
import { createCallers, createConfiguredKeys } from "../../../src/keys/callers.ts";

const LIMITS = { perMinute: 600, perDay: 0 };
const keys = ["first-key-0123456789", "second-key-0123456789"];

test.each([
  "",
  "first-key-012345678",
  "first-key-0123456789 ",
  "FIRST-KEY-0123456789",
  "first-key-0123456789, x",
])("%j is refused", async (key) => {
  expect(createConfiguredKeys(keys, LIMITS)(key)).toBeUndefined();
  const verdict = await createCallers(keys, LIMITS).findCaller(key, () => true);
  expect(verdict).toStrictEqual({ refused: "invalid_api_key" });
});

test("without configured keys every key is refused", () => {
  expect(createConfiguredKeys([], LIMITS)("")).toBeUndefined();
});

test("each key has one caller, always the same", () => {
  const find = createConfiguredKeys(keys, LIMITS);
  const [first, second] = keys.map((key) => find(key)?.callerId);
  expect(first).toMatch(/^[0-9a-f]{16}$/);
  expect(second).not.toBe(first);
  expect(createConfiguredKeys(keys.toReversed(), LIMITS)("first-key-0123456789")?.callerId).toBe(first);
});

test("a caller does not reveal its key", () => {
  expect(inspect(createConfiguredKeys(keys, LIMITS)("first-key-0123456789"))).not.toContain("key-");
});
