import type { CleanContext, PlaceDraft, Rejection } from "../clean/place-draft.ts";
import type { Input, Head } from "./input.ts";
import type { Coordinates } from "../../src/place/coordinates.ts";

/** Where a record stands, so that a person finds it again: line 12 of a file of lines, element 12 of a list, row 12 of a table. Counted from 1. */
export interface Position {
  readonly file: string;
  readonly part: "line" | "element" | "row";
  readonly number: number;
}

/** What became of one record of the input: a draft to go on with, a record left out on purpose, or one that is wrong. */
export type SourceItem = {
  readonly position: Position;
  /** The record as it was read, a text or a JSON value, for the file of rejected records. */
  readonly record?: unknown;
} & ({ readonly draft: PlaceDraft } | { readonly skipped: string } | { readonly rejected: Rejection });

/** What a source may need besides the bytes. */
export interface SourceContext extends CleanContext {
  /** For sources that can leave out what is not wanted before they read it; the rest is left out afterwards. */
  readonly filter?: SourceFilter | undefined;
}

/**
 * Reads one input from its beginning to its end, in constant memory.
 * @throws {CommandError} when the input as a whole cannot be read on: cut off, malformed, not what it seemed to be.
 */
export type ReadSource = (input: Input, context: SourceContext) => AsyncGenerator<SourceItem>;

/** One format the indexer reads: a line of the table in formats.ts. */
export interface Format {
  /** What reports call it. */
  readonly name: string;
  /** The value of `--format` that asks for it; several formats of one source share it. */
  readonly option: string;
  /** How a person knows it, for the message that lists what can be read. */
  readonly description: string;
  /** Whether a file that begins like this is of this format. The first format of the table that says yes is taken. */
  readonly looksLike: (head: Head) => boolean;
  /** Whether it may be tried when `--format` asks for it although it looks like nothing known. Absent: it may not. */
  readonly couldBe?: (head: Head) => boolean;
  /** Read by its path (`Input.path`) instead of its bytes: neither compressed nor from the standard input. */
  readonly needsPath?: true;
  /** What is wrong with a file of this format as far as its beginning tells ("lacks the column title."). */
  readonly problemOf?: (head: Head) => string | undefined;
  /** Can leave out rows by a condition in SQL (`--where`). */
  readonly takesWhere?: true;
  readonly read: ReadSource;
}

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
  /** Leave out places without a name, also useful ones. */
  readonly namedOnly?: boolean | undefined;
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

/** Skips the places without a name. */
export async function* keepNamed(items: AsyncIterable<SourceItem>): AsyncGenerator<SourceItem> {
  for await (const item of items) {
    if ("draft" in item && item.draft.title.trim() === "")
      yield { position: item.position, skipped: "no name" };
    else yield item;
  }
}

const isOutside = (location: Coordinates, box: BoundingBox): boolean =>
  !Number.isNaN(location.latitude) && !Number.isNaN(location.longitude) && !isInside(location, box);

type Address = PlaceDraft["location"]["address"];

/** Names that begin so are wards and communes of Viet Nam; sources that know no wards call them a locality. */
const WARD_NAME = /^(?:phường|xã|thị trấn) /i;

/** The ward and the city of a source that has a locality and a region above it. */
export function splitLocality(locality: string, region: string): Pick<Address, "ward" | "city"> {
  return WARD_NAME.test(locality.normalize("NFC"))
    ? { ward: locality, city: region }
    : { ward: "", city: locality || region };
}

/** One line, the narrow before the wide. A part that an earlier one already holds is not said twice. */
export function joinAddress(parts: readonly string[]): string {
  let full = "";
  for (const part of parts) {
    if (part !== "" && !full.toLowerCase().includes(part.toLowerCase())) {
      full = full === "" ? part : `${full}, ${part}`;
    }
  }
  return full;
}
