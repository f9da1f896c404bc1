import { type IControl, LngLatBounds, type Map, Marker } from "maplibre-gl";
import type { PlaceSearch, Suggestion } from "../../place-search/place-search.ts";
import { choose, createBox, DEFAULT_ZOOM, paddingOf, type PlaceSearchControlOptions } from "../box.ts";
import "../../place-search/place-search.ts";

export type { PlaceSearchControlOptions };

/** A place search on a MapLibre map: it searches around the middle of the map, marks what it finds and moves there. */
export class PlaceSearchControl implements IControl {
  /** The box, with its events. */
  readonly element: PlaceSearch;
  readonly #options: PlaceSearchControlOptions;
  #map: Map | undefined;
  #markers: readonly Marker[] = [];

  constructor(options: PlaceSearchControlOptions) {
    this.#options = options;
    this.element = createBox(options, (places) => this.#show(places));
  }

  onAdd(map: Map): HTMLElement {
    this.#map = map;
    const container = document.createElement("div");
    container.className = "maplibregl-ctrl";
    container.append(this.element);
    map.on("moveend", this.#readCentre);
    this.#readCentre();
    return container;
  }

  onRemove(): void {
    this.#show([]);
    this.#map?.off("moveend", this.#readCentre);
    this.element.parentElement?.remove();
    this.#map = undefined;
  }

  readonly #readCentre = (): void => {
    const { lat, lng } = this.#map?.getCenter().wrap() ?? {};
    Object.assign(this.element, { lat, lng });
  };

  #show(places: readonly Suggestion[]): void {
    for (const marker of this.#markers) marker.remove();
    this.#markers = [];
    const map = this.#map;
    const [first, ...others] = places;
    if (map === undefined || first === undefined) return;
    if (this.#options.markers !== false) this.#markers = places.map((place) => this.#mark(map, place));
    const { zoom = DEFAULT_ZOOM } = this.#options;
    if (others.length === 0) {
      map.flyTo({ center: toPoint(first), zoom: Math.max(map.getZoom(), zoom) });
      return;
    }
    const bounds = new LngLatBounds();
    for (const place of places) bounds.extend(toPoint(place));
    map.fitBounds(bounds, { padding: paddingOf(map.getContainer().clientWidth), maxZoom: zoom });
  }

  #mark(map: Map, place: Suggestion): Marker {
    const marker = new Marker().setLngLat(toPoint(place)).addTo(map);
    const element = marker.getElement();
    element.title = place.value;
    element.setAttribute("aria-label", place.value);
    element.addEventListener("click", () => choose(this.element, place));
    return marker;
  }
}

const toPoint = ({ latitude, longitude }: Suggestion): [number, number] => [longitude, latitude];
