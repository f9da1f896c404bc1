import { inspect } from "node:util";
import { expect, test } from "vitest";
import { createCallers } from "../../../src/middleware/callers.ts";

const LIMITS = { perMinute: 600, perDay: 0 };
const keys = ["first-key-0123456789", "second-key-0123456789"];

test.each([
  "",
  "first-key-012345678",
  "first-key-0123456789 ",
  "FIRST-KEY-0123456789",
  "first-key-0123456789, x",
])("nobody holds %j", (key) => {
  expect(createCallers(keys, LIMITS).findCaller(key)).toBeUndefined();
});

test("without any key nobody may call", () => {
  expect(createCallers([], LIMITS).findCaller("")).toBeUndefined();
});

test("each key has a caller of its own, the same one every time", () => {
  const callers = createCallers(keys, LIMITS);
  const [first, second] = keys.map((key) => callers.findCaller(key)?.callerId);
  expect(first).toMatch(/^[0-9a-f]{16}$/);
  expect(second).not.toBe(first);
  expect(createCallers(keys.toReversed(), LIMITS).findCaller("first-key-0123456789")?.callerId).toBe(first);
});

test("a caller tells nothing of the key", () => {
  expect(inspect(createCallers(keys, LIMITS).findCaller("first-key-0123456789"))).not.toContain("key-");
});
