import type { PlaceCandidate } from "../meilisearch/place-index.ts";
import { typeLabels } from "../place/document/rest-words.ts";
import { editDistance } from "../place/text/edit-distance.ts";
import { hasMarks, joinWords, markedWords, TONES, words } from "../place/text/fold.ts";
import { memoize } from "../place/text/memoize.ts";
import type { Lexicon } from "./lexicon.ts";
import { foldedAddressOf, isStreetOf } from "./match-address.ts";
import {
  foldWord,
  holdsWords,
  informationOf,
  isOneTypoAway,
  sumOfNumbers,
  weighWords,
  wordFinder,
  type BegunIn,
  type Compare,
  type Found,
  type Words,
} from "./match-words.ts";
import { MATCHING } from "./numbers.ts";
import type { TypedWords } from "./reading/tokens.ts";
import type { Features } from "./score.ts";

/** How the names of a place match words: whole, by their beginning, in a row, in any order, or letter by letter. */

/** For a reading as a name: all words, in any order, and the whole name letter by letter. Of the unread words a place may have some. */
export function compareName(query: TypedWords, known: Words, unread: readonly string[] = []): Compare {
  const all = [...query.words, ...unread];
  const said = informationOf(query.typed ?? query.words, known);
  // Beside a name, the street of it may be half typed: "highlands ng".
  const isRestBegun = unread.length > 0;
  const weights = weighWords(all, known, isRestBegun);
  const begunIn: BegunIn = isRestBegun ? "anything" : "names";
  const looking = { lexicon: known.lexicon, begunIn };
  const findAll = wordFinder(all, weights, looking);
  const missingUnread = missingBeside(unread, weights, looking);
  // Two words of a street in order are that street, without a word such as "phố" too. A house number belongs to an address.
  const isStreetLike = query.words.length > 1 && !/\d/.test(query.joined);
  return (place) => {
    const wrong = wrongMarksShare(query.markedWords, place.title, known);
    const isWholeName = isCalled(place, query.joined);
    const begun = isWholeName ? "begins" : beginningOf(place.foldedNames, query);
    // "siêu thị coop mart": the letters of "Co.opmart" are all there.
    const others = findAll(place, begun ? query.words.length : 0);
    const byLetters =
      begun || others.missing < MATCHING.complete
        ? 1
        : missingLetters(query.joined, place.foldedNames, Math.max(others.missing, MATCHING.mostLettersOff));
    const asLetters = byLetters === 1 ? 1 : missingUnread(place, byLetters);
    const missing = Math.min(others.missing, asLetters);
    const isByLetters =
      asLetters < others.missing || (others.hasTypo && byLetters <= MATCHING.mostLettersOff);
    // A branch is one wherever it is: of the words beside the name it may lack all.
    if (begun !== "begins" && !isLike(place, query, { ...others, asLetters })) return undefined;
    const isWithin = () => place.foldedNames.some((name) => holdsInOrder(name, query.words, place.type));
    const isAddress = () => isStreetLike && others.elsewhere > 0 && isStreetOf(place, query.words, known);
    const way = begun ?? (isByLetters ? "alike" : isWithin() ? "within" : isAddress() ? "address" : "apart");
    const features: Partial<Features> = {
      ...(isWholeName && { whole_name: 1 }),
      [way]: begun ? said : said * (1 - missing),
      ...(way === "alike" && { mistyped: 1, elsewhere: asLetters < others.missing ? 0 : others.elsewhere }),
      ...((way === "within" || way === "apart") && {
        mistyped: others.hasTypo ? 1 : 0,
        elsewhere: others.elsewhere,
        extra: extraLetters(place.foldedNames, all),
      }),
      missing,
      ...(wrong > 0 && { wrong_marks: wrong }),
    };
    const isComplete = missing < MATCHING.complete;
    const isByChance = way === "apart" && isComplete && isLoneMatch(others, query, place);
    return { features, isComplete, isWholeName, isNearlyComplete: others.isAllFound, isByChance };
  };
}

/** Whether letters without spaces are a whole name of a place. */
export const isCalled = ({ foldedNames }: PlaceCandidate, joined: string): boolean =>
  joined !== "" && foldedNames.some((name) => joinWords(name) === joined);

/** Whether a name has enough of what was typed, by its words or by its letters; more of it where there is a typo. */
function isLike(
  { foldedNames }: PlaceCandidate,
  { joined }: TypedWords,
  { missing, hasTypo, asLetters }: Found & { readonly asLetters: number },
): boolean {
  const { mostMissing, mostMissingMistyped } = MATCHING;
  if (missing <= (hasTypo ? mostMissingMistyped : mostMissing) || asLetters <= mostMissingMistyped)
    return true;
  // In scripts without spaces a word inside a name is no typo.
  return asLetters <= mostMissing && foldedNames.some((name) => joinWords(name).includes(joined));
}

/** What a place lacks whose name lacks some of its letters: these, and of the words beside the name, the last of the weighed. */
function missingBeside(
  unread: readonly string[],
  weights: readonly number[],
  looking: { readonly lexicon: Lexicon; readonly begunIn: BegunIn },
): (place: PlaceCandidate, byLetters: number) => number {
  if (unread.length === 0) return (_, byLetters) => byLetters;
  const ofUnread = weights.slice(-unread.length);
  const share = sumOfNumbers(ofUnread) / sumOfNumbers(weights);
  const find = wordFinder(unread, ofUnread, looking);
  return (place, byLetters) => byLetters * (1 - share) + find(place).missing * share;
}

/** Whether a word that was found stands in the address only, without the word that was typed before or after it. */
export function isLoneMatch(found: Found, { words: typed }: TypedWords, place: PlaceCandidate): boolean {
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
export function extraLetters(names: readonly string[], typed: readonly string[]): number {
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
export function beginningOf(
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

/**
 * Whether a name holds some words in a row, or begins with the first and has the others in this order, with more words between them. The
 * type may say what stands before: the "trường" of "trường trung học phổ thông chuyên chu văn an".
 */
function holdsInOrder(name: string, wanted: readonly string[], type: string): boolean {
  if (holdsWords(name, wanted.join(" "))) return true;
  const ofName = words(name);
  const first = ofName.indexOf(wanted[0]!);
  if (first < 0 || !ofName.slice(0, first).every((word) => holdsWords(typeLabels(type), word))) return false;
  let at = 0;
  for (const word of ofName) if (word === wanted[at]) at += 1;
  return at === wanted.length;
}

/** The words of a title with their marks; none for a title without marks. Chains have the same title many times. */
export const readTitleMarks = memoize((title) => (hasMarks(title) ? markedWords(title) : []));

/** The share of what words typed with marks say that the title has with other marks; 0 for a title without marks. */
export function wrongMarksShare(typed: readonly string[], title: string, known: Words): number {
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
