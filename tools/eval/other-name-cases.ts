import abbreviations from "../../src/place/text/abbreviations.json" with { type: "json" };
import { TYPE_CODES, isTypeCode, typesUnder } from "../../src/place/document/type-codes.ts";
import { fold, joinWords, words as splitWords } from "../../src/place/text/fold.ts";
import { HOUSE_AND_STREET, streetKey } from "./address-cases.ts";
import { type EvalCase, type Kind, centreNear, mistype } from "./cases.ts";
import { type Dataset, type TruePlace, hasTellingName } from "./dataset.ts";
import { nearestOf } from "./name-cases.ts";
import type { Random } from "../../test/support/random.ts";
import { everyOtherFolded, unmark } from "./phrase-cases.ts";
import { halfOf } from "./wording.ts";

/** Names that are typed in another way than they are written, where the way depends on what the name says. */

const LONG_FORMS = Object.entries(abbreviations)
  .map(([short, long]) => ({ short, long: unmark(long) }))
  .toSorted((a, b) => b.long.length - a.long.length);

/** People leave out the word for school before an abbreviation that says so: "THPT Chu Văn An". */
const BEFORE_ABBREVIATION = /^truong (?=trung hoc |dai hoc )/;

/** Nobody types the longest names of universities in full. */
const MOST_WORDS_OF_REST = 4;

/** The abbreviation of the first words and the others, without spaces: "bvbachmai". */
function joinAbbreviated({ folded }: TruePlace): string | undefined {
  const name = folded.replace(BEFORE_ABBREVIATION, "");
  const form = LONG_FORMS.find(({ long }) => name.startsWith(`${long} `));
  if (form === undefined) return undefined;
  const rest = name.slice(form.long.length + 1);
  return splitWords(rest).length > MOST_WORDS_OF_REST ? undefined : joinWords(form.short + rest);
}

/** Fewer letters of the rest are a number or an initial: "Trường Tiểu học A". */
const MIN_LETTERS_OF_REST = 4;

/** "Siêu thị tại Mã Mây" has no name. */
const NO_NAME = /^tai /;

/** Below these, names say what is served or sold, and nobody calls "Phở Thìn" a "pho restaurant". */
const NOT_TRANSLATED: ReadonlySet<string> = new Set(
  (["RESTAURANT", "SHOP"] as const).flatMap((parent) => typesUnder(parent).filter((code) => code !== parent)),
);
/** Names of shops that are known in both languages. */
const TRANSLATED_SHOPS: ReadonlySet<string> = new Set([
  "SUPERMARKET",
  "MARKET",
  "SHOPPING_MALL",
  "BOOKSTORE",
]);

/** The rest of the name and its kind in English: "bach mai hospital" for "Bệnh viện Bạch Mai". */
function translate({ title, folded, type }: TruePlace): string | undefined {
  if (!isTypeCode(type) || (NOT_TRANSLATED.has(type) && !TRANSLATED_SHOPS.has(type))) return undefined;
  const { vi, en, words } = TYPE_CODES[type];
  const isVietnamese = (word: string): boolean => word === vi || unmark(word) !== word;
  const kind = [vi, ...words]
    .filter((word) => isVietnamese(word) && title.toLowerCase().startsWith(`${word.toLowerCase()} `))
    .toSorted((a, b) => b.length - a.length)[0];
  if (kind === undefined) return undefined;
  const rest = folded.slice(fold(kind).length).trim();
  const isName =
    joinWords(rest).length >= MIN_LETTERS_OF_REST &&
    splitWords(rest).length <= MOST_WORDS_OF_REST &&
    !NO_NAME.test(rest);
  return isName ? `${rest} ${fold(en)}` : undefined;
}

const makerOf =
  (kind: Kind, type: (place: TruePlace) => string | undefined) =>
  (dataset: Dataset, random: Random, count: number): EvalCase[] => {
    const named = dataset.places.filter(hasTellingName).flatMap((place) => {
      const query = type(place);
      return query === undefined || isOtherName(query, place, dataset) ? [] : [{ place, query }];
    });
    const byQuery = Map.groupBy(named, ({ query }) => query);
    return random
      .shuffle(named)
      .slice(0, count)
      .map(({ place, query }) => {
        const centre = centreNear(place.location, random);
        const bearers = [query, place.folded].flatMap((name) => dataset.bearersOf(joinWords(name)));
        const same = byQuery.get(query)!.map((one) => one.place);
        const dataIds = nearestOf([...new Set([...bearers, ...same])], centre);
        return { kind, part: halfOf(query), query, centre, expected: { dataIds, name: place.folded } };
      });
  };

/** Such a query means another place, or a kind. */
const isOtherName = (query: string, place: TruePlace, dataset: Dataset): boolean =>
  dataset.isTaken(joinWords(query)) && !place.joinedNames.includes(joinWords(query));

/** Names that begin with words that have an abbreviation. Right is the nearest place that is typed so. */
export const makeJoinedShortCases = makerOf("joined-short", joinAbbreviated);

/** Vietnamese names with the word for their kind in English, behind the others. Right is the nearest place that is typed so. */
export const makeEnglishNameCases = makerOf("english-name", translate);

/** A number is part of the word: a typo may not make another house. */
const MIN_LETTERS_FOR_TYPO = 5;

/**
 * Names that are the number of a house and a street of the dataset, such as "29 Hàng Bài", as written and with one typo.
 * Right is the nearest place of that very name, not one at that address.
 */
export function makeHouseNameCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  const streets = new Set(dataset.places.map(({ street }) => streetKey(street.replace(/^\d\S*\s+/u, ""))));
  const named = dataset.places.filter(({ title, isClosed }) => {
    const street = HOUSE_AND_STREET.exec(title)?.[2];
    return !isClosed && street !== undefined && streets.has(streetKey(street));
  });
  return random
    .shuffle(named)
    .slice(0, count)
    .flatMap((place, number): EvalCase[] => {
      const centre = centreNear(place.location, random);
      const dataIds = nearestOf(dataset.bearersOf(joinWords(place.folded)), centre);
      const typed = joinWords(place.folded).replace(/\d/g, "");
      const mistyped = typed.length < MIN_LETTERS_FOR_TYPO ? undefined : mistype(place.folded, 1, random);
      const ways = [
        { form: "as written", query: everyOtherFolded(place.title, number) },
        ...(mistyped === undefined || dataset.isTaken(joinWords(mistyped))
          ? []
          : [{ form: "1 typo", query: mistyped }]),
      ];
      return ways.map(({ form, query }) => ({
        kind: "house-name",
        form,
        part: halfOf(place.folded),
        query,
        centre,
        expected: { dataIds, name: place.folded },
      }));
    });
}
