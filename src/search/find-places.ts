import type { FoundPlace, LookupResult, PlaceCandidate, PlaceLookup } from "../meilisearch/place-index.ts";
import { boundsAround, distanceMeters, type Coordinates } from "../place/geometry/coordinates.ts";
import { momentOf, type MomentIn } from "../place/time/open-state.ts";
import type { PlaceSummaryDocument } from "../place/document/place-document.ts";
import { fold, joinWords, markedWords } from "../place/text/fold.ts";
import {
  beginningWants,
  relatedWants,
  ringFor,
  toIntent,
  toWordIntent,
  toLookup,
  typoWants,
  widerRing,
  type Asked,
  type Intent,
  type Want,
} from "./intents.ts";
import { compareName } from "./match.ts";
import { namesOfArea, saysArea } from "./match-address.ts";
import { informationOf, type Compare, type Words } from "./match-words.ts";
import type { QueryReadings } from "./reading/read-query.ts";
import {
  affectsOrder,
  isBrand,
  toReading,
  type LandmarkReading,
  type Reading,
  type Wishes,
} from "./reading/reading.ts";
import type { TypedWords } from "./reading/tokens.ts";
import { isOpenAsWished } from "./hours.ts";
import type { Ring } from "./rings.ts";
import {
  bestOfEach,
  byScore,
  isOfName,
  logDistance,
  scorePlace,
  WEIGHTS,
  type ScoredPlace,
  type Weights,
  sumOf,
} from "./score.ts";
import type { SearchContext, Where } from "./search-context.ts";
import { AREAS, LOOKUPS, MATCHING, PLACES, READING, SUGGESTIONS } from "./numbers.ts";

/**
 * The places of a query, best first, in three rounds at most:
 * 1. what all readings need, each from the ring that should hold enough;
 * 2. around the landmarks that were found, further out where there was too little, and related kinds;
 * 3. names with typos, where nothing has what was typed, or only what is too far away to be meant.
 */

/** One request under way. */
export interface RankedSearch {
  readonly readings: QueryReadings;
  readonly words: Words;
  /** How a place matches a reading: worked out once, also when several rounds and pools find it. */
  readonly compareWith: (reading: Reading) => Compare;
  readonly centre: Coordinates;
  readonly now: Temporal.Instant | undefined;
  /** How many places the page needs. */
  readonly wanted: number;
  readonly typesCount: (types: readonly string[]) => number;
  readonly contextAt: (where: Where) => SearchContext;
  /** Sends lookups to the index in one round trip. */
  readonly findPlaces: (lookups: readonly PlaceLookup[]) => Promise<LookupResult[]>;
  readonly readSummaries: (
    places: readonly FoundPlace[],
  ) => Promise<ReadonlyMap<string, PlaceSummaryDocument>>;
  /** The words of a query that is still being typed: names that begin so are looked up too. */
  readonly suggesting?: TypedWords;
  readonly weights?: Weights;
  /** Receives every place for every reading that it matches, for whoever fits the weights. */
  readonly onScored?: (scored: ScoredPlace) => void;
}

/** What a search found. */
export interface Ranked {
  readonly places: readonly ScoredPlace[];
  /** The reading of the first place; the likeliest where there is none. */
  readonly reading: Reading;
  /** No place meets the opening wish, so it was left out. */
  readonly isWishDropped: boolean;
  /** A landmark that the query names and no place or street has. */
  readonly landmarkNotFound?: LandmarkReading;
  /** More places may match than were looked up. */
  readonly isCut: boolean;
}

/** The places of all readings; without their opening wish where no place meets it. */
export async function findRanked(search: RankedSearch): Promise<Ranked> {
  const opening = search.readings.readings.find(({ wishes }) => wishes.opening !== undefined)?.wishes.opening;
  const openAt = momentOf(opening, search.now);
  if (openAt === undefined) return findAll(search, { rounds: ALL_ROUNDS });
  const { landmarks, ...found } = await findAll(search, { openAt, rounds: ALL_ROUNDS - 1 });
  const summaries = await search.readSummaries(found.places.map(({ place }) => place));
  const open = found.places.filter(({ place, reading }) => {
    const summary = summaries.get(place.id);
    // A name that holds the words of a wish has no such wish.
    if (reading.wishes.opening === undefined) return true;
    return summary !== undefined && isOpenAsWished(summary, opening, openAt);
  });
  const isMet = open.some(({ reading, match }) => reading.wishes.opening !== undefined && match.isComplete);
  const names = open.filter(({ reading }) => reading.wishes.opening === undefined);
  if (isMet || names.some(isSettled)) return { ...found, places: open };
  const without = await findAll(search, { rounds: 1, landmarks });
  const places = bestOfEach([...names, ...without.places]);
  return {
    ...without,
    places,
    reading: places[0]?.reading ?? without.reading,
    isWishDropped: places.some(({ reading }) => reading.wishes.opening !== undefined),
  };
}

const ALL_ROUNDS = 3;

interface Rounds {
  readonly openAt?: MomentIn;
  /** How many rounds of lookups at most. */
  readonly rounds: number;
  /** Those that were looked up before. */
  readonly landmarks?: Landmarks;
}

/** Where the landmarks of readings are. */
type Landmarks = ReadonlyMap<Reading, Coordinates>;

async function findAll(
  search: RankedSearch,
  { openAt, rounds, landmarks }: Rounds,
): Promise<Ranked & { readonly landmarks: Landmarks }> {
  const { readings, words, wanted } = search;
  const collection = createCollection(search);
  const asked: Asked = { ...search, ...words };
  const askedOf = (reading: Reading): Asked =>
    openAt && reading.wishes.opening ? { ...asked, openAt } : asked;
  const { atOnce, later } = toIntents(search, askedOf);
  const mayBeName = mayBeMistyped(readings);
  const isMistyped = (): boolean => mayBeName || isInNoArea(readings, collection.ranked());
  const isLikelier = likelierThanOthers(search, mayBeName);
  const isAnswered = (): boolean => collection.ranked().some((one) => hasAnswer(one) && isLikelier(one));
  const intentsAround = (found: Landmarks): Intent[] =>
    [...found].map(([reading, at]) => toIntent(reading, askedOf(reading), at));

  const first = await collection.collect(
    [...intentsAround(landmarks ?? new Map()), ...atOnce].flatMap(wantsOf),
  );
  const foundLandmarks = landmarks ?? landmarksIn(first, words);
  const around = landmarks ? [] : intentsAround(foundLandmarks);
  let [pending, hasTypos]: [readonly Answer[], boolean] = [[], false];
  const [top] = collection.ranked();
  const isDone = top !== undefined && isSettled(top) && isLikelier(top) && !hasFewInArea(top, collection);
  const complete = collection.ranked().filter(({ match }) => match.isComplete).length;
  if (rounds > 1 && isDone && complete >= LOOKUPS.fewFound && complete < wanted)
    // A name that several places have, such as that of a chain: a page has room for more of them.
    await collection.collect(first.filter(({ intent }) => intent.reading === top.reading).flatMap(widen));
  else if (rounds > 1 && (around.length > 0 || !isDone)) {
    hasTypos = isMistyped() && !isAnswered() && around.length === 0;
    const others = later();
    pending = await collection.collect([
      ...around.flatMap(wantsOf),
      ...others.flatMap(wantsOf),
      ...(isKindUnsaid(readings, collection.ranked()) ? wantsOf(toWordIntent(readings.plain, asked)) : []),
      ...(complete >= wanted ? [] : first.flatMap(widen)),
      ...[...atOnce, ...others].flatMap((intent) => elsewhere(intent, collection, askedOf(intent.reading))),
      ...(hasTypos ? typosOf(readings, askedOf, collection) : []),
    ]);
  }
  const aroundLater = intentsAround(landmarksIn(pending, words));
  if (rounds > 2 && !isDone) {
    await collection.collect([
      ...(isAnswered() ? [] : aroundLater.flatMap(wantsOf)),
      ...(!hasTypos && isMistyped() && !isAnswered() ? typosOf(readings, askedOf, collection) : []),
      ...(hasTypos ? namesakes(collection.ranked(), askedOf) : []),
    ]);
  }

  return toRanked(collection, foundLandmarks, search);
}

async function toRanked(
  collection: Collection,
  landmarks: Landmarks,
  search: RankedSearch,
): Promise<Ranked & { readonly landmarks: Landmarks }> {
  const { readings, plain } = search.readings;
  const isSaid = (one: LandmarkReading): boolean => one.relation !== "none";
  const landmark = readings.flatMap((one) => (one.landmark && isSaid(one.landmark) ? [one.landmark] : []))[0];
  const leavesOut = ({ unread }: Reading): boolean =>
    landmark?.words.every((word) => unread.includes(word)) === true;
  const ranked = ofChain(collection.ranked(), search.readings);
  // Who asks for what is near a landmark wants nothing round the corner.
  const near = ranked.filter((one) => !leavesOut(one.reading));
  const isFound = near.some((one) => one.match.isComplete && landmarks.has(one.reading));
  const isNear = landmark?.relation === "near" && isFound;
  const places = await orderByWishes(withoutDoubles(isNear ? near : ranked), search);
  const reading = places[0]?.reading ?? readings[0] ?? plain;
  const isMissing =
    landmarks.size === 0 && places.length > 0 && (reading.form === "kind" || leavesOut(reading));
  return {
    places,
    reading,
    isWishDropped: false,
    ...(landmark && isMissing && { landmarkNotFound: landmark }),
    isCut: collection.isCut(),
    landmarks,
  };
}

/** Of a chain its branches, which have its name in a row; where it has none, places of its kind, and nothing that is only like its name. */
function ofChain(ranked: readonly ScoredPlace[], { readings }: QueryReadings): readonly ScoredPlace[] {
  if (!readings.some(isBrand)) return ranked;
  const isStandIn = ({ reading }: ScoredPlace): boolean => isBrand(reading);
  if (ranked.some((one) => !isStandIn(one) && isOfName(one.match)))
    return ranked.filter((one) => !isStandIn(one) && !one.match.features.apart);
  return ranked.some(isStandIn) ? ranked.filter(({ match }) => match.isComplete) : ranked;
}

/** Who asks for a kind, an address or what is at a landmark gets that, and no name with a typo, however far away it is. */
const isName = ({ form, landmark }: Reading): boolean =>
  (form === "plain" || form === "name") && landmark === undefined;

/**
 * The score of a place nearby whose name is what was typed, with a typo: "pizza huu" is the Pizza Hut round the corner rather than a
 * pizzeria in a street of that name across the town. Where something scores more, no typo needs to be looked for.
 */
function scoreOfMistyped({ readings, words, weights = WEIGHTS }: RankedSearch): number {
  const alike = informationOf(readings.plain.name.words, words);
  return sumOf({ alike, mistyped: 1, distance: logDistance(LOOKUPS.metersOfMistyped) }, weights);
}

/**
 * Tells whether a place is meant rather than what else the words of its name may say: the kind of a chain, or a name with a typo that
 * scores as much.
 */
function likelierThanOthers(search: RankedSearch, mayBeName: boolean): (one: ScoredPlace) => boolean {
  const hasBrand = search.readings.readings.some(isBrand);
  const mistypedScore = mayBeName ? scoreOfMistyped(search) : -Infinity;
  return (one) =>
    !isName(one.reading) ||
    isOfName(one.match) ||
    isNoCoincidence(one) ||
    (!hasBrand && (!one.match.isComplete || one.score >= mistypedScore));
}

/**
 * A name has all the words, in whatever order, and they say so much that no name should have them by chance: of N places, N^(1 - what
 * they say). Or the street of these words lies in the area that was named beside it.
 */
function isNoCoincidence({ match: { isComplete, features }, reading: { area } }: ScoredPlace): boolean {
  const { within = 0, apart = 0, address = 0, elsewhere = 0, mistyped = 0 } = features;
  if (!isComplete || mistyped > 0) return false;
  const isStreetOfArea = address > 0 && area?.isWeak === false && !area.isMistyped;
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
  one.reading.area?.isMistyped !== true &&
  !one.reading.kinds.some(({ isMistyped }) => isMistyped);

/** A place that has all that was typed, perhaps with a typo, and a name among it: nothing else is meant. */
const isSettled = (one: ScoredPlace): boolean => hasAllWords(one) && !isByChance(one);

const hasAllWords = ({ match, reading }: ScoredPlace): boolean =>
  (match.isComplete || match.isNearlyComplete === true) &&
  reading.name.words.length > 0 &&
  reading.unread.length + reading.dropped === 0 &&
  (reading.landmark === undefined || reading.landmark.relation !== "none");

/** "highlands quận 3": if few are inside, those around the area follow. */
const hasFewInArea = ({ reading }: ScoredPlace, collection: Collection): boolean =>
  reading.area !== undefined &&
  collection.ranked().filter((one) => one.reading === reading).length < LOOKUPS.fewFound;

/** What an intent asks for first: where its landmark is, or its places. */
const wantsOf = (intent: Intent): Asking[] =>
  intent.anchor
    ? intent.anchor.map((want) => ({ intent, want, isAnchor: true }))
    : intent.wants.map((want) => ({ intent, want }));

/** Where the landmarks of readings are, of those that were found. */
function landmarksIn(answers: readonly Answer[], words: Words): Landmarks {
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

/** What is looked up at once, and what only where that has not found all that was typed. */
interface Intents {
  readonly atOnce: readonly Intent[];
  readonly later: () => readonly Intent[];
}

function toIntents(
  { readings: { readings, plain, light }, suggesting, centre }: RankedSearch,
  askedOf: (reading: Reading) => Asked,
): Intents {
  const isAtOnce = (reading: Reading): boolean => isNeededAtOnce(reading, light);
  const intentsOf = (some: readonly Reading[]) => some.map((reading) => toIntent(reading, askedOf(reading)));
  const [first, others] = [readings.filter(isAtOnce), readings.filter((reading) => !isAtOnce(reading))];
  if (!suggesting) return { atOnce: intentsOf(first), later: () => intentsOf(others) };
  const where = { centre };
  const wants = beginningWants(suggesting, askedOf(plain), where);
  const beginning = { reading: plain, centre, where, wants };
  if (suggesting.joined.length <= SUGGESTIONS.fewLetters) return { atOnce: [beginning], later: () => [] };
  return { atOnce: [beginning], later: () => intentsOf([...first, ...others]) };
}

/** A reading that leaves words out is needed at once only where other words say that the query is a sentence. */
function isNeededAtOnce(reading: Reading, light: ReadonlySet<string>): boolean {
  const { landmark, unread, dropped } = reading;
  if (isBrand(reading)) return false;
  if (landmark) return landmark.relation !== "none";
  return light.size > 0 || unread.length + dropped === 0;
}

/** A want of an intent. */
interface Asking {
  readonly intent: Intent;
  readonly want: Want;
  /** Finds a landmark, which is no result. */
  readonly isAnchor?: boolean;
  readonly ring?: Ring;
  readonly isOutside?: boolean;
}

interface Answer extends Asking {
  readonly ring: Ring;
  readonly context: SearchContext;
  readonly result: LookupResult;
}

/** Collects candidates in rounds, each one request, and ranks them. */
interface Collection {
  collect(askings: readonly Asking[]): Promise<Answer[]>;
  /** Best first: each place once, with the reading that it matches best. */
  ranked(): readonly ScoredPlace[];
  isCut(): boolean;
}

function createCollection(search: RankedSearch): Collection {
  const { weights = WEIGHTS } = search;
  const found: ScoredPlace[] = [];
  const asked = new Set<string>();
  let sorted: readonly ScoredPlace[] | undefined;
  let isCut = false;

  const add = ({ intent, result, isOutside = false }: Answer): void => {
    const { reading, centre } = intent;
    const farArea = reading.area && !reading.landmark ? farFrom(search.centre, reading.area.centre) : 0;
    const compare = search.compareWith(reading);
    const namesOfIt = isOutside ? namesOfArea(reading.area) : [];
    for (const place of result.places) {
      const match = compare(place);
      if (!match) continue;
      const at = { centre, isOutside: isOutside && !saysArea(place, namesOfIt), farArea };
      const scored = scorePlace({ place, match, reading }, at, weights);
      found.push(scored);
      search.onScored?.(scored);
    }
    sorted = undefined;
  };

  return {
    async collect(askings) {
      const prepared = askings.map((asking) => {
        const context = search.contextAt(asking.want.where);
        const ring = asking.ring ?? ringFor(asking.want, context);
        const lookup = context.restrict(toLookup(asking.want, ring, context));
        return { ...asking, context, ring, lookup, key: JSON.stringify(lookup) };
      });
      // Readings of the same words have the same lookups. Those of a round come in the order of their use.
      const all = new Map(
        prepared.filter(({ key }) => !asked.has(key)).map(({ key, lookup }) => [key, lookup]),
      );
      const fresh = new Map([...all].slice(0, LOOKUPS.mostInSearch - asked.size));
      if (fresh.size === 0) return [];
      for (const key of fresh.keys()) asked.add(key);
      const results = await search.findPlaces([...fresh.values()]);
      const byKey = new Map([...fresh.keys()].map((key, index) => [key, results[index]!]));
      const answers = prepared.flatMap(({ key, ...one }): Answer[] => {
        const result = byKey.get(key);
        return result ? [{ ...one, result }] : [];
      });
      isCut ||= answers.some(({ result: { total, places } }) => total > places.length);
      answers.filter(({ isAnchor }) => !isAnchor).forEach(add);
      return answers;
    },
    ranked: () => (sorted ??= bestOfEach(found)),
    isCut: () => isCut,
  };
}

/** An area of the caller's own city is no further than any other. */
const farFrom = (caller: Coordinates, area: Coordinates): number =>
  Math.max(0, logDistance(distanceMeters(caller, area)) - logDistance(AREAS.ownCityMeters));

function withoutDoubles(places: readonly ScoredPlace[]): ScoredPlace[] {
  const byName = new Map<string, ScoredPlace[]>();
  return places.filter((one) => {
    const { title, foldedNames, type, location } = one.place;
    if (title === "") return true;
    const same = byName.getOrInsertComputed(`${type} ${joinWords(foldedNames[0] ?? "") || title}`, () => []);
    const isDouble = ({ place }: ScoredPlace): boolean =>
      distanceMeters(place.location, location) <= PLACES.doubleMeters &&
      markedWords(place.title).join("") === markedWords(title).join("");
    if (same.some(isDouble)) return false;
    same.push(one);
    return true;
  });
}

/** A want whose ring held too few, in a wider one. */
function widen({ intent, want, isAnchor, ring, context, result }: Answer): Asking[] {
  if (result.total >= want.limit || isAnchor) return [];
  const wider = widerRing(want, ring, result.total, context);
  return wider ? [{ intent, want, ring: wider }] : [];
}

function elsewhere(intent: Intent, collection: Collection, asked: Asked): Asking[] {
  const { reading, centre, wants } = intent;
  if (reading.landmark || (reading.kinds.length === 0 && !reading.area)) return [];
  const found = collection.ranked().filter((one) => one.reading === reading && one.match.isComplete).length;
  if (found >= LOOKUPS.fewFound) return [];
  // Who names only an area wants no place of another city.
  const bounds = reading.form === "area" ? boundsAround(centre, AREAS.ownCityMeters) : undefined;
  const where: Where = { centre, ...(asked.openAt && { openAt: asked.openAt }), ...(bounds && { bounds }) };
  const related = relatedWants(reading, asked, intent.where);
  const around = reading.area
    ? [...wants, ...related].map((want) => ({ intent, want: { ...want, where }, isOutside: true }))
    : [];
  return [...related.map((want) => ({ intent, want })), ...around];
}

/** Whether the query may be a name with a typo rather than a sentence, of which no name has all words. */
const mayBeMistyped = (query: QueryReadings): boolean =>
  isLikeName(query) && !query.readings.some((reading) => saysAll(reading));

/** Where the area whose bare name the words hold has no place of the kind, they may be a name: "ca phe muoi an son" in no ward An Sơn. */
const isInNoArea = (query: QueryReadings, ranked: readonly ScoredPlace[]): boolean =>
  isLikeName(query) &&
  query.readings.every((reading) => !saysAll(reading) || reading.area?.isWeak === true) &&
  !ranked.some((one) => saysAll(one.reading) && one.match.isComplete && !one.features.outside_area);

function isLikeName({ plain, light }: QueryReadings): boolean {
  const { words: typed } = plain.name;
  const filler = typed.filter((word) => light.has(word)).length;
  return typed.length > 0 && filler <= READING.fillerOfName * typed.length;
}

/**
 * Where no place says the kind that all words say, and they were typed without marks, they may be a name: "quan hoa" is a street, and
 * "cat cafe" a "Cafe Cat".
 */
const isKindUnsaid = ({ plain, readings }: QueryReadings, ranked: readonly ScoredPlace[]): boolean =>
  !readings.includes(plain) &&
  plain.name.markedWords.length === 0 &&
  readings.some(({ form }) => form === "kind") &&
  !ranked.some(({ match }) => match.isComplete && match.features.dish_unsaid !== 1);

/** A kind, an area or both that leave no word over; also near another kind. */
const saysAll = ({ form, kinds, area, unread, dropped, name, landmark }: Reading): boolean =>
  form !== "plain" &&
  form !== "address" &&
  unread.length + dropped + name.words.length === 0 &&
  (landmark === undefined || landmark.kinds !== undefined) &&
  area?.isMistyped !== true &&
  kinds.every(({ isMistyped }) => !isMistyped);

/** Looks for typos in all words, and in the name of an area; where nothing was found, in any name that the words hold. */
function typosOf(
  { plain, asTyped, readings }: QueryReadings,
  askedOf: (reading: Reading) => Asked,
  collection: Collection,
): Asking[] {
  const names = readings.filter(({ form, landmark }) => form === "name" && landmark === undefined);
  const inArea = names.filter(({ area }) => area !== undefined).slice(0, 1);
  const some = collection.ranked().length === 0 ? names : inArea;
  const whole = asTyped.name.words.length < plain.name.words.length ? [plain, asTyped] : [plain];
  return [...readings.filter(({ address }) => address), ...whole, ...some].flatMap((reading) => {
    const asked = askedOf(reading);
    const intent = toIntent(reading, asked);
    return typoWants(reading, asked, intent.where).map((want) => ({ intent, want }));
  });
}

/** The name that was probably meant may have nearer places than the one that a typo led to. */
function namesakes(ranked: readonly ScoredPlace[], askedOf: (reading: Reading) => Asked): Asking[] {
  const [best] = ranked;
  if (!best || best.match.isComplete || best.place.title === "") return [];
  const title = fold(best.place.title);
  const name = { words: title.split(" "), joined: joinWords(title), markedWords: [] };
  const intent = toIntent({ ...best.reading, name, kinds: [] }, askedOf(best.reading));
  return intent.wants.slice(0, 1).map((want) => ({ intent: { ...intent, reading: best.reading }, want }));
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

/** Adds to the scores what the places have of the wished price, rating and features, and sorts again. */
async function orderByWishes(
  places: readonly ScoredPlace[],
  { readings, readSummaries, weights = WEIGHTS }: RankedSearch,
): Promise<readonly ScoredPlace[]> {
  const isWishing = readings.readings.some(({ wishes }) => affectsOrder(wishes));
  if (!isWishing || places.length === 0) return places;
  const first = places.slice(0, PLACES.orderedByWishes);
  const summaries = await readSummaries(first.map(({ place }) => place));
  const prices = [...summaries.values()].flatMap(({ pricing }) => (pricing.max > 0 ? [pricing.max] : []));
  const median = prices.toSorted((a, b) => a - b)[prices.length >> 1] ?? 0;
  const wished = first.map((one) => {
    const summary = summaries.get(one.place.id);
    const wishes = summary ? shareOfWishes(summary, one.reading.wishes, median) : 0;
    return wishes === 0
      ? one
      : { ...one, features: { ...one.features, wishes }, score: one.score + wishes * weights.wishes };
  });
  return [...wished, ...places.slice(PLACES.orderedByWishes)].toSorted(byScore);
}

/** Which share of the wishes a place meets, 0 to 1. An unknown price, rating or feature meets none. */
function shareOfWishes(
  { pricing, rating, reviews, features }: PlaceSummaryDocument,
  { price, isWellRated, features: wished }: Wishes,
  medianPrice: number,
): number {
  const has = new Set(Object.values(features).flat());
  const met = [
    ...(price === "cheap" ? [pricing.max > 0 && pricing.max <= medianPrice ? 1 : 0] : []),
    ...(price === "expensive" ? [pricing.max > medianPrice ? 1 : 0] : []),
    ...(isWellRated
      ? [reviews > 0 ? Math.max(0, (rating - PLACES.neutralRating) / (5 - PLACES.neutralRating)) : 0]
      : []),
    ...wished.map((code) => (has.has(code) ? 1 : 0)),
  ];
  return met.reduce((sum, one) => sum + one, 0) / Math.max(1, met.length);
}
