import { button, byId, h, replace } from "./dom.ts";
import { icon } from "./drawing.ts";
import { formatCount, formatDistance, formatPrice, formatRating } from "./format.ts";
import { typeName } from "./kinds.ts";
import { texts } from "./texts.ts";
import type { Filters } from "./view.ts";

const RATINGS = [3.5, 4, 4.5];
const PRICES = [50_000, 100_000, 200_000, 500_000];
const RADII = [500, 1000, 2000, 5000, 10_000];

/** A longer list of categories would not be read. */
const MAX_KINDS = 40;

type CountedTypes = readonly (readonly [type: string, places: number])[];

interface FilterBar {
  render(filters: Filters, types: CountedTypes): void;
}

type Choice = readonly [value: string, label: string];

/** A drop-down list: the filter it sets and its choices. The empty choice removes the filter. */
interface Field {
  readonly id: string;
  readonly name: keyof Filters;
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly toFilter: (value: string) => Filters;
}

/** The filters above the results, as native controls for keyboards and screen readers. */
export function createFilterBar(onChange: (filters: Filters) => void): FilterBar {
  return {
    render(filters, types) {
      const focused = document.activeElement?.id;
      const fields = [kindField(filters, types), ratingField(), priceField(), radiusField(), sortField()];
      replace(
        byId("filters"),
        renderOpenNow(filters, onChange),
        ...fields.map((field) => renderField(field, filters, onChange)),
        filters.bbox !== undefined && renderBox(filters, onChange),
        Object.keys(filters).length > 0 && renderReset(() => onChange({})),
      );
      showCount(Object.keys(filters).length);
      if (focused?.startsWith("filter-")) document.getElementById(focused)?.focus();
    },
  };
}

/** The button that opens the filters on a phone says how many are set. */
function showCount(set: number): void {
  const toggle = byId("filters-toggle");
  toggle.setAttribute("aria-label", set === 0 ? texts.filters : `${texts.filters} (${formatCount(set)})`);
  toggle.dataset["set"] = set === 0 ? "" : formatCount(set);
  replace(toggle, icon("sliders"));
}

function renderOpenNow(filters: Filters, onChange: (filters: Filters) => void): HTMLButtonElement {
  const { open_now, ...others } = filters;
  const toggle = (): void => onChange(open_now ? others : { ...others, open_now: true });
  const state = { class: "chip", id: "filter-open", "aria-pressed": open_now ? "true" : "false" };
  return button(state, toggle, h("span", { class: "dot" }), texts.openNow);
}

/** The rectangle on the map, which a press removes. */
function renderBox(filters: Filters, onChange: (filters: Filters) => void): HTMLButtonElement {
  const { bbox: _, ...others } = filters;
  const state = { class: "chip chosen", id: "filter-box", title: texts.removeBox };
  return button(state, () => onChange(others), texts.inBox, icon("close", 14));
}

function renderReset(onReset: () => void): HTMLButtonElement {
  const label = texts.resetFilters;
  return button(
    { class: "chip reset", id: "filter-reset", "aria-label": label, title: label },
    onReset,
    icon("close", 16),
  );
}

/** The categories in the dataset, most frequent first, plus the one of a shared link. */
function kindField({ category }: Filters, types: CountedTypes): Field {
  const common = types
    .slice(0, MAX_KINDS)
    .map(([type, places]): Choice => [type, `${typeName(type)} (${formatCount(places)})`]);
  const isMissing = category !== undefined && !common.some(([type]) => type === category);
  const missing: readonly Choice[] = isMissing ? [[category, typeName(category)]] : [];
  return {
    id: "filter-kind",
    name: "category",
    label: texts.category,
    choices: [["", texts.anyCategory], ...missing, ...common],
    toFilter: (value) => ({ category: value }),
  };
}

const ratingField = (): Field => ({
  id: "filter-rating",
  name: "min_rating",
  label: texts.rating,
  choices: [
    ["", texts.anyRating],
    ...RATINGS.map(toChoice((rating) => texts.ratingFrom(formatRating(rating)))),
  ],
  toFilter: (value) => ({ min_rating: Number(value) }),
});

const priceField = (): Field => ({
  id: "filter-price",
  name: "max_price",
  label: texts.price,
  choices: [["", texts.anyPrice], ...PRICES.map(toChoice((price) => texts.priceTo(formatPrice(price))))],
  toFilter: (value) => ({ max_price: Number(value) }),
});

const radiusField = (): Field => ({
  id: "filter-radius",
  name: "radius",
  label: texts.radius,
  choices: [
    ["", texts.anyRadius],
    ...RADII.map(toChoice((radius) => texts.radiusTo(formatDistance(radius)))),
  ],
  toFilter: (value) => ({ radius: Number(value) }),
});

const sortField = (): Field => ({
  id: "filter-sort",
  name: "sort",
  label: texts.sort,
  choices: [
    ["", texts.sorts.relevance],
    ["distance", texts.sorts.distance],
    ["rating", texts.sorts.rating],
  ],
  toFilter: (value) => ({ sort: value === "distance" ? "distance" : "rating" }),
});

const toChoice =
  (label: (value: number) => string) =>
  (value: number): Choice => [String(value), label(value)];

function renderField(field: Field, filters: Filters, onChange: (filters: Filters) => void): HTMLElement {
  const { id, name, label, choices, toFilter } = field;
  const { [name]: chosen = "", ...others } = filters;
  const options = choices.map(([value, text]) =>
    h("option", { value, selected: value === String(chosen) }, text),
  );
  const element = h("select", { id, "aria-label": label }, ...options);
  element.addEventListener("change", () =>
    onChange(element.value === "" ? others : { ...others, ...toFilter(element.value) }),
  );
  return h(
    "span",
    { class: chosen === "" ? "chip choice" : "chip choice chosen" },
    element,
    icon("down", 14),
  );
}
