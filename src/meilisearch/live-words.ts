import * as v from "valibot";
import type { EngineConnection } from "./connection.ts";
import { readDescription } from "./manifest.ts";

/**
 * The words that were added to a live index (`words add`). They are a document of their own beside the vocabulary that came with the
 * import: small, since every server reads it every few seconds.
 */

/** No place has this id: ids of places begin with `0x`. */
export const WORDS_ID = "words";

/** A few kilobytes, read beside searches. */
const WORDS_DEADLINE_MS = 1_000;

/** Without ranking fields, words and cells no search finds it. `rows`: CSV in the form of src/search/vocabulary/vi.csv. */
export const toWordsDocument = (rows: string): object => ({ id: WORDS_ID, _words: rows });

/** Empty for an index without such words, and when there is no index. Rejects with the error of the engine. */
export const readLiveWords = async (
  connection: Pick<EngineConnection, "ask">,
  uid: string,
  deadlineMs = WORDS_DEADLINE_MS,
): Promise<string> =>
  (await readDescription(connection, uid, {
    operation: "words",
    id: WORDS_ID,
    field: "_words",
    schema: v.string(),
    deadlineMs,
  })) ?? "";
