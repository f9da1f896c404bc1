import type { PlaceCandidate } from "../meilisearch/place-index.ts";
import type { Coordinates } from "../place/geometry/coordinates.ts";
import type { Answer } from "./candidates.ts";
import type { LandmarkAt } from "./intents.ts";
import { isStreetOf } from "./match-address.ts";
import { compareName } from "./match-name.ts";
import { holdsWords, type Words } from "./match-words.ts";
import { PLACES } from "./numbers.ts";
import { toReading, type LandmarkReading, type Reading } from "./reading/reading.ts";
import { byScore, scorePlace } from "./score.ts";

/** Where the landmarks of readings are, around which their places are looked up. */

export type Landmarks = ReadonlyMap<Reading, LandmarkAt>;

/**
 * The landmarks that were found. Beside a kind or a chain, several addresses say as much as a word such as "đường": the words are a
 * street. The whole name of a place with its kind says as much as "gần": "lotteria chợ bến thành".
 */
export function landmarksIn(answers: readonly Answer[], words: Words): Landmarks {
  const byIntent = Map.groupBy(
    answers.filter(({ isAnchor }) => isAnchor),
    ({ intent }) => intent,
  );
  return new Map(
    [...byIntent].flatMap(([{ reading, centre }, ofIntent]) => {
      const { landmark } = reading;
      const found = landmark && findAnchor(landmark, ofIntent, centre, words);
      if (!found) return [];
      const { isStreet, isWholeName, ...at } = found;
      const isBesideKind = reading.kinds.length > 0 || reading.besideKinds !== undefined;
      const proven = isStreet && isBesideKind ? "in" : landmark.hasKind && isWholeName ? "near" : "none";
      if (landmark.relation !== "none" || proven === "none") return [[reading, at] as const];
      return [[{ ...reading, landmark: { ...landmark, relation: proven } }, at] as const];
    }),
  );
}

/** Where a landmark is: the place of this name, or the street; and what proves that it is one. */
function findAnchor(
  landmark: LandmarkReading,
  answers: readonly Answer[],
  centre: Coordinates,
  words: Words,
): (LandmarkAt & { readonly isStreet: boolean; readonly isWholeName: boolean }) | undefined {
  const places = [
    ...new Map(answers.flatMap(({ result }) => result.places).map((place) => [place.id, place])).values(),
  ];
  const [first] = places;
  if (landmark.kinds) return first && { centre: first.location, isStreet: false, isWholeName: false };
  const compare = compareName(landmark, words);
  const phrase = landmark.words.join(" ");
  const isInStreet = ({ foldedRest, foldedNames }: PlaceCandidate): boolean =>
    [foldedRest, ...foldedNames].some((text) => holdsWords(text, phrase));
  const street = landmark.hasKind ? [] : places.filter(isInStreet);
  const named = places
    .flatMap((place) => {
      const match = compare(place);
      return match && (match.isWholeName || match.isComplete) ? [{ place, match }] : [];
    })
    .map((one) => scorePlace({ ...one, reading: PLAIN }, { centre, isOutside: false }))
    .toSorted(byScore);
  const [best] = named;
  // "bidv có cây atm": a chain is no place on the map.
  const branches = named.filter(({ match }) => (match.features.begins ?? 0) > 0).length;
  if (landmark.relation !== "near" && landmark.relation !== "in" && branches >= PLACES.branchesOfChain)
    return undefined;
  const houses = street.filter((place) => isStreetOf(place, landmark.words, words));
  const isStreet = landmark.words.length > 1 && houses.length >= PLACES.housesOfStreet;
  if (best && street.length < PLACES.housesOfStreet)
    return { centre: best.place.location, isStreet, isWholeName: best.match.isWholeName };
  if (street.length === 0) return undefined;
  return {
    centre: middleOfStreet(street),
    ...(isStreet && { houses: houses.map(({ location }) => location) }),
    isStreet,
    isWholeName: false,
  };
}

const PLAIN = toReading("plain", {});

/** The place in the middle: half of the others lie on either side. */
function middleOfStreet(places: readonly PlaceCandidate[]): Coordinates {
  const middle = (of: (point: Coordinates) => number): number =>
    places.map(({ location }) => of(location)).toSorted((a, b) => a - b)[places.length >> 1]!;
  return { latitude: middle(({ latitude }) => latitude), longitude: middle(({ longitude }) => longitude) };
}
