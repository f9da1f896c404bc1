import { setTimeout as sleep } from "node:timers/promises";
import { type Line, openLine } from "./ask.ts";
import { readIds, toPath } from "./corpus.ts";
import type { Caller } from "./callers.ts";
import type { FaultKind } from "./tally.ts";
import type { World } from "./world.ts";

/** So many right and full answers of each server, one after the other, say that it is well again. */
const WELL_AFTER = 10;

const PAUSE_MS = 30;

/**
 * What takes longer is told as a violation; nobody waits for it any longer. The breakers of the engine and of Redis try again within
 * a second and ioredis connects again within two; the rest is for a busy machine, which after a flood or a swap has work left.
 */
export const RECOVERED_WITHIN_MS: Readonly<Record<FaultKind, number>> = {
  redis: 5_000,
  engine: 5_000,
  load: 10_000,
  swap: 10_000,
  drain: 10_000,
  keys: 5_000,
};

export interface Prober {
  /** Resolves, in `performance.now()`, to when each server had begun to answer rightly and in full; undefined if they do not in time. */
  readonly waitUntilWell: (signal: AbortSignal, withinMs: number) => Promise<number | undefined>;
  readonly close: () => Promise<void>;
}

/** Asks both servers on lines and with a key of its own, so that the load does not make it wait in a queue of ours. */
export function createProber(world: World, origins: readonly string[], caller: Caller): Prober {
  const lines = origins.map((origin) => openLine(origin, 2));
  return {
    async waitUntilWell(signal, withinMs) {
      const deadline = performance.now() + withinMs;
      const times = await Promise.all(
        lines.map((line) => waitForServer({ world, line, caller, deadline, signal })),
      );
      return times.includes(undefined) ? undefined : Math.max(...(times as number[]));
    },
    close: async () => void (await Promise.all(lines.map((line) => line.close()))),
  };
}

interface ProbeOptions {
  readonly world: World;
  readonly line: Line;
  readonly caller: Caller;
  readonly deadline: number;
  readonly signal: AbortSignal;
}

async function waitForServer(options: ProbeOptions): Promise<number | undefined> {
  const { deadline, signal } = options;
  let wellSince: number | undefined;
  for (let inARow = 0; inARow < WELL_AFTER;) {
    signal.throwIfAborted();
    if (performance.now() > deadline) return undefined;
    const asked = performance.now();
    const isWell = (await isReady(options)) && (await answersInFull(options));
    inARow = isWell ? inARow + 1 : 0;
    wellSince = isWell ? (wellSince ?? asked) : undefined;
    await sleep(PAUSE_MS);
  }
  return wellSince;
}

async function isReady({ line }: ProbeOptions): Promise<boolean> {
  const reply = await line.ask({ method: "GET", path: "/readyz", headers: {} });
  // `degraded` is 200 too.
  return reply.kind === "answer" && (JSON.parse(reply.text) as { status: string }).status === "ready";
}

/** A question that no cache knows, and that both builds have an answer to. */
async function answersInFull({ world, line, caller }: ProbeOptions): Promise<boolean> {
  const findable = world.questions.filter(({ expected }) => expected.a.length > 0 && expected.b.length > 0);
  const question = world.random.pick(findable);
  const path = toPath(question, world.random, true);
  const reply = await line.ask({ method: "GET", path, headers: { "x-api-key": caller.key } });
  if (reply.kind !== "answer" || reply.status !== 200) return false;
  return readIds(question.operation, JSON.parse(reply.text)).length > 0;
}
