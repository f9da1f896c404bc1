import type { PlaceAnswer, PlaceSummary, SearchAnswer } from "../client/answers.ts";
import { HereaboutsError, type SearchParameters } from "../client/client.ts";
import { renderComparison } from "./compare.ts";
import { button, byId, h, replace } from "./dom.ts";
import { icon } from "./drawing.ts";
import { openKeyDialog } from "./key-dialog.ts";
import { centreOf, metersToPlaces } from "./overview.ts";
import { announce, change, namePoint, type Page, showPoint } from "./page.ts";
import { renderLostPlace, renderProblem } from "./problem-view.ts";
import {
  renderFarAway,
  renderList,
  renderMore,
  renderNothing,
  renderSkeleton,
  renderStart,
  renderUnderstood,
} from "./results.ts";
import { showsPhotos } from "./settings.ts";
import { texts } from "./texts.ts";
import { isReweighed, reweigh } from "./reweigh.ts";
import { type Compared, type Point, toPoint } from "./view.ts";

/** Runs the search of the view and shows its results. A newer search replaces it. */
export async function search(page: Page, isFitted: boolean): Promise<void> {
  const { query, isAround, filters } = page.view;
  page.map.showBox(filters.bbox);
  if (query === "" && !isAround) return showStart(page);
  showSearching(page);
  try {
    const [response, other] =
      (await page.searches.run((signal) =>
        Promise.all([
          findPage(page, 0, signal),
          page.view.compared && findCompared(page, page.view.compared, signal),
        ]),
      )) ?? [];
    if (response === undefined) return;
    page.places = response.local_result;
    page.others = other ?? [];
    page.understood = response.understood;
    page.hasMore = page.places.length === PAGE_SIZE;
    announceFound(page);
    showPlaces(page);
    byId("found").scrollTop = 0;
    page.map.showPlaces(page.places, isFitted, page.understood?.is_near);
  } catch (error) {
    showProblem(page, error, isFitted);
  } finally {
    byId("list").removeAttribute("aria-busy");
  }
}

/** The API's own size of a page, and the last offset that it accepts. */
const PAGE_SIZE = 20;
const LAST_OFFSET = 200;

/** As many as the API returns at once: the more, the more of them may come to the front with other weights. */
const REWEIGHED_PLACES = 50;

/** The list that the page is compared with. */
async function findCompared(
  page: Page,
  compared: Compared,
  signal: AbortSignal,
): Promise<readonly PlaceSummary[]> {
  const { sort, point = page.point } = compared;
  const settings = isReweighed(sort)
    ? { ...point, sort: "relevance" as const, limit: REWEIGHED_PLACES }
    : { ...point, sort };
  const { local_result: places } = await findPage(page, 0, signal, settings);
  return isReweighed(sort) ? reweigh(places, sort).slice(0, PAGE_SIZE) : places;
}

/** What a list that is compared may have of its own. */
type ListSettings = Point & Pick<SearchParameters, "sort" | "limit">;

/** A page of the search, or of the places around when there is no query. */
async function findPage(
  page: Page,
  offset: number,
  signal: AbortSignal,
  settings: ListSettings = page.point,
): Promise<SearchAnswer> {
  const { q, ...parameters } = toParameters(page);
  const others = { ...parameters, ...settings };
  const paging = offset > 0 ? { offset } : {};
  const client = page.api.client();
  if (q !== "") return client.search({ q, ...others, ...paging }, { signal });
  const { sort, ...filters } = others;
  const order = sort !== undefined && sort !== "relevance" && { sort };
  return client.nearby({ ...filters, ...order, ...paging }, { signal });
}

/** Adds the next page to the list, and moves the focus to its first place. */
async function showMore(page: Page): Promise<void> {
  const before = page.places.length;
  try {
    const response = await page.searches.run((signal) => findPage(page, before, signal));
    if (response === undefined) return;
    page.places = [...page.places, ...response.local_result];
    page.hasMore = response.local_result.length === PAGE_SIZE && page.places.length <= LAST_OFFSET;
    announceFound(page);
    showPlaces(page);
    page.map.showPlaces(page.places, false);
    document.querySelectorAll<HTMLButtonElement>(".card-open")[before]?.focus();
  } catch (error) {
    showProblem(page, error, false);
  }
}

function announceFound({ places, view, hasMore, understood }: Page): void {
  const { length } = places;
  if (understood?.is_near && length > 0) return announce(texts.foundNear(length));
  announce(view.query === "" ? texts.foundAround(length) : texts.found(length, view.query, hasMore));
}

function toParameters({ view, point }: Page): SearchParameters {
  const { category, ...filters } = view.filters;
  return {
    q: view.query,
    ...point,
    ...filters,
    // A shared address may contain any word; the server rejects unknown types.
    ...(category !== undefined && { category: [category] as NonNullable<SearchParameters["category"]> }),
    include: ["distance", "match", "periods", "explain", ...(showsPhotos ? (["photo"] as const) : [])],
  };
}

/** Renders the list from the current results, without a request. */
function showPlaces(page: Page): void {
  const { places, view } = page;
  byId("found").classList.toggle("with-places", places.length > 0);
  if (places.length === 0) {
    const reset = (): void => void setFilters(page, {});
    const nothing = renderNothing(view.query, Object.keys(view.filters).length > 0, reset);
    return replace(byId("list"), renderWayBack(page), nothing);
  }
  const { compared } = view;
  if (compared) return showComparison(page, compared);
  const options = {
    isExplained: view.isExplained,
    onOpen: (place: PlaceSummary) => void openPlace(page, place.data_id, true),
    onPoint: (dataId: string | undefined) => page.map.highlight(dataId),
  };
  const more = page.hasMore && renderMore(() => void showMore(page));
  const understood = renderUnderstood(page.understood);
  replace(byId("list"), renderWayBack(page), ...understood, renderList(places, options), more);
}

function showComparison(page: Page, compared: Compared): void {
  const comparison = renderComparison({
    places: page.places,
    others: page.others,
    compared,
    onChange: (next) => setCompared(page, next),
    onMapCentre: () => setCompared(page, { ...compared, point: page.map.readCentre() }),
    onOpen: (place) => void openPlace(page, place.data_id, true),
    onPoint: (dataId) => page.map.highlight(dataId),
  });
  replace(byId("list"), ...renderUnderstood(page.understood), comparison);
}

/** Compares the list with the same query under other settings, or ends the comparison. */
export function setCompared(page: Page, compared: Compared | undefined): void {
  const focused = document.activeElement?.id;
  change(page, { compared }, false);
  byId("compare").setAttribute("aria-pressed", String(compared !== undefined));
  void search(page, false).then(() => {
    if (focused?.startsWith("compare-")) document.getElementById(focused)?.focus();
  });
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
  replace(
    byId("list"),
    renderWayBack(page),
    renderStart(page.overview, (query) => searchFor(page, query)),
  );
}

/** Further away than a map at its first zoom shows. */
const FAR_AWAY_METERS = 10_000;

/** A notice where there are no places around the centre. */
function renderWayBack(page: Page): HTMLElement | false {
  const meters = metersToPlaces(page.overview, page.point);
  const centre = centreOf(page.overview);
  if (meters === undefined || meters < FAR_AWAY_METERS || centre === undefined) return false;
  return renderFarAway(Math.round(meters), () => void movePoint(page, centre, { isCentred: true }));
}

/** Searches from another point. */
export async function movePoint(
  page: Page,
  point: Point,
  { isCentred, isLocated = false }: { readonly isCentred: boolean; readonly isLocated?: boolean },
): Promise<void> {
  page.point = point;
  page.isLocated = isLocated;
  change(page, { point }, false);
  showPoint(page, isCentred);
  await search(page, false);
  await namePoint(page);
}

/** Searches for a text, as if it had been typed; an empty one means the places around. */
export function searchFor(page: Page, query: string): void {
  page.searchBox.value = query;
  change(page, { query, place: undefined, isAround: query === "" }, true);
  window.dispatchEvent(new Event("list-wanted"));
  void openPlace(page, undefined, false);
  void search(page, true);
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
  if (dataId !== undefined) window.dispatchEvent(new Event("list-wanted"));
  if (dataId === undefined) {
    page.openings.cancel();
    page.map.select(undefined);
    return focusCard(before);
  }
  page.map.select(page.places.find((place) => place.data_id === dataId));
  replace(byId("detail"), backBar(page), h("div", { class: "notice", role: "status" }, texts.loadingPlace));
  try {
    const opened = await page.openings.run((signal) =>
      Promise.all([
        page.api
          .client()
          .place({ data_id: dataId, ...page.point, include: ["distance", "periods"] }, { signal }),
        import("./detail.ts"),
      ]),
    );
    if (opened) showPlace(page, ...opened);
  } catch (error) {
    const actions = {
      onRetry: () => void openPlace(page, dataId, false),
      onKey: () => openKeyDialog(page.api, () => window.dispatchEvent(new Event("key-changed"))),
    };
    const lost = renderLostPlace(error, () => {
      goBack(page);
      page.searchBox.focus();
    });
    replace(byId("detail"), backBar(page), lost ?? renderProblem(error, actions));
  }
}

function showPlace(
  page: Page,
  { place_result: place }: PlaceAnswer,
  { renderDetail }: typeof import("./detail.ts"),
): void {
  const searchAround = (): void => {
    const { latitude, longitude } = place.location;
    window.dispatchEvent(new CustomEvent("point-chosen", { detail: toPoint(latitude, longitude) }));
  };
  replace(byId("detail"), renderDetail(place, { onBack: () => goBack(page), onSearchAround: searchAround }));
  page.map.select(place);
  document.title = `${place.title} · Hereabouts`;
  byId("found").scrollTop = 0;
  byId("detail-title").focus({ preventScroll: true });
}

export const goBack = (page: Page): void => void openPlace(page, undefined, true);

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
