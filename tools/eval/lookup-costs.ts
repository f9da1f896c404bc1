import { AsyncLocalStorage } from "node:async_hooks";
import type { LookupResult, PlaceLookup } from "../../src/meilisearch/place-index.ts";
import type { RoutedLookup } from "../../src/partitions/cluster-reader.ts";
import { readCpuMs } from "../bench/process-usage.ts";

/** Which lookups searches send, how many partitions each asks and why, and what each costs the engines. */

/** A lookup by what it looks for and where: a line of the report. */
export function roleOf({ filter, limit, order, joinedName }: PlaceLookup): string {
  const { cells, within, areas, anyOf } = filter;
  const { types, noneOf, names, nameWords, wordSets, nameBeginning, wordBeginning } = filter;
  const what = {
    "names with typos": joinedName,
    type: types,
    "other types": noneOf,
    name: names,
    "name words": nameWords,
    words: wordSets && (wordSets.length > 1 ? undefined : wordSets),
    "all words but one": wordSets && (wordSets.length > 1 ? wordSets : undefined),
    "beginning of the name": nameBeginning,
    "beginning of a word": wordBeginning,
    "one of several": anyOf,
  };
  const said = Object.entries(what).flatMap(([text, value]) => (value === undefined ? [] : [text]));
  const isPlaced = cells !== undefined || within !== undefined;
  const where = [isPlaced ? "ring" : "everywhere", ...(areas ? ["area"] : [])].join(", ");
  const how = limit === 0 ? "count of " : order ? `by ${order.by}: ` : "";
  return `${how}${said.join(" + ") || "any place"} (${where})`;
}

/** Why a lookup asks the partitions that it asks. */
function reasonOf({ filter, joinedName }: PlaceLookup): Reason {
  if (filter.cells ?? filter.within) return "cells";
  return joinedName === undefined ? "names" : "typos";
}

type Reason = "cells" | "names" | "typos";

interface RoleCount {
  readonly reason: Reason;
  lookups: number;
  partitions: number;
  /** Of these, those that had a match. */
  matching: number;
  /** Some of its lookups, to be sent again. */
  readonly some: PlaceLookup[];
}

interface SearchCount {
  readonly kind: string;
  /** All partitions asked, and those that only lookups with this reason asked. */
  readonly asked: Map<number, Set<Reason>>;
}

/** Enough for a mean; of a million places all of them together take half a minute. */
const MOST_REPEATED = 96;

/** Counts the lookups of searches, each run with `inSearch`. */
export function createLookupCounter() {
  const roles = new Map<string, RoleCount>();
  const searches: SearchCount[] = [];
  const current = new AsyncLocalStorage<SearchCount>();
  return {
    inSearch<T>(kind: string, run: () => Promise<T>): Promise<T> {
      const search: SearchCount = { kind, asked: new Map() };
      searches.push(search);
      return current.run(search, run);
    },
    /** Lookups outside of a search are not counted. */
    note(lookup: PlaceLookup, { partitions, matching }: RoutedLookup): void {
      const search = current.getStore();
      if (search === undefined) return;
      const reason = reasonOf(lookup);
      const role = roles.getOrInsertComputed(roleOf(lookup), () => ({
        reason,
        lookups: 0,
        partitions: 0,
        matching: 0,
        some: [],
      }));
      role.lookups += 1;
      role.partitions += partitions.length;
      role.matching += matching;
      if (role.some.length < MOST_REPEATED) role.some.push(lookup);
      for (const number of partitions) search.asked.getOrInsertComputed(number, () => new Set()).add(reason);
    },
    roles: (): ReadonlyMap<string, RoleCount> => roles,
    searches: (): readonly SearchCount[] => searches,
  };
}

export type LookupCounter = ReturnType<typeof createLookupCounter>;

/** In one request: what the exchange itself costs is then a small part. */
const SENT_TOGETHER = 16;

/** The CPU time of the engines for one lookup of each role, in milliseconds: lookups that were counted, sent again. */
export async function measureRoles(
  roles: ReadonlyMap<string, RoleCount>,
  findPlaces: (lookups: readonly PlaceLookup[]) => Promise<LookupResult[]>,
  enginePids: readonly number[],
): Promise<ReadonlyMap<string, number>> {
  const costs = new Map<string, number>();
  for (const [role, { some }] of roles) {
    const before = readCpuMs(enginePids);
    for (let start = 0; start < some.length; start += SENT_TOGETHER)
      await findPlaces(some.slice(start, start + SENT_TOGETHER));
    costs.set(role, (readCpuMs(enginePids) - before) / some.length);
  }
  return costs;
}

interface RoleCosts {
  readonly counter: LookupCounter;
  readonly whole: ReadonlyMap<string, number>;
  readonly divided: ReadonlyMap<string, number>;
}

/** The tables of a comparison: partitions asked by kind of query, and lookups by role, the most costly first. */
export function formatLookups({ counter, whole, divided }: RoleCosts): string {
  const searches = counter.searches();
  const kinds = [...Map.groupBy(searches, ({ kind }) => kind)].map(([kind, those]) =>
    line(kind, [
      mean(those, ({ asked }) => asked.size),
      ...(["cells", "names", "typos"] as const).map((reason) =>
        mean(those, ({ asked }) => [...asked.values()].filter((reasons) => reasons.has(reason)).length),
      ),
    ]),
  );
  const extra = (role: string, { lookups }: RoleCount): number =>
    (lookups * ((divided.get(role) ?? 0) - (whole.get(role) ?? 0))) / searches.length;
  const roles = [...counter.roles()]
    .toSorted(([one, first], [other, second]) => extra(other, second) - extra(one, first))
    .map(([role, count]) =>
      line(role, [
        count.lookups / searches.length,
        count.partitions / count.lookups,
        count.matching / count.lookups,
        whole.get(role) ?? 0,
        divided.get(role) ?? 0,
        extra(role, count),
      ]),
    );
  return [
    "",
    heading("partitions asked by a search", ["all", "by cells", "by names", "by typos"]),
    ...kinds,
    "",
    heading("lookup", ["/search", "partit.", "matching", "one, ms", "divided", "more/srch"]),
    ...roles,
    "",
  ].join("\n");
}

const NAME_WIDTH = 62;
const WIDTH = 10;

const heading = (name: string, columns: readonly string[]): string =>
  name.padEnd(NAME_WIDTH) + columns.map((column) => column.padStart(WIDTH)).join("");

const line = (name: string, values: readonly number[]): string =>
  heading(
    name,
    values.map((value) => value.toFixed(2)),
  );

const mean = <T>(values: readonly T[], of: (value: T) => number): number =>
  values.reduce((sum, value) => sum + of(value), 0) / Math.max(1, values.length);
