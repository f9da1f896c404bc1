import type { QuerySuggestion, Suggestion } from "../client/answers.ts";
import { byId, h, renderMarked, replace } from "./dom.ts";
import { icon, type IconName } from "./drawing.ts";
import { formatDistance } from "./format.ts";
import { lookOf } from "./kinds.ts";
import { createLatest } from "./latest.ts";
import { texts } from "./texts.ts";

/** A place with its distance from the centre of the search, a kind or an area. */
type Suggested = (Suggestion & { readonly meters: number }) | QuerySuggestion;

interface SearchBoxOptions {
  readonly suggest: (query: string, signal: AbortSignal) => Promise<readonly Suggested[]>;
  readonly onSearch: (query: string) => void;
  /** Called with the place that was chosen; a kind or an area is searched for. */
  readonly onChoose: (suggestion: Suggestion) => void;
  /** Announces the number of suggestions to screen readers. */
  readonly announce: (text: string) => void;
}

export interface SearchBox {
  setQuery(query: string): void;
}

/** About as long as a fast typist needs for the next letter. */
const DEBOUNCE_MS = 120;

/**
 * The input with its suggestions: the combobox pattern of the ARIA Authoring Practices; focus stays in the
 * input.
 */
export function createSearchBox(options: SearchBoxOptions): SearchBox {
  const input = byId<HTMLInputElement>("query");
  const setQuery = (query: string): void => {
    input.value = query;
    byId("clear").hidden = query === "";
  };
  const choose = (suggestion: Suggested): void => {
    asking.stop();
    putKeyboardAway();
    if ("data_id" in suggestion) {
      setQuery(suggestion.value);
      return options.onChoose(suggestion);
    }
    setQuery(suggestion.query);
    options.onSearch(suggestion.query);
  };
  const list = createSuggestionList(input, choose);
  const asking = createAsking(input, list, options);

  input.addEventListener("input", () => {
    byId("clear").hidden = input.value === "";
    asking.soon();
  });
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" && !list.isOpen()) asking.now();
    else if (event.key === "Escape" && !list.isOpen()) setQuery("");
    else if (!list.handleKey(event.key)) return;
    event.preventDefault();
  });
  input.addEventListener("blur", () => asking.stop());
  byId("search-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const active = list.active();
    if (active !== undefined) return choose(active);
    asking.stop();
    if (input.value.trim() === "") return;
    putKeyboardAway();
    options.onSearch(input.value.trim());
  });
  byId("clear").addEventListener("click", () => {
    asking.stop();
    setQuery("");
    input.focus();
  });
  return { setQuery };
}

/** The keyboard of a touch screen covers the results while the focus is in a field. */
function putKeyboardAway(): void {
  if (matchMedia("(pointer: coarse)").matches) byId("found").focus({ preventScroll: true });
}

interface Asking {
  soon(): void;
  now(): void;
  /** Aborts the current request and closes the list. */
  stop(): void;
}

/** Requests suggestions, one request at a time: a late response never replaces a newer one. */
function createAsking(
  input: HTMLInputElement,
  list: SuggestionList,
  { suggest, announce }: SearchBoxOptions,
): Asking {
  const latest = createLatest();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    latest.cancel();
    list.close();
  };
  const ask = async (): Promise<void> => {
    const query = input.value.trim();
    if (query === "") return stop();
    try {
      const suggestions = await latest.run((signal) => suggest(query, signal));
      if (suggestions === undefined || document.activeElement !== input) return;
      list.show(suggestions);
      announce(texts.suggestionCount(suggestions.length));
    } catch {
      // Suggestions are optional; the search itself reports errors.
      list.close();
    }
  };
  return {
    soon() {
      clearTimeout(timer);
      timer = setTimeout(() => void ask(), DEBOUNCE_MS);
    },
    now: () => void ask(),
    stop,
  };
}

interface SuggestionList {
  show(suggestions: readonly Suggested[]): void;
  close(): void;
  isOpen(): boolean;
  active(): Suggested | undefined;
  /** False for a key that it does not handle. */
  handleKey(key: string): boolean;
}

/** The list under an input, with its entries and the active one. */
function createSuggestionList(
  input: HTMLInputElement,
  onChoose: (suggestion: Suggested) => void,
): SuggestionList {
  const element = byId("suggestions");
  let shown: readonly Suggested[] = [];
  let activeIndex = -1;

  const close = (): void => {
    element.hidden = true;
    input.setAttribute("aria-expanded", "false");
    move(-1);
  };
  const move = (index: number): void => {
    activeIndex = index;
    for (const [place, option] of [...element.children].entries()) {
      option.setAttribute("aria-selected", String(place === index));
    }
    if (index < 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", `suggestion-${index}`);
  };
  // Wraps around: the input is between the last entry and the first.
  const step = (by: 1 | -1): void =>
    move(((activeIndex + 1 + by + shown.length + 1) % (shown.length + 1)) - 1);

  return {
    show(suggestions) {
      const chosen = shown[activeIndex];
      shown = suggestions;
      replace(element, ...suggestions.map((suggestion, index) => renderOption(suggestion, index, onChoose)));
      element.hidden = suggestions.length === 0;
      input.setAttribute("aria-expanded", String(suggestions.length > 0));
      // A response that arrives late does not take away what was chosen meanwhile.
      move(chosen ? suggestions.findIndex((one) => keyOf(one) === keyOf(chosen)) : -1);
    },
    close,
    isOpen: () => !element.hidden,
    active: () => (element.hidden ? undefined : shown[activeIndex]),
    handleKey(key) {
      if (element.hidden) return false;
      if (key === "ArrowDown") step(1);
      else if (key === "ArrowUp") step(-1);
      else if (key === "Escape") close();
      else return false;
      return true;
    },
  };
}

const keyOf = (suggestion: Suggested): string =>
  "data_id" in suggestion ? suggestion.data_id : suggestion.query;

function renderOption(
  suggestion: Suggested,
  index: number,
  onChoose: (suggestion: Suggested) => void,
): HTMLElement {
  const option = h(
    "li",
    {
      role: "option",
      id: `suggestion-${index}`,
      class: `option-${suggestion.type ?? "place"}`,
      "aria-selected": "false",
    },
    icon(iconOf(suggestion), 18),
    h(
      "span",
      { class: "option-text" },
      h(
        "span",
        { class: "option-value", dir: "auto" },
        ...renderMarked(suggestion.value, suggestion.match?.value),
      ),
      h("span", { class: "option-subtext", dir: "auto" }, suggestion.subtext),
    ),
    "meters" in suggestion && h("span", { class: "option-way" }, formatDistance(suggestion.meters)),
  );
  // Keeps the focus in the input, which closes the list when it loses it.
  option.addEventListener("pointerdown", (event) => event.preventDefault());
  option.addEventListener("click", () => onChoose(suggestion));
  return option;
}

/** A kind is shown by its look, an area by its outline. */
function iconOf(suggestion: Suggested): IconName {
  if ("data_id" in suggestion) return "pin";
  return suggestion.category === undefined ? "area" : lookOf(suggestion.category);
}
