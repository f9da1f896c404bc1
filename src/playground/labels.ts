import type { AreaName } from "./areas.ts";
import { h } from "./dom.ts";
import { lookOf } from "./kinds.ts";
import { L, type Leaflet } from "./leaflet.ts";

/** A place with its name beside a dot. */
export interface NamedPlace {
  readonly data_id: string;
  readonly title: string;
  readonly type: string;
  readonly location: { readonly latitude: number; readonly longitude: number };
}

interface LabelContent {
  /** The important first: what does not fit is left out. */
  readonly areas: readonly AreaName[];
  readonly places: readonly NamedPlace[];
  /** Pins, which labels do not cover. */
  readonly pins: readonly Leaflet.LatLng[];
}

interface Labels {
  show(content: LabelContent): void;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const FONT = "500 12px system-ui, 'Liberation Sans', 'DejaVu Sans', sans-serif";
const LINE_PIXELS = 16;
/** The style sheet cuts longer names. */
const MAX_LABEL_PIXELS = 180;
const DOT_PIXELS = 10;
/** Between two labels. */
const GAP_PIXELS = 5;
/** A pin stands above its point. */
const PIN = { width: 36, height: 44 };

/**
 * Names of areas and places on the map, as many as fit. They are for eyes and pointers only: the list has the same places for
 * keyboards and screen readers.
 */
export function createLabels(map: Leaflet.Map, onOpen: (dataId: string) => void): Labels {
  const pane = map.createPane("labels");
  pane.setAttribute("aria-hidden", "true");
  const layer = L.layerGroup().addTo(map);
  const measure = createMeasure();
  return {
    show({ areas, places, pins }) {
      const taken = [
        ...pins.map((at) => pinBox(map.latLngToContainerPoint(at))),
        ...findOverlays(map.getContainer()),
      ];
      const isFree = (box: Box): boolean => !taken.some((other) => overlap(box, other));
      layer.clearLayers();
      for (const { name, at, width } of areas) {
        const pixels = measure(name) * AREA_SPACING;
        const box = boxAround(map.latLngToContainerPoint(at), pixels);
        if (pixels > widthInPixels(map, at, width) * AREA_OVERHANG || !isFree(box)) continue;
        taken.push(box);
        addMark(layer, at, "area-name", name);
      }
      for (const { data_id: dataId, title, type, location } of places) {
        const at = L.latLng(location.latitude, location.longitude);
        const point = map.latLngToContainerPoint(at);
        const dot = boxAround(point, DOT_PIXELS, DOT_PIXELS);
        if (!isFree(dot)) continue;
        const width = Math.min(MAX_LABEL_PIXELS, measure(title)) + DOT_PIXELS;
        const side = SIDES.find((each) => isFree(boxBeside(point, width, each)));
        taken.push(dot, ...(side ? [boxBeside(point, width, side)] : []));
        addMark(layer, at, `place-name look-${lookOf(type)} ${side ?? "bare"}`, title).on("click", () =>
          onOpen(dataId),
        );
      }
    },
  };
}

/** What lies over the map: a name under it could not be read. */
function findOverlays(map: HTMLElement): Box[] {
  const { left, top } = map.getBoundingClientRect();
  const shown = [...document.querySelectorAll(".quick, .legend, .request-toggle, .leaflet-bar, .draw-box")];
  return shown
    .map((element) => element.getBoundingClientRect())
    .filter(({ width }) => width > 0)
    .map((box) => ({
      left: box.left - left,
      right: box.right - left,
      top: box.top - top,
      bottom: box.bottom - top,
    }));
}

/** The letters of areas are wider apart, and a name may be a little wider than its area. */
const AREA_SPACING = 1.12;
const AREA_OVERHANG = 1.2;

type Side = "right" | "left";
const SIDES: readonly Side[] = ["right", "left"];

function addMark(
  layer: Leaflet.LayerGroup,
  at: Leaflet.LatLng,
  className: string,
  text: string,
): Leaflet.Marker {
  const shell = L.divIcon({ className, html: h("span", { dir: "auto" }, text), iconSize: [0, 0] });
  return L.marker(at, {
    icon: shell,
    pane: "labels",
    keyboard: false,
    interactive: className !== "area-name",
  }).addTo(layer);
}

function widthInPixels(map: Leaflet.Map, at: Leaflet.LatLng, degrees: number): number {
  const west = map.latLngToContainerPoint(at);
  return map.latLngToContainerPoint([at.lat, at.lng + degrees]).x - west.x;
}

const boxAround = ({ x, y }: Leaflet.Point, width: number, height = LINE_PIXELS): Box => ({
  left: x - width / 2,
  right: x + width / 2,
  top: y - height / 2,
  bottom: y + height / 2,
});

const boxBeside = ({ x, y }: Leaflet.Point, width: number, side: Side): Box => {
  const inner = DOT_PIXELS / 2 + 1;
  const across =
    side === "right" ? { left: x + inner, right: x + width } : { left: x - width, right: x - inner };
  return { ...across, top: y - LINE_PIXELS / 2, bottom: y + LINE_PIXELS / 2 };
};

const pinBox = ({ x, y }: Leaflet.Point): Box => ({
  left: x - PIN.width / 2,
  right: x + PIN.width / 2,
  top: y - PIN.height,
  bottom: y + GAP_PIXELS,
});

const overlap = (one: Box, other: Box): boolean =>
  one.left < other.right + GAP_PIXELS &&
  other.left < one.right + GAP_PIXELS &&
  one.top < other.bottom + 1 &&
  other.top < one.bottom + 1;

/** The width of a text in pixels; each is measured once. */
function createMeasure(): (text: string) => number {
  const pen = document.createElement("canvas").getContext("2d");
  if (pen) pen.font = FONT;
  const widths = new Map<string, number>();
  return (text) => {
    const width = widths.get(text) ?? pen?.measureText(text).width ?? text.length * 7;
    widths.set(text, width);
    return width;
  };
}
