import { fold, joinWords } from "../../src/place/text/fold.ts";
import type { PlaceIndex } from "../../src/meilisearch/place-index.ts";
import { cellsOf } from "../../src/place/geometry/cells.ts";
import { dataIdIdentity } from "../../src/place/document/data-id.ts";
import type { StoredPlace } from "../../src/place/document/place-document.ts";
import type { Written } from "../import/fill-index.ts";
import { CommandError } from "../../src/cli/errors.ts";
import { setTimeout as sleep } from "node:timers/promises";

export interface BuiltIndex {
  /** The number of places in it, counted by the engine. */
  readonly places: number;
  /** The number of records that were merged into another place. */
  readonly redirects?: number;
  readonly written: Pick<Written, "distinctPlaces" | "sampleIds">;
  /** Reads the new index in the same way as the server. */
  readonly reader: Pick<PlaceIndex, "getPlaces" | "findPlaces">;
}

interface IndexCheck {
  /** What to do when the check fails. */
  readonly hint: string;
  /** Returns what is wrong; `undefined` when nothing is. */
  readonly run: (index: BuiltIndex, sample: Sample) => Promise<string | undefined> | string | undefined;
}

/**
 * Six standard errors of the estimated number of different places. A few places more are allowed in the
 * smallest indexes.
 */
const COUNT_TOLERANCE = 0.05;
const COUNT_TOLERANCE_PLACES = 3;

/** Names without letters, or made of words that every neighbour has, cannot be found by name. Most can. */
const MIN_FOUND_SHARE = 0.5;

/** How many places of one finest cell may share the words of the name: branches of a chain in one mall. */
const NEIGHBOURS = 200;

const SEARCH_DEADLINE_MS = 5_000;

/** The places of `sampleIds`, as far as the index has them. */
type Sample = readonly (StoredPlace | undefined)[];

/** All checks that must pass before an index goes live. */
const CHECKS: readonly IndexCheck[] = [
  {
    hint: "Look at the report for what was skipped and rejected; is it the right file?",
    run: ({ places }) => (places === 0 ? "it holds no places" : undefined),
  },
  {
    hint: "Does another import write to the same engine? Look into the engine's log, then import again.",
    run: ({ places, redirects = 0, written: { distinctPlaces } }) => {
      const tolerance = Math.max(COUNT_TOLERANCE_PLACES, distinctPlaces * COUNT_TOLERANCE);
      const held = places + redirects;
      return Math.abs(held - distinctPlaces) <= tolerance
        ? undefined
        : `it holds ${held} places where about ${Math.round(distinctPlaces)} were written`;
    },
  },
  {
    hint: "Look into the engine's log, then import again.",
    run: ({ written }, sample) => {
      const missing = written.sampleIds.find((_, index) => sample[index] === undefined);
      return missing && `the place ${missing} was written and is not there`;
    },
  },
  {
    hint: "The settings of the index may not fit the engine's version; look into its log.",
    run: async ({ reader }, sample) => {
      const places = sample.filter((place) => place !== undefined);
      const share = (await countFound(reader, places)) / Math.max(1, places.length);
      return share >= MIN_FOUND_SHARE
        ? undefined
        : `a search finds ${Math.round(share * 100)} % of its places only`;
    },
  },
];

/**
 * Checks that the new index is fit to go live.
 * @throws {CommandError} that says what is wrong and what to do.
 */
export async function checkIndex(index: BuiltIndex): Promise<void> {
  const sample = await retryOnTimeout(() => index.reader.getPlaces(index.written.sampleIds));
  for (const { run, hint } of CHECKS) {
    const problem = await run(index, sample);
    if (problem !== undefined) throw new CommandError(`The new index failed its check: ${problem}. ${hint}`);
  }
}

/** How many of the places a search by their names finds where they are. */
async function countFound(reader: BuiltIndex["reader"], places: readonly StoredPlace[]): Promise<number> {
  const lookups = places.map(({ title, type, location }) => {
    const cells = cellsOf(location).slice(-1);
    const name = joinWords(fold(title));
    return { filter: name === "" ? { cells, types: [type] } : { cells, names: [name] }, limit: NEIGHBOURS };
  });
  const answers = await retryOnTimeout(() =>
    reader.findPlaces(lookups, AbortSignal.timeout(SEARCH_DEADLINE_MS)),
  );
  return places.filter(({ data_id: dataId }, index) => {
    const found = answers[index]?.places ?? [];
    // A full response shows that the search works. The place may rank behind others with the same name.
    return found.length >= NEIGHBOURS || found.some(({ id }) => id === dataIdIdentity(dataId));
  }).length;
}

/**
 * The reader times out within a second, as a server must. An engine that has just written gigabytes may be
 * slower.
 */
const ATTEMPTS = 5;
const PAUSE_MS = 1_000;

/** Repeats a request that times out, a few times. Throws the last error. */
export async function retryOnTimeout<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
