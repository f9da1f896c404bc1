import * as v from "valibot";
import { readTable, textSchema } from "../../src/place/read-table.ts";
import { typeCodeSchema, type TypeCode } from "../../src/place/document/type-codes.ts";

/** The names that a source has for each type: `{ "COFFEE": ["cafe", "coffee_shop"] }`. */
export const typeListsSchema = v.record(typeCodeSchema, v.array(textSchema));

export type TypeLists = v.InferOutput<typeof typeListsSchema>;

/** Maps the key of each name to its type. When two types list one name, the later type wins. */
export function typeByName(lists: TypeLists, toKey: (name: string) => string): Map<string, TypeCode> {
  const entries = Object.entries(lists) as [TypeCode, string[]][];
  return new Map(entries.flatMap(([code, names]) => names.map((name) => [toKey(name), code] as const)));
}

/** The form of the `types.json` of a source with categories. */
export const categoryTablesSchema = v.strictObject({
  /** Categories that say what a place is. */
  categories: typeListsSchema,
  /** Words that many categories end with: every "… restaurant" is a restaurant. */
  endings: typeListsSchema,
  /**
   * Categories that state only the trade. A trade without a matching type is left out, so its places have the
   * general type.
   */
  vague: typeListsSchema,
});

/**
 * Finds the type of a place from its category and the broader ones above it, the narrow before the wide.
 * `others` are further categories of the same place; they count only where the first is too general.
 * `undefined` when none is known.
 */
export type TypeOfCategories = (own: readonly string[], others: readonly string[]) => TypeCode | undefined;

/**
 * Sources have some thousand combinations; a file of nonsense may have any number. The cache is cleared at
 * this size.
 */
const MAX_CACHED = 20_000;

/** Prepares the tables of a source. Throws an Error that names the wrong row of `file`. */
export function createTypeOfCategories(file: string, content: unknown): TypeOfCategories {
  const tables = readTable(file, categoryTablesSchema, content);
  const known = typeByName(tables.categories, toKey);
  const endings = typeByName(tables.endings, toKey);
  const vague = typeByName(tables.vague, toKey);
  const typeByText = new Map<string, TypeCode | undefined>();

  const find: TypeOfCategories = (own, others) => {
    const names = own.map(toKey);
    return (
      firstOf(names, (name) => known.get(name)) ??
      firstOf(names, (name) => firstOf(endingsOf(name), (ending) => endings.get(ending))) ??
      firstOf(others.map(toKey), (name) => known.get(name)) ??
      firstOf(names, (name) => vague.get(name))
    );
  };

  return (own, others) => {
    const key = `${own.join("\0")}\0\0${others.join("\0")}`;
    if (typeByText.size >= MAX_CACHED) typeByText.clear();
    return typeByText.getOrInsertComputed(key, () => find(own, others));
  };
}

/**
 * Normalizes a category: `Women's Stores`, `womens_store` → `women_store`. Marks, case, apostrophes and
 * plurals do not matter. Overture writes some categories in the plural and some in the singular.
 */
function toKey(category: string): string {
  return category
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[\p{M}'’]/gu, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
    .replaceAll(/s(?=_|$)/g, "");
}

/** `fish_and_chip_restaurant` → `and_chip_restaurant`, `chip_restaurant`, `restaurant`. */
function endingsOf(key: string): string[] {
  const words = key.split("_");
  return words.slice(1).map((_, index) => words.slice(index + 1).join("_"));
}

function firstOf<T>(values: readonly T[], find: (value: T) => TypeCode | undefined): TypeCode | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
