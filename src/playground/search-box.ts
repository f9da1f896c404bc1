import { type PlaceSearch, type Suggested } from "../place-search/place-search.ts";
import { byId } from "./dom.ts";
import { icon } from "./drawing.ts";
import { lookOf } from "./kinds.ts";
import type { Page } from "./page.ts";

/** The search box of the page: `<place-search>`, which asks through the page's client, so that the request panel shows it. */
export function connectSearchBox(
  ready: Promise<Page>,
  onSearch: (query: string, dataId?: string) => void,
): PlaceSearch {
  const box = byId<PlaceSearch>("search");
  box.client = {
    autocomplete: async (parameters, options) => {
      const { api, point } = await ready;
      return api.client().autocomplete({ ...parameters, ...point }, options);
    },
  };
  box.renderIcon = renderIcon;
  box.addEventListener("place-query", (event) => {
    event.preventDefault();
    putKeyboardAway();
    onSearch(event.detail.query);
  });
  box.addEventListener("place-select", ({ detail }) => {
    putKeyboardAway();
    onSearch(detail.value, detail.data_id);
  });
  return box;
}

/** The keyboard of a touch screen covers the results while the focus is in a field. */
function putKeyboardAway(): void {
  if (matchMedia("(pointer: coarse)").matches) byId("found").focus({ preventScroll: true });
}

/** A kind is shown by its look. */
const renderIcon = (suggestion: Suggested): Node | undefined =>
  suggestion.type === "kind" && suggestion.category !== undefined
    ? icon(lookOf(suggestion.category), 18)
    : undefined;
