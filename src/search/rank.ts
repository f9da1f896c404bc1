import { distanceMeters, type Coordinates } from "../place/coordinates.ts";
import type { PlaceSummaryDocument } from "../place/place-document.ts";
import { editDistance } from "../text/edit-distance.ts";
import { fold, joinWords, words } from "../text/fold.ts";
import type { RankedPlace } from "./search-request.ts";

/** Words decide first: a place ten steps further that is meant beats a near one that is not. */
const TEXT_WEIGHT = 10;
/** A place at the caller's feet gains this over one far away. */
const DISTANCE_WEIGHT = 2;
/** Half of the distance's weight is lost at this distance: a walk, or a short ride. */
const HALF_DISTANCE_METERS = 2_000;
/** Breaks near-ties among places about as far; 45 is the prominence of the best-known places. */
const PROMINENCE_WEIGHT = 0.5;
const HIGHEST_PROMINENCE = 45;

/** A word of the address counts less than one of the name. */
const ADDRESS_WORD_WEIGHT = 0.6;

/** The query as the ranking compares it; made once a search. */
interface RankedQuery {
  readonly joined: string;
  readonly words: readonly string[];
}

/** Orders the candidates of all lookups by words, distance and prominence, each place once; ties by data id. */
export function rankPlaces(
  query: string,
  centre: Coordinates,
  candidates: readonly PlaceSummaryDocument[],
): RankedPlace[] {
  const folded = fold(query);
  const rankedQuery = { joined: joinWords(folded), words: words(folded) };
  const distinct = new Map(candidates.map((place) => [place.data_id, place]));
  return [...distinct.values()]
    .map((place) => scorePlace(place, rankedQuery, centre))
    .toSorted((a, b) => b.score - a.score || (a.place.data_id < b.place.data_id ? -1 : 1))
    .map(({ place, distance }) => ({ place, distanceMeters: distance }));
}

function scorePlace(place: PlaceSummaryDocument, query: RankedQuery, centre: Coordinates) {
  const distance = distanceMeters(centre, place.location);
  const score =
    TEXT_WEIGHT * textQuality(place, query) +
    DISTANCE_WEIGHT * (HALF_DISTANCE_METERS / (HALF_DISTANCE_METERS + distance)) +
    PROMINENCE_WEIGHT * Math.min(1, (place.rating * Math.log1p(place.reviews)) / HIGHEST_PROMINENCE);
  return { place, distance, score };
}

/** 0 to 1: the best of the whole name's likeness and the share of the query's words that the place holds. */
function textQuality(place: PlaceSummaryDocument, query: RankedQuery): number {
  const names = [place.title, ...place.alternate_names].map(fold);
  const likeness = Math.max(...names.map((name) => nameLikeness(query.joined, joinWords(name))));
  return Math.max(likeness, wordCoverage(query.words, names.join(" "), fold(place.location.address.full)));
}

function nameLikeness(typed: string, name: string): number {
  if (typed === "" || name === "") return 0;
  const { whole, prefix } = editDistance(typed, name);
  const wholeLikeness = 1 - whole / Math.max(typed.length, name.length);
  const prefixLikeness = 0.95 * (1 - prefix / typed.length);
  return Math.max(0, wholeLikeness, prefixLikeness);
}

function wordCoverage(typed: readonly string[], names: string, address: string): number {
  if (typed.length === 0) return 0;
  const nameWords = new Set(words(names));
  const addressWords = new Set(words(address));
  const found = typed.map((word) =>
    nameWords.has(word) ? 1 : addressWords.has(word) ? ADDRESS_WORD_WEIGHT : 0,
  );
  return (0.9 * found.reduce<number>((sum, weight) => sum + weight, 0)) / typed.length;
}
