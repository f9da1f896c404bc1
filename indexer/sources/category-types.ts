import type { TypeCode } from "../../src/place/type-codes.ts";

/** Categories of a source behind the type code they mean, in one text. */
export type CategoryTable = Readonly<Partial<Record<TypeCode, string>>>;

export interface CategoryTables {
  /** What parts the categories of a text. */
  readonly separator: string;
  /** What says what a place is. */
  readonly categories: CategoryTable;
  /** Words that end the names of many categories: every "… restaurant" is one. */
  readonly endings: CategoryTable;
  /** What tells no more than the trade a place is of; better than nothing. */
  readonly vague: CategoryTable;
}

/**
 * The type of a place by its category and what stands above it, the narrow before the wide; `others` are further categories
 * of the same place, which count only where its own says too little. `undefined` when none of them is known.
 */
export type TypeOfCategories = (own: readonly string[], others: readonly string[]) => TypeCode | undefined;

/** Sources have some thousand combinations, and a file may be made of nonsense. */
const MAX_REMEMBERED = 20_000;

export function createTypeOfCategories(tables: CategoryTables): TypeOfCategories {
  const known = buildLookup(tables.categories, tables.separator);
  const endings = buildLookup(tables.endings, tables.separator);
  const vague = buildLookup(tables.vague, tables.separator);
  const remembered = new Map<string, TypeCode | undefined>();

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
    if (remembered.has(key)) return remembered.get(key);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    const code = find(own, others);
    remembered.set(key, code);
    return code;
  };
}

function buildLookup(table: CategoryTable, separator: string): ReadonlyMap<string, TypeCode> {
  const entries = Object.entries(table) as [TypeCode, string][];
  return new Map(
    entries.flatMap(([code, names]) => names.split(separator).map((name) => [toKey(name), code] as const)),
  );
}

/**
 * `Women's Stores`, `womens_store` → `women_store`: marks, case, apostrophes and the plural make no other category. Overture
 * writes most of its categories now in the plural, now in the singular.
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
