import type { CleanContext, PlaceDraft, Rejection } from "../clean/place-draft.ts";
import type { Head } from "./head.ts";
import type { Input } from "./input.ts";
import { hash } from "node:crypto";
import type { Coordinates } from "../../src/place/geometry/coordinates.ts";
import { fold } from "../../src/place/text/fold.ts";
import type { TypeCode } from "../../src/place/document/type-codes.ts";
import { typeFromTitle } from "../clean/type-from-title.ts";
import type { Encoding } from "./encoding.ts";
import type { HeaderOptions } from "./table/columns.ts";

/**
 * The position of a record, so that a person can find it: line 12 of a file of lines, element 12 of a list,
 * row 12 of a table. Counted from 1.
 */
export interface Position {
  readonly file: string;
  readonly part: "line" | "element" | "row";
  readonly number: number;
}

/**
 * The result for one record of the input: a draft, a record that was left out on purpose, or an invalid one.
 */
export type SourceItem = {
  readonly position: Position;
  /** The original record, a text or a JSON value, for the file of rejected records. */
  readonly record?: unknown;
} & ({ readonly draft: PlaceDraft } | { readonly skipped: string } | { readonly rejected: Rejection });

/** What a source may need besides the bytes. */
export interface SourceContext extends CleanContext {
  /** For sources that can filter before they parse. Other sources are filtered afterwards. */
  readonly filter?: SourceFilter | undefined;
  /** How the records are to be read. */
  readonly adjust?: Adjustments | undefined;
}

/** What the command line says about files that do not say it themselves. */
export interface Adjustments extends HeaderOptions {
  /** The kind of places that neither the file nor their names tell. Asked for when reading begins: then all kinds are known. */
  readonly type?: (() => TypeCode) | undefined;
  /** Latitude and longitude are in each other's place. */
  readonly swap?: boolean | undefined;
  /** How the text is encoded; by default it is found out. */
  readonly encoding?: Encoding | undefined;
}

/**
 * Reads one input from beginning to end, in constant memory.
 * @throws {CommandError} when the input as a whole is unreadable: cut off, malformed, or not of the detected
 *   format.
 */
export type ReadSource = (input: Input, context: SourceContext) => AsyncGenerator<SourceItem>;

/** One format that the indexer reads: an entry of the table in formats.ts. */
export interface Format {
  /** Its name in reports. */
  readonly name: string;
  /** Its value of `--format`. Several formats of one source share it. */
  readonly option: string;
  /** Its description in the message that lists all formats. */
  readonly description: string;
  /** Whether a file with this beginning has this format. The first matching format in the table is used. */
  readonly looksLike: (head: Head) => boolean;
  /**
   * Whether `--format` may select it for a file that looks like no known format. When undefined, it may not.
   */
  readonly couldBe?: (head: Head) => boolean;
  /** Whether it has the form, but something else than places. It is read only when it is named. */
  readonly isForeign?: (head: Head) => boolean;
  /** Requires a path (`Input.path`): the file must be neither compressed nor on the standard input. */
  readonly needsPath?: true;
  /** What is wrong with a file of this format, judging by its beginning ("lacks the column title."). */
  readonly problemOf?: (head: Head, adjust: Adjustments) => string | undefined;
  /**
   * What is wrong with a file of this format when its beginning does not show it.
   * @throws {CommandError} when it cannot be read, or not with this filter.
   */
  readonly problemWithin?: (
    input: Input,
    asked: { readonly filter: SourceFilter; readonly adjust: Adjustments },
  ) => Promise<string | undefined>;
  /** Supports a condition in SQL (`--where`). */
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

/** Selects some of the places in the sources. */
export interface SourceFilter {
  readonly bbox?: BoundingBox | undefined;
  /** A condition in DuckDB's SQL over the columns of a Parquet file. */
  readonly where?: string | undefined;
  /** Leaves out places without a name, even useful ones. */
  readonly namedOnly?: boolean | undefined;
}

const NUMBER = /^\s*[+-]?\d{1,3}(?:\.\d{1,15})?\s*$/;

/** Parses `west,south,east,north`; `undefined` for an invalid box. */
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

/** Skips the places outside the box. Places without coordinates are left to the cleaning. */
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

/** Puts latitude and longitude in each other's place (`--swap`). */
export async function* swapCoordinates(items: AsyncIterable<SourceItem>): AsyncGenerator<SourceItem> {
  for await (const item of items) {
    if (!("draft" in item)) yield item;
    else {
      const { latitude: longitude, longitude: latitude } = item.draft.location;
      const location = { ...item.draft.location, latitude, longitude };
      yield { ...item, draft: { ...item.draft, location } };
    }
  }
}

/** Gives a kind to the places of which neither the record nor the name tells one (`--type`). */
export async function* withKind(
  items: AsyncIterable<SourceItem>,
  type: TypeCode,
): AsyncGenerator<SourceItem> {
  for await (const item of items) {
    const isUnknown =
      "draft" in item &&
      item.draft.type === "PLACE" &&
      typeFromTitle("PLACE", item.draft.title) === undefined;
    yield isUnknown ? { ...item, draft: { ...item.draft, type } } : item;
  }
}

const isOutside = (location: Coordinates, box: BoundingBox): boolean =>
  !Number.isNaN(location.latitude) && !Number.isNaN(location.longitude) && !isInside(location, box);

type Address = PlaceDraft["location"]["address"];

/**
 * Names of wards and communes in Vietnam begin like this. Sources without wards put them under locality; so do mappers of
 * OpenStreetMap under city, since Vietnam abolished its districts.
 */
const WARD_NAME = /^(?:phường|xã|thị trấn) /i;

/** Derives ward and city for a source that has a locality and a region above it. */
export function splitLocality(locality: string, region: string): Pick<Address, "ward" | "city"> {
  return WARD_NAME.test(locality.normalize("NFC"))
    ? { ward: locality, city: region }
    : { ward: "", city: locality || region };
}

/** Towns and airports have a name in every language of the world. The index keeps this many. */
export const MAX_ALTERNATE_NAMES = 60;

/** Joins parts to one line, the narrow before the wide. Skips a part that an earlier one already contains. */
export function joinAddress(parts: readonly string[]): string {
  let full = "";
  for (const part of parts) {
    if (part !== "" && !full.toLowerCase().includes(part.toLowerCase())) {
      full = full === "" ? part : `${full}, ${part}`;
    }
  }
  return full;
}

/** An id for a place of an export without ids: the same name at the same point is the same place. */
export function hashedId(name: string, { latitude, longitude }: Coordinates): string {
  return `hash/${hash("sha256", `${name}\0${latitude}\0${longitude}`).slice(0, 16)}`;
}

/** Four decimals are eleven metres: a name in another case or a rounded coordinate is still the same place. */
const ID_DECIMALS = 4;

/** An id for a row without one: the same name at the same position, or at the same address where it has none, is the same place. */
export function madeId({ title, location }: Pick<PlaceDraft, "title" | "location">): string {
  const { latitude, longitude, address } = location;
  const where = Number.isNaN(latitude)
    ? fold([address.full, address.street, address.ward, address.city].join(" "))
    : `${latitude.toFixed(ID_DECIMALS)}\0${longitude.toFixed(ID_DECIMALS)}`;
  return `made/${hash("sha256", `${fold(title)}\0${where}`).slice(0, 16)}`;
}
