import { Control, divIcon, DomEvent, featureGroup, type FeatureGroup, type Map, marker } from "leaflet";
import type { PlaceSearch, Suggestion } from "../../place-search/place-search.ts";
import {
  choose,
  createBox,
  DEFAULT_ZOOM,
  paddingOf,
  type PlaceSearchControlOptions as BoxOptions,
} from "../box.ts";
import "../../place-search/place-search.ts";

export interface PlaceSearchControlOptions extends BoxOptions {
  /** The corner of the map; `topleft` by default. */
  readonly position?: "topleft" | "topright" | "bottomleft" | "bottomright";
}

/** Leaflet's own marker needs pictures whose address bundlers break. */
const PIN = divIcon({
  className: "",
  html: '<svg viewBox="0 0 24 32" width="24" height="32" aria-hidden="true"><path fill="#0b6e63" stroke="#fff" stroke-width="1.5" d="M12 31c4-7 11-12 11-19a11 11 0 0 0-22 0c0 7 7 12 11 19Z"/><circle cx="12" cy="12" r="4" fill="#fff"/></svg>',
  iconSize: [24, 32],
  iconAnchor: [12, 32],
});

/** A place search on a Leaflet map: it searches around the middle of the map, marks what it finds and moves there. */
export class PlaceSearchControl extends Control {
  /** The box, with its events. */
  readonly element: PlaceSearch;
  readonly #options: PlaceSearchControlOptions;
  readonly #markers: FeatureGroup = featureGroup();
  #map: Map | undefined;

  constructor(options: PlaceSearchControlOptions) {
    super({ position: options.position ?? "topleft" });
    this.#options = options;
    this.element = createBox(options, (places) => this.#show(places));
  }

  override onAdd(map: Map): HTMLElement {
    this.#map = map;
    this.#markers.addTo(map);
    const container = document.createElement("div");
    container.append(this.element);
    // The map would take clicks, drags and turns of the wheel in the list as its own.
    DomEvent.disableClickPropagation(container);
    DomEvent.disableScrollPropagation(container);
    map.on("moveend", this.#readCentre);
    map.whenReady(this.#readCentre);
    return container;
  }

  override onRemove(map: Map): void {
    this.#show([]);
    map.off("moveend", this.#readCentre);
    this.#markers.remove();
    this.#map = undefined;
  }

  readonly #readCentre = (): void => {
    const { lat, lng } = this.#map?.getCenter().wrap() ?? {};
    Object.assign(this.element, { lat, lng });
  };

  #show(places: readonly Suggestion[]): void {
    this.#markers.clearLayers();
    const map = this.#map;
    const [first, ...others] = places;
    if (map === undefined || first === undefined) return;
    if (this.#options.markers !== false) for (const place of places) this.#mark(place);
    const { zoom = DEFAULT_ZOOM } = this.#options;
    if (others.length === 0) {
      map.flyTo(toPoint(first), Math.max(map.getZoom(), zoom));
      return;
    }
    const padding = paddingOf(map.getSize().x);
    map.fitBounds(places.map(toPoint), {
      paddingTopLeft: [padding.left, padding.top],
      paddingBottomRight: [padding.right, padding.bottom],
      maxZoom: zoom,
    });
  }

  #mark(place: Suggestion): void {
    marker(toPoint(place), { icon: PIN, title: place.value, alt: place.value })
      .on("click", () => choose(this.element, place))
      .addTo(this.#markers);
  }
}

const toPoint = ({ latitude, longitude }: Suggestion): [number, number] => [latitude, longitude];
