import type { PlaceSummary, Understood } from "../client/answers.ts";
import type { PageOverview } from "../assets/assets.ts";
import { button, h, renderMarked } from "./dom.ts";
import { icon } from "./drawing.ts";
import { describeOpenState, formatCount, formatDistance, formatPrices, formatRating } from "./format.ts";
import { featureName, lookOf, paint, pictureOf, typeName, usualKinds } from "./kinds.ts";
import { mayShowPhoto } from "./settings.ts";
import { texts } from "./texts.ts";

interface ListOptions {
  readonly isExplained: boolean;
  readonly onOpen: (place: PlaceSummary) => void;
  readonly onPoint: (dataId: string | undefined) => void;
}

export function renderList(
  places: readonly PlaceSummary[],
  { isExplained, onOpen, onPoint }: ListOptions,
): HTMLElement {
  return h(
    "ol",
    { class: "cards" },
    ...places.map((place, index) =>
      renderCard(place, {
        number: index + 1,
        isExplained,
        onOpen: () => onOpen(place),
        onPoint: (isPointedAt) => onPoint(isPointedAt ? place.data_id : undefined),
      }),
    ),
  );
}

/** One line that says how the query was understood; nothing for a query that is only a name. */
export function renderUnderstood(understood: Understood | undefined): HTMLElement[] {
  if (understood === undefined) return [];
  const { name, kinds, wishes, area, address, landmark, is_wish_ignored: isIgnored } = understood;
  const meanings = [
    ...kinds.map(typeName),
    ...(wishes.opening ? [texts.wishes[wishes.opening]] : []),
    ...(wishes.price ? [texts.wishes[wishes.price]] : []),
    ...(wishes.is_well_rated ? [texts.wishes.wellRated] : []),
    ...wishes.features.map(featureName),
    ...[area, address, landmark].filter((part) => part !== undefined),
  ];
  if (meanings.length === 0) return [];
  const all = [...(name === "" ? [] : [`“${name}”`]), ...meanings].join(" · ");
  const note = isIgnored ? ` ${texts.wishIgnored}` : "";
  return [h("p", { class: "small muted understood" }, `${texts.understoodAs} ${all}.${note}`)];
}

/** The button after a page of the list. */
export const renderMore = (onMore: () => void): HTMLElement =>
  h("div", { class: "more" }, button({ class: "quiet", id: "more" }, onMore, icon("down", 16), texts.more));

/** The list before the first search: the kinds that people look for, as suggestions for one. */
export function renderStart(
  overview: PageOverview | undefined,
  onSearch: (query: string) => void,
): HTMLElement {
  const places = overview?.places;
  return h(
    "div",
    { class: "start" },
    h("h2", {}, texts.startTitle),
    h("p", { class: "muted" }, texts.startHint),
    h(
      "div",
      { class: "ideas" },
      ...commonKinds(overview, IDEAS).map((type) => {
        const look = lookOf(type);
        return button(
          { class: "idea" },
          () => onSearch(typeName(type)),
          paint(h("span", { class: `idea-icon look-${look}` }, pictureOf(type, 18)), type),
          typeName(type),
        );
      }),
    ),
    places !== undefined && h("p", { class: "small muted indexed" }, texts.indexed(places)),
  );
}

const IDEAS = 8;
/** More buttons would not fit beside each other. */
const QUICK_KINDS = 10;

/** Buttons over the map: everything around here, and the kinds that people look for. */
export const renderQuickKinds = (
  overview: PageOverview | undefined,
  onSearch: (query: string) => void,
): HTMLElement[] => [
  button({ class: "quick" }, () => onSearch(""), icon("around", 16), texts.aroundHere),
  ...commonKinds(overview, QUICK_KINDS).map((type) => {
    const look = lookOf(type);
    return button(
      { class: "quick" },
      () => onSearch(typeName(type)),
      paint(h("span", { class: `quick-icon look-${look}` }, pictureOf(type, 16)), type),
      typeName(type),
    );
  }),
];

const commonKinds = (overview: PageOverview | undefined, count: number): string[] =>
  usualKinds(
    (overview?.types ?? []).map(([type]) => type),
    count,
  );

/** Says that there are no places around a point, with a way back to where they are. */
export const renderFarAway = (meters: number, onBack: () => void): HTMLElement =>
  h(
    "div",
    { class: "far-away", role: "status" },
    h("h2", {}, texts.farTitle),
    h("p", {}, texts.far(formatDistance(meters))),
    button({ class: "primary", id: "to-places" }, onBack, icon("compass", 18), texts.toPlaces),
  );

export function renderNothing(query: string, hasFilters: boolean, onReset: () => void): HTMLElement {
  return h(
    "div",
    { class: "notice" },
    h("span", { class: "notice-icon" }, icon("nothing", 26)),
    h("h2", {}, texts.nothingTitle),
    h("p", {}, texts.nothing(query)),
    h("p", { class: "muted" }, hasFilters ? texts.nothingFiltered : texts.nothingTry),
    hasFilters && button({ class: "primary" }, onReset, texts.resetFilters),
  );
}

/** As tall as the results, so that the layout does not shift. */
export function renderSkeleton(cards: number): HTMLElement {
  const card = (): HTMLElement =>
    h("li", { class: "card skeleton" }, h("div", { class: "card-text" }, h("span"), h("span"), h("span")));
  return h(
    "ol",
    { class: "cards", "aria-hidden": "true", "data-count": formatCount(cards) },
    ...Array.from({ length: cards }, card),
  );
}

interface CardOptions {
  readonly number: number;
  readonly isExplained: boolean;
  readonly onOpen: () => void;
  /** Called when the pointer enters or leaves the card. */
  readonly onPoint: (isPointedAt: boolean) => void;
}

/** A place in the list of results. */
function renderCard(
  place: PlaceSummary,
  { number, isExplained, onOpen, onPoint }: CardOptions,
): HTMLLIElement {
  const look = lookOf(place.type);
  const card = h(
    "li",
    { class: "card", "data-id": place.data_id },
    renderPicture(place),
    paint(h("span", { class: `number look-${look}` }, number), place.type),
    h(
      "div",
      { class: "card-text" },
      h(
        "h2",
        { dir: "auto" },
        button({ class: "card-open" }, onOpen, ...renderMarked(place.title, place.match?.title)),
      ),
      h("p", { class: "line" }, renderRating(place), ...dotted(formatPrices(place.pricing))),
      h("p", { class: "line muted" }, ...typeAndWay(place)),
      renderOpenState(place),
      isExplained && place.explanation !== undefined && renderExplanation(place.explanation),
    ),
  );
  card.addEventListener("pointerenter", () => onPoint(true));
  card.addEventListener("pointerleave", () => onPoint(false));
  return card;
}

/** The first photo, if it may be loaded and can be. */
function renderPicture({ photo }: PlaceSummary): HTMLElement | false {
  if (!photo || !mayShowPhoto(photo.url)) return false;
  const image = h("img", { src: photo.url, alt: "", loading: "lazy", referrerpolicy: "no-referrer" });
  const picture = h("div", { class: "card-picture" }, image);
  image.addEventListener("error", () => picture.remove());
  return picture;
}

/** Stars with the number of reviews, or a text if there are none. */
export function renderRating({ rating, reviews }: Pick<PlaceSummary, "rating" | "reviews">): HTMLElement {
  if (reviews === 0 || rating === 0) return h("span", { class: "muted" }, texts.unrated);
  return h(
    "span",
    { class: "rating", role: "img", "aria-label": texts.ratingLabel(formatRating(rating), reviews) },
    h("span", { class: "star" }, "★"),
    h("b", {}, formatRating(rating)),
    h("span", { class: "muted" }, ` (${formatCount(reviews)})`),
  );
}

/** Nothing where the hours are unknown. */
export function renderOpenState(place: PlaceSummary): HTMLElement | false {
  const state = describeOpenState(place);
  if (state === undefined) return false;
  const { text, kind } = state;
  return h("p", { class: `state ${kind}` }, h("span", { class: "dot" }), text);
}

function typeAndWay(place: PlaceSummary): (string | HTMLElement)[] {
  const way = place.distance_m === undefined ? "" : formatDistance(place.distance_m);
  return [typeName(place.type), ...dotted(way), ...dotted(place.location.address.street)];
}

const dotted = (text: string): (string | HTMLElement)[] =>
  text === "" ? [] : [h("span", { class: "between", "aria-hidden": "true" }, "·"), text];

/**
 * The highest usual score: text 1.1, distance 0.12, prominence 0.03 (docs/relevance.md). It fills the bar.
 */
const FULL_SCORE = 1.25;

function renderExplanation(explanation: NonNullable<PlaceSummary["explanation"]>): HTMLElement {
  const parts = [
    ["text", texts.whyText, explanation.text],
    ["distance", texts.whyDistance, explanation.distance],
    ["prominence", texts.whyProminence, explanation.prominence],
  ] as const;
  const bar = h("span", { class: "why-bar", "aria-hidden": "true" });
  for (const [name, , value] of parts) {
    const part = h("span", { class: `why-${name}` });
    part.style.width = `${Math.max(0, (value / FULL_SCORE) * 100)}%`;
    bar.append(part);
  }
  return h(
    "div",
    { class: "why" },
    bar,
    h(
      "dl",
      {},
      ...parts.map(([name, label, value]) =>
        h(
          "div",
          {},
          h("dt", {}, h("span", { class: `swatch why-${name}` }), label),
          h("dd", {}, value.toFixed(3)),
        ),
      ),
      h("div", { class: "why-sum" }, h("dt", {}, texts.whyScore), h("dd", {}, explanation.score.toFixed(3))),
    ),
  );
}
