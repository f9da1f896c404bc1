import type { PlaceIndex } from "../../src/meilisearch/place-index.ts";
import { openPlaceIndex } from "../../src/partitions/open-place-index.ts";
import type { Generation } from "../../src/partitions/partition-map.ts";
import type { Topology } from "../../src/partitions/topology.ts";

/** Opens a generation as the server reads the live one. */
export const openGeneration = (topology: Topology, generation: Generation): PlaceIndex =>
  openPlaceIndex(topology, undefined, undefined, { map: { sequence: 1, live: generation } });
