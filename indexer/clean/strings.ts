import * as v from "valibot";
import { readTable } from "../../src/place/read-table.ts";
import { typeCodeSchema } from "../../src/place/document/type-codes.ts";
import namelessTypesTable from "./nameless-types.json" with { type: "json" };
import type { CleanStep } from "./place-draft.ts";

/** Fields with paragraphs, whose line breaks matter. */
const PARAGRAPHS: ReadonlySet<string> = new Set(["description", "text"]);

/**
 * Cleans every text of the draft: composed Unicode (NFC), trimmed, single spaces, no control characters, and
 * no invisible marks that reverse or hide text on a page.
 */
export const cleanStrings: CleanStep = (draft) => {
  // Hours and busyness hold only numbers and dates, and make up most of a detailed record.
  const { opening_hours, popular_times, ...texts } = draft;
  return { ...cleanValue(texts, ""), opening_hours, popular_times };
};

function cleanValue<T>(value: T, name: string): T;
function cleanValue(value: unknown, name: string): unknown {
  if (typeof value === "string") return PARAGRAPHS.has(name) ? cleanParagraphs(value) : cleanLine(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((element: unknown) => cleanValue(element, name));
  return cleanFields(value as Record<string, unknown>);
}

/** A plain loop, since this runs over every field of every record. */
function cleanFields(values: Record<string, unknown>): Record<string, unknown> {
  const cleaned: Record<string, unknown> = {};
  for (const name in values) cleaned[name] = cleanValue(values[name], name);
  return cleaned;
}

/**
 * Control characters other than white space, zero-width space, byte order mark, and the marks that set or
 * override the direction of text.
 */
const INVISIBLE = /[[\p{Cc}--\s]\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/gv;

/**
 * Visible ASCII and composed Latin letters, Vietnamese ones among them, with single spaces between. Most
 * texts match and need no cleaning.
 */
const CLEAN_LATIN = /^[!-~\u00C0-\u024F\u1E00-\u1EFF]+(?: [!-~\u00C0-\u024F\u1E00-\u1EFF]+)*$/;

/** Cleans one line of text. */
export function cleanLine(text: string): string {
  if (text === "" || CLEAN_LATIN.test(text)) return text;
  // Removing characters may bring a letter and its mark together, or two spaces.
  return text.toWellFormed().replace(INVISIBLE, "").normalize("NFC").replace(/\s+/g, " ").trim();
}

/** The parts of a text between separators, without blanks around them and without empty ones. */
export const splitParts = (text: string, separator: string | RegExp): string[] =>
  text.split(separator).flatMap((part) => part.trim() || []);

function cleanParagraphs(text: string): string {
  const lines = text.split(/\r\n|\r|\n/).map(cleanLine);
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** The longest names of real places have about 200 characters. A longer text belongs to another column. */
const MAX_TITLE_LENGTH = 500;

/**
 * The form of `nameless-types.json`: types that people search for by category and that mostly have no name.
 */
export const namelessTypesSchema = v.array(typeCodeSchema);

const NAMELESS_TYPES: ReadonlySet<string> = new Set(
  readTable("indexer/clean/nameless-types.json", namelessTypesSchema, namelessTypesTable),
);

/**
 * True for types that are useful without a name: a toilet, a car park. Their category is shown instead of a
 * title.
 */
export const isUsefulNameless = (type: string): boolean => NAMELESS_TYPES.has(type);

/**
 * Rejects a place without a name, unless its type is useful without one. Removes repeated names and names
 * equal to the title.
 */
export const cleanNames: CleanStep = (draft) => {
  const { title } = draft;
  if (title === "" && !isUsefulNameless(draft.type)) return { field: "title", reason: "empty" };
  if (title.length > MAX_TITLE_LENGTH)
    return { field: "title", reason: `longer than ${MAX_TITLE_LENGTH} characters`, value: title };
  const others = new Set(
    draft.alternate_names.filter((name) => name !== "" && name.length <= MAX_TITLE_LENGTH),
  );
  others.delete(title);
  return { ...draft, alternate_names: [...others] };
};
