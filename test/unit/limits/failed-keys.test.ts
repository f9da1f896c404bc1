import { expect, test } from "vitest";
import { createFailedKeys } from "../../../src/limits/local-limits.ts";

/** A counter with a clock that stands still until it is moved, in seconds. */
function counterWithClock(limit: number) {
  const clock = { seconds: 1_000 };
  return { clock, ...createFailedKeys(limit, () => clock.seconds * 1_000) };
}

const countTimes = (count: (address: string) => number | undefined, address: string, times: number) =>
  Array.from({ length: times }, () => count(address));

test("as many failures pass as the limit says, then the rest of the minute is to be waited", () => {
  const { clock, count } = counterWithClock(3);
  expect(countTimes(count, "192.0.2.1", 4)).toStrictEqual([undefined, undefined, undefined, 60]);
  clock.seconds += 59.5;
  expect(count("192.0.2.1")).toBe(1);
});

test("a minute after the first failure counting begins anew", () => {
  const { clock, count } = counterWithClock(1);
  expect(countTimes(count, "192.0.2.1", 2)).toStrictEqual([undefined, 60]);
  clock.seconds += 60;
  expect(countTimes(count, "192.0.2.1", 2)).toStrictEqual([undefined, 60]);
});

test("what turns out to be no failure is taken back", () => {
  const { count, forgive } = counterWithClock(1);
  expect(count("192.0.2.1")).toBeUndefined();
  forgive("192.0.2.1");
  expect(count("192.0.2.1")).toBeUndefined();
  expect(count("192.0.2.1")).toBe(60);
});

test("more than was counted cannot be taken back", () => {
  const { count, forgive } = counterWithClock(1);
  forgive("192.0.2.1");
  count("192.0.2.1");
  forgive("192.0.2.1");
  forgive("192.0.2.1");
  expect(countTimes(count, "192.0.2.1", 2)).toStrictEqual([undefined, 60]);
});

test("addresses are counted apart", () => {
  const { count } = counterWithClock(1);
  expect(countTimes(count, "192.0.2.1", 2)).toStrictEqual([undefined, 60]);
  expect(count("192.0.2.2")).toBeUndefined();
});

test("of very many addresses those are forgotten that were away longest", () => {
  const { clock, count } = counterWithClock(1);
  count("seen again");
  count("not seen again");
  clock.seconds += 60;
  count("seen again");
  for (let i = 0; i < 9_999; i += 1) count(`address ${i}`);
  expect(count("seen again")).toBe(60);
  count("one more");
  count("and one more");
  expect(count("address 0")).toBeUndefined();
});
