import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { overloaded, queryTooExpensive } from "../../../../src/errors.ts";
import { paceRefusals } from "../../../../src/http/middleware/shed-load.ts";
import type { Caller } from "../../../../src/keys/key-record.ts";
import { toContext } from "../../../support/limited-context.ts";

const buildCaller = (callerId: string): Caller => ({
  callerId,
  limits: { perMinute: 1, perDay: 0 },
  scopes: new Set(),
});

/** Puts so many requests that fail, and says how many of them were told at once. */
async function refuse(
  pace: ReturnType<typeof paceRefusals>,
  callerId: string,
  count: number,
  error = overloaded(),
) {
  let sent = 0;
  const put = async (): Promise<unknown> => {
    try {
      return await (pace(toContext(buildCaller(callerId)), () => Promise.reject(error)) as Promise<void>);
    } catch (told) {
      sent += 1;
      return told;
    }
  };
  const held = Array.from({ length: count }, put);
  await nextTurn();
  const atOnce = sent;
  expect(new Set(await Promise.all(held))).toStrictEqual(new Set([error]));
  return { atOnce, afterASecond: sent };
}

test("a few refusals in a second are sent at once, the rest a second later", async () => {
  const pace = paceRefusals();
  expect(await refuse(pace, "one", 100)).toStrictEqual({ atOnce: 19, afterASecond: 100 });
  // A timer may end a millisecond before its second.
  await sleep(10);
  expect(await refuse(pace, "one", 10)).toStrictEqual({ atOnce: 10, afterASecond: 10 });
});

test("one that gets many does not delay another", async () => {
  const pace = paceRefusals();
  const many = refuse(pace, "one", 100);
  expect(await refuse(pace, "other", 5)).toStrictEqual({ atOnce: 5, afterASecond: 5 });
  await many;
});

test("no more are held than memory should be spent on", async () => {
  expect(await refuse(paceRefusals(), "one", 1_100)).toStrictEqual({ atOnce: 100, afterASecond: 1_100 });
});

test("an error that cost the server work is told at once", async () => {
  const sent = await refuse(paceRefusals(), "one", 100, queryTooExpensive("offset"));
  expect(sent.atOnce).toBe(100);
});
