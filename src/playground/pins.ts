import type { PlaceSummary } from "../client/answers.ts";
import { button, h, svg } from "./dom.ts";
import { icon } from "./icons.ts";
import { lookOf } from "./kinds.ts";
import { L, type Leaflet } from "./leaflet.ts";

interface Pins {
  show(places: readonly PlaceSummary[]): void;
  /** The one that is open, which stays marked. */
  select(place: Spot | undefined): void;
  /** The one that somebody points at in the list. */
  highlight(dataId: string | undefined): void;
}

/** What a pin needs to know of a place. */
export type Spot = Pick<PlaceSummary, "data_id" | "title" | "type"> & {
  readonly location: { readonly latitude: number; readonly longitude: number };
};

interface Pin {
  readonly marker: Leaflet.Marker;
  readonly element: HTMLButtonElement;
}

/** The results on the map, as buttons with the number that their card has. */
export function createPins(map: Leaflet.Map, onOpen: (dataId: string) => void): Pins {
  const layer = L.layerGroup().addTo(map);
  const pins = new Map<string, Pin>();
  let selected: string | undefined;

  const add = (place: Spot, number: number | undefined): void => {
    const element = renderPin(place, number, onOpen);
    const { latitude, longitude } = place.location;
    const shell = L.divIcon({ className: "pin-shell", html: h("div", {}, element), iconSize: [0, 0] });
    const marker = L.marker([latitude, longitude], { icon: shell, keyboard: false, riseOnHover: true });
    // The best in front.
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

/** A drop that stands on its point. */
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
  // Else the map takes a press for the beginning of a drag, and Enter for its own.
  L.DomEvent.disableClickPropagation(pin);
  return pin;
}
