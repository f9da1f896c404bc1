import type { TextRange } from "../client/answers.ts";
import { texts } from "./texts.ts";

type Child = Node | string | number | false | null | undefined;
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

const SVG = "http://www.w3.org/2000/svg";

/** Creates an element. Texts become text nodes, never markup. False and undefined children are skipped. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG elements. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

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

/** Replaces the children of an element. */
export function replace(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren(...children.filter(isThere).map(toNode));
}

/** The element with this id. @throws when the page has none. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no #${id}`);
  return element as T;
}

function fill<T extends Element>(element: T, attributes: Attributes, children: readonly Child[]): T {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter(isThere).map(toNode));
  return element;
}

const isThere = (child: Child): child is Node | string | number =>
  child !== undefined && child !== null && child !== false;
const toNode = (child: Node | string | number): Node | string =>
  typeof child === "number" ? String(child) : child;

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

/** A text with the matching parts highlighted. */
export function renderMarked(text: string, ranges: readonly TextRange[] = []): (string | HTMLElement)[] {
  const parts: (string | HTMLElement)[] = [];
  let end = 0;
  for (const { offset, length } of ranges) {
    if (offset > end) parts.push(text.slice(end, offset));
    parts.push(h("mark", {}, text.slice(offset, offset + length)));
    end = offset + length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/** A section with a heading. */
export function section(title: string, ...children: readonly (Node | false)[]): HTMLElement {
  return h("section", { class: "part" }, h("h3", {}, title), ...children);
}
