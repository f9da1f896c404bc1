import type { Coordinates } from "../place/geometry/coordinates.ts";
import { MAX_QUERY_LENGTH } from "../place/request-defaults.ts";

/** The targets of links. They come from the configuration, never from a request. */
export interface LinkSettings {
  /** Without a slash at the end. */
  readonly publicBaseUrl: string;
  /**
   * A URL with the placeholder `{data_id}` and optionally `{latitude}`, `{longitude}` and `{title}`. Without one, links lead to
   * Google Maps.
   */
  readonly externalMapsUrl?: string | undefined;
}

/** The values of the placeholders. */
export interface LinkedPlace extends Coordinates {
  readonly dataId: string;
  readonly title: string;
}

/** Google's page of a place with one of its own data ids; the point for an id that Google does not know. `%2C` is a comma. */
const GOOGLE_MAPS = "https://www.google.com/maps?q={latitude}%2C{longitude}&ftid={data_id}";

/** About a centimetre. */
const COORDINATE_DECIMALS = 7;

/** Not accepted in `q`: control characters and the replacement character of broken text. */
const UNREADABLE = /[\p{Cc}\uFFFD]+/gu;

/** `link_search_value`: a search for a name around a centre. Its numbers have a decimal comma, as the contract requires. */
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

/** `link_external_maps`: the place on another provider's map. Unknown placeholders stay as they are. */
export function buildExternalMapsLink(place: LinkedPlace, links: LinkSettings): string {
  return (links.externalMapsUrl ?? GOOGLE_MAPS).replaceAll(/\{[a-z_]+\}/g, (placeholder) => {
    const value = valueOf(placeholder, place);
    return value === undefined ? placeholder : encodeURIComponent(value);
  });
}

function valueOf(placeholder: string, place: LinkedPlace): string | undefined {
  switch (placeholder) {
    case "{data_id}":
      return place.dataId;
    case "{latitude}":
      return toDecimal(place.latitude);
    case "{longitude}":
      return toDecimal(place.longitude);
    case "{title}":
      return toQuery(place.title);
    default:
      return undefined;
  }
}

/** `link_docs`: the description of an operation. */
export function buildDocsLink(publicBaseUrl: string, operation: "search" | "place"): string {
  return `${publicBaseUrl}/docs#${operation}`;
}

/** A title as a search accepts it, so that our own links always work. */
function toQuery(title: string): string {
  const readable = title.toWellFormed().replaceAll(UNREADABLE, " ").trim().normalize("NFC");
  if (readable.length <= MAX_QUERY_LENGTH) return readable;
  return Array.from(readable).slice(0, MAX_QUERY_LENGTH).join("").trim();
}

/** Plain decimal digits: no exponent, no trailing zeros, no negative zero. */
function toDecimal(degrees: number): string {
  const decimal = degrees.toFixed(COORDINATE_DECIMALS).replace(/\.?0{1,7}$/, "");
  return decimal === "-0" ? "0" : decimal;
}
