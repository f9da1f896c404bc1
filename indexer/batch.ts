import type { PlaceDocument } from "../src/place/place-document.ts";

/**
 * Documents of one request to the engine. Its index is written anew with every batch it takes up, so batches are big; it
 * keeps a batch in memory several times over, so they are not bigger. A place of OpenStreetMap has about 1 kB, one with
 * reviews and photos ten.
 */
const MAX_PLACES = 20_000;
const MAX_CHARACTERS = 16 * 1024 * 1024;

export interface Batch {
  /** True when it is time to hand it over. */
  add(place: PlaceDocument): boolean;
  /** The places so far; the batch is empty afterwards. */
  take(): PlaceDocument[];
}

export function createBatch(maxPlaces: number = MAX_PLACES, maxCharacters: number = MAX_CHARACTERS): Batch {
  let places: PlaceDocument[] = [];
  let characters = 0;
  return {
    add(place) {
      places.push(place);
      characters += JSON.stringify(place).length;
      return places.length >= maxPlaces || characters >= maxCharacters;
    },
    take() {
      const taken = places;
      places = [];
      characters = 0;
      return taken;
    },
  };
}
