import type { Language } from "./localized-texts.ts";
import { FOOD_TYPES } from "./type-codes-food.ts";
import { LEISURE_TYPES } from "./type-codes-leisure.ts";
import { PUBLIC_TYPES } from "./type-codes-public.ts";
import { SERVICES_TYPES } from "./type-codes-services.ts";
import { SHOPS_TYPES } from "./type-codes-shops.ts";
import type { TypeEntry } from "./type-entry.ts";

const ALL_TYPES = {
  ...FOOD_TYPES,
  ...SHOPS_TYPES,
  ...SERVICES_TYPES,
  ...PUBLIC_TYPES,
  ...LEISURE_TYPES,
};

/** A value of a place's `type`, such as `COFFEE`. `PLACE` is the type of a place that nothing more is known of. */
export type TypeCode = keyof typeof ALL_TYPES;

/** Every type code with its labels, its search words and its broader type. */
export const TYPE_CODES: Readonly<Record<TypeCode, TypeEntry<TypeCode>>> = Object.freeze(ALL_TYPES);

const CODES = Object.keys(ALL_TYPES) as TypeCode[];

const TYPES_UNDER: ReadonlyMap<TypeCode, readonly TypeCode[]> = new Map(
  CODES.map((code) => [code, CODES.filter((other) => isUnder(other, code))]),
);

/** True for a code of the table, false for any other text (also for `toString` and the like). */
export function isTypeCode(text: string): text is TypeCode {
  return Object.hasOwn(TYPE_CODES, text);
}

/** The name of a type for a person; an unknown code is called a place. */
export function typeLabel(code: string, language: Language): string {
  return TYPE_CODES[isTypeCode(code) ? code : "PLACE"][language];
}

/** The code itself and every code below it: `RESTAURANT` means `PHO` too. */
export function typesUnder(code: TypeCode): readonly TypeCode[] {
  return TYPES_UNDER.get(code) ?? [code];
}

function isUnder(code: TypeCode, ancestor: TypeCode): boolean {
  const { parent } = TYPE_CODES[code];
  return code === ancestor || (parent !== undefined && isUnder(parent, ancestor));
}
