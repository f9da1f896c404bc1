import { centreOf } from "../geometry.ts";
import type { Head } from "../head.ts";
import { TYPE_KEYS } from "../osm/type-of-tags.ts";
import { createListReader, toItem } from "../readers.ts";
import { readHeader } from "./columns.ts";
import { toRowDraft } from "./row-draft.ts";

const PROPERTY = "features[].properties.";

/** Keys of identifiers that exports of OpenStreetMap have. */
const OSM_KEYS = new Set([
  "@id",
  "@type",
  "osm_id",
  "osmid",
  "osm_type",
  "element_type",
  "tags",
  ...TYPE_KEYS,
]);

/** Whether a collection has the properties of a table with a name, and not the tags of OpenStreetMap. */
export function isTableCollection({ document }: Head): boolean {
  if (document.get("type") !== "FeatureCollection") return false;
  const properties = [...document.keys()]
    .filter((path) => path.startsWith(PROPERTY))
    .map((path) => path.slice(PROPERTY.length));
  const isOsm = properties.some((name) => OSM_KEYS.has(name.split(".")[0] ?? ""));
  const isPoint = document.get("features[].geometry.type") === "Point";
  const columns = new Set([...readHeader(properties).columns.values()].map(({ column }) => column));
  return isPoint && !isOsm && columns.has("title") && columns.size > 1;
}

/** Reads places from a GeoJSON collection whose properties are the columns of a table. */
export const readGeojsonTable = createListReader(
  (context) => (value, position) => {
    const { geometry, properties } = (value ?? {}) as { geometry?: unknown; properties?: object | null };
    const cells = Object.entries(properties ?? {}).map(([name, cell]) => [name, toText(cell)] as const);
    const centre = centreOf(geometry);
    const row = {
      ...Object.fromEntries(cells),
      ...(centre && { latitude: String(centre.latitude), longitude: String(centre.longitude) }),
    };
    return toItem(toRowDraft(row, readHeader(Object.keys(row), context.adjust), context), position);
  },
  "features",
);

const toText = (value: unknown): string =>
  value === null || value === undefined
    ? ""
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value as string | number | boolean);
