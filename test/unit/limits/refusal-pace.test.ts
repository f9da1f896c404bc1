import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createRefusalPace } from "../../../src/limits/floods.ts";

/** Puts so many refusals, and says how many of them were sent at once. */
async function refuse(pace: ReturnType<typeof createRefusalPace>, id: string, count: number) {
  let sent = 0;
  const held = Array.from({ length: count }, () => pace.hold(id).then(() => (sent += 1)));
  await nextTurn();
  const atOnce = sent;
  await Promise.all(held);
  return { atOnce, afterASecond: sent };
}

test("a few refusals in a second are sent at once, the rest a second later", async () => {
  const pace = createRefusalPace();
  expect(await refuse(pace, "one", 100)).toStrictEqual({ atOnce: 19, afterASecond: 100 });
  // A timer may end a millisecond before its second.
  await sleep(10);
  expect(await refuse(pace, "one", 10)).toStrictEqual({ atOnce: 10, afterASecond: 10 });
});

test("one that gets many does not delay another", async () => {
  const pace = createRefusalPace();
  const many = refuse(pace, "one", 100);
  expect(await refuse(pace, "other", 5)).toStrictEqual({ atOnce: 5, afterASecond: 5 });
  await many;
});

test("no more are held than memory should be spent on", async () => {
  const pace = createRefusalPace();
  expect(await refuse(pace, "one", 1_100)).toStrictEqual({ atOnce: 100, afterASecond: 1_100 });
});
