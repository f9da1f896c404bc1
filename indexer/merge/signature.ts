import { cellsAround } from "../../src/place/cells.ts";
import type { Coordinates } from "../../src/place/coordinates.ts";
import { dataIdIdentity } from "../../src/place/data-id.ts";
import type { PlaceDocument } from "../../src/place/place-document.ts";
import { fold, joinWords, words } from "../../src/text/fold.ts";
import { phoneKey, siteKey } from "./contacts.ts";
import { houseNumbersOf } from "./house-numbers.ts";
import { countFilled } from "./merged-place.ts";
import { coreWords, numberWords } from "./name-core.ts";

/** The cells that places are looked for in; a cell and those that touch it reach 200 m at least. */
export const CELL_RESOLUTION = 9;

/** What of a place tells whether another is the same. */
export interface Signature extends Coordinates {
  readonly identity: string;
  readonly data_id: string;
  readonly source: string;
  readonly cell: string;
  readonly title: string;
  readonly type: string;
  /** The title folded and without spaces; the alternate names likewise. */
  readonly name: string;
  readonly otherNames: readonly string[];
  /** The words of the title that are its own. */
  readonly core: readonly string[];
  /** Words of the title that are or hold numbers. */
  readonly numbers: readonly string[];
  /** The words of house and street, where a title may have its number from, and half its name. */
  readonly streetWords: readonly string[];
  readonly houses: readonly string[];
  /** Empty when there is none that tells places apart. */
  readonly phone: string;
  readonly site: string;
  /** How many members are filled. */
  readonly filled: number;
}

/** Towns have a name in every language of the world. */
const MAX_OTHER_NAMES = 20;

export function toSignature(place: PlaceDocument): Signature {
  const { title, type, contacts, location } = place;
  const { street } = location.address;
  const folded = fold(title);
  const { latitude, longitude } = location;
  const otherNames = place.alternate_names.slice(0, MAX_OTHER_NAMES).map((name) => joinWords(fold(name)));
  return {
    identity: dataIdIdentity(place.data_id),
    data_id: place.data_id,
    source: place.source,
    cell: cellsAround(location, CELL_RESOLUTION, 0)[0] ?? "",
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
    filled: countFilled(place),
  };
}
