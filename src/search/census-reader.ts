import { lostIn, type Census, type PlaceIndex } from "../meilisearch/place-index.ts";
import type { StoredVocabulary } from "../meilisearch/stored-vocabulary.ts";
import { loadVocabulary, parseVocabulary, readVocabulary } from "./vocabulary/read-vocabulary.ts";
import type { Vocabulary } from "./vocabulary/vocabulary.ts";
import { createLexicon, NO_LEXICON, type Lexicon } from "./lexicon.ts";

/** What is known of an index without asking it: how many places it has where, its words and its areas. */

/** A new index is noticed within this time, also after an outage: words of the old one may not be those of the new. */
const CHECK_MS = 1_000;

/** An empty response checks this soon: many requests that find nothing ask the engine ten times a second at most. */
const RECHECK_MS = 100;

/**
 * Where changes added or removed places, words are counted again this soon: of a million places that takes a second or two. Until then
 * a name with a new word is found as a whole and by its beginning.
 */
const RECOUNT_MS = 600_000;

export interface CensusReader {
  /** The latest census without waiting; `undefined` before the first was read. */
  latest(): Census | undefined;
  /** The words of the places of the latest census. */
  lexicon(): Lexicon;
  /** What words mean: the project's vocabulary with the areas and words that came with the index, and those added since. */
  vocabulary(): Vocabulary;
  /** Another number when other words were added to the index since its import. */
  epoch(): number;
  /** Settles when the read under way has ended, successfully or not. */
  settled(): Promise<void>;
  /** Whether there is another census by now: of an index that was replaced a moment ago. Checks the index, and never rejects. */
  isNewerThan(known: Census | undefined): Promise<boolean>;
}

/**
 * Reads the census with the first search, and again when a later search finds that the index was replaced, or has more places or fewer.
 * @param use hears what came with the index, before searches do.
 */
export function createCensusReader(
  index: PlaceIndex,
  clock: () => number = () => performance.now(),
  use: (vocabulary: StoredVocabulary | undefined) => void = () => {},
): CensusReader {
  let census: Census | undefined;
  let lexicon: Lexicon = NO_LEXICON;
  let stored: StoredVocabulary | undefined;
  let [words, epoch] = ["", 0];
  let vocabulary = loadVocabulary();
  let builtAt: string | undefined;
  let [checkedAt, countedAt] = [-Infinity, -Infinity];
  let [isComplete, places] = [false, 0];
  let reading: Promise<void> = Promise.resolve();

  const read = async (): Promise<void> => {
    // Where words cannot be read, those that were read last count.
    const [state, added] = await Promise.all([index.readState(), index.readWords().catch(() => words)]);
    if (state.state !== "ready") throw new Error(`The index is ${state.state}.`);
    if (added !== words) {
      words = added;
      epoch += 1;
      vocabulary = buildVocabulary(words, stored);
    }
    // What was counted without a lost partition is counted again when the partition is back.
    const isWhole = state.division === undefined || lostIn(state.division).length === 0;
    const isChanged = state.places !== places && clock() - countedAt >= RECOUNT_MS;
    if (state.builtAt === builtAt && !isChanged && (isComplete || !isWhole)) return;
    [census, stored] = await Promise.all([index.readCensus(), index.readVocabulary()]);
    lexicon = createLexicon(census.words);
    use(stored);
    vocabulary = buildVocabulary(words, stored);
    builtAt = state.builtAt;
    isComplete = isWhole;
    countedAt = clock();
    ({ places } = state);
  };

  const check = (afterMs: number): void => {
    if (clock() - checkedAt < afterMs) return;
    checkedAt = clock();
    // Searches work without a census, with assumed counts.
    reading = read().catch(() => {});
  };

  return {
    latest() {
      check(CHECK_MS);
      return census;
    },
    lexicon: () => lexicon,
    vocabulary: () => vocabulary,
    epoch: () => epoch,
    settled: () => reading,
    async isNewerThan(known) {
      check(RECHECK_MS);
      await reading;
      return census !== known;
    },
  };
}

function buildVocabulary(added: string, stored: StoredVocabulary | undefined): Vocabulary {
  // A row whose kind or area left with another import has no meaning any more.
  const rows = parseVocabulary(`${added}\n${stored?.words ?? ""}`, "the words of the index", () => {});
  return rows.length > 0 || stored ? readVocabulary(rows, stored?.areas) : loadVocabulary();
}
