import type { Coordinates } from "../../../src/place/coordinates.ts";

/** Kinds that look for one place by its name, in the order of the report. */
export const NAME_KINDS = [
  "exact",
  "no-marks",
  "typo-1",
  "typo-2",
  "typo-1-any",
  "typo-2-any",
  "first-60",
  "joined",
  "swapped",
  "word-missing",
  "far",
] as const;
export type NameKind = (typeof NAME_KINDS)[number];

export const KINDS = [
  ...NAME_KINDS,
  "autocomplete",
  "autocomplete-known",
  "category",
  "category-typo",
  "chain",
  "address",
  "street-ward",
] as const;
export type Kind = (typeof KINDS)[number];

/** Whether the question is put to autocomplete; all others are searches. */
export const isAutocomplete = (kind: Kind): boolean => kind.startsWith("autocomplete");

/** One question and what a perfect answer would be: a datum, made by rule, written out with `--write-cases`. */
export interface EvalCase {
  readonly kind: Kind;
  readonly query: string;
  readonly centre: Coordinates;
  readonly expected: Expected;
}

export interface Expected {
  /** Any of these in first place is right. None for a category. */
  readonly dataIds: readonly string[];
  /** The folded name that was meant, for the kinds that are typed from a name. */
  readonly name?: string;
  /** It is the name of so many places that one which adds its street to it ("Highlands Coffee Bà Triệu") is a branch too. */
  readonly isChain?: true;
  /** How many characters of the name were typed (autocomplete). */
  readonly typed?: number;
  /** The type codes that belong to the category. */
  readonly types?: readonly string[];
  /** The mean distance of the ten nearest places of the category. */
  readonly idealMeters?: number;
  /** The five nearest branches of a chain. */
  readonly nearestFive?: readonly string[];
}
