import { isUtf8 } from "node:buffer";

/** One line without its end, or why there is no text of it. */
export type Line =
  | { readonly number: number; readonly text: string; readonly isComplete: boolean }
  | { readonly number: number; readonly problem: string };

/**
 * A place with hundreds of long reviews stays under one megabyte. A longer line is some other kind of file, and is let go
 * piece by piece so that it cannot fill the memory.
 */
const MAX_LINE_BYTES = 8 * 1024 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * The lines of a text in UTF-8, numbered from 1, empty ones included. Lines end in LF or CRLF; `isComplete` is false for a
 * last line without an end. A byte order mark is dropped.
 */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  maxLineBytes: number = MAX_LINE_BYTES,
): AsyncGenerator<Line> {
  let number = 1;
  const pending = createPending(maxLineBytes);
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      yield toLine(pending.take(chunk.subarray(start, end)), number, true);
      number += 1;
      start = end + 1;
    }
    pending.keep(chunk.subarray(start));
  }
  const rest = pending.take(Buffer.alloc(0));
  if (rest === undefined || rest.length > 0) yield toLine(rest, number, false);
}

/** The beginning of a line whose end has not come yet; `undefined` stands for one that grew too long to keep. */
function createPending(maxBytes: number) {
  let parts: Buffer[] = [];
  let length = 0;
  const keep = (part: Buffer): void => {
    length += part.length;
    if (length > maxBytes) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  const take = (lastPart: Buffer): Buffer | undefined => {
    keep(lastPart);
    const line = length > maxBytes ? undefined : parts.length === 1 ? parts[0] : Buffer.concat(parts);
    parts = [];
    length = 0;
    return line;
  };
  return { keep, take };
}

function toLine(bytes: Buffer | undefined, number: number, isComplete: boolean): Line {
  if (bytes === undefined) return { number, problem: "longer than a line may be" };
  if (!isUtf8(bytes)) return { number, problem: "not valid UTF-8" };
  const hasReturn = bytes.at(-1) === CARRIAGE_RETURN;
  const text = bytes.toString("utf8", 0, hasReturn ? bytes.length - 1 : bytes.length);
  return {
    number,
    text: number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text,
    isComplete,
  };
}
