import type { Exchange } from "../client/client.ts";
import type { Api } from "./api.ts";
import { copyText } from "./copy.ts";
import { maskKey, toCurl } from "./curl.ts";
import { button, h, replace } from "./dom.ts";
import { icon } from "./icons.ts";
import { texts } from "./texts.ts";

type Kind = keyof typeof texts.requestKinds;

export interface PanelState {
  readonly kind: Kind;
  readonly isOpen: boolean;
  readonly isAnswerShown: boolean;
  /** The latest of each kind. */
  readonly exchanges: ReadonlyMap<Kind, Exchange>;
}

interface PanelContext {
  readonly api: Api | undefined;
  readonly set: (patch: Partial<PanelState>) => void;
}

/** Longer answers are for a terminal. */
const MAX_SHOWN = 60_000;

export function renderRequestPanel(panel: HTMLElement, state: PanelState, context: PanelContext): void {
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
  const answer = button(
    { class: "quiet", id: "request-answer", "aria-expanded": String(state.isAnswerShown) },
    () => set({ isAnswerShown: !state.isAnswerShown }),
    state.isAnswerShown ? texts.hideAnswer : texts.showAnswer,
  );
  const docs = h("a", { href: "docs", class: "quiet" }, texts.docs);
  return [
    h("div", { class: "tabs" }, ...tabs),
    renderRequest(exchange, api?.key() ?? ""),
    h("div", { class: "request-actions" }, renderCopy(exchange.url, api), answer, docs),
    ...(state.isAnswerShown ? [h("pre", { class: "answer", tabindex: "0" }, prettify(exchange.text))] : []),
  ];
}

/** A demo key opens nothing but this demo and makes the command work at once; a key of somebody's own is never written out. */
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

export function kindOf(url: string): Kind {
  const name = new URL(url).pathname.split("/").at(-1);
  return name === "place" || name === "autocomplete" ? name : "search";
}

const summarize = ({ status, durationMs }: Exchange): string => `${status} · ${Math.round(durationMs)} ms`;

/** One parameter a line, readable: what is copied is encoded. */
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
    h("span", { class: status === 200 ? "status good" : "status bad" }, status),
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
