import { setTimeout as sleep } from "node:timers/promises";
import { type Line, openLine } from "./ask.ts";
import { readIds, toPath } from "./corpus.ts";
import type { Caller } from "./callers.ts";
import type { FaultKind } from "./tally.ts";
import type { World } from "./world.ts";

/** This many right and full responses in a row from each server mean that it has recovered. */
const WELL_AFTER = 10;

const PAUSE_MS = 30;

/**
 * A recovery that takes longer is a violation. The breakers of the engine and of Redis try again within a
 * second, and ioredis reconnects within two. The rest is for a busy machine, which has work left after a
 * flood or a swap.
 */
export const RECOVERED_WITHIN_MS: Readonly<Record<FaultKind, number>> = {
  redis: 5_000,
  engine: 5_000,
  load: 10_000,
  swap: 10_000,
  drain: 10_000,
  keys: 5_000,
  loss: 10_000,
};

export interface Prober {
  /**
   * Resolves to when each server's responses became right and full, as `performance.now()`; undefined if that
   * takes too long.
   */
  readonly waitUntilWell: (signal: AbortSignal, withinMs: number) => Promise<number | undefined>;
  readonly close: () => Promise<void>;
}

/**
 * Creates a prober of both servers with separate connections and a separate key, so that it does not wait
 * behind the load.
 */
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
  // `degraded` has status 200 too.
  return reply.kind === "answer" && (JSON.parse(reply.text) as { status: string }).status === "ready";
}

/** Sends a question that no cache has, and that both builds have results for. */
async function answersInFull({ world, line, caller }: ProbeOptions): Promise<boolean> {
  const findable = world.questions.filter(({ expected }) => expected.a.length > 0 && expected.b.length > 0);
  const question = world.random.pick(findable);
  const path = toPath(question, world.random, true);
  const reply = await line.ask({ method: "GET", path, headers: { "x-api-key": caller.key } });
  if (reply.kind !== "answer" || reply.status !== 200) return false;
  return readIds(question.operation, JSON.parse(reply.text)).length > 0;
}
