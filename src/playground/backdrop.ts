import type { PageOverview } from "../assets/assets.ts";
import type { Areas } from "./areas.ts";
import { L, type Leaflet } from "./leaflet.ts";
import { readOutline } from "./overview.ts";

interface Cell {
  readonly corners: readonly Leaflet.LatLng[];
  readonly bounds: Leaflet.LatLngBounds;
  /** 0 to 1. */
  readonly strength: number;
}

interface Backdrop {
  readonly layer: Leaflet.GridLayer;
  show(overview: PageOverview): void;
  /** Hexagons are left out under results. */
  showCells(isShown: boolean): void;
  redraw(): void;
}

/** Spacings of the grid in degrees; the smallest that is not too dense on the screen is used. */
const STEPS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];
const MIN_STEP_PIXELS = 90;
const TILE_PIXELS = 256;

/**
 * The map's background without tiles: hexagons from the index, darker where there are more places, until there are results, and the
 * borders of areas; where there are none, a grid of degrees.
 */
export function createBackdrop(map: Leaflet.Map, areas: Areas): Backdrop {
  let levels: readonly (readonly Cell[])[] = [];
  let hasCells = true;
  const Layer = L.GridLayer.extend({
    createTile(coords: Leaflet.Coords): HTMLCanvasElement {
      return drawTile(map, coords, { cells: hasCells ? chooseLevel(levels, map, coords.z) : [], areas });
    },
  }) as new (options: Leaflet.GridLayerOptions) => Leaflet.GridLayer;
  const layer = new Layer({ tileSize: TILE_PIXELS, keepBuffer: 3, updateWhenIdle: false });
  return {
    layer,
    show(overview) {
      levels = overview.levels.map(toCells);
      layer.redraw();
    },
    showCells(isShown) {
      if (isShown === hasCells) return;
      hasCells = isShown;
      layer.redraw();
    },
    redraw: () => void layer.redraw(),
  };
}

function toCells(cells: PageOverview["levels"][number]): Cell[] {
  const most = Math.max(1, ...cells.map(({ places }) => places));
  return cells.map(({ outline: steps, places }) => {
    const outline = readOutline(steps);
    const corners = [];
    for (let index = 0; index + 1 < outline.length; index += 2)
      corners.push(L.latLng(outline[index] ?? 0, outline[index + 1] ?? 0));
    // Cities are thousands of times as dense as the country: a logarithmic scale shows both.
    return { corners, bounds: L.latLngBounds(corners), strength: Math.log1p(places) / Math.log1p(most) };
  });
}

/** Smaller hexagons are not readable. */
const MIN_CELL_PIXELS = 24;

/** The finest cells that are still readable at a zoom. */
function chooseLevel(levels: readonly (readonly Cell[])[], map: Leaflet.Map, zoom: number): readonly Cell[] {
  const isWideEnough = ([cell]: readonly Cell[]): boolean =>
    cell !== undefined &&
    map.project(cell.bounds.getNorthEast(), zoom).x - map.project(cell.bounds.getSouthWest(), zoom).x >=
      MIN_CELL_PIXELS;
  return levels.find(isWideEnough) ?? levels.at(-1) ?? [];
}

interface TileContent {
  readonly cells: readonly Cell[];
  readonly areas: Areas;
}

function drawTile(
  map: Leaflet.Map,
  coords: Leaflet.Coords,
  { cells, areas }: TileContent,
): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  const scale = Math.min(2, devicePixelRatio || 1);
  canvas.width = canvas.height = TILE_PIXELS * scale;
  const pen = canvas.getContext("2d");
  if (pen === null) return canvas;
  pen.scale(scale, scale);
  const colours = readColours();
  const origin = L.point(coords.x, coords.y).multiplyBy(TILE_PIXELS);
  const corner = (x: number, y: number): Leaflet.LatLng => map.unproject(origin.add([x, y]), coords.z);
  const bounds = L.latLngBounds(corner(0, TILE_PIXELS), corner(TILE_PIXELS, 0));
  const toPixels = (at: Leaflet.LatLngExpression): Leaflet.Point =>
    map.project(at, coords.z).subtract(origin);

  pen.fillStyle = colours.ground;
  pen.fillRect(0, 0, TILE_PIXELS, TILE_PIXELS);
  const hasAreas = areas.linesIn(map.getBounds(), coords.z).length > 0;
  if (!hasAreas) drawGrid(pen, { bounds, toPixels, zoom: coords.z, colour: colours.line });
  for (const cell of cells)
    if (cell.bounds.intersects(bounds))
      drawCell(pen, cell.corners.map(toPixels), cell.strength, colours.cell);
  drawBorders(
    pen,
    areas.linesIn(bounds, coords.z).map(({ points }) => points.map(toPixels)),
    colours.border,
  );
  return canvas;
}

interface Grid {
  readonly bounds: Leaflet.LatLngBounds;
  readonly toPixels: (at: Leaflet.LatLngExpression) => Leaflet.Point;
  readonly zoom: number;
  readonly colour: string;
}

function drawGrid(pen: CanvasRenderingContext2D, { bounds, toPixels, zoom, colour }: Grid): void {
  const pixelsPerDegree = (TILE_PIXELS * 2 ** zoom) / 360;
  const step = STEPS.find((degrees) => degrees * pixelsPerDegree >= MIN_STEP_PIXELS) ?? 30;
  pen.strokeStyle = colour;
  pen.lineWidth = 1;
  pen.beginPath();
  for (let lng = Math.ceil(bounds.getWest() / step); lng * step <= bounds.getEast(); lng++) {
    const x = Math.round(toPixels([0, lng * step]).x) + 0.5;
    pen.moveTo(x, 0);
    pen.lineTo(x, TILE_PIXELS);
  }
  for (let lat = Math.ceil(bounds.getSouth() / step); lat * step <= bounds.getNorth(); lat++) {
    const y = Math.round(toPixels([lat * step, bounds.getWest()]).y) + 0.5;
    pen.moveTo(0, y);
    pen.lineTo(TILE_PIXELS, y);
  }
  pen.stroke();
}

/** The gap between hexagons. */
const GAP_PIXELS = 2;

function drawCell(
  pen: CanvasRenderingContext2D,
  corners: readonly Leaflet.Point[],
  strength: number,
  colour: string,
): void {
  const middle = corners.reduce((sum, corner) => sum.add(corner), L.point(0, 0)).divideBy(corners.length);
  const width = Math.max(...corners.map(({ x }) => x)) - Math.min(...corners.map(({ x }) => x));
  const shrink = 1 - GAP_PIXELS / Math.max(width, 8);
  // Very wide hexagons are only a tint.
  const fade = width > 100 ? 0.3 : width > 50 ? 0.7 : 1;
  pen.fillStyle = `rgb(${colour} / ${(0.05 + 0.4 * strength ** 1.4) * fade})`;
  pen.beginPath();
  for (const corner of corners) {
    const { x, y } = middle.add(corner.subtract(middle).multiplyBy(shrink));
    pen.lineTo(x, y);
  }
  pen.closePath();
  pen.fill();
}

function drawBorders(
  pen: CanvasRenderingContext2D,
  lines: readonly (readonly Leaflet.Point[])[],
  colour: string,
): void {
  pen.strokeStyle = colour;
  pen.lineWidth = 1.25;
  pen.lineJoin = "round";
  pen.beginPath();
  for (const line of lines)
    for (const [index, { x, y }] of line.entries())
      if (index === 0) pen.moveTo(x, y);
      else pen.lineTo(x, y);
  pen.stroke();
}

function readColours(): { ground: string; line: string; cell: string; border: string } {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  return {
    ground: read("--ground"),
    line: read("--grid"),
    cell: read("--cell"),
    border: read("--border"),
  };
}
