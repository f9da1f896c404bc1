import type { PlaceCandidate } from "../meilisearch/place-index.ts";
import type { Coordinates } from "../place/geometry/coordinates.ts";
import type { Answer } from "./candidates.ts";
import { compareName } from "./match-name.ts";
import type { Words } from "./match-words.ts";
import { PLACES } from "./numbers.ts";
import { toReading, type LandmarkReading, type Reading } from "./reading/reading.ts";
import { byScore, scorePlace } from "./score.ts";

/** Where the landmarks of readings are, around which their places are looked up. */

export type Landmarks = ReadonlyMap<Reading, Coordinates>;

/** The landmarks that were found. */
export function landmarksIn(answers: readonly Answer[], words: Words): Landmarks {
  const byIntent = Map.groupBy(
    answers.filter(({ isAnchor }) => isAnchor),
    ({ intent }) => intent,
  );
  return new Map(
    [...byIntent].flatMap(([{ reading, centre }, ofIntent]) => {
      const at = reading.landmark && findAnchor(reading.landmark, ofIntent, centre, words);
      return at ? [[reading, at] as const] : [];
    }),
  );
}

/** Where a landmark is: the place of this name, or the middle of the street. */
function findAnchor(
  landmark: LandmarkReading,
  answers: readonly Answer[],
  centre: Coordinates,
  words: Words,
): Coordinates | undefined {
  const places = [
    ...new Map(answers.flatMap(({ result }) => result.places).map((place) => [place.id, place])).values(),
  ];
  if (landmark.kinds) return places[0]?.location;
  const compare = compareName(landmark, words);
  const phrase = ` ${landmark.words.join(" ")} `;
  const isInStreet = ({ foldedRest, foldedNames }: PlaceCandidate): boolean =>
    ` ${foldedRest} `.includes(phrase) || foldedNames.some((name) => ` ${name} `.includes(phrase));
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
  if (street.length >= PLACES.housesOfStreet) return middleOfStreet(street);
  return best?.place.location ?? (street.length > 0 ? middleOfStreet(street) : undefined);
}

const PLAIN = toReading("plain", {});

/** The place in the middle: half of the others lie on either side. */
function middleOfStreet(places: readonly PlaceCandidate[]): Coordinates {
  const middle = (of: (point: Coordinates) => number): number =>
    places.map(({ location }) => of(location)).toSorted((a, b) => a - b)[places.length >> 1]!;
  return { latitude: middle(({ latitude }) => latitude), longitude: middle(({ longitude }) => longitude) };
}
