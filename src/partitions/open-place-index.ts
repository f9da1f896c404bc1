import type { Ask } from "../meilisearch/connection.ts";
import { createPlaceIndex } from "../meilisearch/create-place-index.ts";
import type { PlaceIndex } from "../meilisearch/place-index.ts";
import { onlyEngine, type IndexAddress } from "./topology.ts";

/** The places of an index, in one engine or in several. Its parameters are those of `createPlaceIndex`. */
export const openPlaceIndex = (
  address: IndexAddress,
  guard?: (ask: Ask) => Ask,
  isDataDamaged?: () => boolean,
): PlaceIndex => createPlaceIndex(onlyEngine(address), guard, isDataDamaged);
