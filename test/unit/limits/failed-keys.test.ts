import { afterEach, expect, test, vi } from "vitest";
import { createFailedKeys } from "../../../src/limits/failed-keys.ts";

afterEach(() => vi.restoreAllMocks());

/** A counter with a clock that stands still until it is moved, in seconds. */
function counterWithClock(limit: number) {
  const clock = { seconds: 1_000 };
  vi.spyOn(performance, "now").mockImplementation(() => clock.seconds * 1_000);
  return { clock, ...createFailedKeys(limit) };
}

const countTimes = (count: (address: string) => number | undefined, address: string, times: number) =>
  Array.from({ length: times }, () => count(address));

test("the limit of failures passes, then the address has to wait for the rest of the minute", () => {
  const { clock, count } = counterWithClock(3);
  expect(countTimes(count, "192.0.2.1", 4)).toStrictEqual([undefined, undefined, undefined, 60]);
  clock.seconds += 59.5;
  expect(count("192.0.2.1")).toBe(1);
});

test("counting restarts a minute after the first failure", () => {
  const { clock, count } = counterWithClock(1);
  expect(countTimes(count, "192.0.2.1", 2)).toStrictEqual([undefined, 60]);
  clock.seconds += 60;
  expect(countTimes(count, "192.0.2.1", 2)).toStrictEqual([undefined, 60]);
});

test("a failure can be taken back", () => {
  const { count, forgive } = counterWithClock(1);
  expect(count("192.0.2.1")).toBeUndefined();
  forgive("192.0.2.1");
  expect(count("192.0.2.1")).toBeUndefined();
  expect(count("192.0.2.1")).toBe(60);
});

test("no more failures than counted can be taken back", () => {
  const { count, forgive } = counterWithClock(1);
  forgive("192.0.2.1");
  count("192.0.2.1");
  forgive("192.0.2.1");
  forgive("192.0.2.1");
  expect(countTimes(count, "192.0.2.1", 2)).toStrictEqual([undefined, 60]);
});

test("addresses are counted separately", () => {
  const { count } = counterWithClock(1);
  expect(countTimes(count, "192.0.2.1", 2)).toStrictEqual([undefined, 60]);
  expect(count("192.0.2.2")).toBeUndefined();
});

test("of very many addresses the least recently seen are dropped", () => {
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
