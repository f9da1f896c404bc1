import * as v from "valibot";
import { kindLabel, toPageLanguage, type Language } from "./localized-texts.ts";
import { readTable, textSchema } from "../read-table.ts";
import table from "./types.json" with { type: "json" };

/**
 * A value of a place's `type`, such as `COFFEE`. `PLACE` is the type of a place whose kind is unknown. The kinds of a data team
 * (`useKinds`) have other codes; the compiler knows those of the project.
 */
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
  /** Sources file its kinds as one another, and people say one for another: many a hotel is called a guest house. */
  readonly isFiledLoosely?: boolean | undefined;
  /** Places filed so may be anything: they do not stand in for a kind under it. Who finds no pet shop is not glad of any shop. */
  readonly isVague?: boolean | undefined;
  /** Nobody who names an area or wishes a quiet place means one of these; who does names it. */
  readonly isNamedOnly?: boolean | undefined;
  /** Where people eat and drink: what a wish without a kind means. */
  readonly isForWishes?: boolean | undefined;
  /**
   * What people type for this kind of place besides the two labels, in both languages and with common
   * misspellings. Marks are optional. No word belongs to two types, with or without its marks.
   */
  readonly words: readonly string[];
}

/** A type code in a data file of the project. */
export const typeCodeSchema = v.custom<TypeCode>(
  (code) => typeof code === "string" && isProjectType(code),
  ({ received }) => `${received} is not a type code of src/place/document/types.json`,
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
    isFiledLoosely: v.optional(v.boolean()),
    isVague: v.optional(v.boolean()),
    isNamedOnly: v.optional(v.boolean()),
    isForWishes: v.optional(v.boolean()),
    words: v.array(textSchema),
  }),
);

const PROJECT_TYPES = readTable("src/place/document/types.json", typesSchema, table) as Readonly<
  Record<TypeCode, TypeEntry>
>;

const inUse: Record<TypeCode, TypeEntry> = { ...PROJECT_TYPES };

/** Every type code with its labels, its search words and its broader type: those of the project, and the kinds in use. */
export const TYPE_CODES: Readonly<Record<TypeCode, TypeEntry>> = inUse;

/** A kind of a data team (`kinds.csv`), which belongs to an index. */
export const ownKindSchema = v.object({
  code: v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/, "is not written like WINE_CAVE")),
  /** A code of the project or of the same file. Without one it is a kind beside those of the project. */
  parent: v.exactOptional(v.string()),
  vi: textSchema,
  en: textSchema,
  words: v.array(textSchema),
  /** The name of a look (`LOOKS`), or an emoji. */
  icon: v.exactOptional(v.string()),
  /** `#rrggbb` */
  colour: v.exactOptional(v.string()),
});

export type OwnKind = v.InferOutput<typeof ownKindSchema>;

let ownKinds: readonly OwnKind[] = [];
let version = 0;

/** The kinds of the data team that are in use. */
export const kindsInUse = (): readonly OwnKind[] => ownKinds;

/** Whether a code is one of the project's, which are the same for every index. */
export function isProjectType(code: string): code is TypeCode {
  return Object.hasOwn(table, code);
}

/**
 * Makes the kinds of an index those of this process, beside the project's and in place of those before. A process reads or
 * writes one index at a time (docs/decisions/0034-kinds-of-an-index.md).
 */
export function useKinds(kinds: readonly OwnKind[]): void {
  if (JSON.stringify(kinds) === JSON.stringify(ownKinds)) return;
  const types = inUse as Record<string, TypeEntry>;
  for (const { code } of ownKinds) delete types[code];
  for (const { code, parent, vi, en, words } of kinds)
    types[code] = { vi, en, words, ...(parent !== undefined && { parent: parent as TypeCode }) };
  ownKinds = kinds;
  version += 1;
}

/** What is built from the kinds: built with the first call, and again when other kinds are in use. */
export function perKinds<T>(build: () => T): () => T {
  let built: { readonly of: number; readonly value: T } | undefined;
  return () => {
    if (built?.of !== version) built = { of: version, value: build() };
    return built.value;
  };
}

/** All codes in use. */
export const allTypes = perKinds(() => Object.keys(TYPE_CODES) as TypeCode[]);

const underEach = perKinds(
  (): ReadonlyMap<TypeCode, readonly TypeCode[]> =>
    new Map(allTypes().map((code) => [code, allTypes().filter((other) => isUnder(other, code))])),
);

/** True for a code in use, false for any other text (also for `toString` and the like). */
export function isTypeCode(text: string): text is TypeCode {
  return Object.hasOwn(TYPE_CODES, text);
}

/** The label of a type; an unknown code has the label of `PLACE`, and a kind of a data team has one in Vietnamese and in English. */
export function typeLabel(code: string, language: Language): string {
  const known = isTypeCode(code) ? code : "PLACE";
  return kindLabel(known, language) ?? TYPE_CODES[known][toPageLanguage(language)];
}

/** The title shown for a place: its name, or the label of its type if it has no name. Never empty. */
export const shownTitle = (
  { title, type }: { readonly title: string; readonly type: string },
  language: Language,
): string => title || typeLabel(type, language);

/** The code itself and every code below it: `RESTAURANT` includes `PHO`. */
export function typesUnder(code: TypeCode): readonly TypeCode[] {
  return underEach().get(code) ?? [code];
}

/** Every code of the branch that a code is in: those under the broadest above it, and of its group. */
export function branchOf(code: TypeCode): readonly TypeCode[] {
  const root = rootOf(code);
  const { group } = TYPE_CODES[root];
  const roots =
    group === undefined ? [root] : allTypes().filter((other) => TYPE_CODES[other].group === group);
  return roots.flatMap(typesUnder);
}

/** The types that stand in for one that a dataset lacks: those named as related, and its branch unless that is vague. */
export const standInsFor = (code: TypeCode): readonly TypeCode[] => [
  ...(TYPE_CODES[code].related ?? []).flatMap(typesUnder),
  ...(TYPE_CODES[rootOf(code)].isVague ? [] : branchOf(code)),
];

function rootOf(code: TypeCode): TypeCode {
  const { parent } = TYPE_CODES[code];
  return parent === undefined ? code : rootOf(parent);
}

/** Whether a type is another one, or lies somewhere under it. */
export function isUnder(code: TypeCode, ancestor: TypeCode): boolean {
  const { parent } = TYPE_CODES[code];
  return code === ancestor || (parent !== undefined && isUnder(parent, ancestor));
}
