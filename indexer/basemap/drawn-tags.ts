import * as v from "valibot";
import { readTable, textSchema } from "../../src/place/read-table.ts";
import { tagOf, type OsmTags } from "../sources/osm/osm-element.ts";
import drawnTags from "./drawn-tags.json" with { type: "json" };
import { LAYERS, type Layer } from "./map-feature.ts";

/** How elements with a tag are drawn. Kinds and details have the names of the Protomaps basemap. */
const drawingSchema = v.strictObject({
  kind: textSchema,
  detail: v.optional(textSchema),
  minZoom: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(14)),
  /** Drawn as a polygon: from a closed way or a multipolygon. Small ones are drawn later than `minZoom`. */
  isArea: v.optional(v.literal(true)),
});

/** Layers by precedence; their keys; the values of each, or `*` for any. */
export const drawnTagsSchema = v.record(
  v.picklist(LAYERS),
  v.record(textSchema, v.record(textSchema, drawingSchema)),
);

const TABLE = readTable("indexer/basemap/drawn-tags.json", drawnTagsSchema, drawnTags);

/** How an element is drawn. */
export interface Drawing extends v.InferOutput<typeof drawingSchema> {
  readonly layer: Layer;
}

const DRAWINGS: readonly (readonly [Layer, string, Readonly<Record<string, Drawing>>])[] = Object.entries(
  TABLE,
).flatMap(([layer, keys]) =>
  Object.entries(keys).map(
    ([key, values]) =>
      [
        layer as Layer,
        key,
        Object.fromEntries(
          Object.entries(values).map(([value, drawing]) => [value, { ...drawing, layer: layer as Layer }]),
        ),
      ] as const,
  ),
);

/** How an element with these tags is drawn; `undefined` when it is not. */
export function drawingOf(tags: OsmTags): Drawing | undefined {
  for (const [layer, key, values] of DRAWINGS) {
    const value = tagOf(tags, key);
    if (value === undefined || value === "no") continue;
    const drawing = Object.hasOwn(values, value) ? values[value] : values["*"];
    if (drawing && !(isUnderground(layer, key) && isTunnel(tags))) return drawing;
  }
  return undefined;
}

/** A metro or a brook under a street would hide it. Tunnels of roads are part of the way. */
const isUnderground = (layer: Layer, key: string): boolean => layer === "water" || key === "railway";

function isTunnel(tags: OsmTags): boolean {
  const tunnel = tagOf(tags, "tunnel");
  return tunnel !== undefined && tunnel !== "no";
}

/** Names in the languages of the page. */
const NAMES = ["name", "name:vi", "name:en"] as const;

/** Layers whose names are written on the map. */
const NAMED: ReadonlySet<Layer> = new Set(["roads", "water", "places"]);

/** What a style needs to know of an element. */
export function toMapTags(tags: OsmTags, { layer, kind, detail }: Drawing): Record<string, string> {
  const drawn: Record<string, string> = { kind, ...(detail !== undefined && { kind_detail: detail }) };
  if (!NAMED.has(layer)) return drawn;
  for (const key of NAMES) {
    const name = tagOf(tags, key);
    if (name !== undefined && (key === "name" || name !== drawn["name"])) drawn[key] = name;
  }
  return drawn;
}
