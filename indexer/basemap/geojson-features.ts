import type { Geometry, Position } from "geojson";
import type { Readable } from "node:stream";
import { CommandError } from "../../src/cli/errors.ts";
import { buildHead } from "../sources/head.ts";
import { openInput, type OpenedInput } from "../sources/input.ts";
import { readJsonList } from "../sources/json.ts";
import { readFeatures } from "../sources/readers.ts";
import { toTags, type OsmTags } from "../sources/osm/osm-element.ts";
import { drawPoint, drawShape } from "./draw-shapes.ts";
import { drawingOf } from "./drawn-tags.ts";
import { toUnits, type Line, type MapFeature } from "./map-feature.ts";

interface ReadOptions {
  readonly stdin: Readable;
  readonly signal: AbortSignal;
  /** Called now and then with the share of the file that was read; never for a pipe. */
  readonly onShare: (share: number) => void;
}

/** So many features are drawn together. */
const BATCH = 1_000;

/**
 * Reads what is drawn of GeoJSON with OpenStreetMap tags as properties: a collection, or features one after the other.
 * @param path `-` for the standard input.
 * @throws {CommandError} when the file cannot be read or is broken.
 */
export async function* readGeojsonFeatures(
  path: string,
  { stdin, signal, onShare }: ReadOptions,
): AsyncGenerator<readonly MapFeature[]> {
  const opened = await openInput(path, signal, stdin);
  const { input } = opened;
  try {
    let batch: MapFeature[] = [];
    for await (const feature of readValues(opened)) {
      batch.push(...drawFeature(feature));
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
      if (input.totalBytes !== undefined) onShare(input.bytesRead() / input.totalBytes);
    }
    yield batch;
  } finally {
    input.close();
  }
}

async function* readValues({ input, head }: OpenedInput): AsyncGenerator<unknown> {
  if (buildHead(head).document.get("type") === "FeatureCollection") {
    yield* readJsonList(input, "features");
    return;
  }
  for await (const { position, line } of readFeatures(input)) {
    if ("rejected" in line)
      throw new CommandError(
        `${position.file} is broken at ${position.part} ${position.number}: ${line.rejected.reason}.`,
      );
    yield line.value;
  }
}

function drawFeature(value: unknown): MapFeature[] {
  const { geometry, properties } = (value ?? {}) as { geometry?: Geometry | null; properties?: unknown };
  const tags = toTags(properties);
  return geometry ? drawGeometry(geometry, tags) : [];
}

function drawGeometry(geometry: Geometry, tags: OsmTags): MapFeature[] {
  if (geometry.type === "Point") return drawPoint(toLine([geometry.coordinates]), tags);
  const drawing = drawingOf(tags);
  if (!drawing) return [];
  const draw = (lines: readonly Position[][]): MapFeature[] =>
    drawShape(lines.map(toLine), tags, { drawing, isClosed: isClosed(lines[0]) });
  switch (geometry.type) {
    case "LineString":
      return draw([geometry.coordinates]);
    case "MultiLineString":
      return geometry.coordinates.flatMap((line) => draw([line]));
    case "Polygon":
      return draw(geometry.coordinates);
    case "MultiPolygon":
      return geometry.coordinates.flatMap(draw);
    case "MultiPoint":
    case "GeometryCollection":
      return [];
  }
}

const toLine = (positions: readonly Position[]): Line =>
  toUnits(positions.flatMap(([lng = 0, lat = 0]) => [lng, lat]));

function isClosed(line: readonly Position[] = []): boolean {
  const [first, last] = [line[0], line.at(-1)];
  return first !== undefined && first[0] === last?.[0] && first[1] === last?.[1];
}
