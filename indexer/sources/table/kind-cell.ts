import { CommandError } from "../../../src/cli/errors.ts";
import { editDistance } from "../../../src/place/text/edit-distance.ts";
import { fold, hasMarks, joinWords, markedWords } from "../../../src/place/text/fold.ts";
import {
  allTypes,
  isTypeCode,
  perKinds,
  TYPE_CODES,
  typesUnder,
  type TypeCode,
} from "../../../src/place/document/type-codes.ts";
import { memoize } from "../../../src/place/text/memoize.ts";
import { loadVocabulary } from "../../../src/search/vocabulary/read-vocabulary.ts";
import { typeFromTitle } from "../../clean/type-from-title.ts";

/**
 * The kind that a cell says: by its code in any case, else by words that searches know ("quán cà phê", "nhà
 * thuốc", "coffee shop"), else by the words with which it begins. `undefined` when it says none.
 */
export const kindOfCell = (cell: string): TypeCode | undefined => kinds()(cell);

const kinds = perKinds(() =>
  memoize((cell: string): TypeCode | undefined => {
    const code = toCode(cell);
    if (isTypeCode(code)) return code;
    // "Cà phê, bánh ngọt" is first of all a café.
    const parts = [cell, ...cell.split(/[,;/|>]/)];
    return firstOf(parts, kindOfWords) ?? firstOf(parts, (part) => typeFromTitle("PLACE", part.trim()));
  }),
);

const toCode = (text: string): string =>
  text
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, "_");

function firstOf(
  parts: readonly string[],
  find: (part: string) => TypeCode | undefined,
): TypeCode | undefined {
  for (const part of parts) {
    const found = part.trim() === "" ? undefined : find(part);
    if (found) return found;
  }
  return undefined;
}

function kindOfWords(text: string): TypeCode | undefined {
  const known = loadVocabulary().phrases.get(joinWords(fold(text))) ?? [];
  const kinds = known.filter(({ role }) => role === "kind");
  // "Chùa" and "chua" are different words; a cell without marks may be either.
  const marked = kinds.filter(({ marked }) => marked.join(" ") === markedWords(text).join(" "));
  const codes = (hasMarks(text) && marked.length > 0 ? marked : kinds).flatMap((kind) => kind.codes);
  return codes.find((code) => codes.every((other) => typesUnder(code).includes(other))) ?? codes[0];
}

/** A fifth of the letters may be wrong. */
const LETTERS_PER_EDIT = 4;
const MAX_NEAREST = 3;

/** The codes that come nearest to a text, by their own letters, their labels and their words; the nearest first. */
const nearest = perKinds(() =>
  memoize((text: string): readonly TypeCode[] => {
    const typed = joinWords(fold(text));
    const most = Math.max(1, Math.floor(typed.length / LETTERS_PER_EDIT));
    return spellings()
      .map(({ code, spellings: each }) => ({ code, edits: editsTo(typed, each) }))
      .filter(({ edits }) => edits <= most)
      .toSorted((one, other) => one.edits - other.edits)
      .slice(0, MAX_NEAREST)
      .map(({ code }) => code);
  }),
);

const spellings = perKinds(() =>
  allTypes().map((code) => {
    const { vi, en, words } = TYPE_CODES[code];
    return { code, spellings: [code, vi, en, ...words].map((text) => joinWords(fold(text))) };
  }),
);

const editsTo = (typed: string, each: readonly string[]): number =>
  Math.min(...each.map((spelling) => editDistance(typed, spelling).whole));

/** Names the nearest codes with their labels: `nearest: COFFEE (Quán cà phê)`; empty when none is near. */
export function describeNearest(text: string): string {
  const codes = nearest()(text).map((code) => `${code} (${TYPE_CODES[code].vi})`);
  return codes.length === 0 ? "" : `nearest: ${codes.join(", ")}`;
}

/**
 * Reads a kind of the command line, a code or words for it.
 * @throws {CommandError} that names the nearest kinds.
 */
export function parseKind(text: string): TypeCode {
  const kind = kindOfCell(text);
  if (kind) return kind;
  const described = describeNearest(text);
  throw new CommandError(`"${text}" is no kind${described === "" ? "" : `; ${described}`}.`);
}
