import type { PlaceSummary } from "../client/answers.ts";
import type { Api, Overview } from "./api.ts";
import { byId } from "./dom.ts";
import type { Latest } from "./latest.ts";
import type { PlaceMap } from "./place-map.ts";
import type { SearchBox } from "./search-box.ts";
import { texts } from "./texts.ts";
import { toSearch, type Point, type View } from "./view.ts";

/** All that changes while the page is open. */
export interface Page {
  view: View;
  /** Where is searched from: the view's point, or the middle of where the places are. */
  point: Point;
  places: readonly PlaceSummary[];
  overview: Overview | undefined;
  readonly api: Api;
  readonly map: PlaceMap;
  readonly searchBox: SearchBox;
  readonly searches: Latest;
  readonly openings: Latest;
}

/** Changes what the page shows, and its address with it: a new step back for what one would want to go back from. */
export function change(page: Page, patch: Partial<View>, isStep: boolean): void {
  page.view = { ...page.view, ...patch };
  const address = `${location.pathname}${toSearch(page.view)}`;
  if (isStep && address !== location.pathname + location.search) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  document.title = page.view.query === "" ? "Hereabouts" : `${page.view.query} · Hereabouts`;
}

/** What stands over the list; screen readers say it. */
export function announce(text: string): void {
  byId("count").textContent = text;
}

export function showPoint({ lat, lng }: Point): void {
  byId("point-text").textContent = texts.around(`${lat.toFixed(4)}, ${lng.toFixed(4)}`);
}

/** What only screen readers say: what others see beside it. */
export function whisper(text: string): void {
  byId("whisper").textContent = text;
}
