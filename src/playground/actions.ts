import type { PlaceSummary } from "../client/answers.ts";
import { HereaboutsError, type SearchParameters } from "../client/client.ts";
import { renderDetail } from "./detail.ts";
import { button, byId, h, replace } from "./dom.ts";
import { icon } from "./drawing.ts";
import { openKeyDialog } from "./key-dialog.ts";
import { announce, change, type Page } from "./page.ts";
import { renderProblem } from "./problem-view.ts";
import { renderList, renderNothing, renderSkeleton, renderStart, renderUnderstood } from "./results.ts";
import { texts } from "./texts.ts";
import { toPoint } from "./view.ts";

/** Runs the search of the view and shows its results. A newer search replaces it. */
export async function search(page: Page, isFitted: boolean): Promise<void> {
  const { query } = page.view;
  if (query === "") return showStart(page);
  showSearching(page);
  try {
    const response = await page.searches.run((signal) =>
      page.api.client().search(toParameters(page), { signal }),
    );
    if (response === undefined) return;
    page.places = response.local_result;
    page.understood = response.understood;
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
    // A shared address may contain any word; the server rejects unknown types.
    ...(category !== undefined && { category: [category] as NonNullable<SearchParameters["category"]> }),
    include: ["distance", "match", "periods", "explain"],
  };
}

/** Renders the list from the current results, without a request. */
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
  replace(byId("list"), ...renderUnderstood(page.understood), renderList(places, options));
  byId("found").scrollTop = 0;
}

/** Changes the filters and searches again from the same point. */
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

/** Keeps the last results, dimmed, until the next arrive; without results, shows a skeleton. */
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

/** Opens the key dialog. A new key reloads everything, including the map's backdrop. */
export function askForKey(page: Page): void {
  openKeyDialog(page.api, () => window.dispatchEvent(new Event("key-changed")));
}

function showKeyWanted(page: Page): void {
  showProblem(page, new HereaboutsError("missing_api_key", ""), false);
}

/** Opens a place next to the map, or closes the open one. `isStep` adds an entry to the browser history. */
export async function openPlace(page: Page, dataId: string | undefined, isStep: boolean): Promise<void> {
  const before = page.view.place;
  change(page, { place: dataId }, isStep);
  showDetailPane(dataId !== undefined);
  if (dataId === undefined) {
    page.openings.cancel();
    page.map.select(undefined);
    return focusCard(before);
  }
  page.map.select(page.places.find((place) => place.data_id === dataId));
  replace(byId("detail"), backBar(page), h("div", { class: "notice", role: "status" }, texts.loadingPlace));
  try {
    const response = await page.openings.run((signal) =>
      page.api
        .client()
        .place({ data_id: dataId, ...page.point, include: ["distance", "periods"] }, { signal }),
    );
    if (response) showPlace(page, response.place_result);
  } catch (error) {
    const actions = {
      onRetry: () => void openPlace(page, dataId, false),
      onKey: () => openKeyDialog(page.api, () => window.dispatchEvent(new Event("key-changed"))),
    };
    replace(byId("detail"), backBar(page), renderProblem(error, actions));
  }
}

function showPlace(page: Page, place: Parameters<typeof renderDetail>[0]): void {
  const searchAround = (): void => {
    const { latitude, longitude } = place.location;
    window.dispatchEvent(new CustomEvent("point-chosen", { detail: toPoint(latitude, longitude) }));
  };
  replace(byId("detail"), renderDetail(place, { onBack: () => goBack(page), onSearchAround: searchAround }));
  page.map.select(place);
  byId("found").scrollTop = 0;
  byId("detail-title").focus({ preventScroll: true });
}

const goBack = (page: Page): void => void openPlace(page, undefined, true);

const backBar = (page: Page): HTMLElement =>
  h(
    "div",
    { class: "detail-bar" },
    button({ class: "quiet", id: "back" }, () => goBack(page), icon("back", 18), texts.back),
  );

function showDetailPane(isOpen: boolean): void {
  byId("detail").hidden = !isOpen;
  byId("list").hidden = isOpen;
  byId("explain").hidden = isOpen;
  byId("found").classList.toggle("with-detail", isOpen);
}

/** Returns the focus to the card of a place. */
function focusCard(dataId: string | undefined): void {
  if (dataId === undefined) return;
  const card = [...document.querySelectorAll<HTMLElement>(".card")].find(
    (each) => each.dataset["id"] === dataId,
  );
  card?.querySelector<HTMLButtonElement>(".card-open")?.focus();
}
