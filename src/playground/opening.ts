import { renderDetail } from "./detail.ts";
import { button, byId, h, replace } from "./dom.ts";
import { icon } from "./icons.ts";
import { openKeyDialog } from "./key-dialog.ts";
import { change, type Page } from "./page.ts";
import { renderProblem } from "./problem-view.ts";
import { texts } from "./texts.ts";
import { toPoint } from "./view.ts";

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
