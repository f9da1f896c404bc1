import type { Area } from "../../place/areas.ts";
import type { Coordinates } from "../../place/coordinates.ts";
import type { OpeningWish } from "../../place/open-state.ts";
import type { TypeCode } from "../../place/type-codes.ts";
import type { AddressReading } from "./address.ts";
import { toTypedWords, type TypedWords } from "./tokens.ts";

/** One plausible meaning of a query. */
export interface Reading {
  /**
   * The words that must match names or, with a kind, the address. Empty when the kind or the area says
   * everything.
   */
  readonly name: TypedWords;
  readonly kinds: readonly KindReading[];
  readonly wishes: Wishes;
  readonly area?: AreaReading;
  readonly address?: AddressReading;
  readonly point?: Coordinates;
  /** The words after "gần": a place or a street that results should be near. */
  readonly landmark?: TypedWords;
  /** True when the query asks for places near the caller. */
  readonly isNear: boolean;
  /** Words that were understood and need not match. */
  readonly filler: readonly string[];
}

/** A kind of place that the query names. */
export interface KindReading {
  /** The type codes, including their child types. */
  readonly codes: readonly TypeCode[];
  /** The folded words that named it. */
  readonly words: readonly string[];
  /**
   * How names say the kind: in these words without generic ones ("ca phe" for "quan ca phe"), and by the labels of
   * the type ("chua" for "pagoda"). Places with such names compete: "Pizza 4P's" is a RESTAURANT.
   */
  readonly inNames: readonly NameWords[];
  readonly isMistyped: boolean;
  /** The words name something that some places of the kind offer: those whose name says it come first. */
  readonly isProduct?: true;
}

/** Words by which names say a kind. */
export interface NameWords {
  /** Folded. */
  readonly words: readonly string[];
  /** Their spellings with marks: the "chữa" in "Phòng khám chữa bệnh" is not "chùa". Empty when any marks will do. */
  readonly marked: readonly string[];
}

/** What the query asks for besides the kind. Opening wishes filter; the others affect the order. */
export interface Wishes {
  readonly opening?: OpeningWish;
  readonly price?: "cheap" | "expensive";
  readonly isWellRated: boolean;
  readonly features: readonly string[];
}

/** The area in which the query looks for places. */
export interface AreaReading {
  /** The area as it was before and after the reform, and its parts. A place in any of them is inside. */
  readonly areas: readonly Area[];
  /** The name of the first area. */
  readonly name: string;
  readonly level: Area["level"];
  readonly centre: Coordinates;
  /** The larger areas that the query also named: Quận 3 in "phường 1 quận 3". */
  readonly within: readonly Area[];
  /** The folded words that named it. */
  readonly words: readonly string[];
}

/** No wishes. */
const NO_WISHES: Wishes = { isWellRated: false, features: [] };

/**
 * A reading and its likelihood, by which readings are sorted. The plain reading has 0. Only the order has a meaning: the phrases of
 * the tests (phrases.csv) say which is right.
 */
export interface RankedReading {
  readonly reading: Reading;
  readonly likelihood: number;
}

/** A reading that says nothing but these parts. */
export const toReading = (parts: Partial<Reading>): Reading => ({
  name: toTypedWords([]),
  kinds: [],
  wishes: NO_WISHES,
  isNear: false,
  filler: [],
  ...parts,
});
