import type { PlaceCandidate } from "../meilisearch/place-index.ts";
import { typeLabels } from "../place/document/rest-words.ts";
import { branchOf, isTypeCode, TYPE_CODES, typesUnder, type TypeCode } from "../place/document/type-codes.ts";
import { editDistance } from "../place/text/edit-distance.ts";
import { fold, hasMarks, joinWords, markedWords, TONES, words } from "../place/text/fold.ts";
import { memoize } from "../place/text/memoize.ts";
import type { Lexicon } from "./lexicon.ts";
import { compareAddress, foldedAddressOf, isStreetOf, namesOfArea } from "./match-address.ts";
import {
  findWords,
  foldWord,
  holdsWords,
  informationOf,
  isOneTypoAway,
  lacking,
  NOTHING_MISSING,
  sumOfNumbers,
  weighWords,
  type Compare,
  type Found,
  type Words,
} from "./match-words.ts";
import { spokenIn } from "./reading/kind-reading.ts";
import type { AreaReading, KindReading, NameWords, Reading, SaidTogether } from "./reading/reading.ts";
import type { TypedWords } from "./reading/tokens.ts";
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
  return (place) => {
    const match = compare(place);
    return match && { ...match, features: { ...ofArea, ...ofLandmark, ...ofDropped, ...match.features } };
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
  const { form, kinds, address } = reading;
  if (address) return compareAddress(address, reading.name, known);
  if (form === "kind" || form === "wish") return compareKind(kinds, reading, known);
  if (form === "area" || form === "point") return comparePosition(reading.area, known);
  const compare = compareName(reading.name, known, reading);
  const { together = [], besideKinds } = reading;
  const mayBeOf = besideKinds ? kindsTest(besideKinds) : () => true;
  return (place) => {
    const match = compare(place);
    if (match === undefined) return undefined;
    const { apart, address: inStreet, alike } = match.features;
    const isApart = (apart ?? inStreet) !== undefined;
    if (isApart && !together.every((said) => isTogether(said, place))) return undefined;
    return (isApart || alike !== undefined) && !mayBeOf(place) ? undefined : match;
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

/** Tells whether a place may be of the kinds: of a type of theirs or near them, of an unknown one, or because its name says so. */
function kindsTest(kinds: readonly KindReading[]): (place: PlaceCandidate) => boolean {
  const { types, branch, related } = typesFor(kinds);
  const spoken = kinds.flatMap(spokenIn).map((one) => ({ ...one, folded: one.words.join(" ") }));
  return (place) =>
    place.type === UNKNOWN_TYPE ||
    [types, branch, related].some((some) => some.has(place.type)) ||
    spoken.some((one) => saysKind(place, one));
}

/** Whether a name holds the words in this order, or the type is called so; or, where that says enough, the address. */
const isTogether = (
  { words: said, codes, mayBeAddress }: SaidTogether,
  { foldedNames, foldedRest, type }: PlaceCandidate,
): boolean =>
  [...foldedNames, mayBeAddress ? foldedRest : typeLabels(type)].some((text) => holdsWords(text, said)) ||
  codes.some((code) => code === type);

/**
 * For a reading as a name: all words, in any order, and the whole name letter by letter. Of the words in `unread`, a place may have some.
 */
export function compareName(
  query: TypedWords,
  known: Words,
  { unread = [] }: Partial<Pick<Reading, "unread">> = {},
): Compare {
  const all = [...query.words, ...unread];
  const said = informationOf(query.typed ?? query.words, known);
  const weights = weighWords(all, known);
  // Two words of a street in order are that street, without a word such as "phố" too. A house number belongs to an address.
  const isStreetLike = query.words.length > 1 && !/\d/.test(query.joined);
  const looking = { lexicon: known.lexicon, mayBeBegun: unread.length === 0 };
  const missingUnread = missingBeside(unread, weights, looking);
  return (place) => {
    const wrong = wrongMarksShare(query.markedWords, place.title, known);
    const isWholeName =
      query.joined !== "" && place.foldedNames.some((name) => joinWords(name) === query.joined);
    const begun = isWholeName ? "begins" : beginningOf(place.foldedNames, query);
    // "siêu thị coop mart": the letters of "Co.opmart" are all there.
    const ofBegun = { ...looking, begun: begun ? query.words.length : 0 };
    const others = begun && unread.length === 0 ? NOTHING_MISSING : findWords(all, weights, place, ofBegun);
    const byLetters =
      begun || others.missing < MATCHING.complete
        ? 1
        : missingLetters(query.joined, place.foldedNames, Math.max(others.missing, MATCHING.mostLettersOff));
    const asLetters = byLetters === 1 ? 1 : missingUnread(place, byLetters);
    const missing = Math.min(others.missing, asLetters);
    if (missing > MATCHING.mostMissing) return undefined;
    const isByLetters =
      asLetters < others.missing || (others.hasTypo && byLetters <= MATCHING.mostLettersOff);
    const isWithin = (): boolean => place.foldedNames.some((name) => holdsInOrder(name, query.words));
    const isAddress = (): boolean =>
      isStreetLike && others.elsewhere > 0 && isStreetOf(place, query.words, known);
    const way = begun ?? (isByLetters ? "alike" : isWithin() ? "within" : isAddress() ? "address" : "apart");
    const features: Partial<Features> = {
      ...(isWholeName && { whole_name: 1 }),
      [way]: begun ? said : said * (1 - missing),
      ...(way === "alike" && { mistyped: 1 }),
      ...((way === "within" || way === "apart") && {
        mistyped: others.hasTypo ? 1 : 0,
        elsewhere: others.elsewhere,
        extra: extraLetters(place.foldedNames, all),
      }),
      ...lacking(missing),
      ...(wrong > 0 && { wrong_marks: wrong }),
    };
    const isComplete = missing < MATCHING.complete;
    const isByChance = way === "apart" && isComplete && isLoneMatch(others, query, place);
    return { features, isComplete, isWholeName, isNearlyComplete: others.isAllFound, isByChance };
  };
}

/** What a place lacks whose name lacks some of its letters: these, and of the words beside the name, the last of the weighed. */
function missingBeside(
  unread: readonly string[],
  weights: readonly number[],
  looking: { readonly lexicon: Lexicon; readonly mayBeBegun: boolean },
): (place: PlaceCandidate, byLetters: number) => number {
  if (unread.length === 0) return (_, byLetters) => byLetters;
  const ofUnread = weights.slice(-unread.length);
  const share = sumOfNumbers(ofUnread) / sumOfNumbers(weights);
  return (place, byLetters) =>
    byLetters * (1 - share) + findWords(unread, ofUnread, place, looking).missing * share;
}

/** Whether a word that was found stands in the address only, without the word that was typed before or after it. */
function isLoneMatch(found: Found, { words: typed }: TypedWords, place: PlaceCandidate): boolean {
  if (found.elsewhere === 0) return false;
  const known = new Set([...place.foldedNames, typeLabels(place.type)].flatMap(words));
  const address = foldedAddressOf(place);
  return typed.some(
    (word, at) =>
      !known.has(word) &&
      !holdsWords(address, `${typed[at - 1]} ${word}`) &&
      !holdsWords(address, `${word} ${typed[at + 1]}`),
  );
}

/** The share of letters that were not typed, of the name that has the fewest. */
function extraLetters(names: readonly string[], typed: readonly string[]): number {
  const shares = names.map((name) => {
    const ofName = words(name);
    const isThere = (word: string): boolean =>
      ofName.some((one) => one.startsWith(word) || isOneTypoAway(word, one));
    return 1 - typed.filter(isThere).join("").length / Math.max(1, joinWords(name).length);
  });
  return Math.max(0, Math.min(1, ...shares));
}

/**
 * Whether a name begins with what was typed: up to the end of a word (`begins`), or inside of one (`begun`). Spaces of the name need not
 * be typed, nor those that were typed be there; where both differ, these are other words: "tu anh" does not begin "Tuấn Hiên".
 */
function beginningOf(
  names: readonly string[],
  { words: typedWords, joined }: Pick<TypedWords, "words" | "joined">,
): "begins" | "begun" | undefined {
  if (joined === "") return undefined;
  const typedEnds = endsOf(typedWords);
  let best: "begun" | undefined;
  for (const name of names) {
    let at = 0;
    let typed = 0;
    const nameEnds = new Set<number>();
    for (; typed < joined.length; at += 1) {
      if (name[at] === " ") nameEnds.add(typed);
      else if (name[at] === joined[typed]) typed += 1;
      else break;
    }
    if (typed < joined.length) continue;
    if (name[at] === " " || at === name.length) return "begins";
    if (nameEnds.isSubsetOf(typedEnds) || typedEnds.isSubsetOf(nameEnds)) best = "begun";
  }
  return best;
}

/** After how many letters each word but the last ends. */
const endsOf = (typed: readonly string[]): ReadonlySet<number> =>
  new Set(typed.slice(0, -1).map((_, at) => typed.slice(0, at + 1).join("").length));

/** The share of letters that the best of the names lacks, as a whole or as its beginning; 1 when that is more than `most`. */
function missingLetters(typed: string, names: readonly string[], most: number): number {
  if (typed === "") return 1;
  let best = 1;
  for (const name of names.map(joinWords)) {
    // A name lacks at least as many letters as it is shorter.
    if (name === "" || 1 - name.length / typed.length > most) continue;
    const { whole, prefix } = editDistance(typed, name);
    best = Math.min(
      best,
      whole / Math.max(typed.length, name.length),
      prefix / typed.length + (name.length > typed.length ? MATCHING.begunWithTypo : 0),
    );
  }
  return best;
}

/** For a reading with kinds: places of the types, and places whose names say the kind; words beside it in name or address. */
function compareKind(kinds: readonly KindReading[], reading: Reading, known: Words): Compare {
  const { name, unread, area, landmark, filler, isNear } = reading;
  const isWholeQuery =
    !area && !landmark && !isNear && filler.length + unread.length + name.words.length === 0;
  const { types, first, related, branch } = typesFor(kinds);
  const spoken = kinds.flatMap(spokenIn).map((one) => ({ ...one, folded: one.words.join(" ") }));
  const isWholeName = wholeNameTest(kinds, spoken);
  const isProduct = kinds.length > 0 && kinds.every((kind) => kind.isProduct);
  const isSpecific = kinds.some((kind) => kind.isSpecific);
  const kindWords = kinds.flatMap((kind) => kind.words);
  const ofKind = sumOfNumbers(weighWords(kindWords, known));
  const kindOrName = kindOrNameOf(kinds, reading, known);
  const isAkin = (type: string): boolean => type === UNKNOWN_TYPE || branch.has(type) || related.has(type);
  const others = [...name.words, ...unread];
  const weights = weighBesideKind(reading, known);
  const ofOthers = sumOfNumbers(weights);
  return (place) => {
    const isWhole = isWholeName(place);
    const isTyped = types.has(place.type);
    const isSaid =
      isWhole || ((isProduct || isSpecific || !isTyped) && spoken.some((one) => saysKind(place, one)));
    const isRelated = !isTyped && !isSaid && related.has(place.type);
    const isKind = isTyped || isRelated;
    if (!isKind && (!isSaid || (!isAkin(place.type) && saysOwnKind(place, kinds)))) return undefined;
    const begun = beginningOf(place.foldedNames, name);
    const found = findWords(others, weights, place, {
      lexicon: known.lexicon,
      mayBeBegun: name.words.length > 0,
      begun: begun ? name.words.length : 0,
    });
    const missing = ofOthers === 0 ? 0 : (found.missing * ofOthers) / (ofOthers + ofKind);
    if (name.words.length > 0 && missing > MATCHING.mostMissing) return undefined;
    const features: Partial<Features> = {
      ...kindOrName(place, { isTyped, isBegun: begun === "begins" }),
      kind_whole_name: isWhole && isWholeQuery ? 1 : 0,
      kind_said: isKind ? 0 : 1,
      kind_of_other_type: isKind || isAkin(place.type) ? 0 : 1,
      kind_second: isTyped && !isSaid && !first.has(place.type) ? 1 : 0,
      kind_related: isRelated ? 1 : 0,
      dish_unsaid: isProduct && !isSaid ? 1 : 0,
      kind_unsaid: isSpecific && !isSaid ? 1 : 0,
      ...lacking(missing),
      mistyped: found.hasTypo || kinds.some(({ isMistyped }) => isMistyped) ? 1 : 0,
      elsewhere: found.elsewhere * (ofOthers / Math.max(1, ofOthers + ofKind)),
    };
    const isComplete = missing < MATCHING.complete && !isRelated;
    const isByChance = isComplete && isLoneMatch(found, name, place);
    return { features, isComplete, isWholeName: isWhole, isByChance };
  };
}

interface OfKind {
  /** It is of a type of the kinds. */
  readonly isTyped: boolean;
  /** A name of it begins with the words beside the kind. */
  readonly isBegun: boolean;
}

/**
 * What a place has of the kinds; or of the kind and the words beside it, where its name begins with both: "cafe giang" is "Cà phê Giang".
 * In a sentence they need not belong together. A name need not say what the type does: "ngân hàng vietcombank" is "Vietcombank".
 */
function kindOrNameOf(
  kinds: readonly KindReading[],
  { name, filler, isNear }: Reading,
  known: Words,
): (place: PlaceCandidate, ofKind: OfKind) => Partial<Features> {
  const ofKinds = kindsOfPlace(kinds, known);
  const beside = filler.length === 0 && !isNear ? name.words : [];
  const spoken =
    beside.length === 0 ? [] : kinds.flatMap(({ inNames }) => inNames.map(({ words: one }) => one));
  const typed = kinds.flatMap((kind) => kind.words).join("");
  const called = spoken.flatMap((one) =>
    [
      [...one, ...beside],
      [...beside, ...one],
    ].map((all) => ({
      words: all,
      joined: all.join(""),
      isAsTyped: one.join("") === typed,
    })),
  );
  const said = informationOf([...kinds.flatMap((kind) => kind.words), ...name.words], known);
  const callsOf = ({ foldedNames }: PlaceCandidate) =>
    called.filter((one) => beginningOf(foldedNames, one) === "begins");
  return (place, { isTyped, isBegun }) => {
    const calls = callsOf(place);
    const isNamed = (isTyped && isBegun) || calls.length > 0;
    if (!isNamed || wrongMarksShare(name.markedWords, place.title, known) > 0)
      return { kind: ofKinds(place) };
    const isAsTyped = calls.some((one) => one.isAsTyped);
    return { begins: said, kind_by_type: isTyped && !isAsTyped ? 1 : 0 };
  };
}

/** The weights of the words beside a kind. Those that were not understood say less beside words that say that the query is a sentence. */
function weighBesideKind({ name, unread, filler, isNear }: Reading, known: Words): number[] {
  const ofUnread = filler.length > 0 || isNear ? MATCHING.unreadInSentence : 1;
  return [...weighWords(name.words, known), ...weighWords(unread, known).map((weight) => weight * ofUnread)];
}

/** How much the words of those kinds say that a place is of, or of all where it is of a related one. */
function kindsOfPlace(kinds: readonly KindReading[], known: Words): (place: PlaceCandidate) => number {
  const all = informationOf(
    kinds.flatMap((kind) => kind.words),
    known,
  );
  if (kinds.length < 2) return () => all;
  const each = kinds.map((kind) => ({
    types: new Set<string>(typesOfKinds([kind])),
    spoken: spokenIn(kind).map((one) => ({ ...one, folded: one.words.join(" ") })),
    information: informationOf(kind.words, known),
  }));
  return (place) =>
    each
      .filter((kind) => kind.types.has(place.type) || kind.spoken.some((one) => saysKind(place, one)))
      .reduce((sum, { information }) => sum + information, 0) || all;
}

/** The types of the kinds, those of the first of them, those related to them, and all in the same branches. */
function typesFor(kinds: readonly KindReading[]) {
  return {
    types: new Set<string>(typesOfKinds(kinds)),
    first: new Set<string>(typesOfKinds(kinds.slice(0, 1))),
    related: new Set<string>(relatedKinds(kinds)),
    branch: new Set<string>(kinds.flatMap(({ codes }) => codes.slice(0, 1).flatMap(branchOf))),
  };
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
  return labelsOf(type).some(isSaid) && !others.some((kind) => isSaid(kind.words.join(" ")));
}

const labelsOf = memoize((type) =>
  isTypeCode(type) ? [TYPE_CODES[type].vi, TYPE_CODES[type].en].map(fold) : [],
);

/** The type of places whose kind nobody knows. */
const UNKNOWN_TYPE: TypeCode = "PLACE";

export const typesOfKinds = (kinds: readonly KindReading[]): TypeCode[] => [
  ...new Set(kinds.flatMap(({ codes }) => codes)),
];

/**
 * The types that may stand in for kinds of which a dataset has few, or which it files less exactly: those named as related, else the
 * one above, and where its kinds are interchangeable, they too.
 */
export function relatedKinds(kinds: readonly KindReading[]): TypeCode[] {
  const types = new Set(typesOfKinds(kinds));
  const found = [...types].flatMap((code) => {
    const { parent, related } = TYPE_CODES[code];
    if (related || parent === undefined) return (related ?? []).flatMap(typesUnder);
    return TYPE_CODES[parent].interchangeable ? typesUnder(parent) : [parent];
  });
  return [...new Set(found)].filter((code) => !types.has(code));
}

/** The words of a kind, folded, and their spellings with marks. */
interface SpokenKind extends Pick<NameWords, "marked" | "isMarked"> {
  readonly folded: string;
}

/** Whether a name of the place holds the words of a kind; a title that has marks, with their marks. */
function saysKind(place: PlaceCandidate, { folded, marked }: SpokenKind): boolean {
  if (!place.foldedNames.some((name) => holdsWords(name, folded))) return false;
  if (marked.length === 0) return true;
  const ofTitle = readTitleMarks(place.title);
  if (ofTitle.length === 0 || !holdsWords(foldedTitleOf(place), folded)) return true;
  const joined = ofTitle.join(" ");
  return marked.some((spelling) => holdsWords(joined, spelling));
}

/** Whether a name holds some words in a row, or begins with the first and has the others in this order, with more words between them. */
function holdsInOrder(name: string, wanted: readonly string[]): boolean {
  if (holdsWords(name, wanted.join(" "))) return true;
  const ofName = words(name);
  if (ofName[0] !== wanted[0]) return false;
  let at = 0;
  for (const word of ofName) if (word === wanted[at]) at += 1;
  return at === wanted.length;
}

/** A title with such a character does not fold to nothing. */
const SURE_LETTER = /[\p{Script=Latin}\d]/u;

/** The title, folded: the first of the folded names unless it folds to nothing. */
const foldedTitleOf = ({ title, foldedNames }: Pick<PlaceCandidate, "title" | "foldedNames">): string =>
  SURE_LETTER.test(title) ? (foldedNames[0] ?? "") : fold(title);

/** The words of a title with their marks; none for a title without marks. Chains have the same title many times. */
const readTitleMarks = memoize((title) => (hasMarks(title) ? markedWords(title) : []));

/** The share of what words typed with marks say that the title has with other marks; 0 for a title without marks. */
function wrongMarksShare(typed: readonly string[], title: string, known: Words): number {
  if (typed.length === 0) return 0;
  const marked = readTitleMarks(title);
  if (marked.length === 0) return 0;
  const others = typed.filter((word) => !marked.includes(word));
  if (others.length === 0) return 0;
  const folded = new Set(marked.map(foldWord));
  const last = typed.at(-1);
  const wrong = others.filter(
    (word) => folded.has(foldWord(word)) || (word === last && isOtherBeginning(word, marked)),
  );
  return informationOf(wrong.map(foldWord), known) / informationOf(typed.map(foldWord), known);
}

/** The typed "phở" begins no "phòng": a word may lack letters and its tone, and not have other vowels. */
function isOtherBeginning(word: string, marked: readonly string[]): boolean {
  const [beginning, letters] = [word.replace(TONES, ""), foldWord(word)];
  const begun = marked.filter((one) => foldWord(one).startsWith(letters));
  return begun.length > 0 && !begun.some((one) => one.replace(TONES, "").startsWith(beginning));
}
