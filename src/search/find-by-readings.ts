import type { PlaceCandidate } from "../meilisearch/place-index.ts";
import { isInBounds, type Bounds } from "../place/coordinates.ts";
import {
  findByReading,
  findNamesakesOf,
  idsOf,
  type Effort,
  type FoundByReading,
  type ReadingSearch,
} from "./find-reading.ts";
import { isInOneName, type TextQuality } from "./match.ts";
import { typesOfKinds } from "./plan.ts";
import type { Where } from "./search-context.ts";
import {
  asLastResort,
  asUnlikely,
  asWholeQuery,
  hasNameAlike,
  hasWholeNameAlike,
  isAlike,
  type ScoredPlace,
  type Weights,
} from "./rank.ts";
import type { QueryReadings } from "./reading/read-query.ts";
import type { Reading } from "./reading/reading.ts";

/** The places of all readings of a query, in one order. */

/** A result that has all that was typed: other readings of the query are not needed. */
const SETTLED_QUALITY = 0.97;

/** Reached by places that have all words in their names, hardly by those that have some in the address. */
const NAMED_QUALITY = 0.76;

/**
 * The places of all readings, scored together. The readings run one after another, the likeliest first, until one finds what
 * was typed. The plain words are looked up as a whole name, since any words may be one: before a first reading with a name, which
 * is not needed then, and along with any other. If no reading finds what was typed, the plain words are searched thoroughly.
 */
export async function findByReadings(
  { readings, plain, kindAlone, names }: QueryReadings,
  search: ReadingSearch,
): Promise<readonly WishedPlace[]> {
  const [first = plain, ...others] = readings;
  // A kind with a typo counts only if no name is like the query.
  const hasDoubtful = others.some(isMistypedKind);
  // What an abbreviation stands for is rather meant than a name with a typo.
  const isThorough = isPlain(first, plain) && !hasDoubtful && names.length === 0;
  const namesakesFound =
    isPlain(first, plain) || isKindAlone(first, plain)
      ? []
      : findNamesakesOf(plain.name, search.contextAt({}), first.area === undefined);
  if (saysName(first) && (await namesakesFound).some(({ text }) => text.isWholeName)) {
    return toWished({ places: await namesakesFound, isWishDropped: false });
  }
  const [found, ...namesakes] = await Promise.all([
    findByReading(first, search, isThorough ? "thorough" : "quick"),
    namesakesFound,
    ...names.map(({ name, area }) => findNamesakesOf(name, search.contextAt(whereOf({ area })), false)),
  ]);
  const begun = merge([toWished(found), toWished({ places: namesakes.flat(), isWishDropped: false })]);
  const all = await addOtherReadings(begun, { readings, plain }, search);
  if (isSettled(all)) return all;
  // Where a kind with a typo or an address was meant, a name with a typo further away is not.
  const isDoubtful = hasDoubtful || first.address !== undefined;
  const effort = isDoubtful && all.length > 0 ? "regional" : "thorough";
  return addLeftOut(all, { ...(kindAlone && { kindAlone }), first, plain, isThorough, effort }, search);
}

/** The places of the readings after the first, as far as they are needed. */
async function addOtherReadings(
  found: readonly WishedPlace[],
  { readings: [first, ...others], plain }: Pick<QueryReadings, "readings" | "plain">,
  search: ReadingSearch,
): Promise<readonly WishedPlace[]> {
  let all = found;
  let isAfterPlain = first === undefined || isPlain(first, plain);
  for (const reading of others) {
    if (isSettled(all)) return all;
    if (isPlain(reading, plain)) isAfterPlain = true;
    if (isPlain(reading, plain) || !isNeeded(reading, { all, plain, isAfterPlain })) continue;
    const { places, isWishDropped } = await findByReading(reading, search, "quick");
    const isKind = isKindInArea(reading);
    if (isAfterPlain && isKind) all = all.map((place) => asNamesake(place, plain));
    const asFound = isMistypedKind(reading) && all.some(isLike(plain)) ? asLastResort : asUnlikelyName;
    const scored = isAfterPlain && !isKind ? places.map(asFound) : places;
    all = merge([all, toWished({ places: scored, isWishDropped })]);
  }
  return all;
}

/** Whether a reading may find more than what was found so far. */
function isNeeded(
  reading: Reading,
  found: { readonly all: readonly WishedPlace[]; readonly plain: Reading; readonly isAfterPlain: boolean },
): boolean {
  const { all, plain, isAfterPlain } = found;
  // The letters of "quan c phe" are all in the name and the address of "C.O.C", which nobody means.
  if (isMistypedKind(reading)) {
    const ofKind = new Set<string>(typesOfKinds(reading.kinds));
    return !all.filter(({ place }) => !ofKind.has(place.type)).some(isLike(plain));
  }
  // A kind in an area gives way to names only, an area alone to addresses too.
  const enough = reading.kinds.length > 0 ? NAMED_QUALITY : 0;
  const isFound = all.some(
    ({ text, place }) =>
      text.isComplete && text.quality >= enough && (!isAboutArea(reading) || isNamed(place, text, plain)),
  );
  const isMistypedName =
    saysName(reading) && isSpelledOut(reading.area) && hasWholeNameAlike(all, plain.name);
  if (isAfterPlain && (isFound || isMistypedName) && !isKindInArea(reading)) return false;
  // The words of a type are in the text of its places: what has all words is of the kind too.
  return !isKindWithWords(reading) || (!isFound && !hasNameAlike(all));
}

/** Where no reading found all that was typed: the plain words searched thoroughly, or the kind without the other words. */
async function addLeftOut(
  all: readonly WishedPlace[],
  asked: Pick<QueryReadings, "kindAlone" | "plain"> & {
    readonly first: Reading;
    readonly isThorough: boolean;
    readonly effort: Effort;
  },
  search: ReadingSearch,
): Promise<readonly WishedPlace[]> {
  const { kindAlone, first, plain, isThorough, effort } = asked;
  if (kindAlone?.isSentence && !hasNearName(all)) {
    const [ofKind, named] = await Promise.all([
      findByReading(kindAlone.reading, search, "quick"),
      findByReading(plain, search, "quick"),
    ]);
    // "truong qday tre em khuyet tat" is a name with a typo, though "trẻ em" is a wish too.
    const names = toWished(named).filter(({ text }) => text.likeness >= WHOLE_NAME_LIKENESS);
    if (names.length > 0) return merge([all, names]);
    const places = hasNameAlike(all) ? ofKind.places.map(asUnlikely) : ofKind.places;
    return merge([all, toWished({ ...ofKind, places })]);
  }
  if (saysName(first) && all.some(({ text }) => text.isWholeName)) return all.toSorted(byScore);
  const searched = isThorough ? all : merge([all, toWished(await findByReading(plain, search, effort))]);
  if (kindAlone === undefined || hasNameAlike(searched)) return searched;
  const { places, isWishDropped } = await findByReading(kindAlone.reading, search, "quick");
  return merge([searched, toWished({ places: places.map(asLastResort), isWishDropped })]);
}

/** A typo in a name of seven letters, two in one of fourteen. */
const WHOLE_NAME_LIKENESS = 0.85;

/** Initials such as "hbt" have fewer letters. A name with a typo may end like a ward, but not by chance like initials. */
const MIN_LETTERS_SPELLED_OUT = 5;

const isSpelledOut = (area: Reading["area"]): boolean =>
  area === undefined || area.words.join("").length >= MIN_LETTERS_SPELLED_OUT;

const saysName = ({ name, kinds }: Reading): boolean => kinds.length === 0 && name.joined !== "";

/** The lookups of a kind find the places with its name too. */
const isKindAlone = ({ kinds: [kind, ...others] }: Reading, plain: Reading): boolean =>
  kind !== undefined && others.length === 0 && kind.words.join("") === plain.name.joined;

const whereOf = ({ area }: { readonly area?: Reading["area"] }): Where =>
  area ? { areas: idsOf(area) } : {};

/** A name that holds the whole query comes before the places of its kind in its area. */
const asNamesake = (place: WishedPlace, plain: Reading): WishedPlace =>
  isNamed(place.place, place.text, plain) ? { ...place, ...asWholeQuery(place, true) } : place;

const isNamed = (place: PlaceCandidate, { isWholeName }: TextQuality, { name }: Reading): boolean =>
  isWholeName || isInOneName(name.words, place);

const isLike =
  (plain: Reading) =>
  ({ place, text }: ScoredPlace): boolean =>
    isAlike(text) || isNamed(place, text, plain);

/** A place of the very name in the area is as likely as one that has all words somewhere. */
const asUnlikelyName = (place: ScoredPlace): ScoredPlace =>
  place.text.isWholeName ? place : asUnlikely(place);

/** Something in an area, not the area alone. */
const isAboutArea = ({ area, kinds, name }: Reading): boolean =>
  area !== undefined && (kinds.length > 0 || name.joined !== "");

/** "Chợ quận Hà Đông" is a market there unless one is called so. */
const isKindInArea = ({ kinds, area, name }: Reading): boolean =>
  kinds.length > 0 && area !== undefined && name.joined === "" && !kinds.some(({ isMistyped }) => isMistyped);

const isKindWithWords = ({ kinds, name }: Reading): boolean => kinds.length > 0 && name.joined !== "";

const isMistypedKind = ({ kinds }: Reading): boolean => kinds.some(({ isMistyped }) => isMistyped);

export const isPlain = (reading: Reading, plain: Reading): boolean =>
  reading === plain ||
  (reading.name.joined === plain.name.joined &&
    reading.kinds.length === 0 &&
    reading.area === undefined &&
    reading.address === undefined &&
    reading.wishes.opening === undefined);

/** A sentence with a kind rarely means a place further away that has its other words. */
const NEAR_NAME_METERS = 5_000;

const hasNearName = (places: readonly WishedPlace[]): boolean =>
  hasNameAlike(places.filter(({ distanceMeters }) => distanceMeters <= NEAR_NAME_METERS));

/** A scored place and whether the opening wish of its reading was left out. */
export interface WishedPlace extends ScoredPlace {
  readonly isWishDropped: boolean;
}

export const toWished = ({
  places,
  isWishDropped,
}: Pick<FoundByReading, "places" | "isWishDropped">): WishedPlace[] =>
  places.map((place) => ({ ...place, isWishDropped }));

/** The same, where a place in the rectangle scores as if it were at the centre. */
export function mergePreferring<Place extends ScoredPlace>(
  bounds: Bounds,
  lists: readonly (readonly Place[])[],
  { distance: highest }: Weights,
): Place[] {
  const prefer = (scored: Place): Place => {
    if (!isInBounds(bounds, scored.place.location)) return scored;
    const distance = Math.max(highest, scored.distance);
    return { ...scored, distance, score: scored.score + distance - scored.distance };
  };
  const all = merge(lists.map((list) => list.map(prefer)));
  return all.toSorted(byScore);
}

/** Each place once, with the best of its scores; ties by id. */
function merge<Place extends ScoredPlace>(lists: readonly (readonly Place[])[]): Place[] {
  const [first = [], ...others] = lists.filter((list) => list.length > 0);
  if (others.length === 0) return [...first];
  const best = new Map<string, Place>();
  for (const place of [...first, ...others.flat()]) {
    const known = best.get(place.place.id);
    if (known === undefined || place.score > known.score) best.set(place.place.id, place);
  }
  return [...best.values()].toSorted(byScore);
}

const byScore = (a: ScoredPlace, b: ScoredPlace): number =>
  b.score - a.score || (a.place.id < b.place.id ? -1 : 1);

const isSettled = ([best]: readonly WishedPlace[]): boolean =>
  best !== undefined && best.text.isComplete && best.text.quality >= SETTLED_QUALITY;
