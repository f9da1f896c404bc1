import { h } from "./dom.ts";

/** A part of the details with its heading. */
export function section(title: string, ...children: readonly (Node | false)[]): HTMLElement {
  return h("section", { class: "part" }, h("h3", {}, title), ...children);
}
