import { facetsOutline } from "../../src/meilisearch/outlines.ts";
import { SEARCHED_FIELDS, type IndexedPlace } from "../../src/meilisearch/index-form.ts";
import {
  buildNames,
  hashesOfPlace,
  NAME_DOCUMENTS,
  NAME_FIELDS,
  openNames,
  toAddedNamesDocument,
  toNamesDocument,
  namesOutline,
  type StoredNames,
} from "../../src/partitions/name-filter.ts";
import type { Replica } from "./connect-generation.ts";
import type { CurrentReplica } from "./read-partitions.ts";

/** What changes add to the names that a partition is known to hold. */
export interface AddedNames {
  /** Documents, as JSON, to be written with these places; none when they bring nothing new. */
  add(places: readonly IndexedPlace[]): string[];
}

/** Some millions of names take seconds. */
const DEADLINE_MS = 120_000;

/**
 * How many added tokens cause the filter to be built again: each batch that adds any writes them all, at some 17 bytes each, and servers
 * keep them in memory. A large partition takes longer to read, so it may have more of them.
 */
const MOST_ADDED = { least: 10_000, share: 1 / 20, most: 100_000 };

const mostAdded = ({ tokens }: StoredNames): number =>
  Math.min(MOST_ADDED.most, Math.max(MOST_ADDED.least, tokens * MOST_ADDED.share));

/** @param replica has indexed all changes before. @param most instead of the usual number. */
export async function readAddedNames(replica: CurrentReplica, most?: number): Promise<AddedNames> {
  const { ask, uid } = replica.connection;
  const { stored, added } = NAME_DOCUMENTS;
  const { results } = await ask({
    operation: "names",
    path: `/indexes/${uid}/documents/fetch`,
    body: { ids: [stored, added], fields: ["_names", "_names_added"], limit: 2 },
    signal: AbortSignal.timeout(DEADLINE_MS),
    outline: namesOutline,
  });
  const names = results.find(({ _names }) => _names !== undefined)?._names;
  const hashes = results.flatMap(({ _names_added = [] }) => _names_added);
  // Without a filter that servers can read the partition is asked for everything anyway.
  if (names === undefined || openNames(names) === undefined) return { add: () => [] };
  if (hashes.length <= (most ?? mostAdded(names))) return addTo(names, hashes, []);
  const rebuilt = { ...(await readNames(replica)), rebuilt_at: replica.writes };
  return addTo(rebuilt, [], [JSON.stringify(toSearchedNames(rebuilt))]);
}

/** @param first documents to be written once, with whatever is written next. */
function addTo(names: StoredNames, hashes: readonly number[], first: readonly string[]): AddedNames {
  const filter = openNames(names);
  const known = new Set(hashes);
  let unwritten = first;
  return {
    add(places) {
      const before = known.size;
      for (const hash of places.flatMap(hashesOfPlace)) if (filter?.mayHold(hash) !== true) known.add(hash);
      if (known.size === before && unwritten.length === 0) return [];
      const documents = [...unwritten, JSON.stringify(toAddedNamesDocument([...known], names.rebuilt_at))];
      unwritten = [];
      return documents;
    },
  };
}

/** The filter of what an index holds, from the engine's own lists of values. */
export async function readNames({ connection: { ask, uid } }: Replica): Promise<StoredNames> {
  const { facetDistribution } = await ask({
    operation: "names",
    path: `/indexes/${uid}/search`,
    body: { facets: NAME_FIELDS, limit: 0 },
    signal: AbortSignal.timeout(DEADLINE_MS),
    outline: facetsOutline,
  });
  return buildNames(facetDistribution);
}

/** The engine refuses searches in fields that no document has, as in a partition without places. */
const SEARCHED = Object.fromEntries(SEARCHED_FIELDS.map((field) => [field, []]));

/** The document of a filter, with all fields that searches name. */
export const toSearchedNames = (names: StoredNames): object => ({ ...toNamesDocument(names), ...SEARCHED });
