import {
  createElement,
  type CSSProperties,
  forwardRef,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from "react";
import type {
  HereaboutsError,
  PlaceQuery,
  PlaceResults,
  PlaceSearch as PlaceSearchElement,
  PlaceSearchEventMap,
  PlaceSource,
  Suggested,
  Suggestion,
} from "../../place-search/place-search.ts";
import "../../place-search/place-search.ts";

export type { PlaceSearchElement };

/** The attributes, properties and events of `<place-search>`. */
export interface PlaceSearchProps {
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Asked instead of `baseUrl` with `apiKey`. */
  readonly client?: PlaceSource | undefined;
  readonly renderIcon?: ((suggestion: Suggested) => Node | undefined) | undefined;
  readonly lat?: number | undefined;
  readonly lng?: number | undefined;
  readonly limit?: number | undefined;
  readonly label?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly lang?: string | undefined;
  readonly id?: string | undefined;
  readonly className?: string | undefined;
  readonly style?: CSSProperties | undefined;
  readonly onPlaceSelect?: ((place: Suggestion) => void) | undefined;
  /** With it, the page searches itself and the element lists no results. */
  readonly onPlaceQuery?: ((query: PlaceQuery) => void) | undefined;
  readonly onPlaceResults?: ((results: PlaceResults) => void) | undefined;
  readonly onPlaceClear?: (() => void) | undefined;
  readonly onPlaceError?: ((error: HereaboutsError) => void) | undefined;
}

/** Which property of a component takes which event. */
const HANDLERS = {
  "place-select": "onPlaceSelect",
  "place-query": "onPlaceQuery",
  "place-results": "onPlaceResults",
  "place-clear": "onPlaceClear",
  "place-error": "onPlaceError",
} as const satisfies Record<keyof PlaceSearchEventMap, keyof PlaceSearchProps>;

/** `<place-search>` as a component of React 18 and 19. The ref is the element. */
export const PlaceSearch = forwardRef<PlaceSearchElement, PlaceSearchProps>((props, ref) => {
  const [element, setElement] = useState<PlaceSearchElement | null>(null);
  const latest = useRef(props);
  const {
    baseUrl,
    apiKey,
    client,
    renderIcon,
    lat,
    lng,
    limit,
    label,
    placeholder,
    lang,
    id,
    className,
    style,
  } = props;
  useImperativeHandle(ref, () => element as PlaceSearchElement, [element]);
  useEffect(() => {
    latest.current = props;
    if (element) Object.assign(element, { client, renderIcon });
  });
  useEffect(() => (element?.isConnected && listen(element, () => latest.current)) || undefined, [element]);
  const attributes = { lat, lng, limit, label, placeholder, lang, id, style, class: className };
  return createElement("place-search", {
    ...attributes,
    "base-url": baseUrl,
    "api-key": apiKey,
    ref: setElement,
  });
});
PlaceSearch.displayName = "PlaceSearch";

/** Calls the handlers that the component has when an event comes. Returns what ends it. */
function listen(element: PlaceSearchElement, readProps: () => PlaceSearchProps): () => void {
  const listening = new AbortController();
  for (const [type, handler] of Object.entries(HANDLERS)) {
    const onEvent = (event: Event): void => {
      const handle = readProps()[handler] as ((detail: unknown) => void) | undefined;
      if (handle && type === "place-query") event.preventDefault();
      handle?.((event as CustomEvent<unknown>).detail);
    };
    element.addEventListener(type, onEvent, { signal: listening.signal });
  }
  return () => listening.abort();
}
