import type { PlaceSummary, Understood } from "../client/answers.ts";
import type { PageOverview } from "../assets/assets.ts";
import { type Api, readAreaName } from "./api.ts";
import { byId } from "./dom.ts";
import type { Latest } from "../place-search/latest.ts";
import type { PlaceMap } from "./place-map.ts";
import type { PlaceSearch } from "../place-search/place-search.ts";
import { texts } from "./texts.ts";
import { toSearch, type Point, type View } from "./view.ts";

/** The state of the page. */
export interface Page {
  view: View;
  /** The centre of the search: the view's point, or the densest part of the dataset. */
  point: Point;
  /** Whether that is where the device is. */
  isLocated: boolean;
  places: readonly PlaceSummary[];
  /** The same query under the other settings of a comparison. */
  others: readonly PlaceSummary[];
  /** Whether there may be places after those. */
  hasMore: boolean;
  /** What the last query was understood to mean. */
  understood?: Understood | undefined;
  overview: PageOverview | undefined;
  readonly api: Api;
  readonly map: PlaceMap;
  readonly searchBox: PlaceSearch;
  readonly searches: Latest;
  readonly openings: Latest;
  readonly namings: Latest;
}

/** Changes the view and the address. `isStep` adds an entry to the browser history. */
export function change(page: Page, patch: Partial<View>, isStep: boolean): void {
  page.view = { ...page.view, ...patch };
  const address = `${location.pathname}${toSearch(page.view)}`;
  if (isStep && address !== location.pathname + location.search) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  const { query, isAround } = page.view;
  const shown = query === "" && isAround ? texts.aroundHere : query;
  document.title = shown === "" ? "Hereabouts" : `${shown} · Hereabouts`;
}

/** Sets the text above the list; screen readers read it out. */
export function announce(text: string): void {
  byId("count").textContent = text;
}

/** Shows the centre of the search: its coordinates, until `namePoint` knows more. */
export function showPoint({ map, searchBox, point, isLocated }: Page, isCentred: boolean): void {
  Object.assign(searchBox, point);
  const shown = byId("point-text");
  shown.title = toCoordinates(point);
  shown.textContent = texts.around(shown.title);
  map.showPoint(point, { isCentred, isLocated });
}

const toCoordinates = ({ lat, lng }: Point): string => `${lat.toFixed(4)}, ${lng.toFixed(4)}`;

/** Writes the ward of the centre instead of its coordinates. It comes after the search, which counts for the same limit. */
export async function namePoint({ api, namings, point }: Page): Promise<void> {
  try {
    const name = await namings.run((signal) => readAreaName(api, point, signal));
    if (name !== undefined) byId("point-text").textContent = texts.around(name);
  } catch {
    // The coordinates say it too.
  }
}
