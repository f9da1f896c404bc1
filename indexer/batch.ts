import type { PlaceDocument } from "../src/place/place-document.ts";

/**
 * Documents of one request to the engine, which joins all waiting requests into one write of its index: requests of one megabyte
 * and of sixteen take it the same time. Here they are in memory as objects and as text at once, and a thousand are few enough
 * to be gone before the garbage collector takes them for something that stays.
 */
const MAX_PLACES = 1_000;

/** Measured on the input, which costs nothing: documents with long texts come of long records. */
const MAX_INPUT_BYTES = 1024 * 1024;

export interface Batch {
  /** `inputBytes` is how much was read until now. True when it is time to hand the batch over. */
  add(place: PlaceDocument, inputBytes: number): boolean;
  /** The places so far; the batch is empty afterwards. */
  take(): PlaceDocument[];
}

export function createBatch(maxPlaces: number = MAX_PLACES, maxInputBytes: number = MAX_INPUT_BYTES): Batch {
  let places: PlaceDocument[] = [];
  let firstByte = 0;
  let lastByte = 0;
  return {
    add(place, inputBytes) {
      places.push(place);
      lastByte = inputBytes;
      return places.length >= maxPlaces || lastByte - firstByte >= maxInputBytes;
    },
    take() {
      const taken = places;
      places = [];
      firstByte = lastByte;
      return taken;
    },
  };
}
