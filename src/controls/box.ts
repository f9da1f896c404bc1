import type { PlaceSearch, PlaceSource, Suggestion } from "../place-search/place-search.ts";

/** What the controls of both map libraries have in common. */
export interface PlaceSearchControlOptions {
  /** The address of the server, such as `https://places.example`. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** Asked instead of `baseUrl` with `apiKey`. */
  readonly client?: PlaceSource;
  /** `vi` or `en`; that of the page by default. */
  readonly lang?: string;
  readonly placeholder?: string;
  /** The zoom that shows a chosen place; default 16. */
  readonly zoom?: number;
  /** False for a page that draws the places itself. */
  readonly markers?: boolean;
}

/** Nearer shows streets without the names around them, farther does not show where on its street the place is. */
export const DEFAULT_ZOOM = 16;

/** As wide as the input needs; on a phone as wide as the map. */
const WIDTH = "min(360px, calc(100vw - 20px))";

/** On a phone half of the map is seen below the list. */
const LIST_HEIGHT = "min(42vh, 460px)";

/** Around markers: those at the edge are seen whole. */
const MARGIN_PIXELS = 40;
/** Of the box at the top, and of its list where the map is wide enough to leave that side free. */
const BOX_PIXELS = { height: 90, width: 400 };
const WIDE_MAP_PIXELS = 2 * BOX_PIXELS.width;

/** What markers keep away from, in pixels from each edge of a map of this width. */
export const paddingOf = (
  mapWidth: number,
): { top: number; right: number; bottom: number; left: number } => ({
  top: BOX_PIXELS.height,
  right: MARGIN_PIXELS,
  bottom: MARGIN_PIXELS,
  left: mapWidth < WIDE_MAP_PIXELS ? MARGIN_PIXELS : BOX_PIXELS.width,
});

/**
 * A search box for a corner of a map. `show` is called with the places that the map should mark and move to: one that was chosen, those of
 * a search, or none.
 */
export function createBox(
  { baseUrl, apiKey, client, lang, placeholder }: PlaceSearchControlOptions,
  show: (places: readonly Suggestion[]) => void,
): PlaceSearch {
  const box = document.createElement("place-search");
  const given = { baseUrl, apiKey, client, lang, placeholder };
  for (const [name, value] of Object.entries(given))
    if (value !== undefined) Object.assign(box, { [name]: value });
  box.style.width = WIDTH;
  box.style.setProperty("--place-search-list-height", LIST_HEIGHT);
  box.addEventListener("place-select", ({ detail }) => show([detail]));
  box.addEventListener("place-results", ({ detail }) => show(detail.places));
  box.addEventListener("place-clear", () => show([]));
  return box;
}

/** Chooses a place whose marker was pressed. */
export function choose(box: PlaceSearch, place: Suggestion): void {
  box.value = place.value;
  box.dispatchEvent(new CustomEvent("place-select", { detail: place, bubbles: true, composed: true }));
}
