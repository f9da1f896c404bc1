import { hash } from "node:crypto";
import { centreOf } from "./geometry.ts";
import type { Input } from "./input.ts";
import { readJsonList } from "./json-list.ts";
import { tagOf, toTags, type OsmElement, type OsmTags } from "./osm/osm-element.ts";
import { createOsmMapper } from "./osm/osm-mapper.ts";
import type { SourceContext, SourceItem } from "./source.ts";

/** A GeoJSON collection of OpenStreetMap features, as overpass-turbo, osmtogeojson, OSMnx and others write them. */
export async function* readGeojson(input: Input, context: SourceContext): AsyncGenerator<SourceItem> {
  const mapElement = createOsmMapper(context);
  let number = 0;
  for await (const value of readJsonList(input, "features")) {
    number += 1;
    const position = { file: input.name, part: "element", number } as const;
    yield mapElement(toElement(value), position);
  }
}

interface Feature {
  readonly id?: unknown;
  readonly geometry?: unknown;
  readonly properties?: { readonly tags?: unknown } | null;
}

function toElement(value: unknown): OsmElement | string {
  const feature = (value ?? {}) as Feature;
  const centre = centreOf(feature.geometry);
  if (!centre) return "no coordinates";
  const properties = toTags(feature.properties);
  const nested = toTags(feature.properties?.tags);
  const tags = { ...properties, ...nested };
  return { id: idOf(feature.id, tags) ?? hashedId(tags, centre), ...centre, tags };
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

/** An export that lost the ids: the same name at the same point is the same place. */
function hashedId(tags: OsmTags, { latitude, longitude }: { latitude: number; longitude: number }): string {
  const digest = hash("sha256", `${tagOf(tags, "name", "brand") ?? ""}\0${latitude}\0${longitude}`);
  return `hash/${digest.slice(0, 16)}`;
}
