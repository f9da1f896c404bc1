import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findDifferentReplicas } from "../../test/support/compare-replicas.ts";
import { openLine } from "./ask.ts";
import { changedKeys } from "./changed-keys.ts";
import { CHANGED_LOCATION, CHANGED_PLACES, changedTitle, toChangedPlaces } from "./datasets.ts";
import { otherBuild, swap, type Fault, type Site } from "./faults.ts";
import { RECOVERED_WITHIN_MS } from "./recovery.ts";
import type { BreakableMeilisearch } from "./system.ts";

/*
 * The faults of an index on several engines, each place on two of them: whichever engine is lost, no request fails but those in flight,
 * no result is wrong or missing, and the engine that comes back has all that changed meanwhile.
 */

/** Long enough for servers to notice that the engine is gone, and for changes that it misses. */
const LOST_MS = 4_000;

/** An import of a few thousand places is at work by then. */
const IMPORT_BEGUN_MS = 2_500;

const kill = async ({ world }: Site, engine: BreakableMeilisearch): Promise<void> => {
  world.kills.push({ at: performance.now(), failed: 0 });
  await engine.kill();
};

const engineAt = ({ system }: Site, number: number): BreakableMeilisearch =>
  system.engines.meilisearch[number - 1]!;

let changes = 0;

/** Gives some places a name that only they have. Resolves to the name. */
async function changePlaces({ system, world }: Site): Promise<string> {
  changes += 1;
  const title = changedTitle(changes);
  const file = join(world.datasets.folder, "changes.jsonl");
  writeFileSync(file, toChangedPlaces(title));
  await system.index("apply", file);
  return title;
}

/** A server learns within a second which new words a partition has. */
const SEEN_WITHIN_MS = 3_000;

/** What `apply` has confirmed is found at every server a moment later. */
async function checkFound({ system, world }: Site, name: string): Promise<void> {
  const key = world.callers.find(({ role }) => role === "own")?.key ?? "";
  const { latitude, longitude } = CHANGED_LOCATION;
  const path = `/api/maps/search?q=${encodeURIComponent(name)}&lat=${latitude}&lng=${longitude}&limit=50`;
  await sleep(SEEN_WITHIN_MS);
  for (const { origin } of system.servers) {
    const line = openLine(origin, 1);
    const reply = await line.ask({ method: "GET", path, headers: { "x-api-key": key } });
    await line.close();
    const titles = reply.kind === "answer" ? reply.text.split(`"title":"${name}"`).length - 1 : 0;
    if (titles < CHANGED_PLACES)
      world.tally.violate({
        what: "changes that were applied were not found",
        answer: `${titles} of ${CHANGED_PLACES}: ${reply.kind === "answer" ? reply.text : reply.kind}`.slice(
          0,
          400,
        ),
        faults: [],
      });
  }
}

/** Copying whole partitions to an engine takes longer than a few changes. */
const REFILLED_WITHIN_MS = 30_000;

/** Waits until the replicas are equal, document by document. */
async function awaitEqualReplicas(
  { system, world, signal }: Site,
  within: number = RECOVERED_WITHIN_MS.loss,
): Promise<void> {
  const since = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const different = await findDifferentReplicas(system.engines.meilisearch).catch((error: unknown) => [
      String(error),
    ]);
    const took = performance.now() - since;
    if (different.length === 0) {
      world.tally.note(`caught up within ${Math.ceil(took / 1_000)} s`);
      return;
    }
    if (took > within) {
      world.tally.violate({
        what: "an engine that was back did not catch up in time",
        answer: different[0] ?? "",
        faults: [],
      });
      return;
    }
    await sleep(200);
  }
}

/** Long enough for every check, breaker and write to give it up, and for what callers see to become as before. */
const HUNG_MS = 20_000;

/** Suspends an engine and changes places meanwhile. Requests to it stay without a response, and none of them may fail. */
const hung = (number: number): Fault => ({
  name: `engine-${number}-hung`,
  kind: "loss",
  async run(site) {
    const engine = engineAt(site, number);
    const endsAt = performance.now() + HUNG_MS;
    engine.hang();
    try {
      await sleep(LOST_MS, undefined, { signal: site.signal });
      await checkFound(site, await changePlaces(site));
      await sleep(Math.max(0, endsAt - performance.now()), undefined, { signal: site.signal });
    } finally {
      engine.goOn();
    }
    await awaitEqualReplicas(site);
  },
});

/** Kills an engine, changes places that it misses, and starts it again; with `empties`, without its data. */
const lost = (number: number, empties = false): Fault => ({
  name: `engine-${number}-${empties ? "emptied" : "killed"}`,
  kind: "loss",
  async run(site) {
    const engine = engineAt(site, number);
    await kill(site, engine);
    await sleep(LOST_MS, undefined, { signal: site.signal });
    await checkFound(site, await changePlaces(site));
    if (empties) engine.empty();
    await engine.revive();
    await awaitEqualReplicas(site, empties ? REFILLED_WITHIN_MS : undefined);
  },
});

/** A whole import that an engine misses from its middle on. */
const lostInImport = (number: number): Fault => ({
  name: `engine-${number}-killed-in-import`,
  kind: "swap",
  async run(site) {
    const { system, world, signal } = site;
    const next = otherBuild(world.live.build);
    const importing = system.index("import", world.datasets.files[next], "--format", "native");
    await Promise.race([importing, sleep(IMPORT_BEGUN_MS, undefined, { signal })]);
    await kill(site, engineAt(site, number));
    await importing;
    world.live.build = next;
    world.live.since = performance.now();
    await engineAt(site, number).revive();
    await awaitEqualReplicas(site, REFILLED_WITHIN_MS);
  },
});

/** In the order in which they happen, for three engines or more. */
export const LOSS_FAULTS: readonly Fault[] = [
  lost(1),
  lostInImport(2),
  lost(2),
  hung(1),
  swap("index-rolled-back", () => ["rollback"]),
  lost(3),
  swap("index-imported", (file) => ["import", file, "--format", "native"]),
  lost(1, true),
  // Changes keys with all engines alive: the only time at which a caller certainly uses up a limit.
  changedKeys,
];
