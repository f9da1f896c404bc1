import type { PlaceSummary } from "../client/answers.ts";
import { HereaboutsError, type SearchParameters } from "../client/client.ts";
import { byId, replace } from "./dom.ts";
import { openKeyDialog } from "./key-dialog.ts";
import { openPlace } from "./opening.ts";
import { announce, change, type Page } from "./page.ts";
import { renderProblem } from "./problem-view.ts";
import { renderList, renderNothing, renderSkeleton, renderStart } from "./results.ts";
import { texts } from "./texts.ts";

/** Searches for what the view says and shows what comes. A newer search overtakes it. */
export async function search(page: Page, isFitted: boolean): Promise<void> {
  const { query } = page.view;
  if (query === "") return showStart(page);
  showSearching(page);
  try {
    const answer = await page.searches.run((signal) =>
      page.api.client().search(toParameters(page), { signal }),
    );
    if (answer === undefined) return;
    page.places = answer.local_result;
    announce(texts.found(page.places.length, query));
    showPlaces(page);
    page.map.showPlaces(page.places, isFitted);
  } catch (error) {
    showProblem(page, error, isFitted);
  } finally {
    byId("list").removeAttribute("aria-busy");
  }
}

function toParameters({ view, point }: Page): SearchParameters {
  const { category, ...filters } = view.filters;
  return {
    q: view.query,
    ...point,
    ...filters,
    // A shared address may hold any word; the server says which are no types.
    ...(category !== undefined && { category: [category] as NonNullable<SearchParameters["category"]> }),
    include: ["distance", "match", "periods", ...(view.isExplained ? ["explain" as const] : [])],
  };
}

/** The list again from what is known, without asking. */
function showPlaces(page: Page): void {
  const { places, view } = page;
  byId("found").classList.toggle("with-places", places.length > 0);
  if (places.length === 0) {
    const reset = (): void => void setFilters(page, {});
    return replace(byId("list"), renderNothing(view.query, Object.keys(view.filters).length > 0, reset));
  }
  const options = {
    isExplained: view.isExplained,
    onOpen: (place: PlaceSummary) => void openPlace(page, place.data_id, true),
    onPoint: (dataId: string | undefined) => page.map.highlight(dataId),
  };
  replace(byId("list"), renderList(places, options));
  byId("found").scrollTop = 0;
}

/** Other filters mean another search from the same spot. */
export async function setFilters(page: Page, filters: Page["view"]["filters"]): Promise<void> {
  change(page, { filters, place: undefined }, true);
  window.dispatchEvent(new Event("filters-changed"));
  await openPlace(page, undefined, false);
  await search(page, true);
}

function showStart(page: Page): void {
  page.searches.cancel();
  byId("found").classList.remove("with-places");
  page.places = [];
  page.map.showPlaces([], false);
  announce("");
  if (page.api.key() === undefined) return showKeyWanted(page);
  const begin = (query: string): void => {
    page.searchBox.setQuery(query);
    change(page, { query }, true);
    void search(page, true);
  };
  replace(byId("list"), renderStart(page.overview?.places, begin));
}

/** The last answer stays, paler, until the next is there; where there is none, its shape. */
function showSearching({ places }: Page): void {
  announce(texts.searching);
  byId("list").setAttribute("aria-busy", "true");
  if (places.length === 0) replace(byId("list"), renderSkeleton(6));
}

function showProblem(page: Page, error: unknown, isFitted: boolean): void {
  byId("found").classList.remove("with-places");
  page.places = [];
  page.map.showPlaces([], false);
  announce("");
  const actions = { onRetry: () => void search(page, isFitted), onKey: () => askForKey(page) };
  replace(byId("list"), renderProblem(error, actions));
}

/** A key opens everything anew: the map's backdrop too. */
export function askForKey(page: Page): void {
  openKeyDialog(page.api, () => window.dispatchEvent(new Event("key-changed")));
}

function showKeyWanted(page: Page): void {
  showProblem(page, new HereaboutsError("missing_api_key", ""), false);
}
