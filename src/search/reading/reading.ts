import type { Area } from "../../place/geometry/areas.ts";
import type { Coordinates } from "../../place/geometry/coordinates.ts";
import type { OpeningWish } from "../../place/time/open-state.ts";
import type { TypeCode } from "../../place/document/type-codes.ts";
import { toTypedWords, type TypedWords } from "./tokens.ts";

/** One plausible meaning of a query: what each of its words stands for. */
export interface Reading {
  /** Decides how a place is compared with it. */
  readonly form: ReadingForm;
  /** The words that names or, beside a kind, addresses must hold. Empty when the other parts say everything. */
  readonly name: TypedWords;
  /** Words that say a kind, a wish or an area. Those of each stand together in a name, or are the type: apart they say no more. */
  readonly together?: readonly SaidTogether[];
  readonly kinds: readonly KindReading[];
  /** Kinds that were said beside a name: a place of another kind must have the name, and not one like it. */
  readonly besideKinds?: readonly KindReading[];
  readonly wishes: Wishes;
  readonly area?: AreaReading;
  readonly address?: AddressReading;
  readonly point?: Coordinates;
  /** A place or a street that results should be near. */
  readonly landmark?: LandmarkReading;
  /** True when the query asks for places near the caller. */
  readonly isNear: boolean;
  /** Words that were understood and need not match. */
  readonly filler: readonly string[];
  /** Such words stand between the others. */
  readonly isParted?: true;
  /** Words that were not understood. A place that has them in its name comes first, but none must. */
  readonly unread: readonly string[];
  /** How many words between or beside those of the name were taken for filler, although a name may hold them. */
  readonly dropped: number;
  /** The name stands inside of a question, and counts only for places that are called so: whole, or also in part if it says enough. */
  readonly isHeld?: "whole" | "part";
  /** No word says the kinds: how likely it is, 0 to 1, that the sentence needs them. */
  readonly need?: number;
  /** Some of the words were taken for others, one letter away. */
  readonly respelled?: Respelled | undefined;
}

/** How sure it is that words were mistyped, and which were meant. */
export interface Respelled {
  /** No place has any of the words as they were typed. */
  readonly isSure: boolean;
  /** The sum over these words of how likely it is, 0 to 1, that another one was meant. */
  readonly doubt: number;
}

/** Words that belong together. */
export interface SaidTogether {
  /** Folded, with spaces. */
  readonly words: string;
  /** The types that they name: a place of these need not have them in its name. */
  readonly codes: readonly TypeCode[];
  /** Whether its address may have them instead: beside words of a name they may be those of a street. */
  readonly mayBeAddress?: boolean;
}

/**
 * `plain`: all words are a name. `name`: some of them are, the others say more. `kind`: a kind, perhaps with words beside it. `address`,
 * `area`, `point`: a place on the map. `wish`: nothing but wishes.
 */
export type ReadingForm = "plain" | "name" | "kind" | "address" | "area" | "point" | "wish";

/** Words that name a place or a street. */
export interface LandmarkReading extends TypedWords {
  /** The kind that they begin with, if any. */
  readonly kinds: readonly KindReading[];
  /** The words behind the kind. None: the nearest of "gần sân bay" is meant. */
  readonly beside: TypedWords;
  /** A word such as "gần", "ở" or "có" says that they are a place on the map. */
  readonly relation: "near" | "in" | "has" | "none";
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
  /** A word of another language, or one that mappers search the kind by, such as a brand: names may begin so too. */
  readonly isBorrowed?: true;
  /** The words are a chain of the kind. Counts only where no place is called so. */
  readonly isChain?: true;
  /** The words name a dish or a product that some places of the kind offer: those whose name says it come first. */
  readonly isProduct?: true;
  /** The beginning of a dish that is one as well, as names say it: the "bánh canh" of "bánh canh cua". */
  readonly shorter?: NameWords;
  /** The product without its kind, as names of places of the kind have it: "board game" for "board game cafe". */
  readonly productAlone?: readonly NameWords[];
  /** The words are none of the labels of the type, and may be a whole name: "kho bạc nhà nước". */
  readonly isSpecific?: true;
}

/** Words by which names say a kind. */
export interface NameWords {
  /** Folded. */
  readonly words: readonly string[];
  /** Their spellings with marks: the "chữa" in "Phòng khám chữa bệnh" is not "chùa". Empty when any marks will do. */
  readonly marked: readonly string[];
  /** They were typed with marks. */
  readonly isMarked?: true;
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
  /** A bare name that is often that of a street or a person too. */
  readonly isWeak: boolean;
}

/** A house, or a street without a number. */
export interface AddressReading {
  /** Such as "12", "12a" or "12/3/5b"; the first number of a range. Missing for a street without a number. */
  readonly number?: string;
  /** The last number of a range: 14 in "12-14". */
  readonly lastNumber?: string;
  /** The alleys in the order typed: ngõ 12, ngách 12/3. */
  readonly alleys: readonly string[];
  /** Without generic words such as "đường". */
  readonly street: TypedWords;
  /** A word such as "số", "ngõ" or "đường" says that it is one. */
  readonly isSaid?: boolean;
}

/** Whether the words are a house and nothing else, and say so. */
export const isHouseOnly = ({ address, name }: Reading): boolean =>
  address?.number !== undefined && address.isSaid === true && name.words.length === 0;

/** Whether no name says which place of its kind a landmark is. */
export const isOfKindOnly = ({ kinds, beside }: LandmarkReading): boolean =>
  kinds.length > 0 && beside.words.length === 0;

/** Whether the words are a chain, whose kind stands in where no place is called so. */
export const isChain = ({ kinds }: Reading): boolean => kinds.some((kind) => kind.isChain);

/** No wishes. */
const NO_WISHES: Wishes = { isWellRated: false, features: [] };

/** Whether a query wishes anything that changes the order of places. */
export const affectsOrder = ({ price, isWellRated, features }: Wishes): boolean =>
  price !== undefined || isWellRated || features.length > 0;

/** Whether a query wishes anything that changes which places come, or their order. */
export const hasWishes = (wishes: Wishes): boolean => wishes.opening !== undefined || affectsOrder(wishes);

/** A reading that says nothing but these parts. */
export const toReading = (form: ReadingForm, parts: Partial<Reading>): Reading => ({
  form,
  name: toTypedWords([]),
  kinds: [],
  wishes: NO_WISHES,
  isNear: false,
  filler: [],
  unread: [],
  dropped: 0,
  ...parts,
});
