import { fold, joinWords } from "../../src/place/text/fold.ts";
import type { PlaceIndex } from "../../src/meilisearch/place-index.ts";
import { cellsOf } from "../../src/place/geometry/cells.ts";
import { dataIdIdentity } from "../../src/place/document/data-id.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
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
  readonly reader: Pick<PlaceIndex, "getPlace" | "findPlaces">;
}

interface IndexCheck {
  /** What to do when the check fails. */
  readonly hint: string;
  /** Returns what is wrong; `undefined` when nothing is. */
  readonly run: (index: BuiltIndex) => Promise<string | undefined> | string | undefined;
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
    run: async ({ written, reader }) => {
      const found = await Promise.all(written.sampleIds.map((dataId) => getPlace(reader, dataId)));
      const missing = written.sampleIds.find((_, index) => found[index] === undefined);
      return missing && `the place ${missing} was written and is not there`;
    },
  },
  {
    hint: "The settings of the index may not fit the engine's version; look into its log.",
    run: async ({ written, reader }) => {
      const places = await Promise.all(written.sampleIds.map((dataId) => getPlace(reader, dataId)));
      const found = await Promise.all(places.map((place) => isFound(reader, place)));
      const share = found.filter(Boolean).length / Math.max(1, found.length);
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
  for (const { run, hint } of CHECKS) {
    const problem = await run(index);
    if (problem !== undefined) throw new CommandError(`The new index failed its check: ${problem}. ${hint}`);
  }
}

const getPlace = (reader: BuiltIndex["reader"], dataId: string): Promise<PlaceDocument | undefined> =>
  retryOnTimeout(() => reader.getPlace(dataId));

async function isFound(reader: BuiltIndex["reader"], place: PlaceDocument | undefined): Promise<boolean> {
  if (!place) return false;
  const { title, type, location, data_id: dataId } = place;
  const cells = cellsOf(location).slice(-1);
  const name = joinWords(fold(title));
  const filter = name === "" ? { cells, types: [type] } : { cells, names: [name] };
  const lookup = { filter, limit: NEIGHBOURS };
  const [answer] = await retryOnTimeout(() =>
    reader.findPlaces([lookup], AbortSignal.timeout(SEARCH_DEADLINE_MS)),
  );
  const found = answer?.places ?? [];
  // A full response shows that the search works. The place may rank behind others with the same name.
  return found.length >= NEIGHBOURS || found.some(({ id }) => id === dataIdIdentity(dataId));
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
