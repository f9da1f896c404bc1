import type { Coordinates } from "../../../src/place/coordinates.ts";
import { fold, joinWords } from "../../../src/place/text/fold.ts";
import { byDistance, hasTellingName, wordsOf, type Gazetteer, type TruePlace } from "../gazetteer.ts";
import type { Random } from "../random.ts";
import type { EvalCase, NameKind } from "./case.ts";
import { centreFarFrom, centreNear } from "./centre.ts";
import { mistype } from "./typo.ts";

/** With fewer letters a typo makes another name of it as often as not: "hoa" is one letter from nine names. */
const MIN_LETTERS_PER_TYPO = 5;

/** How much of a name is typed when it is typed by half. */
const SHARE_TYPED = 0.6;
/** Less than this is a matter for autocomplete. */
const MIN_LETTERS_OF_HALF = 3;

/** One place is mapped twice where two of a name stand this close; a caller is served by either. */
const SAME_PLACE_METERS = 30;
/** From another part of the country all branches in a city are as near: a fifth more or less. */
const SAME_REGION_SHARE = 1.2;

/** What somebody types who means the place; `undefined` where its name does not lend itself to it. */
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

/** Of three words or more one is left out. */
function leaveOutWord(place: TruePlace, random: Random): string | undefined {
  const words = wordsOf(place);
  return words.length < 3 ? undefined : words.toSpliced(random.below(words.length), 1).join(" ");
}

/** Typed as it is, the name means itself; otherwise the words must not be another name, nor a category. */
const MAY_BE_TAKEN: ReadonlySet<NameKind> = new Set(["exact", "no-marks", "joined", "far"]);

/** Up to `count` cases of a kind, of places drawn without repetition: every place is as likely. */
export function makeNameCases(
  kind: NameKind,
  { places, ...gazetteer }: Gazetteer,
  random: Random,
  count: number,
): EvalCase[] {
  const cases: EvalCase[] = [];
  for (const place of random.shuffle(places.filter(hasTellingName))) {
    if (cases.length >= count) break;
    const query = TYPE_NAME[kind](place, random);
    if (query === undefined) continue;
    if (!MAY_BE_TAKEN.has(kind) && gazetteer.isTaken(joinWords(fold(query)))) continue;
    const centre =
      kind === "far" ? centreFarFrom(place.location, random) : centreNear(place.location, random);
    const bearers = gazetteer.bearersOf(joinWords(place.folded));
    const dataIds = nearestOf(bearers, centre, kind === "far");
    cases.push({ kind, query, centre, expected: { dataIds, name: place.folded } });
  }
  return cases;
}

/** The nearest of the places, and those that are as near. */
export function nearestOf(places: readonly TruePlace[], centre: Coordinates, isFar = false): string[] {
  const ordered = byDistance(places, centre);
  const least = ordered[0]?.meters ?? 0;
  const most = isFar ? least * SAME_REGION_SHARE : least + SAME_PLACE_METERS;
  return ordered.filter(({ meters }) => meters <= most).map(({ place }) => place.dataId);
}
