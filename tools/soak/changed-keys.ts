import { setTimeout as sleep } from "node:timers/promises";
import { type Line, type Reply, openLine } from "./ask.ts";
import { issueKey } from "./callers.ts";
import type { System } from "./system.ts";
import type { World } from "./world.ts";

/** The parts that are needed to change keys and try them. */
interface Site {
  readonly system: System;
  readonly world: World;
}

/**
 * An operator's change takes effect in all servers within five seconds (docs/keys.md). One more second is for
 * a busy machine.
 */
const HOLDS_WITHIN_MS = 6_000;
const POLL_MS = 100;

/** How many more requests are sent with a key after its change took effect, since it must stay in effect. */
const HOLDS_ON = 5;

const PER_MINUTE = 600;
const LOWERED_PER_MINUTE = 5;

/** A burst of more than the limit, sent to both servers at once. */
const BURST_PER_MINUTE = 40;
const BURST = 60;
const MOST_TRIES = 3;

/** Revokes one key, rotates one, changes the limit of one and uses up one. Each is tried at both servers. */
export const changedKeys = {
  name: "keys-changed",
  kind: "keys",
  async run(site: Site): Promise<void> {
    const lines = site.system.servers.map(({ origin }) => openLine(origin, 4));
    const violate = (what: string): void => site.world.tally.violate({ what, faults: ["keys-changed"] });
    try {
      for (const change of [revoke, rotate, lower, useUp]) await change({ site, lines, violate });
    } finally {
      await Promise.all(lines.map((line) => line.close()));
    }
  },
} as const;

interface Bench {
  readonly site: Site;
  readonly lines: readonly Line[];
  readonly violate: (what: string) => void;
}

async function revoke({ site, lines, violate }: Bench): Promise<void> {
  const key = await issueNew(site, "to be revoked");
  await expectAll(lines, { key, violate, what: "a new key", isRight: isAccepted });
  await site.system.keys("revoke", idOf(key));
  const what = "a revoked key";
  const isRight = (reply: Reply): boolean => outcomeOf(reply) === "401 revoked_api_key";
  const seconds = await expectAll(lines, { key, violate, what, isRight });
  if (seconds !== undefined) noteSeconds(site, what, seconds);
}

/** Both secrets work, the new one at once. */
async function rotate({ site, lines, violate }: Bench): Promise<void> {
  const key = await issueNew(site, "to be rotated");
  await expectAll(lines, { key, violate, what: "a new key", isRight: isAccepted });
  const rotated = await site.system.keys("rotate", idOf(key), "--grace", "1h");
  await expectAll(lines, { key: rotated, violate, what: "a new secret", isRight: isAccepted });
  await expectAll(lines, { key, violate, what: "the secret before", isRight: isAccepted });
}

async function lower({ site, lines, violate }: Bench): Promise<void> {
  const key = await issueNew(site, "to be lowered");
  await expectAll(lines, { key, violate, what: "a new key", isRight: isAccepted });
  await site.system.keys("limit", idOf(key), "--per-minute", String(LOWERED_PER_MINUTE));
  const isRight = (reply: Reply): boolean =>
    reply.kind === "answer" &&
    (outcomeOf(reply) === "429 rate_limit_minute" || limitOf(reply) === LOWERED_PER_MINUTE);
  const what = "a lower limit";
  const seconds = await expectAll(lines, { key, violate, what, isRight });
  if (seconds !== undefined) noteSeconds(site, what, seconds);
}

/**
 * Other callers hardly have a minute without a failure of Redis. A new caller uses up the limit in a moment,
 * or else the next one does.
 */
async function useUp(bench: Bench): Promise<void> {
  const { highest } = bench.site.world.limits;
  let tries = 0;
  do {
    await useUpOne(bench);
    tries += 1;
  } while (highest.withRedis < 1 && tries < MOST_TRIES);
}

async function useUpOne({ site, lines }: Bench): Promise<void> {
  const plan = { name: "to be used up", perMinute: BURST_PER_MINUTE, role: "own" as const };
  const caller = { ...plan, key: await issueKey(site.system.keys, plan) };
  const { limits, tally } = site.world;
  const askOne = async (number: number): Promise<void> => {
    const from = performance.now();
    const reply = await askWith(lines[number % lines.length]!, caller.key);
    if (!isAccepted(reply)) return;
    const wrong = await limits.noteAccepted(caller, { from, to: performance.now() });
    if (wrong !== undefined) tally.violate({ what: wrong, faults: ["keys-changed"] });
  };
  await Promise.all(Array.from({ length: BURST }, (_, number) => askOne(number)));
}

const issueNew = (site: Site, name: string): Promise<string> =>
  issueKey(site.system.keys, { name, perMinute: PER_MINUTE });

const idOf = (key: string): string => key.split("_")[1] ?? "";

/** Rounded up, because the report shows it as an upper bound. */
const noteSeconds = ({ world }: Site, what: string, seconds: number): void =>
  world.tally.note(`${what} held within ${Math.ceil(seconds)} s`);

interface Expected {
  readonly key: string;
  readonly what: string;
  readonly isRight: (reply: Reply) => boolean;
  readonly violate: (what: string) => void;
}

/**
 * Sends requests to each server until its response is right, and then a few more. Resolves to the seconds of
 * the slower server; undefined if one of them did not get there.
 */
async function expectAll(lines: readonly Line[], expected: Expected): Promise<number | undefined> {
  const { what, violate } = expected;
  const times = await Promise.all(lines.map((line) => waitFor(line, expected)));
  for (const [server, seconds] of times.entries())
    if (seconds === undefined)
      violate(`${what} did not hold within ${HOLDS_WITHIN_MS / 1_000} s at server ${server}`);
  return times.includes(undefined) ? undefined : Math.max(...(times as number[]));
}

async function waitFor(line: Line, expected: Expected): Promise<number | undefined> {
  const startedAt = performance.now();
  for (;;) {
    const asked = performance.now() - startedAt;
    if (asked > HOLDS_WITHIN_MS) return undefined;
    if (expected.isRight(await askWith(line, expected.key))) {
      await expectToGoOn(line, expected);
      return asked / 1_000;
    }
    await sleep(POLL_MS);
  }
}

async function expectToGoOn(line: Line, { key, what, isRight, violate }: Expected): Promise<void> {
  for (let count = 0; count < HOLDS_ON; count += 1) {
    const reply = await askWith(line, key);
    // An overloaded server says nothing about the key.
    if (!isRight(reply) && outcomeOf(reply) !== "503 overloaded")
      violate(`${what} held and then did not: ${outcomeOf(reply)}`);
  }
}

/** Requests a place that does not exist: what the limits let through gets a 404. */
const askWith = (line: Line, key: string): Promise<Reply> =>
  line.ask({
    method: "GET",
    path: "/api/maps/place?data_id=0x3:0x1",
    headers: { "x-api-key": key, "x-forwarded-for": "198.51.100.1" },
  });

const isAccepted = (reply: Reply): boolean => outcomeOf(reply) === "404 unknown_place";

const limitOf = (reply: Reply): number =>
  reply.kind === "answer" ? Number(reply.headers.get("x-ratelimit-limit")) : Number.NaN;

function outcomeOf(reply: Reply): string {
  if (reply.kind !== "answer") return reply.kind;
  return `${reply.status} ${/"code":"(\w+)"/.exec(reply.text)?.[1] ?? ""}`;
}
