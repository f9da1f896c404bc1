import type { PlaceSummary } from "../client/answers.ts";
import { button, h } from "./dom.ts";
import { drawPlace } from "./drawing.ts";
import { describeOpenState, formatCount, formatDistance, formatPrices, formatRating } from "./format.ts";
import { lookOf, typeName } from "./kinds.ts";
import { renderMarked } from "./marked.ts";
import { texts } from "./texts.ts";

interface CardOptions {
  readonly number: number;
  readonly isExplained: boolean;
  readonly onOpen: () => void;
  /** Somebody points at it. */
  readonly onPoint: (isPointedAt: boolean) => void;
}

/** A place in the list of results. */
export function renderCard(
  place: PlaceSummary,
  { number, isExplained, onOpen, onPoint }: CardOptions,
): HTMLLIElement {
  const look = lookOf(place.type);
  const card = h(
    "li",
    { class: "card", "data-id": place.data_id },
    h(
      "div",
      { class: "card-picture" },
      drawPlace(look, place.data_id),
      h("span", { class: `number look-${look}` }, number),
    ),
    h(
      "div",
      { class: "card-text" },
      h("h2", {}, button({ class: "card-open" }, onOpen, ...renderMarked(place.title, place.match?.title))),
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

/** Stars with the number of reviews, or a word for none. */
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

export function renderOpenState(place: PlaceSummary): HTMLElement {
  const { text, kind } = describeOpenState(place);
  return h("p", { class: `state ${kind}` }, h("span", { class: "dot" }), text);
}

function typeAndWay(place: PlaceSummary): (string | HTMLElement)[] {
  const way = place.distance_m === undefined ? "" : formatDistance(place.distance_m);
  return [typeName(place.type), ...dotted(way), ...dotted(place.location.address.street)];
}

const dotted = (text: string): (string | HTMLElement)[] =>
  text === "" ? [] : [h("span", { class: "between", "aria-hidden": "true" }, "·"), text];

/** The best score there is: words 1.03, nearness 0.12, prominence 0.03 (docs/relevance.md). A full bar is a perfect answer. */
const FULL_SCORE = 1.18;

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
