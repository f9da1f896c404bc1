import type { PlaceCandidate } from "../meilisearch/place-index.ts";
import { typeLabels } from "../place/document/rest-words.ts";
import { branchOf, isTypeCode, TYPE_CODES, typesUnder, type TypeCode } from "../place/document/type-codes.ts";
import { fold, joinWords, words } from "../place/text/fold.ts";
import { memoize } from "../place/text/memoize.ts";
import { compareAddress, isStreetOf, namesOfArea } from "./match-address.ts";
import {
  beginningOf,
  compareName,
  extraLetters,
  isCalled,
  isLoneMatch,
  readTitleMarks,
  wrongMarksShare,
} from "./match-name.ts";
import {
  areNoCoincidence,
  holdsWords,
  informationOf,
  sumOfNumbers,
  weighWords,
  wordFinder,
  type Compare,
  type Found,
  type Words,
} from "./match-words.ts";
import { spokenIn } from "./reading/kind-reading.ts";
import type { AreaReading, KindReading, NameWords, Reading, SaidTogether } from "./reading/reading.ts";
import type { Features, Match } from "./score.ts";
import { MATCHING, READING } from "./numbers.ts";

/** How a place matches a reading as it is scored: by name, by kind or by address; and what its area and its landmark say. */
export function compareWith(reading: Reading, known: Words): Compare {
  const compare = compareParts(reading, known);
  const { area, landmark, dropped } = reading;
  if (!area && !landmark && dropped === 0) return compare;
  const ofDropped = dropped > 0 ? { dropped } : {};
  const ofArea = area ? { area: informationOf(area.words, known), area_weak: area.isWeak ? 1 : 0 } : {};
  const ofLandmark =
    landmark && landmark.relation !== "none"
      ? { landmark_said: informationOf(landmark.words, known) }
      : landmark && { landmark_unsaid: 1 };
  const street = landmark?.relation === "in" ? landmark.words : undefined;
  return (place) => {
    const match = compare(place);
    if (!match) return undefined;
    const isInStreet = street !== undefined && isStreetOf(place, street, known);
    const ofStreet = isInStreet ? { address: informationOf(street, known) } : {};
    return { ...match, features: { ...ofArea, ...ofLandmark, ...ofDropped, ...ofStreet, ...match.features } };
  };
}

/** `compareWith` that compares each place with a reading once. */
export function compareOnce(known: Words): (reading: Reading) => Compare {
  const compares = new Map<Reading, Compare>();
  return (reading) =>
    compares.getOrInsertComputed(reading, () => {
      const compare = compareWith(reading, known);
      const matches = new Map<string, Match | undefined>();
      return (place) => matches.getOrInsertComputed(place.id, () => compare(place));
    });
}

function compareParts(reading: Reading, known: Words): Compare {
  const { form, address } = reading;
  if (address) return compareAddress(address, reading.name, known);
  if (form === "kind" || form === "wish") return compareKind(reading, known);
  if (form === "area" || form === "point") return comparePosition(reading.area, known);
  const compare = compareName(reading.name, known, reading.unread);
  if (reading.isHeld) {
    const { words: held, joined } = reading.name;
    const mayBePart = reading.isHeld === "part" && areNoCoincidence(held, known);
    const isPart = (name: string): boolean => mayBePart && holdsWords(name, held.join(" "));
    return (place) =>
      isCalled(place, joined) || place.foldedNames.some(isPart) ? compare(place) : undefined;
  }
  const { together = [], besideKinds } = reading;
  const mayBeOf = besideKinds ? kindsTest(besideKinds) : () => true;
  const beside = besideKinds && typesFor(besideKinds);
  const saidKinds = together.filter(({ codes }) => codes.length > 0);
  const { isAkin } = typesFor(saidKinds);
  return (place) => {
    const match = compare(place);
    if (match === undefined) return undefined;
    const { apart, address: inStreet, alike, begun, begins, missing = 0 } = match.features;
    const isApart = (apart ?? inStreet) !== undefined;
    if (isApart && !together.every((said) => isTogether(said, place))) return undefined;
    if ((isApart || (alike ?? begun) !== undefined) && !mayBeOf(place)) return undefined;
    if (begins === undefined) return match;
    // People say kinds less exactly than data does: "trà sữa phúc long" is the café Phúc Long.
    const ofBeside = beside?.isAkin(place.type) ? { missing: MATCHING.akinKindUnsaid * missing } : {};
    // Of two places with the same name, the one that is what the name says is meant.
    const isOther = saidKinds.length > 0 && !isAkin(place.type);
    const ofSaid = isOther ? { kind_of_other_type: MATCHING.otherTypeOfName } : {};
    return { ...match, features: { ...match.features, ...ofBeside, ...ofSaid } };
  };
}

/** For an area or a point alone, which every place there matches: the market that is called like the area says it twice. */
function comparePosition(area: AreaReading | undefined, known: Words): Compare {
  const names = namesOfArea(area);
  const said = area ? informationOf(area.words, known) : 0;
  return ({ foldedNames }) => {
    const name = names.find((one) => foldedNames.some((other) => holdsWords(other, one)));
    const times = name === undefined ? 1 : 2 - extraLetters(foldedNames, words(name));
    return { features: area ? { area: said * times } : {}, isComplete: true, isWholeName: false };
  };
}

/** Tells whether a place may be of the kinds: its title says so, or its type is one of theirs, near them or unknown. Other names have no marks. */
function kindsTest(kinds: readonly KindReading[]): (place: PlaceCandidate) => boolean {
  const { isAkin } = typesFor(kinds);
  const spoken = spokenKinds(kinds);
  return (place) => {
    const inTitle = spoken.filter((one) => holdsWords(foldedTitleOf(place), one.folded));
    if (inTitle.some((one) => saysKind(place, one))) return true;
    // With other marks the word is another one: the "phố" of "Thành phố" is no "phở".
    return isAkin(place.type) && (inTitle.length === 0 || place.type !== UNKNOWN_TYPE);
  };
}

/** Whether a name holds the words in this order, or the type is called so; or, where that says enough, the address. */
const isTogether = (
  { words: said, codes, mayBeAddress }: SaidTogether,
  { foldedNames, foldedRest, type }: PlaceCandidate,
): boolean =>
  [...foldedNames, mayBeAddress ? foldedRest : typeLabels(type)].some((text) => holdsWords(text, said)) ||
  codes.some((code) => code === type);

/** For a reading with kinds: places of the types, and places whose names say the kind; words beside it in name or address. */
function compareKind(reading: Reading, known: Words): Compare {
  const { kinds, name, unread, area, landmark, filler, isNear, need } = reading;
  const isWholeQuery =
    !area && !landmark && !isNear && filler.length + unread.length + name.words.length === 0;
  const { types, first, related, isAkin } = typesFor(kinds);
  const spoken = spokenKinds(kinds);
  const isWholeName = wholeNameTest(kinds, spoken);
  const isProduct = kinds.length > 0 && kinds.every((kind) => kind.isProduct);
  // All places of a type may be called by its label.
  const saysMore = kinds.length > 1 || kinds.some((kind) => kind.isProduct || kind.isSpecific);
  const ofKinds = kindsOfPlace(kinds, known);
  const ofAllKinds = informationOf(wordsOfKinds(kinds), known);
  const kindOrName = kindOrNameOf(reading, ofKinds, known);
  const findBeside = wordsBesideKind(reading, known);
  const unsaidBy = unsaidOf(kinds, known);
  const isLoose = known.countTypes([...types]) === 0 || kinds.every(isFiledLoosely);
  const ofRelated = isLoose ? MATCHING.relatedIfLoose : 1;
  return (place) => {
    const isWhole = isWholeName(place);
    const isTyped = types.has(place.type);
    const unsaid = isWhole ? 0 : unsaidBy(place, isTyped);
    const isRelated = !isTyped && unsaid === 1 && related.has(place.type);
    const isKind = isTyped || isRelated;
    if (!isKind && (unsaid === 1 || (!isAkin(place.type) && saysOwnKind(place, kinds)))) return undefined;
    const begun = beginningOf(place.foldedNames, name);
    const found = findBeside(place, begun !== undefined);
    const { missing, elsewhere } = found;
    if (name.words.length > 0 && missing > MATCHING.mostMissing) return undefined;
    // The shoe shop that "dien tu giay" finds is of half of what the words of the kinds say.
    const otherKinds = ofAllKinds === 0 ? 0 : 1 - ofKinds(place) / ofAllKinds;
    const features: Partial<Features> = {
      ...kindOrName(place, isTyped, begun === "begins"),
      kind_whole_name: isWhole && isWholeQuery && (saysMore || !isTyped) ? 1 : 0,
      kind_said: isKind ? 0 : 1,
      kind_of_other_type: isAkin(place.type) ? 0 : 1,
      kind_second: isTyped && unsaid > 0 && !first.has(place.type) ? 1 : 0,
      kind_related: isRelated ? ofRelated : 0,
      need_unsure: need === undefined ? 0 : 1 - need,
      dish_unsaid: isProduct ? unsaid : 0,
      missing: missing + MATCHING.missingOfOtherKinds * otherKinds,
      mistyped: found.hasTypo ? 1 : 0,
      elsewhere,
    };
    const isComplete = missing < MATCHING.complete && !isRelated && need === undefined;
    const isByChance = isComplete && isLoneMatch(found, name, place);
    return { features, isComplete, isWholeName: isWhole, isByChance };
  };
}

/** How much of the kinds the names of a place do not say: 0 where they say one, 1 where they say none, between where they say a dish in part. */
function unsaidOf(
  kinds: readonly KindReading[],
  known: Words,
): (place: PlaceCandidate, isTyped: boolean) => number {
  const spoken = spokenKinds(kinds);
  const alone = kinds.flatMap((kind) => kind.productAlone ?? []).map(toSpoken);
  const shorter = kinds.flatMap((kind) => kind.shorter ?? []).map(toSpoken);
  const isProduct = kinds.every((kind) => kind.isProduct);
  const ofShorter = Math.max(0, ...shorter.map((one) => informationOf(one.words, known)));
  const inPart = 1 - ofShorter / informationOf(wordsOfKinds(kinds), known);
  return (place, isTyped) => {
    const isSaid =
      ((isProduct || !isTyped) && spoken.some((one) => saysKind(place, one))) ||
      (isTyped && alone.some((one) => saysKind(place, one, true)));
    if (isSaid) return 0;
    return shorter.some((one) => saysKind(place, one)) ? inPart : 1;
  };
}

/**
 * What a place has of the kinds; or of the kind and the words beside it, where its name begins with both: "cafe giang" is "Cà phê Giang".
 * With "near me" or filler between the two they need not belong together. A name need not say what the type does: "ngân hàng vietcombank" is "Vietcombank".
 */
function kindOrNameOf(
  { kinds, name, isParted, isNear }: Reading,
  ofKinds: (place: PlaceCandidate) => number,
  known: Words,
): (place: PlaceCandidate, isTyped: boolean, isBegun: boolean) => Partial<Features> {
  const beside = isParted || isNear ? [] : name.words;
  const typed = wordsOfKinds(kinds);
  const spoken = beside.length === 0 ? [] : kinds.flatMap(waysToSay);
  const called = spoken.flatMap((one) => {
    const isAsTyped = one.join("") === typed.join("");
    const bothWays = [
      [...one, ...beside],
      [...beside, ...one],
    ];
    return bothWays.map((all) => ({ words: all, joined: all.join(""), isAsTyped }));
  });
  const said = informationOf([...typed, ...name.words], known);
  return (place, isTyped, isBegun) => {
    const calls = called.filter((one) => beginningOf(place.foldedNames, one) === "begins");
    const isNamed = (isTyped && isBegun) || calls.length > 0;
    if (!isNamed || wrongMarksShare(name.markedWords, place.title, known) > 0)
      return { kind: ofKinds(place) };
    const isAsTyped = calls.some((one) => one.isAsTyped);
    return { begins: said, kind_by_type: isTyped && !isAsTyped ? 1 : 0 };
  };
}

/** The words of a kind as names may say it: those that were typed, and its labels. */
const waysToSay = ({ inNames, codes: [code] }: KindReading): readonly (readonly string[])[] => [
  ...inNames.map((one) => one.words),
  ...(code === undefined ? [] : labelsOf(code).map(words)),
];

/** Looks for the words beside a kind, as shares of all that the query says. In a sentence, those that were not understood say less. */
function wordsBesideKind(
  { kinds, name, unread, filler, isNear }: Reading,
  known: Words,
): (place: PlaceCandidate, isBegun: boolean) => Found {
  const ofUnread = filler.length > 0 || isNear ? MATCHING.unreadInSentence : 1;
  const others = [...name.words, ...unread];
  const weights = [
    ...weighWords(name.words, known),
    // A word such as "hẻm" stands in every other address.
    ...weighWords(unread, known).map((weight, at) =>
      known.addressMeaning(unread[at]!) === undefined ? weight * ofUnread : 0,
    ),
  ];
  const ofOthers = sumOfNumbers(weights);
  const ofKinds = sumOfNumbers(weighWords(wordsOfKinds(kinds), known));
  const share = ofOthers === 0 ? 0 : ofOthers / (ofOthers + ofKinds);
  const find = wordFinder(others, weights, {
    lexicon: known.lexicon,
    begunIn: name.words.length > 0 ? "names" : "nothing",
  });
  return (place, isBegun) => {
    const found = find(place, isBegun ? name.words.length : 0);
    return { ...found, missing: found.missing * share, elsewhere: found.elsewhere * share };
  };
}

const wordsOfKinds = (kinds: readonly KindReading[]): string[] => kinds.flatMap((kind) => kind.words);

/** How much the words of those kinds say that a place is of, or of all where it is of a related one. */
function kindsOfPlace(kinds: readonly KindReading[], known: Words): (place: PlaceCandidate) => number {
  const all = informationOf(wordsOfKinds(kinds), known);
  if (kinds.length < 2) return () => all;
  const each = kinds.map((kind) => ({
    types: new Set<string>(typesOfKinds([kind])),
    spoken: spokenKinds([kind]),
    information: informationOf(kind.words, known),
  }));
  return (place) =>
    each
      .filter((kind) => kind.types.has(place.type) || kind.spoken.some((one) => saysKind(place, one)))
      .reduce((sum, { information }) => sum + information, 0) || all;
}

/** The types of the kinds, those of the first of them, those related to them, and whether one is any of these or in the same branch. */
function typesFor(kinds: readonly OfTypes[]) {
  const types = new Set<string>(typesOfKinds(kinds));
  const first = new Set<string>(typesOfKinds(kinds.slice(0, 1)));
  const related = new Set<string>(relatedKinds(kinds));
  const akin = new Set<string>([UNKNOWN_TYPE, ...types, ...related, ...typesAkin(kinds)]);
  return { types, first, related, isAkin: (type: string): boolean => akin.has(type) };
}

/** Tells whether the words of the kinds are the whole name of a place, with the marks that were typed. */
function wholeNameTest(
  kinds: readonly KindReading[],
  spoken: readonly SpokenKind[],
): (place: PlaceCandidate) => boolean {
  const each = kinds.map(({ words: kindWords }) => kindWords.join(" "));
  const spaced = [...each, each.join(" ")].filter((one) => one !== "");
  const whole = spaced.map(joinWords);
  const marked = spoken.filter(({ folded, isMarked }) => isMarked && whole.includes(joinWords(folded)));
  // "thu y" is no "Thuý".
  const isWhole = (name: string): boolean => {
    const at = whole.indexOf(joinWords(name));
    return at >= 0 && (spaced[at] === name || whole[at]!.length >= READING.lettersWithoutSpaces);
  };
  return (place) => place.foldedNames.some(isWhole) && marked.every((one) => saysKind(place, one));
}

/** Whether a name says the type of its place, and of other kinds not all words: "lẩu thái" is no "Trường tiểu học Đông Thái". */
function saysOwnKind({ foldedNames, type }: PlaceCandidate, others: readonly KindReading[]): boolean {
  const isSaid = (text: string): boolean => foldedNames.some((name) => holdsWords(name, text));
  const saysOther = ({ words: typed, codes }: KindReading): boolean =>
    [typed.join(" "), ...codes.slice(0, 1).flatMap(labelsOf)].some(isSaid);
  return labelsOf(type).some(isSaid) && !others.some(saysOther);
}

const labelsOf = memoize((type) =>
  isTypeCode(type) ? [TYPE_CODES[type].vi, TYPE_CODES[type].en].map(fold) : [],
);

/** The type of places whose kind nobody knows. */
const UNKNOWN_TYPE: TypeCode = "PLACE";

/** What says one or several types. */
type OfTypes = Pick<KindReading, "codes">;

export const typesOfKinds = (kinds: readonly OfTypes[]): TypeCode[] => [
  ...new Set(kinds.flatMap(({ codes }) => codes)),
];

/** The types of the kinds, and those of the same branch. */
export const typesAkin = (kinds: readonly OfTypes[]): TypeCode[] => [
  ...typesOfKinds(kinds),
  ...kinds.flatMap(({ codes }) => codes.slice(0, 1).flatMap(branchOf)),
];

/** Types that stand in for kinds that a dataset lacks or files loosely: those named as related, else the one above, or all under it. */
export function relatedKinds(kinds: readonly OfTypes[]): TypeCode[] {
  const types = new Set(typesOfKinds(kinds));
  const found = [...types].flatMap((code) => {
    const { parent, related } = TYPE_CODES[code];
    if (related || parent === undefined) return (related ?? []).flatMap(typesUnder);
    if (TYPE_CODES[parent].isVague) return [];
    return TYPE_CODES[parent].interchangeable ? typesUnder(parent) : [parent];
  });
  return [...new Set(found)].filter((code) => !types.has(code));
}

const isFiledLoosely = ({ codes: [code] }: OfTypes): boolean => {
  const parent = code && TYPE_CODES[code].parent;
  return parent !== undefined && TYPE_CODES[parent].isFiledLoosely === true;
};

/** The words of a kind, folded, and their spellings with marks. */
interface SpokenKind extends NameWords {
  readonly folded: string;
}

const spokenKinds = (kinds: readonly KindReading[]): readonly SpokenKind[] =>
  kinds.flatMap(spokenIn).map(toSpoken);

const toSpoken = (one: NameWords): SpokenKind => ({ ...one, folded: one.words.join(" ") });

/**
 * Whether a name of the place holds the words of a kind; a title that has marks, with their marks.
 * @param needsMarks a title without any does not say words that have some: "Cafe Quang Trung" has no "trứng"
 */
function saysKind(place: PlaceCandidate, { folded, marked }: SpokenKind, needsMarks = false): boolean {
  if (!place.foldedNames.some((name) => holdsWords(name, folded))) return false;
  if (marked.length === 0) return true;
  const ofTitle = readTitleMarks(place.title);
  if (needsMarks && ofTitle.length === 0) return marked.includes(folded);
  if (ofTitle.length === 0 || !holdsWords(foldedTitleOf(place), folded)) return true;
  const joined = ofTitle.join(" ");
  return marked.some((spelling) => holdsWords(joined, spelling));
}

/** A title with such a character does not fold to nothing. */
const SURE_LETTER = /[\p{Script=Latin}\d]/u;

/** The title, folded: the first of the folded names unless it folds to nothing. */
const foldedTitleOf = ({ title, foldedNames }: Pick<PlaceCandidate, "title" | "foldedNames">): string =>
  SURE_LETTER.test(title) ? (foldedNames[0] ?? "") : fold(title);
