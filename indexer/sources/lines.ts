import { isUtf8 } from "node:buffer";
import { formatCount } from "../../src/cli/format.ts";
import { giveWay } from "../../src/cli/interruption.ts";

/**
 * One line without its line end, or why it cannot be read. Then `value` has details, and `raw` is as much of
 * its text as was kept.
 */
export type Line =
  | { readonly number: number; readonly text: string; readonly isComplete: boolean }
  | { readonly number: number; readonly problem: string; readonly value: string; readonly raw: string };

/**
 * A place with hundreds of long reviews stays under one megabyte. A longer line belongs to another kind of
 * file. It is discarded piece by piece, so that it cannot fill the memory.
 */
const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** How much of a line that is too long is kept, to show what it was. */
const KEPT_BYTES = 4 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * Reads the lines of a UTF-8 text, numbered from 1, including empty ones. Lines end in LF or CRLF;
 * `isComplete` is false for a last line without a line end. A byte order mark is dropped.
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
      const way = giveWay();
      if (way) await way;
    }
    pending.keep(chunk.subarray(start));
  }
  const rest = pending.take(Buffer.alloc(0));
  if (rest.bytes.length > 0) yield toLine(rest, number, false);
}

/** The bytes of a line. For a line that is too long, the first bytes and its length. */
interface LineBytes {
  readonly bytes: Buffer;
  readonly tooLong: number | undefined;
}

/** The beginning of a line that is not complete yet. */
function createPending(maxBytes: number) {
  let parts: Buffer[] = [];
  let length = 0;
  const keep = (part: Buffer): void => {
    if (part.length === 0) return;
    length += part.length;
    if (length <= maxBytes) parts.push(part);
    // Copied, so that the larger buffers can be freed.
    else if (parts.length > 1 || (parts[0]?.length ?? Infinity) > KEPT_BYTES)
      parts = [Buffer.from(Buffer.concat([...parts, part]).subarray(0, KEPT_BYTES))];
  };
  const take = (lastPart: Buffer): LineBytes => {
    keep(lastPart);
    const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    const line = { bytes, tooLong: length > maxBytes ? length : undefined };
    parts = [];
    length = 0;
    return line;
  };
  return { keep, take };
}

function toLine({ bytes, tooLong }: LineBytes, number: number, isComplete: boolean): Line {
  if (tooLong !== undefined) {
    const value = `${formatCount(tooLong)} bytes`;
    return { number, problem: "longer than a line may be", value, raw: bytes.toString() };
  }
  if (!isUtf8(bytes)) {
    const raw = bytes.toString();
    return { number, problem: "not valid UTF-8", value: describeWrongByte(bytes, raw), raw };
  }
  const hasReturn = bytes.at(-1) === CARRIAGE_RETURN;
  const text = bytes.toString("utf8", 0, hasReturn ? bytes.length - 1 : bytes.length);
  return {
    number,
    text: number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text,
    isComplete,
  };
}

/** The text before the wrong byte helps to find it in an editor. */
const SHOWN_LENGTH = 30;

function describeWrongByte(bytes: Buffer, raw: string): string {
  const { index, before } = findWrongByte(bytes, raw);
  const code = (bytes[index] ?? 0).toString(16).padStart(2, "0").toUpperCase();
  return `byte ${index + 1} of the line is 0x${code}, after "${before.slice(-SHOWN_LENGTH).toWellFormed()}"`;
}

const REPLACEMENT = "\uFFFD";
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT);

/** Finds the first byte that the decoder replaced: a replacement character that the bytes do not contain. */
function findWrongByte(bytes: Buffer, raw: string): { index: number; before: string } {
  let index = 0;
  let start = 0;
  for (let at = raw.indexOf(REPLACEMENT); at !== -1; at = raw.indexOf(REPLACEMENT, start)) {
    index += Buffer.byteLength(raw.slice(start, at));
    if (!bytes.subarray(index, index + REPLACEMENT_BYTES.length).equals(REPLACEMENT_BYTES))
      return { index, before: raw.slice(0, at) };
    index += REPLACEMENT_BYTES.length;
    start = at + 1;
  }
  return { index, before: raw };
}
