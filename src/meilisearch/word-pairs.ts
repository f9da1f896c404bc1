import * as v from "valibot";
import type { EngineConnection } from "./connection.ts";
import { readDescription } from "./manifest.ts";

/**
 * How many places have two words side by side in a name or an address, where many have: "cong ty". The words of a phrase go together more
 * often than their counts tell. The import counts a sample, and changes do not: these numbers only decide how far out to look first.
 * They are a document of the index, so they go live with its places.
 */
export interface WordPairs {
  readonly inNames: Readonly<Record<string, number>>;
  /** In an address and not in a name. */
  readonly inAddresses: Readonly<Record<string, number>>;
}

export const NO_PAIRS: WordPairs = { inNames: {}, inAddresses: {} };

/** The pair of two folded words in any order, since people swap words. */
export const pairOf = (one: string, other: string): string =>
  one < other ? `${one} ${other}` : `${other} ${one}`;

/** No place has this id: ids of places begin with `0x`. */
const PAIRS_ID = "word_pairs";

/** As long as for the counts that are read beside them. */
const PAIRS_DEADLINE_MS = 30_000;

const schema = v.object({
  inNames: v.record(v.string(), v.number()),
  inAddresses: v.record(v.string(), v.number()),
});

/**
 * Without ranking fields, words and cells no search finds it. As one text: the engine would take each pair for a field, and reads the list of
 * fields with every search (11,000 pairs as an object made each lookup take 30 ms longer).
 */
export const toPairsDocument = (pairs: WordPairs): object => ({
  id: PAIRS_ID,
  _word_pairs: JSON.stringify(pairs),
});

/** None for an index that was imported before they were counted, and when there is no index. Rejects with the error of the engine. */
export const readWordPairs = async (
  connection: Pick<EngineConnection, "ask">,
  uid: string,
): Promise<WordPairs> =>
  (await readDescription(connection, uid, {
    operation: "word_pairs",
    id: PAIRS_ID,
    field: "_word_pairs",
    schema: v.pipe(v.string(), v.parseJson(), schema),
    deadlineMs: PAIRS_DEADLINE_MS,
  })) ?? NO_PAIRS;
