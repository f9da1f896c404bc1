import type { TextRange } from "../client/answers.ts";
import { h } from "./dom.ts";

/** A text with the parts marked that answer the query. */
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
