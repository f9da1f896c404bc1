import type { PlaceFilter } from "../meilisearch/place-index.ts";
import type { LiveGeneration } from "./live-generation.ts";
import { askNames } from "./name-filter.ts";

/** The partitions that may hold a match of a lookup. */
export interface Route {
  readonly partitions: readonly number[];
  /** The lookup names cells, so each of these partitions holds places that it asks for. */
  readonly isPlaced: boolean;
}

/** The partitions of the cells that the lookup names, or all of them, without those that surely hold no match. */
export function routeLookup(filter: PlaceFilter, { finder, partitions }: LiveGeneration): Route {
  const { cells, within = [] } = filter;
  const [first, ...others] = [...(cells ? [cells] : []), ...within].map(finder.ofCells);
  const touched = first?.filter((number) => others.every((numbers) => numbers.includes(number)));
  const candidates = touched ?? partitions.map(({ number }) => number);
  const isPlaced = touched !== undefined;
  if (candidates.length < 2) return { partitions: candidates, isPlaced };
  const mayHold = askNames(filter);
  const wanted = candidates.filter((number) => {
    const names = partitions[number]?.names;
    return names === undefined || mayHold(names);
  });
  return { partitions: wanted, isPlaced };
}
