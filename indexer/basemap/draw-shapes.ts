import { tagOf, type OsmTags } from "../sources/osm/osm-element.ts";
import { drawingOf, toMapTags, type Drawing } from "./drawn-tags.ts";
import { boxOf, type Line, type MapFeature } from "./map-feature.ts";
import { zoomAtWhich } from "./tile-grid.ts";

/** Draws a point: only names of towns and quarters are. */
export function drawPoint(point: Line, tags: OsmTags): MapFeature[] {
  const drawing = drawingOf(tags);
  if (drawing?.layer !== "places" || tagOf(tags, "name") === undefined) return [];
  const { layer, minZoom } = drawing;
  const population = Number(tagOf(tags, "population"));
  // Styles write the names of larger places first.
  const rank = { min_zoom: minZoom, ...(population > 0 && { population }) };
  return [{ layer, minZoom, tags: { ...toMapTags(tags, drawing), ...rank }, shape: "Point", lines: [point] }];
}

interface Shape {
  readonly drawing: Drawing;
  readonly isClosed: boolean;
}

/** An area begins to be drawn when it is this large, as a share of a tile: five pixels of 512. */
const MIN_AREA_SHARE = 1 / 100;

/** From here on everything is drawn, however small. */
const MAX_AREA_ZOOM = 14;

/** Draws a line, or an area with its holes. Lines of areas that are not closed are left out. */
export function drawShape(lines: readonly Line[], tags: OsmTags, { drawing, isClosed }: Shape): MapFeature[] {
  const { layer, isArea = false } = drawing;
  const corners = lines[0]?.length ?? 0;
  if (isArea ? !isClosed || corners < 8 : corners < 4) return [];
  const minZoom = isArea
    ? Math.max(drawing.minZoom, Math.min(MAX_AREA_ZOOM, zoomAtWhich(boxOf(lines), MIN_AREA_SHARE)))
    : drawing.minZoom;
  const shape = isArea ? "Polygon" : "LineString";
  return [{ layer, minZoom, tags: toMapTags(tags, drawing), shape, lines }];
}
