import type { Coordinates } from "../place/coordinates.ts";

/** Where links lead. Neither is ever taken from a request. */
export interface LinkSettings {
  /** Without a slash at the end. */
  readonly publicBaseUrl: string;
  /** A URL with the placeholder `{data_id}`; `{latitude}`, `{longitude}` and `{title}` may stand in it too. */
  readonly externalMapsUrl: string;
}

/** What the link to an external map can say of a place. */
export interface LinkedPlace extends Coordinates {
  readonly dataId: string;
  readonly title: string;
}

/** The longest `q` that a search accepts, in characters. */
const MAX_QUERY_LENGTH = 256;

/** About a centimetre. */
const COORDINATE_DECIMALS = 7;

/** What a search refuses in `q`: control characters and the sign that stands for broken text. */
const UNREADABLE = /[\p{Cc}\uFFFD]+/gu;

/** `link_search_value`: the search for a name around a centre. Its numbers have a decimal comma, as the contract wants. */
export function buildSearchLink(title: string, centre: Coordinates, links: LinkSettings): string {
  const q = encodeURIComponent(toQuery(title));
  const lat = toDecimal(centre.latitude).replace(".", ",");
  const lng = toDecimal(centre.longitude).replace(".", ",");
  return `${links.publicBaseUrl}/api/maps/search?q=${q}&lat=${lat}&lng=${lng}`;
}

/** `link_place_detail`: everything about one place. */
export function buildPlaceLink(dataId: string, links: LinkSettings): string {
  return `${links.publicBaseUrl}/api/maps/place?data_id=${encodeURIComponent(dataId)}`;
}

/** `link_external_maps`: the place on somebody else's map. Placeholders we do not know stay as they are. */
export function buildExternalMapsLink(place: LinkedPlace, links: LinkSettings): string {
  const values: ReadonlyMap<string, string> = new Map([
    ["{data_id}", place.dataId],
    ["{latitude}", toDecimal(place.latitude)],
    ["{longitude}", toDecimal(place.longitude)],
    ["{title}", toQuery(place.title)],
  ]);
  return links.externalMapsUrl.replaceAll(/\{[a-z_]+\}/g, (placeholder) => {
    const value = values.get(placeholder);
    return value === undefined ? placeholder : encodeURIComponent(value);
  });
}

/** `link_docs`: where an operation is described. */
export function buildDocsLink(publicBaseUrl: string, operation: "search" | "place"): string {
  return `${publicBaseUrl}/docs#${operation}`;
}

/** A title in the form in which a search takes it, so that our own links are never refused. */
function toQuery(title: string): string {
  const readable = title.toWellFormed().replaceAll(UNREADABLE, " ").trim().normalize("NFC");
  if (readable.length <= MAX_QUERY_LENGTH) return readable;
  return Array.from(readable).slice(0, MAX_QUERY_LENGTH).join("").trim();
}

/** Plain decimal digits: never an exponent, no zeros at the end, no minus before a zero. */
function toDecimal(degrees: number): string {
  const decimal = degrees.toFixed(COORDINATE_DECIMALS).replace(/\.?0+$/, "");
  return decimal === "-0" ? "0" : decimal;
}
