import type { Head } from "../head.ts";
import { TYPE_KEYS } from "./type-of-tags.ts";
import { createFeaturesReader, createListReader, type CreateMapper } from "../readers.ts";
import { createOsmMapper } from "./osm-mapper.ts";
import { hashedId } from "../source.ts";
import { centreOf } from "../geometry.ts";
import { tagOf, toTags, type OsmElement, type OsmTags } from "./osm-element.ts";

const createMapper: CreateMapper = (context) => {
  const mapElement = createOsmMapper(context);
  return (value, position) => mapElement(toOsmElement(value), position);
};

/**
 * Reads a GeoJSON collection of OpenStreetMap features, as overpass-turbo, osmtogeojson, OSMnx and others
 * write them.
 */
export const readGeojson = createListReader(createMapper, "features");

/** Reads a sequence of OpenStreetMap features, as osmium writes them. */
export const readGeojsonSeq = createFeaturesReader(createMapper);

/**
 * Whether a collection begins with outlines of something that is no place of OpenStreetMap, such as wards. A
 * point with a name may be one.
 */
export function hasOnlyOutlines({ document }: Head): boolean {
  const feature = "features[].";
  const isOutline = /Polygon|LineString/.test(document.get(`${feature}geometry.type`) ?? "");
  const prefixes = [`${feature}properties.`, `${feature}properties.tags.`];
  return isOutline && !prefixes.some((prefix) => TYPE_KEYS.some((key) => document.has(prefix + key)));
}

interface Feature {
  readonly id?: unknown;
  readonly geometry?: unknown;
  readonly properties?: { readonly tags?: unknown } | null;
}

/** Converts a feature with OpenStreetMap tags in its properties or under `tags`, or says why it cannot. */
function toOsmElement(value: unknown): OsmElement | string {
  const feature = (value ?? {}) as Feature;
  const centre = centreOf(feature.geometry);
  if (!centre) return "no coordinates";
  const properties = toTags(feature.properties);
  const nested = toTags(feature.properties?.tags);
  const tags = { ...properties, ...nested };
  return {
    id: idOf(feature.id, tags) ?? hashedId(tagOf(tags, "name", "brand") ?? "", centre),
    ...centre,
    tags,
  };
}

const OSM_ID = /^(?:node|way|relation)\/\d+$/;

/** `@id` of overpass-turbo, `id` of osmtogeojson, the two columns of OSMnx. */
function idOf(featureId: unknown, tags: OsmTags): string | undefined {
  const type = tagOf(tags, "element_type", "element", "osm_type", "@type");
  const number = tagOf(tags, "osmid", "osm_id", "@id", "id");
  return [tagOf(tags, "@id"), featureId, `${type}/${number}`].find(
    (id): id is string => typeof id === "string" && OSM_ID.test(id),
  );
}
