import type { AreaCells, AreaOutlines } from "../assets/area-assets.ts";
import { L, type Leaflet } from "./leaflet.ts";

/** The name of an area on the map. */
export interface AreaName {
  readonly name: string;
  readonly at: Leaflet.LatLng;
  /** How wide the area is, in degrees. */
  readonly width: number;
}

interface AreaLine {
  readonly points: readonly Leaflet.LatLng[];
  readonly bounds: Leaflet.LatLngBounds;
}

/** Borders and names of provinces, or of wards when zoomed in. Only Vietnam has any. */
export interface Areas {
  /** Loads what a view needs. True when anything new is there. */
  load(view: Leaflet.LatLngBounds, zoom: number): Promise<boolean>;
  linesIn(bounds: Leaflet.LatLngBounds, zoom: number): readonly AreaLine[];
  namesIn(bounds: Leaflet.LatLngBounds, zoom: number): readonly AreaName[];
}

/** From here on wards are drawn; before, they would be smaller than their names. */
const WARDS_ZOOM = 11;

interface Outlines {
  readonly lines: readonly AreaLine[];
  readonly names: readonly AreaName[];
}

export function createAreas(): Areas {
  const loaded = new Map<string, Outlines>();
  const asked = new Map<string, Promise<boolean>>();
  const load = (file: string): Promise<boolean> => {
    const asking =
      asked.get(file) ?? readFile<AreaOutlines>(file).then(keep, () => asked.delete(file) && false);
    asked.set(file, asking);
    return loaded.has(file) ? Promise.resolve(false) : asking;
    function keep(outlines: AreaOutlines): boolean {
      loaded.set(file, toOutlines(outlines));
      return true;
    }
  };
  let cells: Promise<AreaCells> | undefined;
  const filesIn = async (view: Leaflet.LatLngBounds, zoom: number): Promise<readonly string[]> => {
    if (zoom < WARDS_ZOOM) return ["provinces"];
    cells ??= readFile<AreaCells>("cells");
    return chooseFiles(await cells, view);
  };
  const shown = (zoom: number): Outlines[] =>
    [...loaded]
      .filter(([file]) => (file === "provinces") === zoom < WARDS_ZOOM)
      .map(([, outlines]) => outlines);
  return {
    async load(view, zoom) {
      try {
        const news = await Promise.all((await filesIn(view, zoom)).map(load));
        return news.includes(true);
      } catch {
        // A map without outlines is still a map.
        cells = undefined;
        return false;
      }
    },
    linesIn: (bounds, zoom) =>
      shown(zoom).flatMap(({ lines }) => lines.filter((line) => line.bounds.intersects(bounds))),
    namesIn: (bounds, zoom) =>
      shown(zoom).flatMap(({ names }) => names.filter(({ at }) => bounds.contains(at))),
  };
}

async function readFile<T>(name: string): Promise<T> {
  const response = await fetch(new URL(`../areas/${name}.json`, import.meta.url));
  if (!response.ok) throw new Error(`areas/${name}.json: status ${response.status}`);
  return (await response.json()) as T;
}

/** The files of the cells in view, and of those beside it: a ward belongs to the cell of its centre. */
function chooseFiles({ degrees, cells }: AreaCells, view: Leaflet.LatLngBounds): string[] {
  const known = new Set(cells);
  const from = (value: number): number => Math.floor((value - BESIDE_DEGREES) / degrees);
  const to = (value: number): number => Math.floor((value + BESIDE_DEGREES) / degrees);
  const found: string[] = [];
  for (let row = from(view.getSouth()); row <= to(view.getNorth()); row++)
    for (let column = from(view.getWest()); column <= to(view.getEast()); column++)
      if (known.has(`${row},${column}`)) found.push(`${row},${column}`);
  return found;
}

/** Half the width of most wards in the country; those of cities are a tenth of it. */
const BESIDE_DEGREES = 0.04;

function toOutlines({ scale, translate, lines, names }: AreaOutlines): Outlines {
  return {
    lines: lines.map((steps) => {
      const points: Leaflet.LatLng[] = [];
      let [x, y] = [0, 0];
      for (const [dx, dy] of steps) {
        x += dx;
        y += dy;
        points.push(L.latLng(y * scale[1] + translate[1], x * scale[0] + translate[0]));
      }
      return { points, bounds: L.latLngBounds(points) };
    }),
    names: names.map(([name, lat, lng, width]) => ({ name, at: L.latLng(lat, lng), width })),
  };
}
