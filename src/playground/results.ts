import type { PlaceSummary } from "../client/answers.ts";
import { renderCard } from "./card.ts";
import { button, h } from "./dom.ts";
import { formatCount } from "./format.ts";
import { icon } from "./icons.ts";
import { lookOf } from "./kinds.ts";
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

/** Before anything was searched for: what one could. */
export function renderStart(places: number | undefined, onSearch: (query: string) => void): HTMLElement {
  const kinds = ["COFFEE", "PHO", "PHARMACY", "ATM", "LODGING", "HOSPITAL", "SHOP", "BUBBLE_TEA"];
  return h(
    "div",
    { class: "start" },
    h("h2", {}, texts.startTitle),
    h("p", { class: "muted" }, texts.startHint),
    h(
      "div",
      { class: "ideas" },
      ...texts.ideas.map((idea, index) => {
        const look = lookOf(kinds[index] ?? "PLACE");
        return button(
          { class: "idea" },
          () => onSearch(idea),
          h("span", { class: `idea-icon look-${look}` }, icon(look, 18)),
          idea,
        );
      }),
    ),
    places !== undefined && h("p", { class: "small muted indexed" }, texts.indexed(places)),
  );
}

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

/** As tall as what will stand there, so that nothing jumps. */
export function renderSkeleton(cards: number): HTMLElement {
  const card = (): HTMLElement =>
    h(
      "li",
      { class: "card skeleton" },
      h("div", { class: "card-picture" }),
      h("div", { class: "card-text" }, h("span"), h("span"), h("span")),
    );
  return h(
    "ol",
    { class: "cards", "aria-hidden": "true", "data-count": formatCount(cards) },
    ...Array.from({ length: cards }, card),
  );
}
