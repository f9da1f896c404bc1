import { button, byId, h, replace } from "./dom.ts";
import { formatCount, formatDistance, formatPrice, formatRating } from "./format.ts";
import { icon } from "./icons.ts";
import { typeName } from "./kinds.ts";
import { texts } from "./texts.ts";
import type { Filters } from "./view.ts";

const RATINGS = [3.5, 4, 4.5];
const PRICES = [50_000, 100_000, 200_000, 500_000];
const RADII = [500, 1000, 2000, 5000, 10_000];

/** More kinds than this are a list that nobody reads. */
const MAX_KINDS = 40;

interface FilterBar {
  render(filters: Filters, types: readonly (readonly [type: string, places: number])[]): void;
}

type Choice = readonly [value: string, label: string];

/** The filters over the results. Native controls: every browser, keyboard and screen reader knows them. */
export function createFilterBar(onChange: (filters: Filters) => void): FilterBar {
  return {
    render(filters, types) {
      const focused = document.activeElement?.id;
      const pick = (name: keyof Filters, toValue: (text: string) => Filters) => (text: string) => {
        const { [name]: _, ...others } = filters;
        onChange(text === "" ? others : { ...others, ...toValue(text) });
      };
      replace(
        byId("filters"),
        openNowButton(filters, onChange),
        select(
          "filter-kind",
          texts.category,
          filters.category,
          kindChoices(filters, types),
          pick("category", (text) => ({ category: text })),
        ),
        select(
          "filter-rating",
          texts.rating,
          filters.min_rating,
          [
            ["", texts.anyRating],
            ...RATINGS.map((rating): Choice => [`${rating}`, texts.ratingFrom(formatRating(rating))]),
          ],
          pick("min_rating", (text) => ({ min_rating: Number(text) })),
        ),
        select(
          "filter-price",
          texts.price,
          filters.max_price,
          [
            ["", texts.anyPrice],
            ...PRICES.map((price): Choice => [`${price}`, texts.priceTo(formatPrice(price))]),
          ],
          pick("max_price", (text) => ({ max_price: Number(text) })),
        ),
        select(
          "filter-radius",
          texts.radius,
          filters.radius,
          [
            ["", texts.anyRadius],
            ...RADII.map((radius): Choice => [`${radius}`, texts.radiusTo(formatDistance(radius))]),
          ],
          pick("radius", (text) => ({ radius: Number(text) })),
        ),
        select(
          "filter-sort",
          texts.sort,
          filters.sort,
          Object.entries(texts.sorts).map(([value, label]): Choice => [
            value === "relevance" ? "" : value,
            label,
          ]),
          pick("sort", (text) => ({ sort: text as "distance" | "rating" })),
        ),
        Object.keys(filters).length > 0 &&
          button(
            {
              class: "chip reset",
              id: "filter-reset",
              "aria-label": texts.resetFilters,
              title: texts.resetFilters,
            },
            () => onChange({}),
            icon("close", 16),
          ),
      );
      if (focused?.startsWith("filter-")) document.getElementById(focused)?.focus();
    },
  };
}

function openNowButton(filters: Filters, onChange: (filters: Filters) => void): HTMLButtonElement {
  const { open_now, ...others } = filters;
  const toggle = (): void => onChange(open_now ? others : { ...others, open_now: true });
  return button(
    { class: "chip", id: "filter-open", "aria-pressed": open_now === true ? "true" : "false" },
    toggle,
    h("span", { class: "dot" }),
    texts.openNow,
  );
}

/** The kinds that there are, the commonest first; one from a shared link is there in any case. */
function kindChoices(
  { category }: Filters,
  types: readonly (readonly [type: string, places: number])[],
): Choice[] {
  const common = types
    .slice(0, MAX_KINDS)
    .map(([type, places]): Choice => [type, `${typeName(type)} (${formatCount(places)})`]);
  const isMissing = category !== undefined && !common.some(([type]) => type === category);
  return [
    ["", texts.anyCategory],
    ...(isMissing ? [[category, typeName(category)] as const] : []),
    ...common,
  ];
}

function select(
  id: string,
  label: string,
  value: string | number | undefined,
  choices: readonly Choice[],
  onPick: (value: string) => void,
): HTMLElement {
  const current = value === undefined ? "" : String(value);
  const element = h(
    "select",
    { id, "aria-label": label },
    ...choices.map(([choice, text]) => h("option", { value: choice, selected: choice === current }, text)),
  );
  element.addEventListener("change", () => onPick(element.value));
  return h(
    "span",
    { class: current === "" ? "chip choice" : "chip choice chosen" },
    element,
    icon("down", 14),
  );
}
