import type { PlaceSummary } from "../client/answers.ts";
import type { PageOverview } from "../assets/assets.ts";
import { createAreas } from "./areas.ts";
import { createBackdrop } from "./backdrop.ts";
import type { createBasemap } from "./basemap.ts";
import { byId, h, replace } from "./dom.ts";
import { createLabels } from "./labels.ts";
import { L, type Leaflet } from "./leaflet.ts";
import { createPins, type PinnedSpots, type Spot } from "./pins.ts";
import { settings, wantsStillness } from "./settings.ts";
import { createSurroundings, type ReadPlacesIn } from "./surroundings.ts";
import { texts } from "./texts.ts";
import { createRectangle, toBounds } from "./rectangle.ts";
import { type Box, type Point, toPoint } from "./view.ts";

interface PointOptions {
  /** Whether the map moves there. */
  readonly isCentred: boolean;
  /** Whether the device said that it is there. */
  readonly isLocated: boolean;
}

interface MapOptions {
  readonly onPoint: (point: Point) => void;
  readonly onOpen: (dataId: string) => void;
  /** A rectangle was drawn. */
  readonly onBox: (box: Box) => void;
  /** For the names on a map without tiles. */
  readonly readPlacesIn: ReadPlacesIn;
}

export interface PlaceMap {
  showPoint(point: Point, options: PointOptions): void;
  /** `isNear`: somebody asked for what is near, so the nearest few are enough. */
  showPlaces(places: readonly PlaceSummary[], isFitted: boolean, isNear?: boolean): void;
  /** Shows the rectangle that the search is restricted to. */
  showBox(box: Box | undefined): void;
  select(place: Spot | undefined): void;
  highlight(dataId: string | undefined): void;
  showOverview(overview: PageOverview): void;
  redraw(): void;
  /** The middle of what is shown. */
  readCentre(): Point;
}

const START_ZOOM = 13;
const MAX_ZOOM = 18;
/** Close enough to tell neighbours apart, far enough to see the surroundings. */
const MAX_FIT_ZOOM = 16;

/** The map with the caller's point, the results and, without tiles, the backdrop. */
export function createPlaceMap(start: Point, { onPoint, onOpen, onBox, readPlacesIn }: MapOptions): PlaceMap {
  const map = createMap(start);
  const view = createViewing(map);
  const pins = createPins(map, { onOpen, onZoom: (bounds) => view.zoomTo(bounds) });
  const ground = addGround(map, { onOpen, readPlacesIn, readPins: pins.spots });
  const caller = addCaller(map, start, onPoint);
  const rectangle = createRectangle(map, onBox);
  const isAway = (): boolean => rectangle.box() === undefined && isFarFrom(map, caller.getLatLng());
  watchMoves(map, isAway, onPoint);
  return {
    showPoint({ lat, lng }, { isCentred, isLocated }) {
      caller.setLatLng([lat, lng]);
      const dot = caller.getElement();
      dot?.classList.toggle("you", isLocated);
      if (dot) dot.title = isLocated ? texts.yourPoint : texts.callerPoint;
      byId("search-here").hidden = true;
      if (isCentred) view.centre(L.latLng(lat, lng));
    },
    showPlaces(places, isFitted, isNear = false) {
      pins.show(places);
      ground.showCells?.(places.length === 0);
      ground.relabel();
      const box = rectangle.box();
      const bounds = box ? toBounds(box) : boundsOf(isNear ? nearest(places) : places, caller.getLatLng());
      if (isFitted && bounds) view.fit(bounds);
    },
    showBox: (box) => rectangle.show(box),
    select(place) {
      pins.select(place);
      ground.relabel();
      view.keep(place && L.latLng(place.location.latitude, place.location.longitude));
    },
    highlight: (dataId) => pins.highlight(dataId),
    showOverview(overview) {
      creditPlaces(map, overview);
      if (ground.show === undefined) return;
      ground.show(overview);
      showHint();
    },
    redraw: () => ground.redraw(),
    readCentre() {
      const { lat, lng } = map.getCenter();
      return toPoint(lat, lng);
    },
  };
}

interface Viewing {
  centre(at: Leaflet.LatLng): void;
  fit(bounds: Leaflet.LatLngBounds): void;
  /** Zooms in until the points of a group are apart, or as far as possible. */
  zoomTo(bounds: Leaflet.LatLngBounds): void;
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
    zoomTo: (bounds) => {
      const zoom = Math.max(map.getZoom() + 1, map.getBoundsZoom(bounds.pad(0.2)));
      map.setView(bounds.getCenter(), Math.min(MAX_ZOOM, zoom), move);
    },
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
  // The sheet of a phone leaves it more or less room.
  new ResizeObserver(() => map.invalidateSize({ animate: false })).observe(container);
  container.setAttribute("role", "group");
  container.setAttribute("aria-label", texts.map);
  return map;
}

interface GroundOptions extends Pick<MapOptions, "onOpen" | "readPlacesIn"> {
  readonly readPins: () => PinnedSpots;
}

interface Ground {
  /** Hexagons, where there are no streets. */
  show?(overview: PageOverview): void;
  showCells?(isShown: boolean): void;
  redraw(): void;
  /** Places the names again, because pins have changed. */
  relabel(): void;
}

/** The tiles, or else what the server itself knows: where places are, and areas. The streets of the demo lie over that. */
function addGround(map: Leaflet.Map, options: GroundOptions): Ground {
  if (settings.tiles === null) return addOwnGround(map, options);
  const { url, maxZoom, isOverlay = false } = settings.tiles;
  // The file of the demo says it in English only.
  const attribution = isOverlay ? texts.demoStreets : settings.tiles.attribution;
  if (maxZoom !== undefined) {
    const streets = addBasemap(map, { url, attribution, maxZoom, isOverlay });
    const ground: Ground = isOverlay
      ? withoutCells(addOwnGround(map, options))
      : { redraw: () => {}, relabel: addNames(map, options) };
    return {
      ...ground,
      redraw() {
        ground.redraw();
        streets.redraw();
      },
    };
  }
  // Leaflet expects HTML, but the attribution is plain text.
  const words = h("span", {}, attribution).innerHTML;
  L.tileLayer(url, { attribution: words, maxZoom: MAX_ZOOM }).addTo(map);
  return { redraw: () => {}, relabel: () => {} };
}

/** What draws streets is loaded only now: most pages do not need it. */
function addBasemap(map: Leaflet.Map, tiles: Parameters<typeof createBasemap>[1]): Pick<Ground, "redraw"> {
  const basemap = import("./basemap.ts").then(({ createBasemap: create }) => create(map, tiles));
  return { redraw: () => void basemap.then((drawn) => drawn.redraw()) };
}

function addOwnGround(map: Leaflet.Map, options: GroundOptions): Ground {
  const areas = createAreas();
  const backdrop = createBackdrop(map, areas);
  backdrop.layer.addTo(map);
  const relabel = addNames(map, options, areas);
  const update = async (): Promise<void> => {
    if (!(await areas.load(map.getBounds(), map.getZoom()))) return;
    backdrop.redraw();
    relabel();
  };
  map.on("moveend", () => void update());
  void update();
  return {
    show: (overview) => backdrop.show(overview),
    showCells: (isShown) => backdrop.showCells(isShown),
    redraw: () => backdrop.redraw(),
    relabel,
  };
}

const withoutCells = (ground: Ground): Ground => ({
  redraw: () => ground.redraw(),
  relabel: () => ground.relabel(),
});

const OPENSTREETMAP = /OpenStreetMap/i;

/** Credits the sources of the places, beside those of the tiles. */
function creditPlaces(map: Leaflet.Map, { isFromOpenStreetMap }: PageOverview): void {
  const { attribution = "", tiles } = settings;
  // Leaflet expects HTML, but this is plain text.
  if (attribution !== "") map.attributionControl.addAttribution(h("span", {}, attribution).innerHTML);
  const isCredited = OPENSTREETMAP.test(attribution) || OPENSTREETMAP.test(tiles?.attribution ?? "");
  if (!isFromOpenStreetMap || isCredited) return;
  const link = h(
    "a",
    { href: "https://www.openstreetmap.org/copyright", rel: "noopener" },
    texts.openStreetMap,
  );
  map.attributionControl.addAttribution(link.outerHTML);
}

/** The map rests this long before places are read. */
const REST_MS = 350;

/** Writes the names of well-known places on the map, and of areas where these are given. Returns a function that does so again. */
function addNames(
  map: Leaflet.Map,
  { onOpen, readPlacesIn, readPins }: GroundOptions,
  areas?: Pick<ReturnType<typeof createAreas>, "namesIn">,
): () => void {
  const labels = createLabels(map, onOpen);
  const surroundings = createSurroundings(readPlacesIn);
  const relabel = (): void => {
    const pins = readPins();
    labels.show({
      areas: areas?.namesIn(map.getBounds(), map.getZoom()) ?? [],
      places: surroundings.places().filter(({ data_id }) => !pins.dataIds.has(data_id)),
      pins: pins.at,
    });
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const updatePlaces = async (): Promise<void> => {
    if (await surroundings.read(map.getBounds(), map.getZoom())) relabel();
  };
  const update = (): void => {
    relabel();
    clearTimeout(timer);
    timer = setTimeout(() => void updatePlaces(), REST_MS);
  };
  map.on("moveend", update);
  update();
  return relabel;
}

/** The search centre: it can be dragged; a long press or right click moves it. */
function addCaller(map: Leaflet.Map, { lat, lng }: Point, onPoint: (point: Point) => void): Leaflet.Marker {
  const shell = L.divIcon({ className: "caller", iconSize: [44, 44], html: h("span") });
  const caller = L.marker([lat, lng], {
    icon: shell,
    draggable: true,
    keyboard: false,
    title: texts.callerPoint,
    // Behind the pins.
    zIndexOffset: 500,
  });
  caller.addTo(map);
  const tell = (at: Leaflet.LatLng): void => onPoint(toPoint(at.lat, at.lng));
  caller.on("dragend", () => tell(caller.getLatLng()));
  map.on("contextmenu", ({ latlng }) => tell(latlng));
  return caller;
}

/** Offers a search at the new centre after the map was moved; this is how keyboard users move the point. */
function watchMoves(map: Leaflet.Map, isAway: () => boolean, onPoint: (point: Point) => void): void {
  const offer = byId("search-here");
  const container = map.getContainer();
  let isMovedByHand = false;
  for (const name of ["pointerdown", "keydown", "wheel"])
    container.addEventListener(name, () => (isMovedByHand = true), { passive: true });
  map.on("moveend", () => {
    if (!isMovedByHand) return;
    offer.hidden = !isAway();
  });
  offer.addEventListener("click", () => {
    isMovedByHand = false;
    const { lat, lng } = map.getCenter();
    onPoint(toPoint(lat, lng));
  });
}

/** Whether a point is near an edge of the map, or out of view. */
function isFarFrom(map: Leaflet.Map, point: Leaflet.LatLng): boolean {
  const { x, y } = map.getSize();
  return map.latLngToContainerPoint(point).distanceTo([x / 2, y / 2]) >= Math.min(x, y) * 0.3;
}

/** So many show the way to the next one, and leave the streets readable. */
const NEAREST = 5;

const nearest = (places: readonly PlaceSummary[]): readonly PlaceSummary[] =>
  places.toSorted(({ distance_m: one = 0 }, { distance_m: other = 0 }) => one - other).slice(0, NEAREST);

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

/** Leaves room for the kinds at the top, for pins, which extend above their point, and for the request panel at the lower edge. */
function readPadding(): { paddingTopLeft: Leaflet.PointTuple; paddingBottomRight: Leaflet.PointTuple } {
  const isSmall = byId("map").clientHeight < 420;
  return isSmall
    ? { paddingTopLeft: [30, 108], paddingBottomRight: [64, 52] }
    : { paddingTopLeft: [60, 108], paddingBottomRight: [76, 90] };
}

/** Says where streets come from, as long as there are none. */
function showHint(): void {
  const hint = byId("legend");
  replace(hint, h("a", { href: "docs/map-tiles" }, texts.drawStreets));
  hint.hidden = false;
}
