import type { TextRange } from "../client/answers.ts";

export type Child = Node | string | number | false | null | undefined;
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

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

/** An icon of one path in a 24 by 24 box, beside a text; screen readers skip it. */
export const drawIcon = (path: string, size: number): SVGSVGElement =>
  svg(
    "svg",
    {
      viewBox: "0 0 24 24",
      width: size,
      height: size,
      class: "icon",
      "aria-hidden": "true",
      focusable: "false",
    },
    svg("path", { d: path }),
  );

/** Replaces the children of an element. */
export function replace(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren(...children.filter(isThere).map(toNode));
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
