import type { PlaceSummary } from "../client/answers.ts";
import type { Overview } from "./api.ts";
import { createBackdrop } from "./backdrop.ts";
import { button, byId, h, replace, svg } from "./dom.ts";
import { icon } from "./drawing.ts";
import { lookOf } from "./kinds.ts";
import { L, type Leaflet } from "./leaflet.ts";
import { settings, wantsStillness } from "./settings.ts";
import { texts } from "./texts.ts";
import { type Point, toPoint } from "./view.ts";

interface MapOptions {
  readonly onPoint: (point: Point) => void;
  readonly onOpen: (dataId: string) => void;
}

export interface PlaceMap {
  showPoint(point: Point, isCentred: boolean): void;
  showPlaces(places: readonly PlaceSummary[], isFitted: boolean): void;
  select(place: Spot | undefined): void;
  highlight(dataId: string | undefined): void;
  showOverview(overview: Overview): void;
  redraw(): void;
}

const START_ZOOM = 13;
const MAX_ZOOM = 18;
/** Close enough to tell neighbours apart, far enough to see the surroundings. */
const MAX_FIT_ZOOM = 16;

/** The map with the caller's point, the results and, without tiles, the backdrop. */
export function createPlaceMap(start: Point, { onPoint, onOpen }: MapOptions): PlaceMap {
  const map = createMap(start);
  const backdrop = addGround(map);
  const pins = createPins(map, onOpen);
  const caller = addCaller(map, start, onPoint);
  watchMoves(map, () => caller.getLatLng(), onPoint);
  const view = createViewing(map);
  return {
    showPoint({ lat, lng }, isCentred) {
      caller.setLatLng([lat, lng]);
      byId("search-here").hidden = true;
      if (isCentred) view.centre(L.latLng(lat, lng));
    },
    showPlaces(places, isFitted) {
      pins.show(places);
      const bounds = isFitted ? boundsOf(places, caller.getLatLng()) : undefined;
      if (bounds) view.fit(bounds);
    },
    select(place) {
      pins.select(place);
      view.keep(place && L.latLng(place.location.latitude, place.location.longitude));
    },
    highlight: (dataId) => pins.highlight(dataId),
    showOverview(overview) {
      backdrop?.show(overview);
      if (backdrop) showLegend();
    },
    redraw: () => backdrop?.redraw(),
  };
}

interface Viewing {
  centre(at: Leaflet.LatLng): void;
  fit(bounds: Leaflet.LatLngBounds): void;
  /** Keeps a point visible whatever else is shown. */
  keep(at: Leaflet.LatLng | undefined): void;
}

/** Moves the map. Results and the open place arrive in any order; both are visible in the end. */
function createViewing(map: Leaflet.Map): Viewing {
  const move = { animate: !wantsStillness, duration: 0.5 };
  let kept: Leaflet.LatLng | undefined;
  /** The bounds that the map is moving to. */
  let target: Leaflet.LatLngBounds | undefined;
  map.on("moveend", () => (target = undefined));
  const fit = (bounds: Leaflet.LatLngBounds): void => {
    map.fitBounds(kept ? bounds.extend(kept) : bounds, { ...move, ...readPadding(), maxZoom: MAX_FIT_ZOOM });
    target = bounds;
  };
  return {
    centre: (at) => void map.setView(at, Math.max(map.getZoom(), START_ZOOM), move),
    fit,
    keep(at) {
      kept = at;
      if (at === undefined) return;
      if (target) fit(target);
      else if (!map.getBounds().pad(-0.25).contains(at)) map.panTo(at, move);
    },
  };
}

function createMap({ lat, lng }: Point): Leaflet.Map {
  const map = L.map("map", {
    zoomControl: false,
    maxZoom: MAX_ZOOM,
    minZoom: 3,
    worldCopyJump: true,
    fadeAnimation: !wantsStillness,
    zoomAnimation: !wantsStillness,
    markerZoomAnimation: !wantsStillness,
  });
  map.attributionControl.setPrefix(false);
  L.control.zoom({ position: "topright" }).addTo(map);
  L.control.scale({ position: "bottomright", imperial: false, maxWidth: 120 }).addTo(map);
  map.setView([lat, lng], START_ZOOM);
  const container = map.getContainer();
  container.setAttribute("role", "group");
  container.setAttribute("aria-label", texts.map);
  return map;
}

function addGround(map: Leaflet.Map): ReturnType<typeof createBackdrop> | undefined {
  if (settings.tiles === null) {
    const backdrop = createBackdrop(map);
    backdrop.layer.addTo(map);
    return backdrop;
  }
  const { url, attribution } = settings.tiles;
  // Leaflet expects HTML, but the attribution is plain text.
  const words = h("span", {}, attribution).innerHTML;
  L.tileLayer(url, { attribution: words, maxZoom: MAX_ZOOM }).addTo(map);
  return undefined;
}

/** The search centre: it can be dragged; a long press or right click moves it. */
function addCaller(map: Leaflet.Map, { lat, lng }: Point, onPoint: (point: Point) => void): Leaflet.Marker {
  const shell = L.divIcon({ className: "caller", iconSize: [26, 26], html: h("span") });
  const caller = L.marker([lat, lng], {
    icon: shell,
    draggable: true,
    keyboard: false,
    title: texts.callerPoint,
    zIndexOffset: 2000,
  });
  caller.addTo(map);
  const tell = (at: Leaflet.LatLng): void => onPoint(toPoint(at.lat, at.lng));
  caller.on("dragend", () => tell(caller.getLatLng()));
  map.on("contextmenu", ({ latlng }) => tell(latlng));
  return caller;
}

/** Offers a search at the new centre after the map was moved; this is how keyboard users move the point. */
function watchMoves(
  map: Leaflet.Map,
  readCaller: () => Leaflet.LatLng,
  onPoint: (point: Point) => void,
): void {
  const offer = byId("search-here");
  const container = map.getContainer();
  let isMovedByHand = false;
  for (const name of ["pointerdown", "keydown", "wheel"])
    container.addEventListener(name, () => (isMovedByHand = true), { passive: true });
  map.on("moveend", () => {
    if (!isMovedByHand) return;
    const away = map.latLngToContainerPoint(readCaller()).distanceTo(map.getSize().divideBy(2));
    offer.hidden = away < Math.min(map.getSize().x, map.getSize().y) * 0.3;
  });
  offer.addEventListener("click", () => {
    isMovedByHand = false;
    const { lat, lng } = map.getCenter();
    onPoint(toPoint(lat, lng));
  });
}

/** Bounds of the best results without outliers, so that one far name does not zoom the map out. */
function boundsOf(places: readonly PlaceSummary[], caller: Leaflet.LatLng): Leaflet.LatLngBounds | undefined {
  const spots = places.slice(0, 12).map(({ location }) => L.latLng(location.latitude, location.longitude));
  const [first] = spots;
  if (first === undefined) return undefined;
  const distances = spots.map((spot) => spot.distanceTo(caller)).toSorted((one, other) => one - other);
  const usual = distances[Math.floor(distances.length / 2)] ?? 0;
  const near = spots.filter((spot) => spot.distanceTo(caller) <= Math.max(3000, usual * 2.5));
  const bounds = L.latLngBounds(near.length > 0 ? near : [first]);
  return usual < 30_000 && near.length > 0 ? bounds.extend(caller) : bounds;
}

/** Leaves room for pins, which extend above their point, and for the request panel at the lower edge. */
function readPadding(): { paddingTopLeft: Leaflet.PointTuple; paddingBottomRight: Leaflet.PointTuple } {
  const isSmall = byId("map").clientHeight < 420;
  return isSmall
    ? { paddingTopLeft: [30, 66], paddingBottomRight: [48, 52] }
    : { paddingTopLeft: [60, 70], paddingBottomRight: [70, 90] };
}

function showLegend(): void {
  const legend = byId("legend");
  const ramp = h(
    "span",
    { class: "ramp", "aria-hidden": "true" },
    ...[1, 2, 3, 4, 5].map((step) => h("i", { class: `step-${step}` })),
  );
  replace(legend, texts.legendFew, ramp, texts.legendMany);
  legend.hidden = false;
}

interface Pins {
  show(places: readonly PlaceSummary[]): void;
  /** Marks the pin of the open place. */
  select(place: Spot | undefined): void;
  /** Highlights the pin of the card under the pointer. */
  highlight(dataId: string | undefined): void;
}

/** The fields of a place that a pin needs. */
type Spot = Pick<PlaceSummary, "data_id" | "title" | "type"> & {
  readonly location: { readonly latitude: number; readonly longitude: number };
};

interface Pin {
  readonly marker: Leaflet.Marker;
  readonly element: HTMLButtonElement;
}

/** The results on the map, as buttons with the number of their card. */
function createPins(map: Leaflet.Map, onOpen: (dataId: string) => void): Pins {
  const layer = L.layerGroup().addTo(map);
  const pins = new Map<string, Pin>();
  let selected: string | undefined;

  const add = (place: Spot, number: number | undefined): void => {
    const element = renderPin(place, number, onOpen);
    const { latitude, longitude } = place.location;
    const shell = L.divIcon({ className: "pin-shell", html: h("div", {}, element), iconSize: [0, 0] });
    const marker = L.marker([latitude, longitude], { icon: shell, keyboard: false, riseOnHover: true });
    // The best result is in front.
    marker.setZIndexOffset(1000 - (number ?? 0) * 10);
    marker.addTo(layer);
    pins.set(place.data_id, { marker, element });
  };
  const mark = (): void => {
    for (const [dataId, { element, marker }] of pins) {
      const isSelected = dataId === selected;
      element.classList.toggle("selected", isSelected);
      element.setAttribute("aria-pressed", String(isSelected));
      if (isSelected) marker.setZIndexOffset(5000);
    }
  };
  return {
    show(places) {
      layer.clearLayers();
      pins.clear();
      for (const [index, place] of places.entries()) add(place, index + 1);
      mark();
    },
    select(place) {
      selected = place?.data_id;
      if (place && !pins.has(place.data_id)) add(place, undefined);
      mark();
    },
    highlight(dataId) {
      for (const [id, { element }] of pins) element.classList.toggle("pointed", id === dataId);
    },
  };
}

/** The outline of a pin. */
const PIN = "M16 40C16 40 30.5 25 30.5 15.5A14.5 14.5 0 1 0 1.5 15.5C1.5 25 16 40 16 40Z";

function renderPin(
  place: Spot,
  number: number | undefined,
  onOpen: (dataId: string) => void,
): HTMLButtonElement {
  const label = number === undefined ? place.title : `${number} ${place.title}`;
  const pin = button(
    { class: `pin look-${lookOf(place.type)}`, "aria-label": label, "aria-pressed": "false" },
    () => onOpen(place.data_id),
    svg(
      "svg",
      { class: "pin-shape", viewBox: "0 0 32 41", "aria-hidden": "true", focusable: "false" },
      svg("path", { d: PIN }),
    ),
    h("span", { class: "pin-head" }, number ?? icon(lookOf(place.type), 16)),
    " ",
    h("span", { class: "pin-label" }, place.title),
  );
  // Otherwise the map handles presses and Enter itself.
  L.DomEvent.disableClickPropagation(pin);
  return pin;
}
