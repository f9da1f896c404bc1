import type { Ask } from "../meilisearch/connection.ts";
import { createPlaceIndex } from "../meilisearch/create-place-index.ts";
import type { PlaceIndex } from "../meilisearch/place-index.ts";
import { createPartitionedIndex, type PartitionedOptions } from "./partitioned-index.ts";
import { isTopology, type IndexAddress } from "./topology.ts";

/**
 * The places of the live index, in one engine or divided among several.
 * @param guard wraps every request that a caller waits for (`createEngineGate`); each of several engines has its own, by its name.
 * @param isDataDamaged whether an engine that does not respond was not started because its data is damaged.
 * @param events of several engines.
 */
export function openPlaceIndex(
  address: IndexAddress,
  guard: (ask: Ask, engine?: string) => Ask = (ask) => ask,
  isDataDamaged = () => false,
  events: PartitionedOptions = {},
): PlaceIndex {
  if (isTopology(address)) return createPartitionedIndex(address, guard, events);
  return createPlaceIndex(address, (ask) => guard(ask), isDataDamaged);
}
