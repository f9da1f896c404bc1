import type { Suggestion } from "../client/answers.ts";
import { createClient, HereaboutsError } from "../client/client.ts";
import { type Asking, createAsking } from "./asking.ts";
import { drawIcon, h } from "./elements.ts";
import { STYLE } from "./style.ts";
import { createSuggestionList, type SuggestionList } from "./suggestion-list.ts";
import { describeProblem, formatDistance, metersBetween, TEXTS } from "./texts.ts";
import type { Language, PlaceQuery, PlaceSearchEventMap, PlaceSource, Suggested } from "./types.ts";

export * from "../client/client.ts";
export type * from "./types.ts";

declare global {
  interface HTMLElementTagNameMap {
    "place-search": PlaceSearch;
  }
  interface GlobalEventHandlersEventMap extends PlaceSearchEventMap {}
}

const DEFAULT_LIMIT = 6;
/** More would have to be scrolled for: the list is no page of results. */
const RESULTS = 10;
/** What the API accepts. */
const MAX_LENGTH = 256;
/** A person is waiting: one short retry, then a message. */
const PATIENCE = { retries: 1, maxRetryWaitMs: 800, timeoutMs: 10_000 };
const RESULT_FIELDS = ["title", "location.latitude", "location.longitude", "location.address.full"];

const SEARCH_ICON = "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 20.5 20.5";
const CLOSE_ICON = "m6 6 12 12M18 6 6 18";

const PROPERTIES = ["baseUrl", "apiKey", "lat", "lng", "limit", "label", "placeholder", "value"] as const;

/** On a server, where the module may be imported too, there are no elements. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * `<place-search>`: an input that suggests places while somebody types, and lists the places that a text finds. The combobox pattern of the
 * ARIA Authoring Practices; focus stays in the input.
 */
export class PlaceSearch extends Base {
  static readonly observedAttributes = [
    "lang",
    "label",
    "placeholder",
    "maxlength",
    "limit",
    "base-url",
    "api-key",
  ];

  /** Asked instead of `base-url` with `api-key`. */
  declare client: PlaceSource | undefined;
  /** An icon of 18 by 18 before a suggestion; undefined for the usual one. */
  declare renderIcon: ((suggestion: Suggested) => Node | undefined) | undefined;

  readonly #input = createInput();
  readonly #clear = h("button", { type: "button", part: "clear", id: "clear", hidden: true });
  readonly #options = h("ul", { id: "suggestions", part: "list", role: "listbox", hidden: true });
  readonly #status = h("p", { class: "status", part: "status", "aria-hidden": "true", hidden: true });
  readonly #whisper = h("p", { class: "whisper", id: "whisper", role: "status", "aria-live": "polite" });
  readonly #popup = h("div", { class: "popup", part: "popup", hidden: true }, this.#options, this.#status);
  readonly #form = h(
    "form",
    { role: "search", part: "form", autocomplete: "off" },
    drawIcon(SEARCH_ICON, 20),
    this.#input,
    this.#clear,
  );
  readonly #list: SuggestionList = createSuggestionList({
    input: this.#input,
    element: this.#options,
    onChoose: (suggestion) => this.#choose(suggestion),
    describeWay: (suggestion) => this.#describeWay(suggestion),
    renderIcon: (suggestion) => this.renderIcon?.(suggestion),
  });
  readonly #asking: Asking<readonly Suggested[]> = createAsking({
    onSlow: () => this.#say(TEXTS[this.language].searching, true),
    onFound: (found) => this.#show(found),
    onError: (error) => this.#fail(error),
  });

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    this.#clear.append(drawIcon(CLOSE_ICON, 18));
    this.#form.append(this.#popup, this.#whisper);
    root.append(this.#form);
    this.#listen();
  }

  connectedCallback(): void {
    // What was set before the element was defined is on the object and hides the accessors.
    for (const name of PROPERTIES) {
      const before: unknown = Object.getOwnPropertyDescriptor(this, name)?.value;
      if (!delete this[name] || before === undefined) continue;
      Object.assign(this, { [name]: before });
    }
    this.#writeLabels();
  }

  disconnectedCallback(): void {
    this.#stop();
  }

  attributeChangedCallback(name: string): void {
    if (name === "base-url" || name === "api-key") this.#asking.reset();
    this.#writeLabels();
  }

  /** The address of the server, such as `https://places.example`; the page's own by default. */
  get baseUrl(): string {
    return this.getAttribute("base-url") ?? "";
  }
  set baseUrl(url: string) {
    writeText(this, "base-url", url);
  }

  /** Everyone who opens the page can read it: make one for the page, restricted to its origin. */
  get apiKey(): string {
    return this.getAttribute("api-key") ?? "";
  }
  set apiKey(key: string) {
    writeText(this, "api-key", key);
  }

  /** The centre of the search, in degrees, with `lng`; near places come first. */
  get lat(): number | undefined {
    return readNumber(this, "lat");
  }
  set lat(degrees: number | undefined) {
    writeNumber(this, "lat", degrees);
  }

  get lng(): number | undefined {
    return readNumber(this, "lng");
  }
  set lng(degrees: number | undefined) {
    writeNumber(this, "lng", degrees);
  }

  /** The largest number of suggestions: 6 by default, at most 10. */
  get limit(): number {
    return readNumber(this, "limit") ?? DEFAULT_LIMIT;
  }
  set limit(count: number) {
    writeNumber(this, "limit", count);
  }

  /** What the input is called for screen readers. */
  get label(): string {
    return this.getAttribute("label") ?? TEXTS[this.language].label;
  }
  set label(text: string) {
    writeText(this, "label", text);
  }

  get placeholder(): string {
    return this.getAttribute("placeholder") ?? TEXTS[this.language].placeholder;
  }
  set placeholder(text: string) {
    writeText(this, "placeholder", text);
  }

  /** The text in the input. Setting it asks nothing. */
  get value(): string {
    return this.#input.value;
  }
  set value(text: string) {
    this.#input.value = text;
    this.#clear.hidden = text === "";
    this.#stop();
  }

  /** Of the texts and of the requests: `vi` or `en`, from `lang` here or around. */
  get language(): Language {
    const lang = this.closest<HTMLElement>("[lang]")?.lang ?? "";
    return /^vi\b/i.test(lang) ? "vi" : "en";
  }

  /** Selects the text in the input. */
  select(): void {
    this.#input.select();
  }

  #listen(): void {
    this.#input.addEventListener("focus", () => this.#writeLabels());
    this.#input.addEventListener("blur", () => this.#stop());
    this.#input.addEventListener("input", () => {
      this.#clear.hidden = this.#input.value === "";
      if (this.#query === "") this.#stop();
      else this.#asking.soon(this.#suggest);
    });
    this.#input.addEventListener("keydown", (event) => {
      if (!event.isComposing && this.#handleKey(event.key)) event.preventDefault();
    });
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      const active = this.#list.active();
      if (active !== undefined) this.#choose(active);
      else if (this.#query !== "") this.#search({ query: this.#query });
    });
    this.#clear.addEventListener("click", () => {
      this.#empty();
      this.#input.focus();
    });
  }

  get #query(): string {
    return this.#input.value.trim();
  }

  /** False for a key that it does not handle. */
  #handleKey(key: string): boolean {
    if (this.#list.handleKey(key)) return true;
    if (key === "ArrowDown" && this.#query !== "") this.#asking.now(this.#suggest);
    else if (key === "Escape" && !this.#popup.hidden) this.#stop();
    else if (key === "Escape" && this.#input.value !== "") this.#empty();
    else return false;
    return true;
  }

  #empty(): void {
    this.value = "";
    this.#emit("place-clear", null);
  }

  #choose(suggestion: Suggested): void {
    if (!("data_id" in suggestion)) {
      this.value = suggestion.query;
      return this.#search({ query: suggestion.query, suggestion });
    }
    this.value = suggestion.value;
    this.#putKeyboardAway();
    this.#emit("place-select", suggestion);
  }

  #search(asked: PlaceQuery): void {
    this.#stop();
    if (!this.#emit("place-query", asked)) return this.#putKeyboardAway();
    this.#asking.now(async (signal) => {
      const places = await this.#find(asked.query, signal);
      signal.throwIfAborted();
      this.#emit("place-results", { query: asked.query, places });
      return places;
    });
  }

  /** The keyboard of a touch screen covers half of the page. */
  #putKeyboardAway(): void {
    if (matchMedia("(pointer: coarse)").matches) this.#input.blur();
  }

  readonly #suggest = async (signal: AbortSignal): Promise<readonly Suggested[]> => {
    const { lat, lng, limit } = this;
    const parameters = { q: this.#query, lat, lng, limit, include: ["match", "queries"] as const };
    return (await this.#source.autocomplete(parameters, { signal })).suggestions;
  };

  async #find(q: string, signal: AbortSignal): Promise<readonly Suggestion[]> {
    const { lat, lng } = this;
    const found = await this.#source.search?.(
      { q, lat, lng, limit: RESULTS, fields: RESULT_FIELDS },
      { signal },
    );
    return (found?.local_result ?? []).map(({ data_id: dataId, title, location }) => ({
      type: "place",
      data_id: dataId,
      value: title ?? "",
      subtext: location?.address?.full ?? "",
      latitude: location?.latitude ?? 0,
      longitude: location?.longitude ?? 0,
    }));
  }

  get #source(): PlaceSource {
    const { client, baseUrl, apiKey, language } = this;
    if (client) return client;
    if (apiKey === "") throw new HereaboutsError("missing_api_key", "<place-search> has no api-key.");
    return createClient({ baseUrl, apiKey, language, ...PATIENCE });
  }

  #show(found: readonly Suggested[]): void {
    const { count, nothing } = TEXTS[this.language];
    this.#list.show(found);
    this.#say(found.length === 0 ? nothing : "");
    if (found.length > 0) this.#whisper.textContent = count(found.length);
  }

  #fail(error: unknown): void {
    const known = error instanceof HereaboutsError ? error : new HereaboutsError("unexpected_answer", "");
    this.#list.close();
    this.#say(describeProblem(known.code, this.language));
    this.#emit("place-error", known);
  }

  /** Says something below the list; an empty text takes it away. */
  #say(text: string, isBusy = false): void {
    const isListed = this.#list.isOpen();
    this.#popup.classList.toggle("busy", isBusy);
    this.#status.textContent = text;
    this.#status.hidden = text === "" || (isBusy && isListed);
    this.#popup.hidden = !isListed && this.#status.hidden;
    this.#whisper.textContent = text;
  }

  /** Aborts the current request and closes the list. */
  #stop(): void {
    this.#asking.stop();
    this.#list.close();
    this.#say("");
  }

  #describeWay(suggestion: Suggested): string | undefined {
    const { lat, lng } = this;
    if (!("data_id" in suggestion) || lat === undefined || lng === undefined) return undefined;
    return formatDistance(metersBetween({ latitude: lat, longitude: lng }, suggestion), this.language);
  }

  #writeLabels(): void {
    const texts = TEXTS[this.language];
    this.#input.setAttribute("aria-label", this.label);
    this.#input.placeholder = this.placeholder;
    this.#input.maxLength = readNumber(this, "maxlength") ?? MAX_LENGTH;
    this.#clear.setAttribute("aria-label", texts.clear);
    this.#clear.title = texts.clear;
    this.#options.setAttribute("aria-label", texts.list);
  }

  /** False when the page has prevented what the element does by default. */
  #emit<Type extends keyof PlaceSearchEventMap>(
    type: Type,
    detail: PlaceSearchEventMap[Type]["detail"],
  ): boolean {
    const cancelable = type === "place-query";
    return this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable }));
  }
}

const createInput = (): HTMLInputElement =>
  h("input", {
    id: "query",
    part: "input",
    dir: "auto",
    name: "q",
    type: "text",
    inputmode: "search",
    enterkeyhint: "search",
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": "suggestions",
    autocapitalize: "off",
    spellcheck: "false",
  });

function readNumber(element: Element, name: string): number | undefined {
  const value = Number.parseFloat(element.getAttribute(name) ?? "");
  return Number.isNaN(value) ? undefined : value;
}

/** Frameworks take a property away by setting it to null or undefined. */
function writeText(element: Element, name: string, value: string | null | undefined): void {
  if (value === undefined || value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

const writeNumber = (element: Element, name: string, value: number | undefined): void =>
  writeText(element, name, value === undefined ? undefined : String(value));

if (globalThis.customElements?.get("place-search") === undefined)
  globalThis.customElements?.define("place-search", PlaceSearch);
