import { isRejection } from "../../clean/place-draft.ts";
import { centreOf } from "../geometry.ts";
import type { Head } from "../head.ts";
import type { Input } from "../input.ts";
import { readJsonList } from "../json.ts";
import { TYPE_KEYS } from "../osm/type-of-tags.ts";
import type { SourceContext, SourceItem } from "../source.ts";
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
export async function* readGeojsonTable(input: Input, context: SourceContext): AsyncGenerator<SourceItem> {
  let number = 0;
  for await (const record of readJsonList(input, "features")) {
    number += 1;
    const position = { file: input.name, part: "element", number } as const;
    const { geometry, properties } = (record ?? {}) as { geometry?: unknown; properties?: object | null };
    const cells = Object.entries(properties ?? {}).map(([name, value]) => [name, toText(value)] as const);
    const centre = centreOf(geometry);
    const row = {
      ...Object.fromEntries(cells),
      ...(centre && { latitude: String(centre.latitude), longitude: String(centre.longitude) }),
    };
    const draft = toRowDraft(row, readHeader(Object.keys(row), context.adjust), context);
    yield isRejection(draft) ? { position, record, rejected: draft } : { position, record, draft };
  }
}

const toText = (value: unknown): string =>
  value === null || value === undefined
    ? ""
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value as string | number | boolean);
