import type { Coordinates } from "../../../src/place/coordinates.ts";

/** The kinds of texts that people type into a place search, each measured apart. */
export const SEARCH_KINDS = [
  "exact",
  "no_marks",
  "one_typo",
  "first_60",
  "category",
  "chain",
  "address",
  "far_exact",
] as const;

export type SearchKind = (typeof SEARCH_KINDS)[number];

/** `type` is the code that a category word stands for; systems that know no such words are given it. */
export interface SearchRequest {
  readonly operation: "search";
  readonly kind: SearchKind;
  readonly text: string;
  readonly centre: Coordinates;
  readonly type?: string;
}

export interface AutocompleteRequest {
  readonly operation: "autocomplete";
  readonly text: string;
  readonly centre: Coordinates;
}

interface DetailRequest {
  readonly operation: "detail";
  readonly dataId: string;
}

/** One question of the bench, in words that fit every system; each system turns it into a call of its own. */
export type BenchRequest = SearchRequest | AutocompleteRequest | DetailRequest;
