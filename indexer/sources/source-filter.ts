import type { Coordinates } from "../../src/place/coordinates.ts";
import type { SourceItem } from "./source.ts";

/** Degrees. A box whose west is greater than its east crosses the 180th meridian. */
export interface BoundingBox {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** What a person wants of the sources. */
export interface SourceFilter {
  readonly bbox?: BoundingBox | undefined;
  /** A condition in DuckDB's SQL over the columns of a Parquet file. */
  readonly where?: string | undefined;
}

const NUMBER = /^\s*[+-]?\d{1,3}(?:\.\d{1,15})?\s*$/;

/** `west,south,east,north`; `undefined` for a text that is no box on the Earth. */
export function parseBoundingBox(text: string): BoundingBox | undefined {
  const parts = text.split(",");
  if (parts.length !== 4 || !parts.every((part) => NUMBER.test(part))) return undefined;
  const [west = 0, south = 0, east = 0, north = 0] = parts.map(Number);
  const isOnEarth = [west, east].every((x) => Math.abs(x) <= 180) && south >= -90 && north <= 90;
  return isOnEarth && south <= north ? { west, south, east, north } : undefined;
}

/** The edges belong to the box. */
export function isInside({ latitude, longitude }: Coordinates, box: BoundingBox): boolean {
  const { west, south, east, north } = box;
  if (latitude < south || latitude > north) return false;
  return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
}

/** Skips the places outside the box. What has no coordinates to judge by is left to the cleaning. */
export async function* keepInside(
  items: AsyncIterable<SourceItem>,
  box: BoundingBox,
): AsyncGenerator<SourceItem> {
  for await (const item of items) {
    if ("draft" in item && isOutside(item.draft.location, box)) {
      yield { position: item.position, skipped: "outside --bbox" };
    } else yield item;
  }
}

const isOutside = (location: Coordinates, box: BoundingBox): boolean =>
  !Number.isNaN(location.latitude) && !Number.isNaN(location.longitude) && !isInside(location, box);
