import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { readTable } from "../../src/place/read-table.ts";
import { onFirstUse } from "../large-libraries.ts";
import tcvn3Table from "./tcvn3.json" with { type: "json" };

/**
 * How a text is encoded. TCVN3 (also called ABC) is the encoding of fonts such as .VnTime: its bytes are
 * shown as Western letters elsewhere ("Hµ Néi"), and Excel saves these letters as UTF-8.
 */
export const ENCODINGS = ["utf-8", "utf-16", "windows-1258", "tcvn3"] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** How to decode: TCVN3 may be in bytes or in the letters that they are in UTF-8. */
type Decoding = Encoding | "utf-16be" | "tcvn3 in utf-8";

/** The form of `tcvn3.json`: the letters as Western programs show them, and what they are. */
export const tcvn3Schema = v.pipe(
  v.strictObject({ from: v.string(), to: v.string() }),
  v.check(({ from, to }) => from.length === to.length, "from and to must have as many letters"),
);

const TCVN3 = readTable("indexer/sources/tcvn3.json", tcvn3Schema, tcvn3Table);

const LETTER_OF_TCVN3: ReadonlyMap<string, string> = new Map(
  Array.from(TCVN3.from, (letter, index) => [letter, TCVN3.to[index] ?? letter]),
);

const fromTcvn3 = (text: string): string =>
  text.replaceAll(/[\u00a1-\u00fe]/g, (letter) => LETTER_OF_TCVN3.get(letter) ?? letter);

/** The first bytes of UTF-16, which spreadsheets call "Unicode text". */
const isLittleEndian = (head: Buffer): boolean => head[0] === 0xff && head[1] === 0xfe;
const isBigEndian = (head: Buffer): boolean => head[0] === 0xfe && head[1] === 0xff;

/**
 * Finds out how a text is encoded, by its beginning: UTF-16 by its mark; an encoding of Vietnam where its
 * letters make words and those of UTF-8 do not. Everything else is UTF-8, so that wrong bytes are reported.
 */
export function detectDecoding(head: Buffer, asked?: Encoding): Decoding {
  const isWhole = isUtf8(withoutLastCharacter(head));
  if (asked === "utf-16") return isBigEndian(head) ? "utf-16be" : "utf-16";
  if (asked === "tcvn3") return isWhole ? "tcvn3 in utf-8" : "tcvn3";
  if (asked !== undefined) return asked;
  if (isLittleEndian(head)) return "utf-16";
  if (isBigEndian(head)) return "utf-16be";
  const others: Decoding[] = isWhole ? ["tcvn3 in utf-8"] : ["windows-1258", "tcvn3"];
  const counted = ["utf-8" as const, ...others].map((decoding) => ({
    decoding,
    words: countWords(head, decoding),
  }));
  return counted.reduce((best, other) => (other.words > best.words + MIN_WORDS ? other : best)).decoding;
}

/** A word or two may be made of any letters. */
const MIN_WORDS = 2;

/** A head may end within a character. */
function withoutLastCharacter(head: Buffer): Buffer {
  for (let end = head.length; end > head.length - 4 && end > 0; end -= 1)
    if (isUtf8(head.subarray(0, end))) return head.subarray(0, end);
  return head;
}

/** Enough to tell; a long text need not be read whole. */
const COUNTED_BYTES = 16 * 1024;
const WORD = /[\p{L}\p{M}]+/gu;

/** The words with a letter beyond ASCII, in lower case. */
const markedWords = (text: string): string[] =>
  (text.toLowerCase().match(WORD) ?? []).filter((word) => /[^\p{ASCII}]/u.test(word));

/** How many words with marks are Vietnamese. */
function countWords(head: Buffer, decoding: Decoding): number {
  const text = createDecoder(decoding)(head.subarray(0, COUNTED_BYTES), false).normalize("NFC");
  return markedWords(text).filter((word) => vietnameseWords().has(word)).length;
}

/** Words with marks of our vocabulary and of the names of areas: two thousand syllables. */
const vietnameseWords = onFirstUse((): ReadonlySet<string> => {
  const texts = ["search/vocabulary/vi.csv", "place/geometry/areas/vietnam.csv"].map((path) =>
    readFileSync(new URL(`../../src/${path}`, import.meta.url), "utf8"),
  );
  return new Set(texts.flatMap(markedWords));
});

/** Decodes pieces of a text, one after the other. */
function createDecoder(decoding: Decoding): (bytes: Buffer, hasMore: boolean) => string {
  const isTcvn3 = decoding === "tcvn3" || decoding === "tcvn3 in utf-8";
  const label = { tcvn3: "windows-1252", "tcvn3 in utf-8": "utf-8", "utf-16": "utf-16le" }[
    decoding as string
  ];
  const decoder = new TextDecoder(label ?? decoding);
  return (bytes, hasMore) => {
    const text = decoder.decode(bytes, { stream: hasMore });
    return isTcvn3 ? fromTcvn3(text) : text;
  };
}

/** The head as UTF-8. */
export const toUtf8 = (head: Buffer, decoding: Decoding): Buffer =>
  decoding === "utf-8" ? head : Buffer.from(createDecoder(decoding)(head, true).normalize("NFC"));

/** The chunks as UTF-8. */
export async function* decodeChunks(
  chunks: AsyncIterable<Buffer>,
  decoding: Decoding,
): AsyncGenerator<Buffer> {
  const decode = createDecoder(decoding);
  for await (const chunk of chunks) yield Buffer.from(decode(chunk, true));
  yield Buffer.from(decode(Buffer.alloc(0), false));
}

/** The name that a report shows. */
export const encodingName = (decoding: Decoding): string =>
  decoding.startsWith("tcvn3") ? "TCVN3" : decoding.startsWith("utf-16") ? "UTF-16" : "Windows-1258";
