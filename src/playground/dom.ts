import { type Attributes, type Child, h } from "../place-search/elements.ts";
import { texts } from "./texts.ts";

export { h, renderMarked, replace, svg } from "../place-search/elements.ts";

/** Creates a button with a click handler. */
export function button(
  attributes: Attributes,
  onClick: () => void,
  ...children: readonly Child[]
): HTMLButtonElement {
  const element = h("button", { type: "button", ...attributes }, ...children);
  element.addEventListener("click", onClick);
  return element;
}

/** The element with this id. @throws when the page has none. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no #${id}`);
  return element as T;
}

/** Copies a text to the clipboard and confirms it on the button for a moment. */
export async function copyText(text: string | Promise<string>, button: HTMLElement): Promise<void> {
  const label = button.querySelector("span") ?? button;
  const before = label.textContent;
  try {
    await navigator.clipboard.writeText(await text);
    label.textContent = texts.copied;
  } catch {
    label.textContent = texts.copyFailed;
  }
  setTimeout(() => (label.textContent = before), 1600);
}

/** A section with a heading. */
export function section(title: string, ...children: readonly (Node | false)[]): HTMLElement {
  return h("section", { class: "part" }, h("h3", {}, title), ...children);
}
