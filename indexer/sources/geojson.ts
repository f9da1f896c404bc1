import type { Input } from "./input.ts";
import { readJsonList } from "./json-list.ts";
import { readOneFeature } from "./one-feature.ts";
import { toOsmElement } from "./osm/geojson-feature.ts";
import { createOsmMapper } from "./osm/osm-mapper.ts";
import type { SourceContext, SourceItem } from "./source.ts";

/** One OpenStreetMap feature. */
export async function* readGeojsonFeature(input: Input, context: SourceContext): AsyncGenerator<SourceItem> {
  const record = await readOneFeature(input);
  const position = { file: input.name, part: "element", number: 1 } as const;
  yield { ...createOsmMapper(context)(toOsmElement(record), position), record };
}

/** A GeoJSON collection of OpenStreetMap features, as overpass-turbo, osmtogeojson, OSMnx and others write them. */
export async function* readGeojson(input: Input, context: SourceContext): AsyncGenerator<SourceItem> {
  const mapElement = createOsmMapper(context);
  let number = 0;
  for await (const record of readJsonList(input, "features")) {
    number += 1;
    const position = { file: input.name, part: "element", number } as const;
    yield { ...mapElement(toOsmElement(record), position), record };
  }
}
