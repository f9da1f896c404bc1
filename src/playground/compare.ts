import type { PlaceSummary } from "../client/answers.ts";
import { button, h } from "./dom.ts";
import { formatDistance, formatRating } from "./format.ts";
import { isReweighed } from "./reweigh.ts";
import { texts } from "./texts.ts";
import { COMPARED_ORDERS, type Compared } from "./view.ts";

interface ComparisonOptions {
  /** The list of the page, and the same query under the other settings. */
  readonly places: readonly PlaceSummary[];
  readonly others: readonly PlaceSummary[];
  readonly compared: Compared;
  readonly onChange: (compared: Compared) => void;
  /** Takes the middle of the map as the other centre. */
  readonly onMapCentre: () => void;
  readonly onOpen: (place: PlaceSummary) => void;
  readonly onPoint: (dataId: string | undefined) => void;
}

/** One query under two settings, side by side, with how far each place moves. */
export function renderComparison(options: ComparisonOptions): HTMLElement {
  const { places, others } = options;
  return h(
    "div",
    { class: "comparison" },
    h(
      "section",
      { "aria-label": texts.results },
      h("p", { class: "comparison-head small muted" }, texts.compareThis),
      renderColumn(places, others, options),
    ),
    h(
      "section",
      { "aria-label": texts.compare },
      renderSettings(options),
      renderColumn(others, places, options, true),
    ),
  );
}

function renderSettings({ places, compared, onChange, onMapCentre }: ComparisonOptions): HTMLElement {
  const { sort, point } = compared;
  const names = { ...texts.sorts, ...texts.weighings };
  // Without a query there are no scores.
  const orders = COMPARED_ORDERS.filter((order) => places[0]?.explanation || !isReweighed(order));
  const sorts = h(
    "select",
    { id: "compare-sort", "aria-label": texts.sort },
    ...orders.map((value) => h("option", { value, selected: value === sort }, names[value])),
  );
  sorts.addEventListener("change", () => onChange({ ...compared, sort: sorts.value as Compared["sort"] }));
  const centres = h(
    "select",
    { id: "compare-centre", "aria-label": texts.compareCentre },
    h("option", { value: "point", selected: point === undefined }, texts.compareSamePoint),
    h("option", { value: "map", selected: point !== undefined }, texts.compareMapCentre),
  );
  centres.addEventListener("change", () =>
    centres.value === "map" ? onMapCentre() : onChange({ sort, point: undefined }),
  );
  return h("div", { class: "comparison-head" }, sorts, centres);
}

function renderColumn(
  places: readonly PlaceSummary[],
  before: readonly PlaceSummary[],
  { onOpen, onPoint }: ComparisonOptions,
  isMoved = false,
): HTMLElement {
  const ranks = new Map(before.map(({ data_id }, index) => [data_id, index]));
  const rows = places.map((place, index) => {
    const facts = [
      place.distance_m === undefined ? "" : formatDistance(place.distance_m),
      place.reviews === 0 ? "" : `★ ${formatRating(place.rating)}`,
    ];
    const row = h(
      "li",
      { class: ranks.has(place.data_id) ? "compared" : "compared only" },
      h("span", { class: "compared-rank" }, index + 1),
      h(
        "div",
        {},
        button({ class: "compared-open", dir: "auto" }, () => onOpen(place), place.title),
        h("p", { class: "small muted" }, facts.filter(Boolean).join(" · ")),
        isMoved && renderMove(ranks.get(place.data_id), index),
      ),
    );
    row.addEventListener("pointerenter", () => onPoint(place.data_id));
    row.addEventListener("pointerleave", () => onPoint(undefined));
    return row;
  });
  return h("ol", { class: "compared-list" }, ...rows);
}

/** How far a place moved from its rank in the first list. */
function renderMove(before: number | undefined, now: number): HTMLElement | false {
  if (before === now) return false;
  if (before === undefined) return h("p", { class: "small moved new" }, texts.compareNew);
  const isUp = now < before;
  return h(
    "p",
    { class: isUp ? "small moved up" : "small moved down" },
    isUp ? texts.compareUp(before - now) : texts.compareDown(now - before),
  );
}
