import type { PlaceCandidate } from "../meilisearch/place-index.ts";
import { distanceMeters, type Coordinates } from "../place/geometry/coordinates.ts";
import type { Answer } from "./candidates.ts";
import { waysToCall, type LandmarkAt } from "./intents.ts";
import { isStreetOf } from "./match-address.ts";
import { compareName, isCalled } from "./match-name.ts";
import { compareWith } from "./match.ts";
import { holdsWords, type Compare, type Words } from "./match-words.ts";
import { PLACES } from "./numbers.ts";
import { beginningsOf } from "./reading/landmarks.ts";
import { isOfKindOnly, toReading, type LandmarkReading, type Reading } from "./reading/reading.ts";
import { toFoldedWords } from "./reading/tokens.ts";
import { byScore, scorePlace } from "./score.ts";

/** Where the landmarks of readings are, around which their places are looked up. */

export type Landmarks = ReadonlyMap<Reading, LandmarkAt>;

/**
 * The landmarks that were found, for all readings near them. Beside a kind or a chain, several addresses say as much as a word such as
 * "đường": the words are a street. The whole name of a place with its kind says as much as "gần": "lotteria chợ bến thành".
 */
export function landmarksIn(
  answers: readonly Answer[],
  readings: readonly Reading[],
  words: Words,
): Landmarks {
  const anchors = [false, true].flatMap((isRespelled) => {
    const some = answers.filter((one) => one.isAnchor && (one.isRespelled ?? false) === isRespelled);
    return [...Map.groupBy(some, ({ intent }) => intent.reading.landmark)].flatMap(([landmark, ofIt]) => {
      const found = landmark && findAnchor(landmark, ofIt, ofIt[0]!.intent.centre, words);
      const near = readings.filter((reading) => reading.landmark === landmark);
      return found ? near.map((reading) => ({ reading, found, isRespelled })) : [];
    });
  });
  const isProven = ({ found, isRespelled }: (typeof anchors)[number]): boolean =>
    !isRespelled && (found.isStreet || found.isWholeName);
  const asTyped = new Set(anchors.filter(isProven).map(({ reading }) => reading));
  return new Map(
    anchors.flatMap(({ reading, found, isRespelled }) => {
      // Who typed a street or a name that there is means no other.
      if (isRespelled && asTyped.has(reading)) return [];
      const { isStreet, isWholeName, landmark, ...at } = found;
      const isBesideKind = reading.kinds.length > 0 || reading.besideKinds !== undefined;
      const proven =
        isStreet && isBesideKind ? "in" : landmark.kinds.length > 0 && isWholeName ? "near" : "none";
      const relation = landmark.relation === "none" ? proven : landmark.relation;
      if (landmark === reading.landmark && relation === landmark.relation) return [[reading, at] as const];
      // Another spelling of words that nothing says to be a place is too much of a guess.
      if (isRespelled && relation === "none") return [];
      const doubt = (reading.respelled?.doubt ?? 0) + 1;
      const respelled = isRespelled ? { isSure: false, doubt } : reading.respelled;
      return [[{ ...reading, landmark: { ...landmark, relation }, respelled }, at] as const];
    }),
  );
}

/** Where a landmark is, in the spelling in which it was found; and what proves that it is one. */
interface Anchor extends LandmarkAt {
  readonly landmark: LandmarkReading;
  readonly isStreet: boolean;
  readonly isWholeName: boolean;
}

/** The place of this name, or the street; or what has another spelling. */
function findAnchor(
  landmark: LandmarkReading,
  answers: readonly Answer[],
  centre: Coordinates,
  words: Words,
): Anchor | undefined {
  const places = [
    ...new Map(answers.flatMap(({ result }) => result.places).map((place) => [place.id, place])).values(),
  ];
  const [first] = places;
  if (isOfKindOnly(landmark))
    return first && { landmark, centre: first.location, isStreet: false, isWholeName: false };
  if (places.length === 0) return undefined;
  if (!answers.some(({ isRespelled }) => isRespelled))
    return anchorAmong(places, landmark, centre, words) ?? findBeginning(landmark, places, centre, words);
  const strength = ({ houses = [], isWholeName }: Anchor): number =>
    isWholeName ? PLACES.housesOfStreet : houses.length;
  return spellingsOf(landmark, places, words)
    .flatMap((one) => anchorAmong(one.places, one.landmark, centre, words) ?? [])
    .filter((one) => strength(one) > 0)
    .toSorted((one, other) => strength(other) - strength(one))[0];
}

/** The longest beginning of the words that is the name of a place or in a street. What follows says no more of where it is. */
function findBeginning(
  landmark: LandmarkReading,
  places: readonly PlaceCandidate[],
  centre: Coordinates,
  words: Words,
): Anchor | undefined {
  if (landmark.relation === "none") return undefined;
  for (const beginning of beginningsOf(landmark)) {
    const ways = waysToCall(beginning);
    const phrase = beginning.words.join(" ");
    const isPlace = places.some((place) => ways.some((joined) => isCalled(place, joined)));
    const isStreet = (place: PlaceCandidate): boolean =>
      holdsPhrase(place, phrase) && isStreetOf(place, beginning.words, words, true);
    // To compare every place with each beginning takes the longest queries 11 ms more.
    if (!isPlace && !places.some(isStreet)) continue;
    const found = anchorAmong(places, beginning, centre, words);
    if (found) return found;
  }
  return undefined;
}

/** A landmark with each of its words replaced by those one letter away, with the places that have them in a row. */
function spellingsOf(
  landmark: LandmarkReading,
  places: readonly PlaceCandidate[],
  { lexicon }: Words,
): { readonly landmark: LandmarkReading; readonly places: readonly PlaceCandidate[] }[] {
  return landmark.words
    .flatMap((word, at) => lexicon.oneTypoAway(word).map((other) => landmark.words.with(at, other)))
    .map((typed) => ({
      landmark: { ...landmark, ...toFoldedWords(typed) },
      places: places.filter((place) => holdsPhrase(place, typed.join(" "))),
    }))
    .filter((spelled) => spelled.places.length > 0);
}

const holdsPhrase = ({ foldedRest, foldedNames }: PlaceCandidate, phrase: string): boolean =>
  [foldedRest, ...foldedNames].some((text) => holdsWords(text, phrase));

function anchorAmong(
  places: readonly PlaceCandidate[],
  landmark: LandmarkReading,
  centre: Coordinates,
  words: Words,
): Anchor | undefined {
  const phrase = landmark.words.join(" ");
  const { kinds, beside } = landmark;
  const hasKind = kinds.length > 0;
  const matching = (compare: Compare) =>
    places
      .flatMap((place) => {
        const match = compare(place);
        return match && (match.isWholeName || match.isComplete) ? [{ place, match }] : [];
      })
      .map((one) => scorePlace({ ...one, reading: PLAIN }, { centre, isOutside: false }))
      .toSorted(byScore);
  const called = matching(compareName(landmark, words));
  // "nhà ga sài gòn" is called "Ga Sài Gòn".
  const named =
    called.length > 0 || !hasKind
      ? called
      : matching(compareWith(toReading("kind", { kinds, name: beside }), words));
  const inStreet = places.filter((place) => holdsPhrase(place, phrase));
  // "Hồ" is a lake behind "gần", and else a surname in the street Hồ Tùng Mậu.
  const isPlace = landmark.relation === "near" && hasKind && named.length > 0;
  const street = isPlace ? [] : oneStreet(inStreet, centre);
  // "Nhà thờ Đức Bà" is that church, and no nearer one whose name goes on.
  const best = (hasKind && named.find(({ match }) => match.isWholeName)) || named[0];
  // "bidv có cây atm": a chain is no place on the map.
  const branches = named.filter(({ match }) => (match.features.begins ?? 0) > 0).length;
  if (landmark.relation !== "near" && landmark.relation !== "in" && branches >= PLACES.branchesOfChain)
    return undefined;
  const houses = street.filter((place) => isStreetOf(place, landmark.words, words));
  const isStreet = landmark.words.length > 1 && houses.length >= PLACES.housesOfStreet;
  if (best && street.length < PLACES.housesOfStreet)
    return { landmark, centre: best.place.location, isStreet, isWholeName: best.match.isWholeName };
  if (street.length === 0) return undefined;
  return {
    landmark,
    centre: middleOfStreet(street),
    ...(isStreet && { houses: houses.map(({ location }) => location) }),
    isStreet,
    isWholeName: false,
  };
}

const PLAIN = toReading("plain", {});

/** The places around the nearest of them: another street of the name is elsewhere. */
function oneStreet(places: readonly PlaceCandidate[], centre: Coordinates): readonly PlaceCandidate[] {
  const meters = places.map(({ location }) => distanceMeters(centre, location));
  const nearest = places[meters.indexOf(Math.min(...meters))];
  return places.filter(
    ({ location }) => nearest && distanceMeters(nearest.location, location) <= PLACES.sameStreetMeters,
  );
}

/** The place in the middle: half of the others lie on either side. */
function middleOfStreet(places: readonly PlaceCandidate[]): Coordinates {
  const middle = (of: (point: Coordinates) => number): number =>
    places.map(({ location }) => of(location)).toSorted((a, b) => a - b)[places.length >> 1]!;
  return { latitude: middle(({ latitude }) => latitude), longitude: middle(({ longitude }) => longitude) };
}
