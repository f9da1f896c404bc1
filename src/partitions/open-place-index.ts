import type { Ask } from "../meilisearch/connection.ts";
import { createPlaceIndex } from "../meilisearch/create-place-index.ts";
import type { PlaceIndex } from "../meilisearch/place-index.ts";
import { onlyEngine, type IndexAddress } from "./topology.ts";

/**
 * The places of the live index, in one engine or divided among several.
 * @param guard wraps every request that a caller waits for (`createEngineGate`); each engine has its own, by its URL.
 * @param isDataDamaged whether an engine that does not respond was not started because its data is damaged.
 */
export function openPlaceIndex(
  address: IndexAddress,
  guard: (ask: Ask, engineUrl: string) => Ask = (ask) => ask,
  isDataDamaged = () => false,
): PlaceIndex {
  const engine = onlyEngine(address);
  return createPlaceIndex(engine, (ask) => guard(ask, engine.url), isDataDamaged);
}
