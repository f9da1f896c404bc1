import { expect, test } from "vitest";
import { MINUTE_LIMIT_NAMESPACE, dayCountsKey } from "../../../src/redis/keys.ts";

test("every name begins with that of the product, so that a Redis can be shared", () => {
  expect(MINUTE_LIMIT_NAMESPACE).toBe("hereabouts:minute");
  expect(dayCountsKey("0123456789abcdef")).toBe("hereabouts:days:0123456789abcdef");
});
