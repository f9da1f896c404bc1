import type { PlaceSummary, Understood } from "../client/answers.ts";
import type { Api, Overview } from "./api.ts";
import { byId } from "./dom.ts";
import type { Latest } from "./latest.ts";
import type { PlaceMap } from "./place-map.ts";
import type { SearchBox } from "./search-box.ts";
import { texts } from "./texts.ts";
import { toSearch, type Point, type View } from "./view.ts";

/** The state of the page. */
export interface Page {
  view: View;
  /** The centre of the search: the view's point, or the densest part of the dataset. */
  point: Point;
  places: readonly PlaceSummary[];
  /** The same query under the other settings of a comparison. */
  others: readonly PlaceSummary[];
  /** Whether there may be places after those. */
  hasMore: boolean;
  /** What the last query was understood to mean. */
  understood?: Understood | undefined;
  overview: Overview | undefined;
  readonly api: Api;
  readonly map: PlaceMap;
  readonly searchBox: SearchBox;
  readonly searches: Latest;
  readonly openings: Latest;
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

export function showPoint({ lat, lng }: Point): void {
  byId("point-text").textContent = texts.around(`${lat.toFixed(4)}, ${lng.toFixed(4)}`);
}

/** Sets a text for screen readers only. */
export function whisper(text: string): void {
  byId("whisper").textContent = text;
}
