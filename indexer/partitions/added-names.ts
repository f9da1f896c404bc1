import type { IndexedPlace } from "../../src/meilisearch/index-form.ts";
import {
  hashesOfPlace,
  NAME_DOCUMENTS,
  openNames,
  toAddedNamesDocument,
  type StoredNames,
} from "../../src/partitions/name-filter.ts";
import type { Replica } from "./connect-generation.ts";

/** What changes add to the names that a partition is known to hold. */
export interface AddedNames {
  /** The document, as JSON, to be written with these places; none when they bring nothing new. */
  add(places: readonly IndexedPlace[]): string[];
}

/** The filter of some millions of names. */
const DEADLINE_MS = 30_000;

export async function readAddedNames({ connection: { ask, liveUid } }: Replica): Promise<AddedNames> {
  const { stored, added } = NAME_DOCUMENTS;
  const { results } = await ask<{
    results: readonly { readonly _names?: StoredNames; readonly _names_added?: readonly number[] }[];
  }>({
    operation: "names",
    path: `/indexes/${liveUid}/documents/fetch`,
    body: { ids: [stored, added], fields: ["_names", "_names_added"], limit: 2 },
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  const names = results.find(({ _names }) => _names !== undefined)?._names;
  const known = new Set(results.flatMap(({ _names_added: hashes = [] }) => hashes));
  // Without stored names every partition is asked for everything anyway.
  const filter = names && openNames(names);
  return {
    add(places) {
      if (filter === undefined) return [];
      const before = known.size;
      for (const hash of places.flatMap(hashesOfPlace)) if (!filter.mayHold(hash)) known.add(hash);
      return known.size === before ? [] : [JSON.stringify(toAddedNamesDocument([...known]))];
    },
  };
}
