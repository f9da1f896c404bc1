import type { RankedSearch } from "./candidates.ts";
import { informationOf } from "./match-words.ts";
import { AREAS, LOOKUPS, MATCHING, READING } from "./numbers.ts";
import type { QueryReadings } from "./reading/read-query.ts";
import { isChain, isOfKindOnly, type Reading } from "./reading/reading.ts";
import { isOfName, logDistance, sumOf, type ScoredPlace } from "./score.ts";

/** When a search has found what was meant, and looks for nothing more: neither for typos nor further out. */

/** Whether the best place is meant and nothing else is, and its area has enough of them. */
export function isDone(ranked: readonly ScoredPlace[], search: RankedSearch): boolean {
  const [top] = ranked;
  if (!top || !isSettled(top) || !isLikelier(top, search)) return false;
  // "highlands quận 3": if few are inside, those around the area follow.
  const alike = ranked.filter(({ reading }) => reading === top.reading);
  return top.reading.area === undefined || alike.length >= LOOKUPS.fewFound;
}

/** Whether any place may be the one that is meant. */
export const isAnswered = (ranked: readonly ScoredPlace[], search: RankedSearch): boolean =>
  ranked.some((one) => hasAnswer(one) && isLikelier(one, search));

/** A place that has all that was typed, perhaps with a typo, and a name among it: nothing else is meant. */
export const isSettled = (one: ScoredPlace): boolean =>
  (one.match.isComplete || one.match.isNearlyComplete === true) &&
  (one.reading.name.words.length > 0 || one.reading.address?.number !== undefined) &&
  one.reading.unread.length + one.reading.dropped === 0 &&
  !isByChance(one);

/** Who asks for a kind, an address or what is at a landmark gets that, and no name with a typo, however far away it is. */
const isName = ({ form, landmark }: Reading): boolean =>
  (form === "plain" || form === "name") && landmark === undefined;

/**
 * Whether a place is meant rather than what else the words of its name may say: the kind of a chain, or a name with a typo that scores
 * as much. A name that is like the words letter by letter is meant; one that only begins with the letters may be another one far away.
 */
function isLikelier(one: ScoredPlace, search: RankedSearch): boolean {
  const { isWholeName, features } = one.match;
  const isOfWords = isWholeName || (features.begins ?? 0) > 0;
  if (!isName(one.reading) || isOfWords || isNoCoincidence(one)) return true;
  if (search.readings.readings.some(isChain)) return isOfName(one.match);
  if (features.alike !== undefined) return !mayBeBegun(search);
  return one.score >= scoreOfMistyped(search);
}

/** Whether the last word is no word yet, and names have longer ones that begin so: "banh mi truo" rather than "Bánh mì Trúc". */
function mayBeBegun({ readings, words: { lexicon } }: RankedSearch): boolean {
  const last = readings.plain.name.words.at(-1) ?? "";
  return lexicon.inNames(last) === 0 && lexicon.beginningIn(last) > 0;
}

/**
 * The score of a place nearby whose name is what was typed, with a typo: "pizza huu" is the Pizza Hut round the corner rather than a
 * pizzeria in a street of that name across the town. Where something scores more, no typo needs to be looked for.
 */
function scoreOfMistyped({ readings, words, weights }: RankedSearch): number {
  if (!isLikeName(readings) || readings.readings.some(saysAll)) return -Infinity;
  const alike = informationOf(readings.plain.name.words, words);
  return sumOf({ alike, mistyped: 1, distance: logDistance(LOOKUPS.metersOfMistyped) }, weights);
}

/**
 * A name has all the words, in whatever order, and they say so much that no name should have them by chance: of N places, N^(1 - what
 * they say). Or the street of these words lies in the area that was named beside it.
 */
function isNoCoincidence({ match: { isComplete, features }, reading: { area } }: ScoredPlace): boolean {
  const { within = 0, apart = 0, address = 0, elsewhere = 0, mistyped = 0 } = features;
  if (!isComplete || mistyped > 0) return false;
  const isStreetOfArea = address > 0 && area?.isWeak === false;
  return isStreetOfArea || (elsewhere === 0 && within + apart >= MATCHING.noCoincidence);
}

/** In another city, and alone, a word of the address stands there by chance. */
const isByChance = ({ match, distanceMeters: meters }: ScoredPlace): boolean =>
  match.isByChance === true || ((match.features.elsewhere ?? 0) > 0 && meters > AREAS.ownCityMeters);

/**
 * A place that has all that was typed, without a typo: "tho trang" may be a kind of shop, and the beginning of a name. What was left
 * out may be part of a mistyped name: "the coffe house" does not mean another name that begins with "the coffe".
 */
const hasAnswer = (one: ScoredPlace): boolean =>
  one.match.isComplete &&
  one.reading.dropped === 0 &&
  one.features.outside_area !== 1 &&
  !isByChance(one) &&
  one.reading.respelled === undefined;

/**
 * Whether the query may be a name with a typo rather than a sentence, of which no name has all words. Where the area whose bare name the
 * words hold has no place of the kind, they may be a name: "ca phe muoi an son" in no ward An Sơn.
 */
export const mayBeMistyped = (query: QueryReadings, ranked: readonly ScoredPlace[]): boolean =>
  isLikeName(query) &&
  query.readings.every((reading) => !saysAll(reading) || reading.area?.isWeak === true) &&
  !ranked.some((one) => saysAll(one.reading) && one.match.isComplete && !one.features.outside_area);

/** Whether a query may be a name, or a sentence that asks for one. */
const isLikeName = ({ plain, light, held }: QueryReadings): boolean =>
  isPlainName({ plain, light }) || held.core?.name.words.some((word) => light.has(word)) === false;

/** Whether all words of a query may be a name. */
export function isPlainName({ plain, light }: Pick<QueryReadings, "plain" | "light">): boolean {
  const { words: typed } = plain.name;
  const filler = typed.filter((word) => light.has(word)).length;
  return typed.length > 0 && filler <= READING.fillerOfName * typed.length;
}

/**
 * Where no place says the kind that all words say, and they were typed without marks, they may be a name: "quan hoa" is a street, and
 * "cat cafe" a "Cafe Cat".
 */
export const isKindUnsaid = ({ plain, readings }: QueryReadings, ranked: readonly ScoredPlace[]): boolean =>
  !readings.includes(plain) &&
  plain.name.markedWords.length === 0 &&
  readings.some(({ form }) => form === "kind") &&
  !ranked.some(({ match }) => match.isComplete && match.features.dish_unsaid !== 1);

/** A kind, an area or both that leave no word over; also near another kind. */
const saysAll = ({ form, unread, dropped, name, landmark, respelled, need }: Reading): boolean =>
  respelled === undefined &&
  need === undefined &&
  form !== "plain" &&
  form !== "address" &&
  unread.length + dropped + name.words.length === 0 &&
  (landmark === undefined || isOfKindOnly(landmark));
