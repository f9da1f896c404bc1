import { expect, test } from "vitest";
import { MINUTE_LIMIT_NAMESPACE, dayCountKey } from "../../../src/redis/keys.ts";

test("every name begins with that of the product, so that a Redis can be shared", () => {
  expect(MINUTE_LIMIT_NAMESPACE).toBe("hereabouts:minute");
  expect(dayCountKey("0123456789abcdef", "2026-11-20")).toBe("hereabouts:day:2026-11-20:0123456789abcdef");
});
