import type { Suggestion } from "../client/answers.ts";
import { byId, h, replace } from "./dom.ts";
import { icon } from "./icons.ts";
import { renderMarked } from "./marked.ts";

export interface SuggestionList {
  show(suggestions: readonly Suggestion[]): void;
  close(): void;
  isOpen(): boolean;
  active(): Suggestion | undefined;
  /** False for a key that means nothing to it. */
  handleKey(key: string): boolean;
}

/** The list under an input: what is in it, and which of it the arrow keys stand on. */
export function createSuggestionList(
  input: HTMLInputElement,
  onChoose: (suggestion: Suggestion) => void,
): SuggestionList {
  const element = byId("suggestions");
  let shown: readonly Suggestion[] = [];
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
  // From the last to the input and on to the first, and back.
  const step = (by: 1 | -1): void =>
    move(((activeIndex + 1 + by + shown.length + 1) % (shown.length + 1)) - 1);

  return {
    show(suggestions) {
      shown = suggestions;
      replace(element, ...suggestions.map((suggestion, index) => renderOption(suggestion, index, onChoose)));
      element.hidden = suggestions.length === 0;
      input.setAttribute("aria-expanded", String(suggestions.length > 0));
      move(-1);
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

function renderOption(
  suggestion: Suggestion,
  index: number,
  onChoose: (suggestion: Suggestion) => void,
): HTMLElement {
  const option = h(
    "li",
    { role: "option", id: `suggestion-${index}`, "aria-selected": "false" },
    icon("pin", 18),
    h(
      "span",
      { class: "option-text" },
      h("span", { class: "option-value" }, ...renderMarked(suggestion.value, suggestion.match?.value)),
      h("span", { class: "option-subtext" }, suggestion.subtext),
    ),
  );
  // Before the input loses the focus, and with it the list.
  option.addEventListener("pointerdown", (event) => event.preventDefault());
  option.addEventListener("click", () => onChoose(suggestion));
  return option;
}
