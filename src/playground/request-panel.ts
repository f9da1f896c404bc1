import type { Exchange } from "../client/client.ts";
import type { Api } from "./api.ts";
import { maskKey, toCurl } from "./curl.ts";
import { button, byId, copyText, h, replace } from "./dom.ts";
import { icon } from "./drawing.ts";
import { texts } from "./texts.ts";

interface RequestPanel {
  /** Shows an exchange; suggestions only when their tab is open. */
  add(exchange: Exchange, api: Api): void;
}

/** The panel with the API request behind the page; one line when closed. */
export function createRequestPanel(): RequestPanel {
  let api: Api | undefined;
  let state: PanelState = { kind: "search", isOpen: false, isResponseShown: false, exchanges: new Map() };
  const set = (patch: Partial<PanelState>): void => {
    const focused = document.activeElement?.id;
    state = { ...state, ...patch };
    renderRequestPanel(byId("request"), state, { api, set });
    if (focused?.startsWith("request-")) document.getElementById(focused)?.focus();
  };
  set({});
  return {
    add(exchange, asked) {
      api = asked;
      const kind = kindOf(exchange.url);
      const exchanges = new Map(state.exchanges).set(kind, exchange);
      set({ exchanges, ...(kind !== "autocomplete" && { kind }) });
    },
  };
}

type Kind = keyof typeof texts.requestKinds;

interface PanelState {
  readonly kind: Kind;
  readonly isOpen: boolean;
  readonly isResponseShown: boolean;
  /** The latest exchange of each kind. */
  readonly exchanges: ReadonlyMap<Kind, Exchange>;
}

interface PanelContext {
  readonly api: Api | undefined;
  readonly set: (patch: Partial<PanelState>) => void;
}

/** Longer responses are cut off. */
const MAX_SHOWN = 60_000;

function renderRequestPanel(panel: HTMLElement, state: PanelState, context: PanelContext): void {
  const exchange = state.exchanges.get(state.kind);
  const toggle = button(
    {
      class: "request-toggle",
      id: "request-toggle",
      "aria-expanded": String(state.isOpen),
      "aria-controls": "request-body",
    },
    () => context.set({ isOpen: !state.isOpen }),
    icon("code", 18),
    h("b", {}, texts.requestTitle),
    exchange && h("span", { class: "request-summary" }, summarize(exchange)),
    icon("down", 16),
  );
  const parts = exchange
    ? renderBody(exchange, state, context)
    : [h("p", { class: "muted" }, texts.requestNone)];
  panel.dataset["open"] = String(state.isOpen);
  replace(
    panel,
    toggle,
    h("div", { id: "request-body", class: "request-body", hidden: !state.isOpen }, ...parts),
  );
}

function renderBody(exchange: Exchange, state: PanelState, { api, set }: PanelContext): HTMLElement[] {
  const tabs = [...state.exchanges.keys()].map((kind) =>
    button(
      { class: "tab", id: `request-${kind}`, "aria-pressed": String(kind === state.kind) },
      () => set({ kind }),
      texts.requestKinds[kind],
    ),
  );
  const response = button(
    { class: "quiet", id: "request-response", "aria-expanded": String(state.isResponseShown) },
    () => set({ isResponseShown: !state.isResponseShown }),
    state.isResponseShown ? texts.hideResponse : texts.showResponse,
  );
  const docs = h("a", { href: "docs", class: "quiet" }, texts.docs);
  return [
    h("div", { class: "tabs" }, ...tabs),
    renderRequest(exchange, api?.key() ?? ""),
    h(
      "div",
      { class: "request-actions" },
      renderCopy(exchange.url, api),
      api && exchange.status === 200 && renderCopyGeoJson(exchange.url, api),
      response,
      docs,
    ),
    ...(state.isResponseShown
      ? [h("pre", { class: "response", tabindex: "0" }, prettify(exchange.text))]
      : []),
  ];
}

/** A copied command contains the demo key, so that it works at once, but never another key. */
function renderCopy(url: string, api: Api | undefined): HTMLButtonElement {
  const shownKey = api?.isDemo() ? api.key() : undefined;
  const copy = button(
    { class: "primary small-button", id: "request-copy" },
    () => void copyText(toCurl(url, shownKey), copy),
    icon("copy", 16),
    h("span", {}, texts.copyCurl),
  );
  return copy;
}

/** The places of the response, to paste into QGIS or geojson.io. They are requested again, in that format. */
function renderCopyGeoJson(url: string, api: Api): HTMLButtonElement {
  const address = new URL(url);
  address.searchParams.set("format", "geojson");
  const read = async (): Promise<string> => {
    const response = await fetch(address, { headers: { "x-api-key": api.key() ?? "" } });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response.text();
  };
  const copy = button(
    { class: "quiet", id: "request-geojson" },
    () => void copyText(read(), copy),
    texts.copyGeoJson,
  );
  return copy;
}

function kindOf(url: string): Kind {
  const name = new URL(url).pathname.split("/").at(-1);
  return name === "place" || name === "autocomplete" ? name : "search";
}

const summarize = ({ status, durationMs }: Exchange): string =>
  `${status || texts.noResponse} · ${Math.round(durationMs)} ms`;

/** One parameter per line, decoded; the copied command is encoded. */
function renderRequest(exchange: Exchange, key: string): HTMLElement {
  const { pathname, searchParams } = new URL(exchange.url);
  const parameters = [...searchParams].map(([name, value], index) =>
    h("span", { class: "parameter" }, index === 0 ? "?" : "&", h("b", {}, name), `=${value}`),
  );
  return h(
    "div",
    { class: "request-text" },
    h("code", {}, h("span", { class: "verb" }, "GET"), ` ${pathname}`, ...parameters),
    h("code", { class: "header" }, `x-api-key: ${maskKey(key)}`),
    renderOutcome(exchange),
  );
}

function renderOutcome({ headers, status, durationMs, text }: Exchange): HTMLElement {
  const limit = headers.get("x-ratelimit-limit");
  const remaining = headers.get("x-ratelimit-remaining");
  return h(
    "p",
    { class: "small" },
    h("span", { class: status === 200 ? "status good" : "status bad" }, status || texts.noResponse),
    ` ${Math.round(durationMs)} ms · ${(text.length / 1000).toFixed(1)} kB`,
    limit !== null && remaining !== null && ` · ${texts.left(remaining, limit)}`,
  );
}

function prettify(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).slice(0, MAX_SHOWN);
  } catch {
    return text.slice(0, MAX_SHOWN);
  }
}
