import { setTimeout as sleep } from "node:timers/promises";
import type { BreakableEngine } from "../system/engines.ts";
import type { FigureName } from "../measure/read-metrics.ts";
import { changedKeys } from "./changed-keys.ts";
import { otherBuild, type Fault, type Site } from "./fault.ts";

/** Long enough for every deadline, breaker and retry to be met; short enough for all faults within two minutes. */
const BROKEN_MS = 4_000;

/** Of each tenth of a second it answers for the last fifth only. */
const SLOW_HANG_MS = 80;
const SLOW_GO_MS = 20;

/** So many clients more than the usual ones. */
const BURST_CLIENTS = 300;
const HANGING_UP_CLIENTS = 40;

const engineOf = (name: "redis" | "engine", { system }: Site): BreakableEngine =>
  name === "redis" ? system.engines.redis : system.engines.meilisearch;

/** What the servers' metrics must tell of an outage. A slow engine may still be quick enough. */
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

const swap = (name: string, toArguments: (file: string) => string[]): Fault => ({
  name,
  kind: "swap",
  async run({ system, world }) {
    const next = otherBuild(world.live.build);
    await system.index(...toArguments(world.gazetteers.files[next]));
    world.live.build = next;
    world.live.since = performance.now();
  },
});

/** A deployment: the server is told to end, and another takes its place. */
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
 * In the order in which they happen, one after the other with a calm stretch between. Those of Redis come together: a minute later
 * limits must be exact again, and some time is left to see that they are.
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
  swap("index-rolled-back", () => ["rollback"]),
  slow("engine"),
  changedKeys,
  // The other one lives through the whole run: its memory is what is looked at.
  restarted(1),
];
