import type { Coordinates } from "../place/geometry/coordinates.ts";
import type { PlaceDocument } from "../place/document/place-document.ts";
import { fold, joinWords, words } from "../place/text/fold.ts";
import { houseNumbersOf, phoneKey, siteKey } from "./contacts.ts";
import { coreWords, numberWords, type ComparedName } from "./name-likeness.ts";

/** Values that many places of one source share, and that therefore do not distinguish them. */
export interface Commonness {
  isCommonName(name: string): boolean;
  isCommonPhone(phone: string): boolean;
  isCommonSite(site: string): boolean;
}

/** The data of a place that decides whether another one is the same. */
export interface Signature extends Coordinates, ComparedName {
  readonly source: string;
  readonly type: string;
  readonly houses: readonly string[];
  /** Empty when the place has no number that distinguishes it. */
  readonly phone: string;
  readonly site: string;
}

/** Limits the names of towns, which have one in every language of the world. */
const MAX_OTHER_NAMES = 20;

/** What a signature is made of. */
export type SignedPlace = Pick<
  PlaceDocument,
  "title" | "alternate_names" | "type" | "contacts" | "location"
> &
  Partial<Pick<PlaceDocument, "source">>;

/** The signature of a place. */
export function toSignature({
  title,
  alternate_names,
  type,
  contacts,
  location,
  source = "",
}: SignedPlace): Signature {
  const { street } = location.address;
  const folded = fold(title);
  const { latitude, longitude } = location;
  const otherNames = alternate_names.slice(0, MAX_OTHER_NAMES).map((name) => joinWords(fold(name)));
  return {
    source,
    latitude,
    longitude,
    title,
    type,
    name: joinWords(folded),
    otherNames: [...new Set(otherNames)].filter((name) => name !== ""),
    core: coreWords(folded, type),
    numbers: numberWords(folded),
    streetWords: words(fold(street)),
    houses: houseNumbersOf(street),
    phone: phoneKey(contacts.phone),
    site: siteKey(contacts.website),
  };
}
