import * as v from "valibot";
import type { Language } from "./localized-texts.ts";
import { readTable, textSchema } from "./read-table.ts";
import table from "./types.json" with { type: "json" };

/** A value of a place's `type`, such as `COFFEE`. `PLACE` is the type of a place whose kind is unknown. */
export type TypeCode = keyof typeof table;

/** The table's entry for one type code. */
interface TypeEntry {
  /** The labels in Vietnamese and English. */
  readonly vi: string;
  readonly en: string;
  /** The broader type. A search for the parent also finds its children. */
  readonly parent?: TypeCode | undefined;
  /** What types without a common parent have in common: people eat and drink there. */
  readonly group?: "food" | undefined;
  /** Types that may stand in for it where a dataset has few of its own: bars for "quán nhậu". In place of its parent. */
  readonly related?: readonly TypeCode[] | undefined;
  /** Its kinds may stand in for one another: who finds no guest house is glad of a hotel. */
  readonly interchangeable?: boolean | undefined;
  /**
   * What people type for this kind of place besides the two labels, in both languages and with common
   * misspellings. Marks are optional. No word belongs to two types, with or without its marks.
   */
  readonly words: readonly string[];
}

const CODES = Object.keys(table) as TypeCode[];

/** A type code in a data file. */
export const typeCodeSchema = v.custom<TypeCode>(
  (code) => typeof code === "string" && isTypeCode(code),
  ({ received }) => `${received} is not a type code of src/place/types.json`,
);

const newCodeSchema = v.custom<TypeCode>(
  (code) => typeof code === "string" && /^[A-Z]+(?:_[A-Z]+)*$/.test(code),
  "a type code is written in capitals, such as ICE_CREAM_SHOP",
);

/** The format of `types.json`: one line per type code. */
export const typesSchema = v.record(
  newCodeSchema,
  v.strictObject({
    vi: textSchema,
    en: textSchema,
    parent: v.optional(typeCodeSchema),
    group: v.optional(v.picklist(["food"])),
    related: v.optional(v.array(typeCodeSchema)),
    interchangeable: v.optional(v.boolean()),
    words: v.array(textSchema),
  }),
);

/** Every type code with its labels, its search words and its broader type. */
export const TYPE_CODES = Object.freeze(readTable("src/place/types.json", typesSchema, table)) as Readonly<
  Record<TypeCode, TypeEntry>
>;

const TYPES_UNDER: ReadonlyMap<TypeCode, readonly TypeCode[]> = new Map(
  CODES.map((code) => [code, CODES.filter((other) => isUnder(other, code))]),
);

/** True for a code in the table, false for any other text (also for `toString` and the like). */
export function isTypeCode(text: string): text is TypeCode {
  return Object.hasOwn(table, text);
}

/** The label of a type; an unknown code has the label of `PLACE`. */
export function typeLabel(code: string, language: Language): string {
  return TYPE_CODES[isTypeCode(code) ? code : "PLACE"][language];
}

/** The title shown for a place: its name, or the label of its type if it has no name. Never empty. */
export const shownTitle = (
  { title, type }: { readonly title: string; readonly type: string },
  language: Language,
): string => title || typeLabel(type, language);

/** The code itself and every code below it: `RESTAURANT` includes `PHO`. */
export function typesUnder(code: TypeCode): readonly TypeCode[] {
  return TYPES_UNDER.get(code) ?? [code];
}

/** Every code of the branch that a code is in: those under the broadest above it, and of its group. */
export function branchOf(code: TypeCode): readonly TypeCode[] {
  const root = rootOf(code);
  const { group } = TYPE_CODES[root];
  const roots = group === undefined ? [root] : CODES.filter((other) => TYPE_CODES[other].group === group);
  return roots.flatMap(typesUnder);
}

function rootOf(code: TypeCode): TypeCode {
  const { parent } = TYPE_CODES[code];
  return parent === undefined ? code : rootOf(parent);
}

function isUnder(code: TypeCode, ancestor: TypeCode): boolean {
  const { parent } = TYPE_CODES[code];
  return code === ancestor || (parent !== undefined && isUnder(parent, ancestor));
}
