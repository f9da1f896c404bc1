import type { Exchange } from "../client/ask.ts";
import type { Api } from "./api.ts";
import { copyText } from "./copy.ts";
import { maskKey, toCurl } from "./curl.ts";
import { button, byId, h, replace } from "./dom.ts";
import { icon } from "./icons.ts";
import { texts } from "./texts.ts";

type Kind = keyof typeof texts.requestKinds;

interface RequestPanel {
  /** Shows an answer; suggestions wait until somebody asks for them. */
  add(exchange: Exchange): void;
}

/** Longer answers are for a terminal. */
const MAX_SHOWN = 60_000;

/** The panel with the request behind what the page shows. Closed it is one line. */
export function createRequestPanel(getApi: () => Api | undefined): RequestPanel {
  const latest = new Map<Kind, Exchange>();
  const state = { kind: "search" as Kind, isOpen: false, isAnswerShown: false };
  const set = (patch: Partial<typeof state>): void => {
    const focused = document.activeElement?.id;
    Object.assign(state, patch);
    render();
    if (focused?.startsWith("request-")) document.getElementById(focused)?.focus();
  };

  function render(): void {
    const exchange = latest.get(state.kind);
    const toggle = button(
      {
        class: "request-toggle",
        id: "request-toggle",
        "aria-expanded": String(state.isOpen),
        "aria-controls": "request-body",
      },
      () => set({ isOpen: !state.isOpen }),
      icon("code", 18),
      h("b", {}, texts.requestTitle),
      exchange && h("span", { class: "request-summary" }, summarize(exchange)),
      icon("down", 16),
    );
    const body = h(
      "div",
      { id: "request-body", class: "request-body", hidden: !state.isOpen },
      ...(exchange ? renderBody(exchange) : [h("p", { class: "muted" }, texts.requestNone)]),
    );
    byId("request").dataset["open"] = String(state.isOpen);
    replace(byId("request"), toggle, body);
  }

  function renderBody(exchange: Exchange): HTMLElement[] {
    const api = getApi();
    const shownKey = api?.isDemo() ? api.key() : undefined;
    const copy = button(
      { class: "primary small-button", id: "request-copy" },
      () => void copyText(toCurl(exchange.url, shownKey), copy),
      icon("copy", 16),
      h("span", {}, texts.copyCurl),
    );
    const tabs = [...latest.keys()].map((kind) =>
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
    return [
      h("div", { class: "tabs" }, ...tabs),
      renderRequest(exchange, api?.key() ?? ""),
      h(
        "div",
        { class: "request-actions" },
        copy,
        answer,
        h("a", { href: "docs", class: "quiet" }, texts.docs),
      ),
      ...(state.isAnswerShown ? [h("pre", { class: "answer", tabindex: "0" }, prettify(exchange.text))] : []),
    ];
  }

  render();
  return {
    add(exchange) {
      const kind = kindOf(exchange.url);
      latest.set(kind, exchange);
      if (kind !== "autocomplete") state.kind = kind;
      set({});
    },
  };
}

function kindOf(url: string): Kind {
  const name = new URL(url).pathname.split("/").at(-1);
  return name === "place" || name === "autocomplete" ? name : "search";
}

const summarize = ({ status, durationMs }: Exchange): string => `${status} · ${Math.round(durationMs)} ms`;

/** One parameter a line, readable: what is copied is encoded. */
function renderRequest({ url, headers, status, durationMs, text }: Exchange, key: string): HTMLElement {
  const { pathname, searchParams } = new URL(url);
  const parameters = [...searchParams].map(([name, value], index) =>
    h("span", { class: "parameter" }, index === 0 ? "?" : "&", h("b", {}, name), `=${value}`),
  );
  const limit = headers.get("x-ratelimit-limit");
  const remaining = headers.get("x-ratelimit-remaining");
  return h(
    "div",
    { class: "request-text" },
    h("code", {}, h("span", { class: "verb" }, "GET"), ` ${pathname}`, ...parameters),
    h("code", { class: "header" }, `x-api-key: ${maskKey(key)}`),
    h(
      "p",
      { class: "small" },
      h("span", { class: status === 200 ? "status good" : "status bad" }, status),
      ` ${Math.round(durationMs)} ms · ${(text.length / 1000).toFixed(1)} kB`,
      limit !== null && remaining !== null && ` · ${texts.left(remaining, limit)}`,
    ),
  );
}

function prettify(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).slice(0, MAX_SHOWN);
  } catch {
    return text.slice(0, MAX_SHOWN);
  }
}
