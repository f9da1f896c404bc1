import { CommandError } from "../../../src/cli/errors.ts";
import type { Input } from "../input.ts";
import { readJsonList } from "../json.ts";
import { toTags, type OsmElement } from "./osm-element.ts";
import { createOsmMapper } from "./osm-mapper.ts";
import type { SourceContext, SourceItem } from "../source.ts";

/**
 * Reads the JSON of an Overpass query: nodes, and ways and relations output with `out center`.
 * @throws {CommandError} also when Overpass itself reports an incomplete response.
 */
export async function* readOverpass(input: Input, context: SourceContext): AsyncGenerator<SourceItem> {
  let remark = "";
  const onText = (name: string, text: string): void => {
    if (name === "remark") remark = text;
  };
  const mapElement = createOsmMapper(context);
  let number = 0;
  for await (const value of readJsonList(input, "elements", onText)) {
    number += 1;
    const position = { file: input.name, part: "element", number } as const;
    yield mapElement(toElement(value), position);
  }
  if (remark.includes("error"))
    throw new CommandError(`${input.name} is incomplete, Overpass says: ${remark}`);
}

interface Point {
  readonly lat?: unknown;
  readonly lon?: unknown;
}

interface OverpassElement extends Point {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly center?: Point;
  readonly tags?: unknown;
  /** With `out meta`: when the element was last changed. */
  readonly timestamp?: unknown;
}

const ELEMENT_TYPES: readonly unknown[] = ["node", "way", "relation"];

function toElement(value: unknown): OsmElement | string {
  const element = (value ?? {}) as OverpassElement;
  if (!ELEMENT_TYPES.includes(element.type)) return "not a node, way or relation";
  const { lat, lon } = element.center ?? element;
  if (typeof lat !== "number" || typeof lon !== "number")
    return "no coordinates (ask Overpass for `out center`)";
  return {
    id: `${String(element.type)}/${String(element.id)}`,
    latitude: lat,
    longitude: lon,
    tags: { ...toTags(element.tags), ...toTags({ "@timestamp": element.timestamp }) },
  };
}
