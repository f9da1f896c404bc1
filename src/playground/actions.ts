import type { PlaceSummary } from "../client/answers.ts";
import { HereaboutsError, type SearchParameters } from "../client/client.ts";
import { renderDetail } from "./detail.ts";
import { button, byId, h, replace } from "./dom.ts";
import { icon } from "./drawing.ts";
import { openKeyDialog } from "./key-dialog.ts";
import { announce, change, type Page } from "./page.ts";
import { renderProblem } from "./problem-view.ts";
import { renderList, renderNothing, renderSkeleton, renderStart } from "./results.ts";
import { texts } from "./texts.ts";
import { toPoint } from "./view.ts";

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

/** Opens a place beside the map, or closes the one that is open. `isStep`: the way back leads through it. */
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
    const answer = await page.openings.run((signal) =>
      page.api
        .client()
        .place({ data_id: dataId, ...page.point, include: ["distance", "periods"] }, { signal }),
    );
    if (answer) showPlace(page, answer.place_result);
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

/** Back where one was before. */
function focusCard(dataId: string | undefined): void {
  if (dataId === undefined) return;
  const card = [...document.querySelectorAll<HTMLElement>(".card")].find(
    (each) => each.dataset["id"] === dataId,
  );
  card?.querySelector<HTMLButtonElement>(".card-open")?.focus();
}
