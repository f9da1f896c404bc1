import { drawIcon, h, renderMarked, replace } from "./elements.ts";
import type { Suggested } from "./types.ts";

/** Icons of 24 by 24, drawn with a stroke. */
const ICONS = {
  place:
    "M12 21.500c3-4.5 7-7.5 7-12a7 7 0 0 0-14 0c0 4.5 4 7.5 7 12ZM12 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z",
  area: "M4 6.5 9.5 4l5 2.500L20 4v13.500L14.5 20l-5-2.500L4 20V6.500ZM9.5 4v13.500M14.5 6.500V20",
  kind: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 20.5 20.5",
} as const;

interface ListOptions {
  readonly input: HTMLInputElement;
  readonly element: HTMLUListElement;
  readonly onChoose: (suggestion: Suggested) => void;
  /** The distance beside a place, as text; undefined where it is not known. */
  readonly describeWay: (suggestion: Suggested) => string | undefined;
  /** An icon in place of the usual one; undefined for the usual one. */
  readonly renderIcon: (suggestion: Suggested) => Node | undefined;
}

export interface SuggestionList {
  show(suggestions: readonly Suggested[]): void;
  close(): void;
  isOpen(): boolean;
  active(): Suggested | undefined;
  /** False for a key that it does not handle. */
  handleKey(key: string): boolean;
}

/** The list under an input, with its entries and the active one. */
export function createSuggestionList(options: ListOptions): SuggestionList {
  const { input, element } = options;
  let shown: readonly Suggested[] = [];
  let activeIndex = -1;

  const move = (index: number): void => {
    activeIndex = index;
    for (const [place, option] of [...element.children].entries()) {
      option.setAttribute("aria-selected", String(place === index));
      option.part.toggle("option-active", place === index);
      if (place === index) option.scrollIntoView({ block: "nearest" });
    }
    if (index < 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", `suggestion-${index}`);
  };
  // Wraps around: the input is between the last entry and the first.
  const step = (by: 1 | -1): void =>
    move(((activeIndex + 1 + by + shown.length + 1) % (shown.length + 1)) - 1);
  const show = (suggestions: readonly Suggested[]): void => {
    const chosen = shown[activeIndex];
    shown = suggestions;
    replace(element, ...suggestions.map((suggestion, index) => renderOption(suggestion, index, options)));
    element.hidden = suggestions.length === 0;
    input.setAttribute("aria-expanded", String(suggestions.length > 0));
    // A response that arrives late does not take away what was chosen meanwhile.
    move(chosen ? suggestions.findIndex((one) => keyOf(one) === keyOf(chosen)) : -1);
  };

  return {
    show,
    close: () => show([]),
    isOpen: () => !element.hidden,
    active: () => shown[activeIndex],
    handleKey(key) {
      if (element.hidden || (key !== "ArrowDown" && key !== "ArrowUp")) return false;
      step(key === "ArrowDown" ? 1 : -1);
      return true;
    },
  };
}

const keyOf = (suggestion: Suggested): string =>
  "data_id" in suggestion ? suggestion.data_id : suggestion.query;

function renderOption(suggestion: Suggested, index: number, options: ListOptions): HTMLElement {
  const { value, subtext, match, type = "place" } = suggestion;
  const way = options.describeWay(suggestion);
  const option = h(
    "li",
    {
      role: "option",
      id: `suggestion-${index}`,
      part: `option option-${type}`,
      "aria-selected": "false",
    },
    options.renderIcon(suggestion) ?? drawIcon(ICONS[type], 18),
    h(
      "span",
      { class: "option-text" },
      h(
        "span",
        { class: "option-value", part: "option-value", dir: "auto" },
        ...renderMarked(value, match?.value),
      ),
      h("span", { class: "option-subtext", part: "option-subtext", dir: "auto" }, subtext),
    ),
    way !== undefined && h("span", { class: "option-way", part: "option-distance" }, way),
  );
  // Keeps the focus in the input, which closes the list when it loses it.
  option.addEventListener("pointerdown", (event) => event.preventDefault());
  option.addEventListener("click", () => options.onChoose(suggestion));
  return option;
}
