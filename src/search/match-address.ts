import type { PlaceCandidate } from "../meilisearch/place-index.ts";
import { typeLabels, withoutProvince } from "../place/document/rest-words.ts";
import { DESIGNATIONS, distinctAreaName } from "../place/geometry/areas.ts";
import { fold, words } from "../place/text/fold.ts";
import {
  foldWord,
  holdsWords,
  informationOf,
  isOneTypoAway,
  weighWords,
  wordFinder,
  type Compare,
  type Words,
} from "./match-words.ts";
import { numberWordsOf } from "./reading/address.ts";
import type { AddressReading, AreaReading } from "./reading/reading.ts";
import { range, type TypedWords } from "./reading/tokens.ts";
import { LEXICON, MATCHING } from "./numbers.ts";

/** How a place matches an address, and whether its own says an area. */

/** For an address: the house, then the nearest numbers of its street; a street with a typo comes after one without. */
export function compareAddress(address: AddressReading, name: TypedWords, known: Words): Compare {
  const numbers = numberWordsOf(address);
  const house = [...numbers, ...(address.lastNumber === undefined ? [] : [address.lastNumber])]
    .toSorted()
    .join(" ");
  const street = address.street.words;
  const alleys = address.alleys.length > 0 ? numbers.slice(address.number === undefined ? 0 : 1) : [];
  const wanted = Number.parseInt(numbers[0] ?? "", 10);
  const weights = weighWords(name.words, known);
  const findName = wordFinder(name.words, weights, { lexicon: known.lexicon, begunIn: "nothing" });
  const ofStreet = informationOf([...numbers, ...street], known);
  return (place) => {
    const rest = words(foldedAddressOf(place));
    const at = findStreet(rest, street, known.addressMeaning);
    if (at === undefined) return undefined;
    const before = numbersBefore(rest, at.start, known.addressMeaning);
    const houses = before.map(({ word }) => word);
    // "ngõ 181 nguyễn lương bằng" is not number 181.
    const isOtherAlley = address.number !== undefined && before[0]?.isAlley === true;
    const isHouse = !isOtherAlley && numbers.length > 0 && house === houses.toSorted().join(" ");
    const isInAlley = alleys.length > 0 && alleys.every((number) => houses.includes(number));
    const isSameNumber = numbers.length > 0 && numbers[0] === houses[0];
    const steps = Math.abs(Number.parseInt(houses[0] ?? "", 10) - wanted);
    const nearness = Number.isNaN(steps) ? 0 : 1 / (1 + steps / MATCHING.halfNumberSteps);
    const ofNumber =
      isHouse || numbers.length === 0
        ? 1
        : isSameNumber || isInAlley
          ? MATCHING.sameHouse
          : MATCHING.otherHouse * nearness;
    const { missing } = findName(place);
    const isMeant = numbers.length === 0 || isHouse || (address.number === undefined && isInAlley);
    const features = {
      address: ofStreet,
      other_house: 1 - ofNumber,
      missing,
      mistyped: at.hasTypo ? 1 : 0,
    };
    const hasAll = isMeant && missing < MATCHING.complete;
    return { features, isComplete: hasAll && !at.hasTypo, isNearlyComplete: hasAll, isWholeName: false };
  };
}

/** Where the words of a street stand in an address, rather behind a number than as those of a ward; one word may have a typo. */
function findStreet(
  rest: readonly string[],
  street: readonly string[],
  addressMeaning: Words["addressMeaning"],
): { readonly start: number; readonly hasTypo: boolean } | undefined {
  const starts = range(0, rest.length - street.length + 1);
  const found = starts.filter((start) => street.every((word, index) => word === rest[start + index]));
  const start = found.find((one) => numbersBefore(rest, one, addressMeaning).length > 0) ?? found[0];
  if (start !== undefined) return { start, hasTypo: false };
  const wanted = street.join("");
  for (const start of starts) {
    const joined = rest.slice(start, start + street.length).join("");
    if (joined.length >= LEXICON.lettersForTypo && isOneTypoAway(wanted, joined))
      return { start, hasTypo: true };
  }
  return undefined;
}

export const foldedAddressOf = ({ foldedRest, type }: PlaceCandidate): string =>
  foldedRest.slice(typeLabels(type).length);

/** Whether the address of a place says the area: people write the ward that they know, and a border may run along their street. */
export const saysArea = (place: PlaceCandidate, names: readonly string[]): boolean =>
  names.some((name) => holdsWords(foldedAddressOf(place), name));

/** How names and addresses say an area, folded. Any of them may have the "1" of "Phường 1". */
export const namesOfArea = (area: AreaReading | undefined): readonly string[] => [
  ...new Set(area?.areas.map(({ name }) => foldWord(distinctAreaName(name)))),
];

/**
 * Whether words are the street of a place: they follow a number or a word such as "phố", or begin its address. A ward stands later.
 * @param isWhole the name of the street does not go on behind them: a number or an area follows, or nothing
 */
export function isStreetOf(
  place: PlaceCandidate,
  street: readonly string[],
  { addressMeaning }: Words,
  isWhole = false,
): boolean {
  const address = words(foldedAddressOf(place));
  const rest = isWhole ? withoutProvince(address) : address;
  return rest.some((_, start) => {
    const before = rest[start - 1];
    // One letter ("p") is a ward as well.
    const isWord = before !== undefined && before.length > 1 && addressMeaning(before) !== undefined;
    const isBegun = before === undefined || /\d/.test(before) || isWord;
    const next = rest[start + street.length];
    const isEnded = !isWhole || next === undefined || /\d/.test(next) || AREA_WORDS.has(next);
    return isBegun && isEnded && street.every((word, index) => word === rest[start + index]);
  });
}

/** Words with which an area begins: "phuong", "quan". */
const AREA_WORDS = new Set(DESIGNATIONS.flatMap(({ vi, en }) => [vi, en].map((one) => words(fold(one))[0])));

/** The numbers right before the street: "12 3" of "12 3 hem cao thang"; words such as "duong" may stand between. */
function numbersBefore(rest: readonly string[], start: number, addressMeaning: Words["addressMeaning"]) {
  const found: { readonly word: string; readonly isAlley: boolean }[] = [];
  for (let at = start - 1; at >= Math.max(0, start - MATCHING.wordsOfNumber); at -= 1) {
    const word = rest[at]!;
    // "quoc lo" is a word of an address too, of two.
    const known = [word, `${rest[at - 1]}${word}`, `${word}${rest[at + 1]}`];
    if (/\d/.test(word)) found.unshift({ word, isAlley: addressMeaning(rest[at - 1] ?? "") === "alley" });
    else if (word.length > 1 && known.every((one) => addressMeaning(one) === undefined)) break;
  }
  return found;
}
