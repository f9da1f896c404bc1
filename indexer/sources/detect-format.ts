import type { Format } from "./format.ts";
import { FORMATS } from "./formats.ts";
import type { Head } from "./head.ts";

/** What an input is, by its beginning; `undefined` when it is none of our formats or too short to tell. */
export function detectFormat(head: Head): Format | undefined {
  return FORMATS.find(({ looksLike }) => looksLike(head));
}

/**
 * What an input is when somebody says that it is of the option's formats: the one of them that it looks like, or else what it
 * looks like. When it looks like nothing and `mayGuess`, the one that it could be.
 */
export function detectFormatOf(option: string, head: Head, mayGuess: boolean): Format | undefined {
  const formats = FORMATS.filter((format) => format.option === option);
  const found = formats.find(({ looksLike }) => looksLike(head)) ?? detectFormat(head);
  return found ?? (mayGuess ? formats.find(({ couldBe }) => couldBe?.(head)) : undefined);
}
