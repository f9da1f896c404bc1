import type { Build } from "./datasets.ts";
import type { Clients } from "./clients.ts";
import type { World } from "./world.ts";
import type { BreakableEngine, System } from "./system.ts";
import type { FigureName, FiguresWatch, WatchedFault } from "./figures-watch.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { changedKeys } from "./changed-keys.ts";
import { attacker, invalidKeys } from "./unfair-callers.ts";
import { type Prober, RECOVERED_WITHIN_MS } from "./recovery.ts";

/** The parts that a fault may break. */
export interface Site {
  readonly system: System;
  readonly clients: Clients;
  readonly world: World;
  readonly signal: AbortSignal;
}

/** A temporary fault. `run` returns when the fault has ended, or recovery has begun. */
export interface Fault extends WatchedFault {
  readonly server?: number;
  readonly run: (site: Site) => Promise<void>;
}

export const otherBuild = (build: Build): Build => (build === "a" ? "b" : "a");

/** Long enough to reach every deadline, breaker and retry; short enough for all faults within two minutes. */
const BROKEN_MS = 4_000;

/** The engine responds only in the last fifth of each tenth of a second. */
const SLOW_HANG_MS = 80;
const SLOW_GO_MS = 20;

/** The number of clients in addition to the usual ones. */
const BURST_CLIENTS = 300;
const HANGING_UP_CLIENTS = 40;

const engineOf = (name: "redis" | "engine", { system }: Site): BreakableEngine =>
  name === "redis" ? system.engines.redis : system.engines.meilisearch[0]!;

/** The metrics that must show an outage. A slow engine may still be fast enough. */
const TOLD_BY = {
  engine: ["engineOpened"],
  redis: ["redisOpened", "heldLocally"],
} as const satisfies Record<string, readonly FigureName[]>;

const killed = (name: "redis" | "engine"): Fault => ({
  name: `${name}-killed`,
  kind: name,
  tells: TOLD_BY[name],
  async run(site) {
    await engineOf(name, site).kill();
    await sleep(BROKEN_MS, undefined, { signal: site.signal });
    await engineOf(name, site).revive();
  },
});

const hung = (name: "redis" | "engine"): Fault => ({
  name: `${name}-hung`,
  kind: name,
  tells: TOLD_BY[name],
  async run(site) {
    engineOf(name, site).hang();
    try {
      await sleep(BROKEN_MS, undefined, { signal: site.signal });
    } finally {
      engineOf(name, site).goOn();
    }
  },
});

const slow = (name: "redis" | "engine"): Fault => ({
  name: `${name}-slow`,
  kind: name,
  async run(site) {
    const engine = engineOf(name, site);
    const endsAt = performance.now() + BROKEN_MS;
    try {
      while (performance.now() < endsAt && !site.signal.aborted) {
        engine.hang();
        await sleep(SLOW_HANG_MS);
        engine.goOn();
        await sleep(SLOW_GO_MS);
      }
    } finally {
      engine.goOn();
    }
  },
});

export const swap = (name: string, toArguments: (file: string) => string[]): Fault => ({
  name,
  kind: "swap",
  async run({ system, world }) {
    const next = otherBuild(world.live.build);
    await system.index(...toArguments(world.datasets.files[next]));
    world.live.build = next;
    world.live.since = performance.now();
  },
});

/** A deployment: one server is stopped, and another replaces it. */
const restarted = (server: number): Fault => ({
  name: `server-${server}-restarted`,
  kind: "drain",
  server,
  async run({ system, world }) {
    const how = await system.servers[server]!.stop();
    if (how !== "code 0")
      world.tally.violate({ what: `a server that was told to end ended with ${how}`, faults: [] });
    await system.servers[server]!.start();
  },
});

const more = (name: string, count: number, hangUp: boolean): Fault => ({
  name,
  kind: "load",
  ...(hangUp ? {} : { tells: ["shed"] }),
  run: ({ clients, signal }) =>
    clients.askMore(count, AbortSignal.any([signal, AbortSignal.timeout(BROKEN_MS)]), hangUp),
});

/**
 * In the order in which they happen, one after the other with a calm stretch between. Those of Redis come
 * together: a minute later limits must be exact again, and some time is left to check that.
 */
export const FAULTS: readonly Fault[] = [
  killed("redis"),
  hung("redis"),
  slow("redis"),
  more("clients-hang-up", HANGING_UP_CLIENTS, true),
  hung("engine"),
  swap("index-imported", (file) => ["import", file, "--format", "native"]),
  killed("engine"),
  more("overload", BURST_CLIENTS, false),
  attacker,
  invalidKeys,
  swap("index-rolled-back", () => ["rollback"]),
  slow("engine"),
  changedKeys,
  // The other server lives through the whole run: its memory is the one that is judged.
  restarted(1),
];

export interface RunOptions {
  readonly faults: readonly Fault[];
  readonly prober: Prober;
  readonly figures: FiguresWatch;
  /** The length of the run without its preparation. */
  readonly minutes: number;
  readonly onProgress: (what: string) => void;
}

/** Calm before the first fault: caches fill and code gets warm. */
const WARM_UP_MS = 12_000;

/** Calm between faults; in a long run more of it, so that there is calm enough to see whether memory grows. */
const CALM_MS = { short: 4_000, long: 10_000 };
const LONG_RUN_MINUTES = 10;

/** The usual length of a fault with the calm stretch after it. One that began later would end too late. */
const LAST_FAULT_MS = 20_000;

/** Runs every fault at least once, and repeats them until the time is over. */
export async function runFaults(site: Site, options: RunOptions): Promise<void> {
  const { faults, minutes, onProgress } = options;
  const { signal } = site;
  const endsAt = performance.now() + minutes * 60_000 - LAST_FAULT_MS;
  const calmMs = minutes >= LONG_RUN_MINUTES ? CALM_MS.long : CALM_MS.short;
  await sleep(WARM_UP_MS, undefined, { signal });
  let happened = 0;
  do {
    for (const fault of faults) {
      if (happened >= faults.length && performance.now() > endsAt) return;
      onProgress(fault.name);
      await runFault(fault, site, options);
      happened += 1;
      await sleep(calmMs, undefined, { signal });
    }
  } while (performance.now() < endsAt);
}

async function runFault(fault: Fault, site: Site, options: RunOptions): Promise<void> {
  const { tally, faults } = site.world;
  const { prober, figures } = options;
  await figures.endCalm();
  const period = faults.begin(fault);
  try {
    await fault.run(site);
  } catch (error) {
    site.signal.throwIfAborted();
    tally.violate({ what: `${fault.name} could not be done: ${String(error)}`, faults: [fault.name] });
  }
  period.endedAt = performance.now();
  const withinMs = RECOVERED_WITHIN_MS[fault.kind];
  const times = await Promise.all([
    prober.waitUntilWell(site.signal, withinMs),
    figures.waitUntilClosed(withinMs),
  ]);
  const wellAt = times.includes(undefined) ? undefined : Math.max(...(times as number[]));
  if (wellAt === undefined)
    tally.violate({
      what: `no recovery from ${fault.name} within ${withinMs / 1_000} s`,
      faults: [fault.name],
    });
  period.recoveredAt = wellAt === undefined ? performance.now() : Math.max(wellAt, period.endedAt);
  await figures.endFault(fault);
}
