import type { Coordinates } from "../../src/place/geometry/coordinates.ts";
import { fold, joinWords } from "../../src/place/text/fold.ts";
import { type Dataset, type TruePlace, byDistance, hasTellingName, wordsOf } from "./dataset.ts";
import type { Random } from "../../test/support/random.ts";
import { toTelex } from "../bench/typed-text.ts";
import { unmark } from "./phrase-cases.ts";
import { WORDING } from "./wording.ts";
import { type EvalCase, type NameKind, centreFarFrom, centreNear, mistype } from "./cases.ts";

/** With fewer letters, a typo often makes another name: "hoa" is one letter from nine names. */
const MIN_LETTERS_PER_TYPO = 5;

/** The share of a name that is typed when it is half typed. */
const SHARE_TYPED = 0.6;
/** Fewer letters are left to autocomplete. */
const MIN_LETTERS_OF_HALF = 3;

/** Two records of a name this close are one place; either is right. */
const SAME_PLACE_METERS = 30;
/** From another part of the country all branches in a city are about equally near, within a fifth. */
const SAME_REGION_SHARE = 1.2;

/** What a caller types for the place; `undefined` where its name is not suitable. */
type TypeName = (place: TruePlace, random: Random) => string | undefined;

const typoMaker =
  (typos: number, minLetters: number): TypeName =>
  ({ folded }, random) =>
    joinWords(folded).length >= minLetters && isLatin(folded) ? mistype(folded, typos, random) : undefined;

const isLatin = (folded: string): boolean => /^[a-z0-9 ]+$/.test(folded);

const TYPE_NAME: Readonly<Record<NameKind, TypeName>> = {
  exact: ({ title }) => title,
  "no-marks": ({ folded }) => folded,
  "typo-1": typoMaker(1, MIN_LETTERS_PER_TYPO),
  "typo-2": typoMaker(2, 2 * MIN_LETTERS_PER_TYPO),
  "typo-1-any": typoMaker(1, 1),
  "typo-2-any": typoMaker(2, 1),
  "first-60": ({ folded }) => typeHalf(folded),
  joined: ({ folded }) => (folded.includes(" ") ? joinWords(folded) : undefined),
  swapped: swapWords,
  "word-missing": leaveOutWord,
  "short-form": abbreviate,
  telex: ({ title }) => {
    const typed = toTelex(title);
    return typed === title.toLowerCase() ? undefined : typed;
  },
  far: ({ title }) => title,
};

function typeHalf(folded: string): string | undefined {
  const half = folded.slice(0, Math.ceil(SHARE_TYPED * folded.length)).trim();
  return half.length >= MIN_LETTERS_OF_HALF ? half : undefined;
}

/** Two neighbouring words change places. */
function swapWords(place: TruePlace, random: Random): string | undefined {
  const words = wordsOf(place);
  if (words.length < 2) return undefined;
  const at = random.below(words.length - 1);
  return words.toSpliced(at, 2, words[at + 1]!, words[at]!).join(" ");
}

/** Leaves out one of three or more words. */
function leaveOutWord(place: TruePlace, random: Random): string | undefined {
  const words = wordsOf(place);
  return words.length < 3 ? undefined : words.toSpliced(random.below(words.length), 1).join(" ");
}

/** How Vietnamese write words that names begin with. Not all of them are abbreviations that the search knows. */
const SHORT_FORMS = Object.entries({
  "bệnh viện": "bv",
  "trung học phổ thông": "thpt",
  "trung học cơ sở": "thcs",
  "tiểu học": "th",
  "đại học": "đh",
  "học viện": "hv",
  "nhà thuốc": "nt",
  "phòng khám": "pk",
  "ngân hàng": "nh",
  "siêu thị": "st",
  "công viên": "cv",
  "khách sạn": "ks",
  "bến xe": "bx",
  "trung tâm y tế": "ttyt",
});

/** The name in lower case with its first long word abbreviated, as "bv bạch mai". */
function abbreviate({ title }: TruePlace): string | undefined {
  const name = title.toLowerCase();
  const form = SHORT_FORMS.find(([long]) => name.includes(`${long} `));
  return form && name.replace(...form);
}

/**
 * The kinds typed exactly, which mean the name itself. In all others the words must not be another name or a
 * category.
 */
const MAY_BE_TAKEN: ReadonlySet<NameKind> = new Set(["exact", "no-marks", "joined", "short-form", "far"]);

/** Up to `count` cases of a kind, for places drawn without repetition and with equal chances. */
export function makeNameCases(
  kind: NameKind,
  { places, ...dataset }: Dataset,
  random: Random,
  count: number,
): EvalCase[] {
  const cases: EvalCase[] = [];
  for (const place of random.shuffle(places.filter(hasTellingName))) {
    if (cases.length >= count) break;
    const query = TYPE_NAME[kind](place, random);
    if (query === undefined) continue;
    if (!MAY_BE_TAKEN.has(kind) && dataset.isTaken(joinWords(fold(query)))) continue;
    const centre =
      kind === "far" ? centreFarFrom(place.location, random) : centreNear(place.location, random);
    const bearers = dataset.bearersOf(joinWords(place.folded));
    const dataIds = nearestOf(bearers, centre, kind === "far");
    cases.push({ kind, query, centre, expected: { dataIds, name: place.folded } });
  }
  return cases;
}

/** How the name in a question is typed: a row of the report each. */
const FORMS_IN_QUESTION: readonly NameKind[] = ["exact", "no-marks", "typo-1", "telex"];

/** Names inside of questions about them: "where is the coffee house". Right is the nearest place with the name. */
export function makeQuestionCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  const cases: EvalCase[] = [];
  for (const place of random.shuffle(dataset.places.filter(hasTellingName))) {
    if (cases.length >= count) break;
    const question = random.pick(WORDING.questions);
    const form = FORMS_IN_QUESTION[cases.length % FORMS_IN_QUESTION.length]!;
    const name = TYPE_NAME[form](place, random);
    if (name === undefined || (!MAY_BE_TAKEN.has(form) && dataset.isTaken(joinWords(fold(name))))) continue;
    // Who types a name without marks asks without them.
    const pattern = unmark(name) === name ? unmark(question.pattern) : question.pattern;
    const centre = centreNear(place.location, random);
    const dataIds = nearestOf(dataset.bearersOf(joinWords(place.folded)), centre);
    const part = question.isHeldAside ? "held aside" : "tuning";
    const query = pattern.replace("{name}", () => name);
    cases.push({ kind: "question", form, part, query, centre, expected: { dataIds, name: place.folded } });
  }
  return cases;
}

/** The nearest of the places, and those that are equally near. */
export function nearestOf(places: readonly TruePlace[], centre: Coordinates, isFar = false): string[] {
  const ordered = byDistance(places, centre);
  const least = ordered[0]?.meters ?? 0;
  const most = isFar ? least * SAME_REGION_SHARE : least + SAME_PLACE_METERS;
  return ordered.filter(({ meters }) => meters <= most).map(({ place }) => place.dataId);
}

/** With fewer places, the shared name is a coincidence. */
const MIN_BRANCHES = 5;
export const TOP_BRANCHES = 5;

/** Every name of five places or more, repeated until there are `count` cases, each with another centre. */
export function makeChainCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  const chains = random.shuffle(chainsOf(dataset));
  if (chains.length === 0) return [];
  return Array.from({ length: count }, (_, number) => {
    const [speaker, ...others] = chains[number % chains.length]!;
    const branches = [speaker!, ...others];
    const centre = centreNear(random.pick(branches).location, random);
    const bearers = dataset.bearersOf(joinWords(speaker!.folded));
    const nearestFive = byDistance(bearers, centre)
      .slice(0, TOP_BRANCHES)
      .map(({ place }) => place.dataId);
    const dataIds = nearestOf(bearers, centre);
    return {
      kind: "chain",
      query: speaker!.title,
      centre,
      expected: { dataIds, name: speaker!.folded, isChain: true, nearestFive },
    };
  });
}

/** The places of each title that enough places have, if only as an alternate name. */
export function chainsOf(dataset: Dataset): TruePlace[][] {
  const byTitle = Map.groupBy(dataset.places.filter(hasTellingName), ({ folded }) => joinWords(folded));
  return [...byTitle]
    .filter(([name]) => dataset.bearersOf(name).length >= MIN_BRANCHES)
    .map(([, found]) => found);
}

/** From the first character to where most names can be told apart. */
const MAX_TYPED = 8;

/**
 * The same names typed character by character, without marks: one case per number of typed characters. Right
 * is any place of that name, because a suggestion offers the name; the search then finds its nearest place.
 */
export function makeAutocompleteCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  const places = random.shuffle(dataset.places.filter(hasTellingName)).slice(0, count);
  return places.flatMap((place) => typeName("autocomplete", place, { dataset, random }));
}

/**
 * The same, with places drawn by their number of reviews, because people mostly type well-known names. Empty
 * when no place has reviews.
 */
export function makeKnownAutocompleteCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  const reviewed = dataset.places.filter((place) => hasTellingName(place) && place.reviews > 0);
  // The largest of uniform draws raised to 1/weight: a sample without repetition by weight (Efraimidis and Spirakis 2006).
  const drawn = reviewed.map((place) => ({ place, key: Math.log(random.fraction()) / place.reviews }));
  const places = drawn.toSorted((a, b) => b.key - a.key).slice(0, count);
  return places.flatMap(({ place }) => typeName("autocomplete-known", place, { dataset, random }));
}

interface Making {
  readonly dataset: Dataset;
  readonly random: Random;
}

function typeName(kind: EvalCase["kind"], place: TruePlace, { dataset, random }: Making): EvalCase[] {
  const centre = centreNear(place.location, random);
  const bearers = byDistance(dataset.bearersOf(joinWords(place.folded)), centre);
  const dataIds = bearers.map(({ place: bearer }) => bearer.dataId);
  const chain = bearers.length >= MIN_BRANCHES && ({ isChain: true } as const);
  return Array.from({ length: Math.min(MAX_TYPED, place.folded.length) }, (_, before) => {
    const typed = before + 1;
    const query = place.folded.slice(0, typed).trim();
    return { kind, query, centre, expected: { dataIds, name: place.folded, ...chain, typed } };
  });
}

/** From where most callers stop typing to where most names can be told apart. */
const HALF_TYPED_LENGTHS = [3, 4, 5, 6, 7, 8, 9, 12] as const;

/** The beginning of a name, searched for; right is the nearest place of that name. */
export const makeHalfTypedCases = (dataset: Dataset, random: Random, count: number): EvalCase[] =>
  typeBeginnings("half-typed", dataset, random, count);

/** The same as suggestions; right is any place of that name. */
export const makeHalfTypedSuggestionCases = (dataset: Dataset, random: Random, count: number): EvalCase[] =>
  typeBeginnings("autocomplete-half-typed", dataset, random, count);

function typeBeginnings(
  kind: "half-typed" | "autocomplete-half-typed",
  dataset: Dataset,
  random: Random,
  count: number,
): EvalCase[] {
  const places = random.shuffle(dataset.places.filter(hasTellingName)).slice(0, count);
  return places.flatMap((place): EvalCase[] => {
    const centre = centreNear(place.location, random);
    const bearers = dataset.bearersOf(joinWords(place.folded));
    const dataIds =
      kind === "half-typed" ? nearestOf(bearers, centre) : bearers.map((bearer) => bearer.dataId);
    const beginnings = [
      ...HALF_TYPED_LENGTHS.map((typed) => ({ form: `${typed} letters`, typed })),
      { form: "60 %", typed: Math.ceil(SHARE_TYPED * place.folded.length) },
    ];
    return beginnings.flatMap(({ form, typed }) => {
      const query = place.folded.slice(0, typed);
      const isHalf =
        typed < place.folded.length && query.length >= MIN_LETTERS_OF_HALF && !query.endsWith(" ");
      if (!isHalf || dataset.isTaken(joinWords(query))) return [];
      return [{ kind, form, query, centre, expected: { dataIds, name: place.folded } }];
    });
  });
}
