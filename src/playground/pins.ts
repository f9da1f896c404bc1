import type Supercluster from "supercluster";
import type { PlaceSummary } from "../client/answers.ts";
import { button, h, svg } from "./dom.ts";
import { lookOf, paint, pictureOf } from "./kinds.ts";
import { L, type Leaflet } from "./leaflet.ts";
import { texts } from "./texts.ts";

/** The results on the map, as buttons with the number of their card. Pins that would cover each other are one, until one zooms in. */
export interface Pins {
  show(places: readonly PlaceSummary[]): void;
  /** Marks the pin of the open place. */
  select(place: Spot | undefined): void;
  /** Highlights the pin of the card under the pointer. */
  highlight(dataId: string | undefined): void;
  /** Where pins are, and whose. */
  readonly spots: () => PinnedSpots;
}

export interface PinnedSpots {
  readonly dataIds: ReadonlySet<string>;
  readonly at: readonly Leaflet.LatLng[];
}

/** The fields of a place that a pin needs. */
export type Spot = Pick<PlaceSummary, "data_id" | "title" | "type"> & {
  readonly location: { readonly latitude: number; readonly longitude: number };
};

/** A place on the map. Only the open place may have no number: it need not be a result. */
interface Numbered {
  readonly place: Spot;
  readonly number: number | undefined;
}

interface Pin {
  readonly marker: Leaflet.Marker;
  readonly element: HTMLButtonElement;
  readonly dataIds: readonly string[];
}

interface PinOptions {
  readonly onOpen: (dataId: string) => void;
  readonly onZoom: (bounds: Leaflet.LatLngBounds) => void;
}

export function createPins(map: Leaflet.Map, options: PinOptions): Pins {
  const layer = L.layerGroup().addTo(map);
  let results: readonly Numbered[] = [];
  let selected: Spot | undefined;
  let pins: readonly Pin[] = [];

  const draw = (): void => {
    const focused = pins.find(({ element }) => element === document.activeElement)?.dataIds[0];
    layer.clearLayers();
    const open =
      selected &&
      (results.find(({ place }) => place.data_id === selected?.data_id) ?? {
        place: selected,
        number: undefined,
      });
    const groups = [
      ...group(
        results.filter((each) => each !== open),
        map.getZoom(),
      ),
      ...(open ? [[open] as const] : []),
    ];
    pins = groups.map((members) => addPin(layer, members, members[0] === open, options));
    const again = focused !== undefined && pins.find(({ dataIds }) => dataIds.includes(focused));
    if (again) again.element.focus({ preventScroll: true });
  };
  map.on("zoomend", draw);
  return {
    show(places) {
      results = places.map((place, index) => ({ place, number: index + 1 }));
      draw();
    },
    select(place) {
      if (place?.data_id === selected?.data_id) return;
      selected = place;
      draw();
    },
    highlight(dataId) {
      for (const { element, dataIds } of pins)
        element.classList.toggle("pointed", dataId !== undefined && dataIds.includes(dataId));
    },
    spots: () => ({
      dataIds: new Set(pins.flatMap(({ dataIds }) => dataIds)),
      at: pins.map(({ marker }) => marker.getLatLng()),
    }),
  };
}

/** A pin is 32 pixels wide, and what a finger hits 44: closer ones would hide each other, or be hit instead of each other. */
const CLUSTER_PIXELS = 30;
/** At the closest zoom all pins are shown. */
const MAX_CLUSTER_ZOOM = 17;
const TILE_PIXELS = 256;

type Group = readonly [best: Numbered, ...others: Numbered[]];

/** The library, which a plain script adds to the global object. */
const Clusters = (globalThis as unknown as { readonly Supercluster: typeof Supercluster }).Supercluster;

/** Results that are too close at a zoom, each group with its best result first. */
function group(results: readonly Numbered[], zoom: number): Group[] {
  const clusters = new Clusters<{ readonly index: number }>({
    radius: CLUSTER_PIXELS,
    extent: TILE_PIXELS,
    maxZoom: MAX_CLUSTER_ZOOM,
  });
  clusters.load(
    results.map(({ place: { location } }, index) => ({
      type: "Feature",
      properties: { index },
      geometry: { type: "Point", coordinates: [location.longitude, location.latitude] },
    })),
  );
  const found = clusters.getClusters([-180, -90, 180, 90], zoom).map(({ properties }) => {
    const leaves =
      "cluster_id" in properties
        ? clusters.getLeaves(properties.cluster_id, Infinity).map((leaf) => leaf.properties.index)
        : [properties.index];
    return leaves.toSorted((one, other) => one - other).map((index) => results[index]!) as unknown as Group;
  });
  return found.toSorted(([one], [other]) => (one.number ?? 0) - (other.number ?? 0));
}

function addPin(
  layer: Leaflet.LayerGroup,
  members: Group,
  isSelected: boolean,
  { onOpen, onZoom }: PinOptions,
): Pin {
  const [best] = members;
  const bounds = L.latLngBounds(
    members.map(({ place: { location } }) => L.latLng(location.latitude, location.longitude)),
  );
  const element =
    members.length === 1
      ? renderPin(best, () => onOpen(best.place.data_id))
      : renderCluster(members, () => onZoom(bounds));
  element.classList.toggle("selected", isSelected);
  if (members.length === 1) element.setAttribute("aria-pressed", String(isSelected));
  const { latitude, longitude } = best.place.location;
  const shell = L.divIcon({ className: "pin-shell", html: h("div", {}, element), iconSize: [0, 0] });
  const marker = L.marker([latitude, longitude], { icon: shell, keyboard: false, riseOnHover: true });
  // The best result is in front, and the open place before all.
  marker.setZIndexOffset(isSelected ? SELECTED_Z : BEST_Z - (best.number ?? 0) * 10);
  marker.addTo(layer);
  return { marker, element, dataIds: members.map(({ place }) => place.data_id) };
}

const BEST_Z = 1000;
const SELECTED_Z = 5000;

/** The outline of a pin. */
const PIN = "M16 40C16 40 30.5 25 30.5 15.5A14.5 14.5 0 1 0 1.5 15.5C1.5 25 16 40 16 40Z";

function renderPin({ place, number }: Numbered, onClick: () => void): HTMLButtonElement {
  const name = number === undefined ? place.title : `${number} ${place.title}`;
  return renderShape(place, { name, label: place.title, onClick }, number ?? pictureOf(place.type, 16));
}

/** The best result of the group, with how many more there are. */
function renderCluster([best, ...others]: Group, onClick: () => void): HTMLButtonElement {
  const { place, number = 0 } = best;
  const label = texts.cluster(place.title, others.length);
  const pin = renderShape(place, { name: `${number} ${label}`, label, onClick }, number);
  pin.classList.add("cluster");
  // Drawn by the style sheet: the name says it in words.
  pin.dataset["more"] = `+${others.length}`;
  return pin;
}

interface ShapeOptions {
  /** For screen readers. */
  readonly name: string;
  /** Over the pin that is pointed at. */
  readonly label: string;
  readonly onClick: () => void;
}

function renderShape(
  { type }: Spot,
  { name, label, onClick }: ShapeOptions,
  head: number | Element,
): HTMLButtonElement {
  const pin = button(
    { class: `pin look-${lookOf(type)}`, "aria-label": name },
    onClick,
    svg(
      "svg",
      { class: "pin-shape", viewBox: "0 0 32 41", "aria-hidden": "true", focusable: "false" },
      svg("path", { d: PIN }),
    ),
    h("span", { class: "pin-head" }, head),
    " ",
    h("span", { class: "pin-label", dir: "auto" }, label),
  );
  // Otherwise the map handles presses and Enter itself.
  L.DomEvent.disableClickPropagation(pin);
  return paint(pin, type);
}
