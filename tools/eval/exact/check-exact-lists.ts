import { setTimeout as sleep } from "node:timers/promises";
import { importInto } from "../../../test/support/divided-index.ts";
import type { Topology } from "../../../src/partitions/topology.ts";
import { startApi } from "../ask.ts";
import { EVAL_MOMENT } from "../dataset.ts";
import { checkLists } from "./check-lists.ts";
import { createHostilePlaces } from "./hostile-places.ts";

/** A busy machine may not respond in time. Only the lists are checked, so the request is sent again. */
const TRIES = 5;
const PAUSE_MS = 500;

interface ExactOptions {
  readonly count: number;
  readonly seed: number;
}

/**
 * Fills the engine with hostile places, compares random lists, and prints the faults. Resolves to true when
 * there are none.
 */
export async function checkExactLists(topology: Topology, { count, seed }: ExactOptions): Promise<boolean> {
  const places = createHostilePlaces(seed);
  await importInto(topology, places);
  await using api = await startApi(topology);
  const get = async (target: string): Promise<unknown> => {
    for (let tried = 1; ; tried += 1) {
      try {
        const response = await fetch(api.url + target, { headers: { "x-api-key": api.key } });
        if (response.ok) return await response.json();
        throw new Error(`${target}: ${response.status} ${await response.text()}`);
      } catch (error) {
        if (tried === TRIES) throw error;
        await sleep(PAUSE_MS);
      }
    }
  };
  const { faults, examples } = await checkLists({ places, get, count, seed, now: EVAL_MOMENT });
  const lines = Object.entries(faults).map(([fault, lists]) => `${fault.padEnd(12)}${lists}`);
  process.stdout.write(
    `${[`${count} lists of ${places.length} places`, ...lines, ...examples].join("\n")}\n`,
  );
  return Object.values(faults).every((lists) => lists === 0);
}
