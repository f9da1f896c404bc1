import * as v from "valibot";
import { areaSchema, type Area } from "../place/geometry/areas.ts";
import { ownFieldSchema, useFields, type OwnField } from "../place/document/own-fields.ts";
import { ownKindSchema, useKinds, type OwnKind } from "../place/document/type-codes.ts";
import type { EngineConnection } from "./connection.ts";
import { readDescription } from "./manifest.ts";

/**
 * The areas, words and kinds of a data team, which came with the import of an index (`--areas`, `--vocabulary`, `--kinds`). It is a
 * document of the index, so they go live with its places and a rollback reverts both.
 */
export interface StoredVocabulary {
  readonly areas: readonly Area[];
  /** CSV in the form of src/search/vocabulary/vi.csv; also names the areas. Checked by the import. */
  readonly words: string;
  /** Absent without any. */
  readonly kinds?: readonly OwnKind[];
  /** The declared fields (`--fields`); absent without any. */
  readonly fields?: readonly OwnField[];
}

const vocabularySchema = v.object({
  areas: v.array(areaSchema),
  words: v.string(),
  kinds: v.exactOptional(v.array(ownKindSchema)),
  fields: v.exactOptional(v.array(ownFieldSchema)),
});

/** Makes the kinds and fields that came with an index those of this process. */
export function useOwn(stored: Pick<StoredVocabulary, "kinds" | "fields"> | undefined): void {
  useKinds(stored?.kinds ?? []);
  useFields(stored?.fields ?? []);
}

/** No place has this id: ids of places begin with `0x`. */
const VOCABULARY_ID = "vocabulary";

/** Thousands of areas are about a megabyte. */
const VOCABULARY_DEADLINE_MS = 5_000;

/** Without ranking fields, words and cells no search finds it. */
export const toVocabularyDocument = (vocabulary: StoredVocabulary): object => ({
  id: VOCABULARY_ID,
  _vocabulary: vocabulary,
});

/** `undefined` for an index that was imported without one, and when there is no index. Rejects with the error of the engine. */
export const readStoredVocabulary = (
  connection: Pick<EngineConnection, "ask">,
  uid: string,
): Promise<StoredVocabulary | undefined> =>
  readDescription(connection, uid, {
    operation: "vocabulary",
    id: VOCABULARY_ID,
    field: "_vocabulary",
    schema: vocabularySchema,
    deadlineMs: VOCABULARY_DEADLINE_MS,
  });
