import {
  formsOf,
  MAX_NAME_BEGINNING,
  MAX_WORD_BEGINNING,
  NAME_BEGINNINGS,
  type PlaceFilter,
  type WordForms,
} from "../meilisearch/place-index.ts";
import { filedUnder } from "../place/document/rest-words.ts";
import { isInArea } from "../place/geometry/areas.ts";
import { boundsAround, type Coordinates } from "../place/geometry/coordinates.ts";
import type { MomentIn } from "../place/time/open-state.ts";
import { firstLetters } from "../place/text/fold.ts";
import { hasSearchedFields } from "../place/document/own-fields.ts";
import { allTypes, perKinds, TYPE_CODES } from "../place/document/type-codes.ts";
import type { Beside, Lexicon } from "./lexicon.ts";
import { relatedKinds, typesAkin, typesOfKinds } from "./match.ts";
import { namesOfArea } from "./match-address.ts";
import { areNoCoincidence, sumOfNumbers, type Words } from "./match-words.ts";
import { numberWordsOf } from "./reading/address.ts";
import { spokenIn } from "./reading/kind-reading.ts";
import { beginningsOf } from "./reading/landmarks.ts";
import {
  isOfKindOnly,
  type AddressReading,
  type AreaReading,
  type LandmarkReading,
  type Reading,
} from "./reading/reading.ts";
import type { TypedWords } from "./reading/tokens.ts";
import type { Where } from "./search-context.ts";
import { AREAS, LOOKUPS, READING, RINGS, SUGGESTIONS } from "./numbers.ts";

/** What to look up for a reading. Nothing here waits for the engine or ranks. */

/** Places that match a filter, the nearest or the best known first. */
export interface Want {
  readonly filter: PlaceFilter;
  /** At most how many places of the dataset match. Decides only how far out to look first. */
  readonly expected: number;
  readonly limit: number;
  readonly order: "distance" | "prominence";
  readonly where: Where;
  /** Not further than the ring that holds so many places. */
  readonly within?: number;
  /** A name folded and without spaces, which the engine finds with typos, those most like it first. */
  readonly joinedName?: string;
}

/** A reading with what it needs of the index. Distances are measured from its centre, or from the nearest of its houses. */
export interface Intent extends LandmarkAt {
  readonly reading: Reading;
  readonly where: Where;
  readonly wants: readonly Want[];
  /** Finds where the landmark of the reading is: its wants are looked up around it. */
  readonly anchor?: readonly Want[];
}

/** Where a landmark is: a place, or the middle of a street and its houses. */
export interface LandmarkAt {
  readonly centre: Coordinates;
  readonly houses?: readonly Coordinates[];
}

/** What the words of a dataset and the request say about how to look up a reading. */
export interface Asked extends Pick<Words, "lexicon" | "light" | "places" | "countTypes"> {
  readonly centre: Coordinates;
  /** How many places the page may need. */
  readonly wanted: number;
  /** The moment at which readings with an opening wish want places to be open. */
  readonly openAt?: MomentIn;
}

/** The lookups of a reading. A word that no place has makes none. */
export function toIntent(reading: Reading, asked: Asked, around?: LandmarkAt): Intent {
  const { area, landmark, point, wishes } = reading;
  const isInside = area?.areas.some((one) => isInArea(one, asked.centre)) ?? false;
  const centre = around?.centre ?? point ?? (area && !isInside ? area.centre : asked.centre);
  const openAt = wishes.opening && asked.openAt;
  const where: Where = { centre, ...(openAt && { openAt }) };
  const inArea: Where = area && !around ? { ...where, areas: idsOf(area) } : where;
  const wants = together(possible(wantsOfReading(reading, asked, inArea)));
  const intent = { reading, ...(around?.houses && { houses: around.houses }), centre, where: inArea, wants };
  if (!landmark || around) return intent;
  const anchors = anchorsOf(landmark, asked, { centre, ...(area && { areas: idsOf(area) }) });
  return { ...intent, anchor: together(possible(anchors)) };
}

/** What no place can match is not looked up. */
const possible = (wants: readonly Want[]): Want[] => wants.filter(({ expected }) => expected > 0);

/** Those that few places match each are one want: a lookup costs the engine and the server as much as several places do. */
function together(wants: readonly Want[]): Want[] {
  const few = wants.filter(isOfFew);
  const [first, ...others] = few;
  if (!first || others.length === 0) return [...wants];
  const one: Want = {
    ...first,
    filter: { anyOf: few.map(({ filter }) => filter) },
    expected: sumOfNumbers(few.map(({ expected }) => expected)),
    limit: Math.max(...few.map(({ limit }) => limit)),
  };
  return wants.flatMap((want) => (want === first ? [one] : few.includes(want) ? [] : [want]));
}

const isOfFew = ({ expected, order, within, joinedName }: Want): boolean =>
  expected <= LOOKUPS.askedTogether &&
  order === "distance" &&
  within === undefined &&
  joinedName === undefined;

/** Makes a want of the nearest places: as many as the page needs unless more is said. */
type WantOf = (filter: PlaceFilter, expected: number, more?: Partial<Want>) => Want;

const nearestIn =
  (where: Where, limit: number): WantOf =>
  (filter, expected, more) => ({ filter, expected, limit, order: "distance", where, ...more });

/** The lookups of a name whose words must all be there, with their spaces: "thu y" is no "Thuý". */
export function toWordIntent(reading: Reading, asked: Asked): Intent {
  const { words: typed } = reading.name;
  const where: Where = { centre: asked.centre };
  const nearest = nearestIn(where, asked.wanted);
  const wants = possible([
    nearest({ nameWords: typed }, countNamed(typed, asked)),
    nearest({ wordSets: [typed] }, countAnywhere(typed, asked)),
  ]);
  return { reading, centre: asked.centre, where, wants };
}

/** One lookup of the places that are called like one of some readings, or that have its words in a name if they say enough. */
export function toHeldIntents(held: readonly Reading[], asked: Asked): Intent[] {
  const where: Where = { centre: asked.centre };
  const names = held.map(({ name }) => name.joined);
  const parts = held
    .filter(({ isHeld, name }) => isHeld === "part" && areNoCoincidence(name.words, asked))
    .map(({ name }) => ({ nameWords: name.words }));
  const expected = sumOfNumbers(held.map(({ name }) => countNamed(name.words, asked)));
  const wants = possible([nearestIn(where, asked.wanted)({ anyOf: [{ names }, ...parts] }, expected)]);
  return held.map((reading) => ({ reading, centre: asked.centre, where, wants }));
}

export const idsOf = ({ areas }: AreaReading): string[] => areas.map(({ id }) => id);

function wantsOfReading(reading: Reading, asked: Asked, where: Where): Want[] {
  const { form, kinds, name, address } = reading;
  const nearest = nearestIn(where, asked.wanted);
  if (address) return addressWants(address, name, asked, where);
  if (form === "point" || form === "area") {
    const around = nearest({ noneOf: [{ types: namedOnly() }] }, asked.places, { limit: 3 * asked.wanted });
    // Where nobody has rated anything, the best known are any places: those in the middle say more.
    return form === "point"
      ? [around]
      : [{ ...around, order: "prominence" }, namedLikeArea(reading, asked, nearest), around];
  }
  if (kinds.length > 0)
    return kindWants(reading, asked, nearestIn(where, Math.ceil(LOOKUPS.ofKinds * asked.wanted)));
  return nameWants(name, asked, where);
}

/** The market of an area has its name. */
function namedLikeArea({ area }: Reading, asked: Asked, nearest: WantOf): Want {
  const names = namesOfArea(area).map((name) => name.split(" "));
  return nearest(...anyName(names, asked), { order: "prominence" });
}

/** Those of some sets of words that any place may have, and about how many places have one of them. */
function possibleSets(
  sets: readonly (readonly WordForms[])[],
  asked: Asked,
  count: typeof countNamed,
): { readonly sets: readonly (readonly WordForms[])[]; readonly expected: number } {
  const counts = new Map(sets.map((set) => [set, count(set, asked)]));
  return { sets: sets.filter((set) => counts.get(set)! > 0), expected: sumOfNumbers([...counts.values()]) };
}

/** The names that any place may have, and about how many have one of them. */
function anyName(
  names: readonly (readonly WordForms[])[],
  asked: Asked,
): readonly [filter: PlaceFilter, expected: number] {
  const { sets, expected } = possibleSets(names, asked, countNamed);
  return [{ anyOf: sets.map((nameWords) => ({ nameWords })) }, expected];
}

const namedOnly = perKinds(() => allTypes().filter((code) => TYPE_CODES[code].isNamedOnly));

/** A word and those it may be a typo of. */
function withAlike(word: string, { alike }: Lexicon): WordForms {
  const others = alike(word);
  return others.length > 0 ? [word, ...others] : word;
}

/** The words that may be what was typed: the word alone where a name has it, or begins with the last. */
const formsOfName = (typed: readonly string[], lexicon: Lexicon, mayBeBegun: boolean): WordForms[] =>
  typed.map((word, index) => {
    const isBegun = mayBeBegun && index === typed.length - 1 && lexicon.beginningIn(word) > 0;
    return isBegun || lexicon.inNames(word) > 0 ? word : withAlike(word, lexicon);
  });

/** How many places have each word, or one of its forms, in a name. */
const countsInNames = (words: readonly WordForms[], { lexicon }: Asked): number[] =>
  words.map((word) => sumOfNumbers(formsOf(word).map(lexicon.inNames)));

/** How many have each in a name, the type or the address. */
const countsAnywhere = (words: readonly WordForms[], { lexicon, countTypes }: Asked): number[] =>
  words.map((word) =>
    sumOfNumbers(
      formsOf(word).map((form) => {
        const { values, types } = filedUnder(form);
        const ofTypes = types.length > 0 ? countTypes(types) : 0;
        return lexicon.inNames(form) + sumOfNumbers(values.map(lexicon.inAddresses)) + ofTypes;
      }),
    ),
  );

/** About how many places have all of some words. They go together, so each but the rarest counts less: SQL Server's exponential backoff. */
function countTogether(counts: readonly number[], places: number): number {
  const [rarest = 0, ...others] = counts.toSorted((a, b) => a - b);
  const estimate = others.reduce(
    (count, one, index) => count * Math.min(1, one / Math.max(1, places)) ** (1 / 2 ** (index + 1)),
    rarest,
  );
  return Math.max(Math.sign(rarest), Math.round(estimate));
}

/**
 * About how many places have the words of a phrase: as many as have the first two side by side, times the share of each further word among
 * the places of the word that it stands beside most (a tree of dependencies, Chow and Liu 1968). 0 where few places have one of the pairs.
 */
function countInRow(words: readonly WordForms[], counts: readonly number[], besideOf: Beside): number {
  const pairsOf = (one: WordForms, other: WordForms): number =>
    sumOfNumbers(
      formsOf(one).map((form) => {
        const beside = besideOf(form);
        return beside ? sumOfNumbers(formsOf(other).map((next) => beside.get(next) ?? 0)) : 0;
      }),
    );
  const [first, second, ...others] = words;
  if (first === undefined || second === undefined) return 0;
  let estimate = pairsOf(first, second);
  for (let at = 0; at < others.length && estimate > 0; at += 1) {
    const shares = words
      .slice(0, at + 2)
      .map((before, index) => pairsOf(before, others[at]!) / Math.max(1, counts[index]!));
    estimate *= Math.min(1, Math.max(...shares));
  }
  return Math.round(estimate);
}

const countNamed = (words: readonly WordForms[], asked: Asked): number => {
  const counts = countsInNames(words, asked);
  const inRow = countInRow(words, counts, asked.lexicon.besideInNames);
  return Math.max(inRow, countTogether(counts, asked.places));
};

const countAnywhere = (words: readonly WordForms[], asked: Asked): number => {
  const counts = countsAnywhere(words, asked);
  const inRow = countInRow(words, counts, asked.lexicon.besideAnywhere);
  return Math.max(inRow, countTogether(counts, asked.places));
};

function nameWants({ words: typed, joined }: TypedWords, asked: Asked, where: Where): Want[] {
  const { lexicon, wanted } = asked;
  const last = typed.at(-1);
  if (last === undefined) return [];
  const nearest = nearestIn(where, wanted);
  const forms = formsOfName(typed, lexicon, true);
  const named = countNamed(forms, asked);
  const isCommon = named > wanted;
  // Where the rarest word is in names only, no address has all of them. One word of an address says nothing but in a ward; one of an own
  // field may.
  const isElsewhere =
    (typed.length > 1 || where.areas !== undefined || hasSearchedFields()) &&
    Math.min(...countsAnywhere(forms, asked)) > Math.min(...countsInNames(forms, asked));
  const before = forms.slice(0, -1);
  const begun = Math.min(lexicon.beginningIn(last), before.length > 0 ? countNamed(before, asked) : Infinity);
  const nameBeginning = firstLetters(joined, MAX_NAME_BEGINNING);
  const beginning: PlaceFilter = {
    ...(before.every((form) => typeof form === "string") && { nameBeginning }),
    ...(before.length > 0 && { nameWords: before }),
    wordBeginning: firstLetters(last, MAX_WORD_BEGINNING),
  };
  const whole: PlaceFilter = {
    ...(!isCommon && { names: [joined] }),
    ...(named > 0 && { nameWords: forms }),
  };
  return [
    nearest(whole, Math.max(1, named)),
    // The nearest of many names with these words may all be longer ones.
    ...(isCommon ? [nearest({ names: [joined] }, 1)] : []),
    ...(isElsewhere ? [nearest({ wordSets: [forms] }, countAnywhere(forms, asked))] : []),
    nearest(beginning, begun),
    ...(typed.length === 1 && begun === 0
      ? [nearest({ nameBeginning }, Math.max(LOOKUPS.begun, lexicon.namesBeginning(nameBeginning)))]
      : []),
  ];
}

/** What names may be meant by their beginning: the nearest that begin so, the best known, and later words that begin so. */
export function beginningWants(
  { words: typed, joined }: TypedWords,
  { lexicon, wanted }: Asked,
  where: Where,
): Want[] {
  const last = typed.at(-1);
  if (last === undefined) return [];
  const before = typed.slice(0, -1);
  const isAlone = before.length === 0;
  const nameBeginning = firstLetters(joined, MAX_NAME_BEGINNING);
  const wordBeginning = firstLetters(last, MAX_WORD_BEGINNING);
  const begun: PlaceFilter = isAlone
    ? { nameBeginning }
    : { nameBeginning, nameWords: before, wordBeginning };
  const later: PlaceFilter = isAlone ? { wordBeginning } : { wordBeginning, wordSets: [before] };
  const countsBefore = before.map((word) => lexicon.inNames(word) + lexicon.inAddresses(word));
  const expected = Math.min(lexicon.beginningIn(last), ...countsBefore);
  const nearest = nearestIn(where, wanted);
  const isShort = joined.length < SUGGESTIONS.fewLetters;
  const isStored = !isAlone || NAME_BEGINNINGS.includes(Array.from(nameBeginning).length);
  const known = { order: "prominence", within: RINGS.around } as const;
  const within = isStored && !isShort ? RINGS.region : RINGS.around;
  return [
    nearest(begun, expected, { limit: 2 * wanted }),
    nearest(begun, expected, { ...known, within }),
    ...(isShort ? [] : [nearest(later, expected)]),
    // With other spaces than the name has: "highlandsco f" for "Highlands Coffee".
    ...(!isAlone && joined.length >= MAX_NAME_BEGINNING ? [nearest({ nameBeginning }, expected, known)] : []),
  ];
}

/** The nearest places of the types, and the nearest whose names say the kind; with more words only those that have them too. */
function kindWants({ kinds, name }: Reading, asked: Asked, nearest: WantOf): Want[] {
  const { lexicon, wanted, countTypes, places } = asked;
  const { words: others, joined } = name;
  const types = typesOfKinds(kinds);
  const forms = formsOfName(others, lexicon, true);
  const ofOthers = others.length > 0 ? countAnywhere(forms, asked) : Infinity;
  const holding: PlaceFilter = others.length > 0 ? { names: [joined], wordSets: [forms] } : {};
  const isProduct = kinds.some((kind) => kind.isProduct);
  const typed = countTypes(types);
  const ofTypes = nearest({ types, ...holding }, Math.min(typed, ofOthers));
  const names = kinds.map(({ words: one }) => one.join(""));
  if (names.every((one) => one === "")) return [ofTypes];
  const spoken = kinds.flatMap(spokenIn).map(({ words: one }) => one);
  const [{ anyOf: inNames = [] }, said] = anyName(spoken, asked);
  const alone = kinds.flatMap((kind) => kind.productAlone ?? []).map(({ words: one }) => one);
  const [aloneInNames, saidAlone] = anyName(alone, asked);
  const [inPart, saidInPart] = anyName(
    kinds.flatMap(({ shorter }) => (shorter ? [shorter.words] : [])),
    asked,
  );
  const [rarest, ...commoner] = kinds.toSorted(
    (one, other) => countTypes(one.codes) - countTypes(other.codes),
  );
  const [rarestInNames, saidRarest] = anyName(
    spokenIn(rarest!).map(({ words: one }) => one),
    asked,
  );
  const isCommon = !isProduct && others.length === 0 && typed >= RINGS.commonShare * places;
  const named: PlaceFilter = {
    ...(isProduct ? {} : { noneOf: [{ types }] }),
    anyOf: [{ names }, ...inNames],
    ...holding,
  };
  const half = isCommon ? { limit: Math.ceil(wanted / 2) } : {};
  return [
    ofTypes,
    nearest(named, Math.min(said + 1, ofOthers), half),
    // Apart from those: most cafés with "trung" in their names are no "cà phê trứng", and many names say a dish in part.
    nearest({ ...aloneInNames, types, ...holding }, Math.min(saidAlone, typed, ofOthers)),
    nearest({ ...inPart, ...holding }, Math.min(saidInPart, ofOthers)),
    // Of several kinds the nearest places are of the commonest: the nearest cafés have no board games.
    nearest(
      { ...rarestInNames, types: typesAkin(commoner), ...holding },
      commoner.length > 0 ? Math.min(saidRarest, ofOthers) : 0,
    ),
  ];
}

/** Related kinds, for where few places of the kinds themselves were found. */
export function relatedWants({ kinds, name }: Reading, { wanted, countTypes }: Asked, where: Where): Want[] {
  if (name.words.length > 0) return [];
  const types = relatedKinds(kinds);
  return possible([nearestIn(where, wanted)({ types }, countTypes(types))]);
}

const streetForms = ({ street }: AddressReading, lexicon: Lexicon): WordForms[] =>
  street.words.map((word) =>
    lexicon.inNames(word) + lexicon.inAddresses(word) > 0 ? word : withAlike(word, lexicon),
  );

/** The house; of a street without a number, and the name that stands beside it, the nearest houses. */
function addressWants(address: AddressReading, name: TypedWords, asked: Asked, where: Where): Want[] {
  const street = streetForms(address, asked.lexicon);
  const house = [...numberWordsOf(address), ...street];
  const isHouse = house.length > street.length;
  const nearest = nearestIn(where, asked.wanted);
  const limit = (isHouse ? LOOKUPS.ofHouses : 1) * asked.wanted;
  return [
    nearest({ wordSets: [house] }, countAnywhere(house, asked), { limit }),
    ...(name.words.length > 0
      ? [nearest({ wordSets: [[...name.words, ...street]] }, countAnywhere(street, asked))]
      : []),
  ];
}

/** The nearest houses of the street of an address with a number, around the house where it is known. */
export function neighbourWants(
  { address }: Reading,
  asked: Asked,
  where: Where,
  house?: Coordinates,
): Want[] {
  if (!address || numberWordsOf(address).length === 0) return [];
  const street = streetForms(address, asked.lexicon);
  const at = house ? { where: { ...where, centre: house }, within: LOOKUPS.mostSorted } : {};
  return possible([nearestIn(where, asked.wanted)({ wordSets: [street] }, countAnywhere(street, asked), at)]);
}

/** The places that are called like a landmark, and those in a street of this name; the nearest of a kind in the caller's city. */
function anchorsOf(landmark: LandmarkReading, asked: Asked, where: Where): Want[] {
  const { words: typed, joined, kinds, beside } = landmark;
  // A ring that holds a dozen on average seldom holds none.
  const nearest = nearestIn(where, LOOKUPS.landmarks);
  const types = typesOfKinds(kinds);
  const ofTypes = asked.countTypes(types);
  if (isOfKindOnly(landmark)) {
    const bounds = where.centre && boundsAround(where.centre, AREAS.ownCityMeters);
    return [nearest({ types }, ofTypes, { where: { ...where, ...(bounds && { bounds }) } })];
  }
  const forms = formsOfName(typed, asked.lexicon, false);
  const named = countNamed(forms, asked);
  const besideKind = formsOfName(beside.words, asked.lexicon, false);
  const ofKind = Math.min(ofTypes, countAnywhere(besideKind, asked));
  const beginnings = landmark.relation === "none" ? [] : beginningsOf(landmark);
  const inStreet = (words: readonly WordForms[]): Want =>
    nearest({ wordSets: [words] }, countAnywhere(words, asked), { limit: LOOKUPS.housesOfStreet });
  return [
    ...(kinds.length > 0 ? [nearest({ types, wordSets: [besideKind] }, ofKind)] : []),
    nearest({ names: [joined], ...(named > 0 && { nameWords: forms }) }, Math.max(1, named)),
    ...(beginnings.length > 0
      ? [nearest({ names: [...new Set(beginnings.flatMap(waysToCall))] }, beginnings.length)]
      : []),
    inStreet(forms),
    ...beginnings
      .filter(({ words, kinds }) => kinds.length === 0 && words.length <= READING.wordsOfStreet)
      .map(({ words }) => inStreet(words)),
  ];
}

/** How names may say a landmark: as it was typed, and with other words for its kind. */
export const waysToCall = ({ joined, kinds, beside }: LandmarkReading): string[] => [
  joined,
  ...kinds.flatMap(spokenIn).map(({ words }) => `${words.join("")}${beside.joined}`),
];

/** The words with each of them replaced by those one letter away, where the other words are known: any may be mistyped. */
const replacedOnce = (typed: readonly string[], lexicon: Lexicon): (readonly WordForms[])[] =>
  typed.map((_, at) => formsOfName(typed, lexicon, false).toSpliced(at, 1, lexicon.oneTypoAway(typed[at]!)));

/** The places in a street, or with a name, that may be the landmark with a typo. */
export function landmarkTypoWants({ words: typed }: LandmarkReading, asked: Asked, where: Where): Want[] {
  const { sets, expected } = possibleSets(replacedOnce(typed, asked.lexicon), asked, countAnywhere);
  return possible([nearestIn(where, LOOKUPS.housesOfStreet)({ wordSets: sets }, expected)]);
}

/** What to look up where no place has what was typed: it is mistyped, or has a word too many. */
export function typoWants({ name, address }: Reading, asked: Asked, where: Where): Want[] {
  const nearest = nearestIn(where, asked.wanted);
  const wants = address ? streetTypoWants(address, asked, nearest) : nameTypoWants(name, asked, nearest);
  return together(possible(wants));
}

/** The house in a street that has all words but one, which is mistyped. */
function streetTypoWants(address: AddressReading, asked: Asked, nearest: WantOf): Want[] {
  const numbers = numberWordsOf(address);
  const shorter = allButOneOf(streetForms(address, asked.lexicon), asked);
  const wordSets = shorter.sets.map((set) => [...numbers, ...set]);
  return [nearest({ wordSets }, sumOfNumbers(wordSets.map((set) => countAnywhere(set, asked))))];
}

function nameTypoWants({ words: typed, joined }: TypedWords, asked: Asked, nearest: WantOf): Want[] {
  const { lexicon } = asked;
  const some = typed.slice(0, LOOKUPS.forgivenWords);
  const forms = some.map((word) => withAlike(word, lexicon));
  const known = formsOfName(some, lexicon, false);
  const isShort = some.length <= LOOKUPS.wordsReplaced;
  // A typo may make another word that names have: "tho hanh" for "thao hanh". In a long text it is the word left out below.
  const replaced = some.length < 2 || !isShort ? [] : replacedOnce(some, lexicon);
  // Every word may be mistyped: "ocm am ut hang" for "com tam ut hang".
  const anyForms = some.length > 2 && isShort ? some.map((word) => [word, ...lexicon.oneTypoAway(word)]) : [];
  const certain = some.filter((word) => lexicon.inNames(word) > 0);
  const shorter = allButOneOf(isShort ? forms : known, asked);
  const named = (words: readonly WordForms[]): Want =>
    nearest({ nameWords: words }, countNamed(words, asked));
  const byLetters = nearest({}, asked.places, {
    joinedName: joined,
    order: "prominence",
    within: RINGS.region,
    limit: 2 * asked.wanted,
  });
  return [
    ...(joined.length <= LOOKUPS.lettersMistyped ? [byLetters] : []),
    ...(forms.some((form) => typeof form !== "string") ? [named(forms)] : []),
    nearest(...anyName(replaced, asked)),
    named(anyForms),
    ...(certain.length < some.length ? [named(certain)] : []),
    nearest({ wordSets: shorter.sets }, shorter.expected),
  ];
}

/** The words without one of them, where places have all of those, and about how many do. */
const allButOneOf = (words: readonly WordForms[], asked: Asked) =>
  possibleSets(
    words.map((_, left) => words.toSpliced(left, 1)),
    asked,
    countAnywhere,
  );

/** Whether thousands of addresses may have the words. They do so in groups: a ring holds all places of a street or none. */
export const isCrowded = ({ filter, expected }: Want): boolean =>
  filter.wordSets !== undefined && expected > LOOKUPS.mostSorted;
