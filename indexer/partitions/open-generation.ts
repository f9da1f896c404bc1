import { createPlaceIndex } from "../../src/meilisearch/create-place-index.ts";
import { createDensity, type PlaceIndex } from "../../src/meilisearch/place-index.ts";
import { partitionPrefix, type Generation } from "../../src/partitions/partition-map.ts";
import type { Topology } from "../../src/partitions/topology.ts";

/** Reads a generation, live or not, for the checks of an import. */
export function openGeneration(topology: Topology, generation: Generation): PlaceIndex {
  const indexes = generation.partitions.map(({ engines: [name] }, partition) => {
    const engine = topology.engines.find((other) => other.name === name) ?? topology.engines[0]!;
    const prefix = partitionPrefix(topology.prefix, generation.generation, partition);
    return createPlaceIndex({ ...engine, prefix });
  });
  const [first] = indexes as [PlaceIndex];
  const opened: PlaceIndex = {
    ...first,
    pin: () => ({ ...opened, missingPartitions: () => [] }),
    async findPlaces(lookups, signal) {
      const found = await Promise.all(indexes.map((index) => index.findPlaces(lookups, signal)));
      return lookups.map((_, number) => ({
        places: found.flatMap((results) => results[number]?.places ?? []),
        total: found.reduce((sum, results) => sum + (results[number]?.total ?? 0), 0),
      }));
    },
    async readSummaries(places, signal, extras) {
      const found = await Promise.all(indexes.map((index) => index.readSummaries(places, signal, extras)));
      return new Map(found.flatMap((map) => [...map]));
    },
    async getPlace(dataId, signal) {
      const found = await Promise.all(indexes.map((index) => index.getPlace(dataId, signal)));
      return found.find((place) => place !== undefined);
    },
    async readCensus() {
      const all = await Promise.all(indexes.map((index) => index.readCensus()));
      const counts: Record<string, number> = {};
      for (const [cell, places] of all.flatMap(({ density }) => [...density.entries()]))
        counts[cell] = (counts[cell] ?? 0) + places;
      return {
        ...all[0]!,
        density: createDensity(counts),
        places: all.reduce((sum, { places }) => sum + places, 0),
      };
    },
    close: async () => {
      await Promise.all(indexes.map((index) => index.close()));
    },
  };
  return opened;
}
