import { type Coordinates, distanceMeters } from "../../src/place/geometry/coordinates.ts";
import { editDistance } from "../../src/place/text/edit-distance.ts";
import { joinWords, words } from "../../src/place/text/fold.ts";
import { PAGE, SUGGESTIONS } from "./ask.ts";
import { type EvalCase, type Kind, NEAR_METERS, isAutocomplete } from "./cases.ts";
import type { Dataset, TruePlace } from "./dataset.ts";

/**
 * The best results of a perfect ranker that knows only the typed letters and all distances. Half a name
 * stands for every name that begins so, and the caller meant one of them.
 */
export interface Ceiling {
  /**
   * The ranks of the right name when all matching names are ordered by distance; undefined beyond the
   * response's end.
   */
  readonly byDistance: readonly (number | undefined)[];
  /**
   * The same in the best order for how the cases are made: the likeliest name first, which is that of many
   * places near, with more weight on nearer ones.
   */
  readonly byLikelihood: readonly (number | undefined)[];
}

interface Name {
  readonly folded: string;
  readonly joined: string;
  readonly words: readonly string[];
  /** The letters in the name, as bits: names that differ in many are not typos of each other. */
  readonly letters: number;
  readonly places: readonly TruePlace[];
}

/** How badly a name matches the typed text, 0 the best; `undefined` when it does not match. */
type Fit = (name: Name, typed: Name) => number | undefined;

const fitTypos =
  (typos: number): Fit =>
  (name, typed) => {
    if (Math.abs(name.folded.length - typed.folded.length) > typos) return undefined;
    if (countBits(name.letters ^ typed.letters) > 2 * typos) return undefined;
    const edits = editDistance(typed.folded, name.folded).whole;
    return edits <= typos ? edits : undefined;
  };

const fitBeginning: Fit = (name, typed) => (name.folded.startsWith(typed.folded) ? 0 : undefined);

/** A name matches when it contains all typed words; the fewer other words, the better. */
const fitWords: Fit = (name, typed) => {
  const left = [...name.words];
  for (const word of typed.words) {
    const at = left.indexOf(word);
    if (at < 0) return undefined;
    left.splice(at, 1);
  }
  return left.length;
};

const FITS: Partial<Record<Kind, Fit>> = {
  "typo-1": fitTypos(1),
  "typo-1-any": fitTypos(1),
  "typo-2": fitTypos(2),
  "typo-2-any": fitTypos(2),
  "first-60": fitBeginning,
  autocomplete: fitBeginning,
  "autocomplete-known": fitBeginning,
  "autocomplete-half-typed": fitBeginning,
  swapped: fitWords,
  "word-missing": fitWords,
};

/** The ceilings for the cases of one kind; `undefined` for a kind that a perfect ranker always gets right. */
export function findCeiling(cases: readonly EvalCase[], dataset: Dataset): Ceiling | undefined {
  const fit = cases[0] && FITS[cases[0].kind];
  if (!fit) return undefined;
  const names = namesOf(dataset);
  const ranks = cases.map((asked) => rankPerfectly(asked, fit, names));
  return {
    byDistance: ranks.map(({ byDistance }) => byDistance),
    byLikelihood: ranks.map(({ byLikelihood }) => byLikelihood),
  };
}

function namesOf({ places }: Dataset): Name[] {
  const byTitle = Map.groupBy(places, ({ folded }) => folded);
  return [...byTitle].map(([folded, found]) => toName(folded, found));
}

const toName = (folded: string, places: readonly TruePlace[] = []): Name => ({
  folded,
  joined: joinWords(folded),
  words: words(folded),
  letters: Array.from(folded).reduce((bits, letter) => bits | (1 << (letter.charCodeAt(0) & 31)), 0),
  places,
});

interface Candidate {
  readonly name: Name;
  readonly misfit: number;
  readonly meters: number;
  readonly likelihood: number;
}

function rankPerfectly({ kind, query, centre, expected }: EvalCase, fit: Fit, names: readonly Name[]) {
  const typed = toName(query);
  const weigh = kind === "autocomplete-known" ? byReviews : alike;
  const candidates = names.flatMap((name): Candidate[] => {
    const misfit = fit(name, typed);
    return misfit === undefined ? [] : [{ name, misfit, ...measure(name, centre, weigh) }];
  });
  const limit = isAutocomplete(kind) ? SUGGESTIONS : PAGE;
  const isRight = rightNames(expected, candidates);
  const rankIn = (order: (a: Candidate, b: Candidate) => number): number | undefined => {
    const at = candidates.toSorted(order).findIndex(isRight);
    return at < 0 || at >= limit ? undefined : at + 1;
  };
  return {
    byDistance: rankIn((a, b) => a.misfit - b.misfit || a.meters - b.meters),
    byLikelihood: rankIn((a, b) => a.misfit - b.misfit || b.likelihood - a.likelihood || a.meters - b.meters),
  };
}

/**
 * The intended name; for a chain also a branch with a longer name that is nearer than any with the plain one.
 */
function rightNames({ name = "", isChain }: EvalCase["expected"], candidates: readonly Candidate[]) {
  const joined = joinWords(name);
  const nearest = candidates.find((candidate) => candidate.name.joined === joined)?.meters ?? 0;
  return ({ name: found, meters }: Candidate): boolean =>
    found.joined === joined || (isChain === true && found.folded.startsWith(`${name} `) && meters <= nearest);
}

const alike = (): number => 1;
const byReviews = ({ reviews }: TruePlace): number => reviews;

/** Below this, distances do not say which place was meant. */
const LEAST_METERS = 50;

/**
 * The likelihood that a place of this name was meant. Callers are equally often at every distance up to
 * `NEAR_METERS`, so at one point the likelihood falls with 1/distance. `weigh` returns how often a place is
 * looked for.
 */
function measure({ places }: Name, centre: Coordinates, weigh: (place: TruePlace) => number) {
  const measured = places.map((place) => ({ place, meters: distanceMeters(centre, place.location) }));
  const near = measured.filter(({ meters }) => meters <= NEAR_METERS);
  return {
    meters: Math.min(...measured.map(({ meters }) => meters)),
    likelihood: near.reduce(
      (sum, { place, meters }) => sum + weigh(place) / Math.max(LEAST_METERS, meters),
      0,
    ),
  };
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}
