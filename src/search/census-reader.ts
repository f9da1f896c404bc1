import { lostIn, type Census, type IndexState, type PlaceIndex } from "../meilisearch/place-index.ts";
import type { StoredVocabulary } from "../meilisearch/stored-vocabulary.ts";
import { loadVocabulary, parseVocabulary, readVocabulary } from "./vocabulary/read-vocabulary.ts";
import type { Vocabulary } from "./vocabulary/vocabulary.ts";
import { createLexicon, NO_LEXICON, type Lexicon } from "./lexicon.ts";

/** What is known of an index without asking it: how many places it has where, its words and its areas. */

/** A new index is noticed within this time, also after an outage: words of the old one may not be those of the new. */
const CHECK_MS = 1_000;

/** An empty response checks this soon: many requests that find nothing ask the engine ten times a second at most. */
const RECHECK_MS = 100;

/** Words are counted again this long after places changed: that takes a second or two. A name with a new word is found whole until then. */
const RECOUNT_MS = 600_000;

/** Without the words of a partition some names are not found, so they are counted again this soon. */
const RETRY_MS = 2_000;

export type CensusReader = ReturnType<typeof createCensusReader>;

/**
 * Reads the census with the first search, and again when a later search finds that the index was replaced, or has more places or fewer.
 * @param use hears what came with the index, before searches do.
 */
export function createCensusReader(
  index: PlaceIndex,
  clock: () => number = () => performance.now(),
  use: (vocabulary: StoredVocabulary | undefined) => void = () => {},
) {
  let counted: Counted | undefined;
  let [words, epoch] = ["", 0];
  let vocabulary = loadVocabulary();
  let checkedAt = -Infinity;
  let reading: Promise<void> = Promise.resolve();

  const read = async (): Promise<void> => {
    // Where words cannot be read, those that were read last count.
    const [state, added] = await Promise.all([index.readState(), index.readWords().catch(() => words)]);
    if (state.state !== "ready") throw new Error(`The index is ${state.state}.`);
    if (added !== words) {
      words = added;
      epoch += 1;
      vocabulary = buildVocabulary(words, counted?.stored);
    }
    if (counted && isCurrent(counted, state, clock())) return;
    const [census, stored] = await Promise.all([index.readCensus(), index.readVocabulary()]);
    use(stored);
    vocabulary = buildVocabulary(words, stored);
    counted = { census, stored, lexicon: createLexicon(census.words), state, at: clock() };
  };

  const check = (afterMs: number): void => {
    if (clock() - checkedAt < afterMs) return;
    checkedAt = clock();
    // Searches work without a census, with assumed counts.
    reading = read().catch(() => {});
  };

  return {
    /** The latest census without waiting; `undefined` before the first was read. */
    latest(): Census | undefined {
      check(CHECK_MS);
      return counted?.census;
    },
    lexicon: () => counted?.lexicon ?? NO_LEXICON,
    /** What words mean: the project's vocabulary with the areas and words that came with the index, and those added since. */
    vocabulary: () => vocabulary,
    /** Another number when other words were added to the index since its import. */
    epoch: () => epoch,
    /** Settles when the read under way has ended, successfully or not. */
    settled: () => reading,
    /** Whether there is another census by now: of an index that was replaced a moment ago. Checks the index, and never rejects. */
    async isNewerThan(known: Census | undefined) {
      check(RECHECK_MS);
      await reading;
      return counted?.census !== known;
    },
  };
}

type ReadyState = Extract<IndexState, { state: "ready" }>;

/** What was read of an index, when it was in a state. */
interface Counted {
  readonly census: Census;
  readonly lexicon: Lexicon;
  readonly stored: StoredVocabulary | undefined;
  readonly state: ReadyState;
  readonly at: number;
}

/** Whether the counts are those of the index. What was counted without a partition is counted again when all can be read. */
function isCurrent({ census, state, at }: Counted, now: ReadyState, clock: number): boolean {
  if (now.builtAt !== state.builtAt) return false;
  if (!census.isWhole && isWhole(now)) return clock - at < RETRY_MS;
  return now.places === state.places || clock - at < RECOUNT_MS;
}

const isWhole = ({ division }: ReadyState): boolean =>
  division === undefined || lostIn(division).length === 0;

function buildVocabulary(added: string, stored: StoredVocabulary | undefined): Vocabulary {
  // A row whose kind or area left with another import has no meaning any more.
  const rows = parseVocabulary(`${added}\n${stored?.words ?? ""}`, "the words of the index", () => {});
  return rows.length > 0 || stored ? readVocabulary(rows, stored?.areas) : loadVocabulary();
}
