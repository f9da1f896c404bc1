import {
  askForKey,
  goBack,
  movePoint,
  openPlace,
  search,
  searchFor,
  setCompared,
  setFilters,
} from "./actions.ts";
import { openApi, readOverview, readPlacesIn } from "./api.ts";
import { watchPhoneTools, watchSwitches, writeTexts } from "./chrome.ts";
import { byId, replace } from "./dom.ts";
import { createFilterBar } from "./filters.ts";
import { readWords } from "./kinds.ts";
import { createLatest } from "../place-search/latest.ts";
import { centreOf } from "./overview.ts";
import { announce, change, namePoint, type Page, showPoint } from "./page.ts";
import { createPlaceMap } from "./place-map.ts";
import { createRequestPanel } from "./request-panel.ts";
import { connectSearchBox } from "./search-box.ts";
import { renderQuickKinds } from "./results.ts";
import { watchSheet } from "./sheet.ts";
import { texts } from "./texts.ts";
import { parseView, type Point, toPoint, type View } from "./view.ts";

/** The API's own default centre. */
const DEFAULT_POINT: Point = { lat: 10.80167, lng: 106.61744 };

async function start(): Promise<void> {
  writeTexts();
  const ready = Promise.withResolvers<Page>();
  // First, because people type before the page has loaded.
  const searchBox = connectSearchBox(ready.promise, (query, dataId) => {
    void ready.promise.then((page) => find(page, query, dataId));
  });
  const panel = createRequestPanel();
  const [api] = await Promise.all([openApi((exchange) => panel.add(exchange, api)), readWords()]);
  const overview = await readOverview(api.key());
  const page = createPage({ api, overview, searchBox });
  watchSwitches(() => page.map.redraw());
  watchSheet(page.view.query !== "" || page.view.isAround || page.view.place !== undefined);
  watchPhoneTools();
  watchEvents(page);
  ready.resolve(page);
  await show(page, true);
}

/** What the search box asks for: a text, perhaps with the place that it is the name of. */
async function find(page: Page, query: string, dataId: string | undefined): Promise<void> {
  change(page, { query, place: dataId, isAround: false }, true);
  window.dispatchEvent(new Event("list-wanted"));
  await Promise.all([openPlace(page, dataId, false), search(page, true)]);
}

/** The view of the address, as far as the search box takes its query. */
const readView = (): View => parseView(location.search, Number(byId("search").getAttribute("maxlength")));

function createPage({ api, overview, searchBox }: Pick<Page, "api" | "overview" | "searchBox">): Page {
  const view = readView();
  const point = view.point ?? centreOf(overview) ?? DEFAULT_POINT;
  const tellPoint = (moved: Point): void => void movePoint(page, moved, { isCentred: false });
  const page: Page = {
    view,
    point,
    isLocated: false,
    overview,
    places: [],
    others: [],
    hasMore: false,
    api,
    map: createPlaceMap(point, {
      onPoint: tellPoint,
      onOpen: (dataId) => void openPlace(page, dataId, true),
      onBox: (bbox) => {
        if (page.view.query === "") change(page, { isAround: true }, false);
        void setFilters(page, { ...page.view.filters, bbox });
      },
      readPlacesIn: (bounds, signal) => readPlacesIn(api, bounds, signal),
    }),
    searchBox,
    searches: createLatest(),
    openings: createLatest(),
    namings: createLatest(),
  };
  if (overview) page.map.showOverview(overview);
  return page;
}

function watchEvents(page: Page): void {
  const filterBar = createFilterBar((filters) => void setFilters(page, filters));
  const renderFilters = (): void => filterBar.render(page.view.filters, page.overview?.types ?? []);
  renderFilters();
  window.addEventListener("filters-changed", renderFilters);
  window.addEventListener("key-changed", () => void reopen(page).then(renderFilters));
  window.addEventListener("point-chosen", (event) => {
    void openPlace(page, undefined, true);
    void movePoint(page, (event as CustomEvent<Point>).detail, { isCentred: true });
  });
  window.addEventListener("popstate", () => {
    page.view = readView();
    const { lat, lng } = page.point;
    page.point = page.view.point ?? page.point;
    page.isLocated &&= page.point.lat === lat && page.point.lng === lng;
    renderFilters();
    void show(page);
  });
  byId("key").addEventListener("click", () => askForKey(page));
  byId("explain").addEventListener("click", () => {
    change(page, { isExplained: !page.view.isExplained }, false);
    showExplainSwitch(page);
    void search(page, false);
  });
  byId("compare").addEventListener("click", () =>
    setCompared(page, page.view.compared ? undefined : { sort: "distance" }),
  );
  byId("locate").addEventListener("click", () => locate(page));
  document.addEventListener("keydown", (event) => handleKey(page, event));
}

/** `/` moves to the search box, Escape closes the open place. */
function handleKey(page: Page, event: KeyboardEvent): void {
  const isModified = event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
  if (event.defaultPrevented || isModified || document.querySelector("dialog[open]")) return;
  const isTyping =
    event.target === page.searchBox ||
    event.target instanceof HTMLInputElement ||
    event.target instanceof HTMLSelectElement;
  if (event.key === "/" && !isTyping) {
    event.preventDefault();
    page.searchBox.select();
    page.searchBox.focus();
  } else if (event.key === "Escape" && page.view.place !== undefined) {
    event.preventDefault();
    goBack(page);
  }
}

/** Shows everything in the view. */
async function show(page: Page, isStart = false): Promise<void> {
  const { query, place } = page.view;
  replace(byId("quick"), ...renderQuickKinds(page.overview, (text) => searchFor(page, text)));
  // Keeps what was typed while the page was loading.
  if (query !== "" || !isStart) page.searchBox.value = query;
  showPoint(page, false);
  showExplainSwitch(page);
  await Promise.all([search(page, true), openPlace(page, place, false)]);
  await namePoint(page);
}

async function reopen(page: Page): Promise<void> {
  page.overview = await readOverview(page.api.key());
  if (page.overview) page.map.showOverview(page.overview);
  if (page.view.point === undefined) page.point = centreOf(page.overview) ?? page.point;
  await show(page);
}

function showExplainSwitch({ view }: Page): void {
  byId("compare").setAttribute("aria-pressed", String(view.compared !== undefined));
  byId("explain").setAttribute("aria-pressed", String(view.isExplained));
}

function locate(page: Page): void {
  announce(texts.locating);
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      announce("");
      void movePoint(page, toPoint(coords.latitude, coords.longitude), { isCentred: true, isLocated: true });
    },
    () => announce(texts.locateFailed),
    { timeout: 10_000, maximumAge: 60_000 },
  );
}

await start();
