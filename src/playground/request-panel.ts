import type { Exchange } from "../client/client.ts";
import type { Api } from "./api.ts";
import { byId } from "./dom.ts";
import { kindOf, renderRequestPanel, type PanelState } from "./request-view.ts";

interface RequestPanel {
  /** Shows an answer; suggestions wait until somebody asks for them. */
  add(exchange: Exchange, api: Api): void;
}

/** The panel with the request behind what the page shows. Closed it is one line. */
export function createRequestPanel(): RequestPanel {
  let api: Api | undefined;
  let state: PanelState = { kind: "search", isOpen: false, isAnswerShown: false, exchanges: new Map() };
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
