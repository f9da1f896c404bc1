import type { NamedPlace } from "./labels.ts";
import { createLatest } from "../place-search/latest.ts";
import type { Leaflet } from "./leaflet.ts";

/** The best known places in a rectangle. Rejects when they cannot be read. */
export type ReadPlacesIn = (
  bounds: Leaflet.LatLngBounds,
  signal: AbortSignal,
) => Promise<readonly NamedPlace[]>;

interface Surroundings {
  /** Reads the places of the view, unless they are known. True when there are others than before. */
  read(view: Leaflet.LatLngBounds, zoom: number): Promise<boolean>;
  readonly places: () => readonly NamedPlace[];
}

/** Streets. Further out, a view holds more places than names. */
const MIN_ZOOM = 14;
/** Each read counts as a request of the key: this much around the view is read too, so that a short move needs none. */
const MARGIN = 0.15;
/** After a failure, such as a reached limit, the names wait; a search comes first. */
const REST_MS = 60_000;

/** The best known places in and around the view, whose names are on the map. */
export function createSurroundings(readPlacesIn: ReadPlacesIn): Surroundings {
  const latest = createLatest();
  let known: { readonly bounds: Leaflet.LatLngBounds; readonly zoom: number } | undefined;
  let places: readonly NamedPlace[] = [];
  let restsUntilMs = 0;
  return {
    places: () => places,
    async read(view, zoom) {
      if (zoom < MIN_ZOOM) {
        const hadPlaces = places.length > 0;
        [known, places] = [undefined, []];
        return hadPlaces;
      }
      if ((known?.zoom === zoom && known.bounds.contains(view)) || performance.now() < restsUntilMs)
        return false;
      const bounds = view.pad(MARGIN);
      try {
        const found = await latest.run((signal) => readPlacesIn(bounds, signal));
        if (found === undefined) return false;
        [known, places] = [{ bounds, zoom }, found];
        return true;
      } catch {
        restsUntilMs = performance.now() + REST_MS;
        return false;
      }
    },
  };
}
