import { boundsAround, distanceMeters, type Coordinates } from "../place/geometry/coordinates.ts";
import { isTypeCode, TYPE_CODES } from "../place/document/type-codes.ts";
import { momentOf, type MomentIn } from "../place/time/open-state.ts";
import { fold, joinWords, markedWords, words } from "../place/text/fold.ts";
import {
  createCandidates,
  wantsOf,
  widen,
  type Answer,
  type Asking,
  type Candidates,
  type RankedSearch,
} from "./candidates.ts";
import { landmarksIn, type Landmarks } from "./find-landmarks.ts";
import { isOpenAsWished } from "./hours.ts";
import {
  beginningWants,
  landmarkTypoWants,
  neighbourWants,
  relatedWants,
  toHeldIntents,
  toIntent,
  toWordIntent,
  typoWants,
  type Asked,
  isCrowded,
  type Intent,
  type Want,
} from "./intents.ts";
import { AREAS, LOOKUPS, MATCHING, PLACES, SUGGESTIONS } from "./numbers.ts";
import { orderByWishes } from "./order-by-wishes.ts";
import type { QueryReadings } from "./reading/read-query.ts";
import { isChain, isOfKindOnly, type LandmarkReading, type Reading } from "./reading/reading.ts";
import { toFoldedWords } from "./reading/tokens.ts";
import { typesOfKinds } from "./match.ts";
import { beginningOf } from "./match-name.ts";
import { bestOfEach, isNamed, isOfName, type ScoredPlace } from "./score.ts";
import type { Where } from "./search-context.ts";
import { isAnswered, isDone, isKindUnsaid, isPlainName, isSettled, mayBeMistyped } from "./stopping.ts";

/**
 * The places of a query, best first, in three rounds at most:
 * 1. what all readings need, each from the ring that should hold enough;
 * 2. around the landmarks that were found, further out where there was too little, and related kinds;
 * 3. in a street that no word says to be one; names with typos, where nothing has what was typed, or only what is too far away to be meant.
 */

/** A place as it was found, and whether without the opening wish of its reading. */
interface RankedPlace extends ScoredPlace {
  readonly isWishDropped?: boolean;
}

/** What a search found. */
export interface Ranked {
  readonly places: readonly RankedPlace[];
  /** The reading of the first place; the likeliest where there is none. */
  readonly reading: Reading;
  /** A landmark that the query names and no place or street has. */
  readonly landmarkNotFound?: LandmarkReading;
  /** Where the landmarks of readings are. */
  readonly landmarks: Landmarks;
  /** More places may match than were looked up. */
  readonly isCut: boolean;
}

/**
 * The places of all readings; without their opening wish where no place meets it. Where few do, those follow of which nobody knows when they
 * are open: a museum that is open, then the museums without hours.
 */
export async function findRanked(search: RankedSearch): Promise<Ranked> {
  const opening = search.readings.readings.find(hasOpening)?.wishes.opening;
  const openAt = momentOf(opening, search.now);
  if (openAt === undefined) return findAll(search);
  const found = await findAll(search, openAt);
  const summaries = await search.readSummaries(found.places.map(({ place }) => place));
  const isOpen = ({ place }: ScoredPlace): boolean => {
    const summary = summaries.get(place.id);
    return summary !== undefined && isOpenAsWished(summary, opening, openAt);
  };
  // Of a chain those branches are meant that are open; who asks whether a place is open wants it also when it is closed.
  const asked = found.places.find(({ reading }) => reading.isHeld)?.reading.name;
  const isBranch = ({ place }: ScoredPlace): boolean =>
    asked !== undefined && beginningOf(place.foldedNames, asked) === "begins";
  const isBranchOpen = found.places.some((one) => isBranch(one) && isOpen(one));
  // A name that holds the words of a wish has no such wish.
  const hasWish = ({ reading }: ScoredPlace): boolean =>
    hasOpening(reading) || (reading.isHeld !== undefined && isBranchOpen);
  const open = found.places.filter((one) => !hasWish(one) || isOpen(one));
  const names = open.filter(({ reading }) => !hasOpening(reading));
  // Who asks for a chain wants no other one that is open.
  const isOfChain = search.readings.readings.some(isChain);
  const isWanted = (one: ScoredPlace): boolean =>
    hasOpening(one.reading) && isOfItsKinds(one) && (!isOfChain || isNamed(one.match));
  const met = open.filter(isWanted);
  const isMet = open[0]?.reading.isHeld ? isBranchOpen : met.length > 0 || names.some(isSettled);
  const isEnough = met.length === 0 || met.length >= LOOKUPS.fewFound || isOfChain;
  if (isMet && isEnough) return { ...found, places: open };
  const without = await findWithoutWish(search, found.landmarks);
  const places = without.places.map((one) => ({ ...one, isWishDropped: hasOpening(one.reading) }));
  if (isMet) return { ...found, places: bestOfEach([...open, ...(await withoutHours(places, search))]) };
  const hasBranch = places.some(({ match }) => isNamed(match));
  if (isOfChain && !hasBranch && open.length > 0) return { ...found, places: open };
  const all = bestOfEach([...names, ...places]);
  return { ...without, places: all, reading: all[0]?.reading ?? without.reading };
}

/** Those of the kinds that are in business and have no opening hours. They score less than any that is open. */
async function withoutHours(
  places: readonly RankedPlace[],
  { readSummaries, weights }: RankedSearch,
): Promise<readonly RankedPlace[]> {
  const ofKinds = places.filter((one) => hasOpening(one.reading) && isOfItsKinds(one));
  const summaries = await readSummaries(ofKinds.map(({ place }) => place));
  return ofKinds
    .filter(({ place }) => {
      const summary = summaries.get(place.id);
      return summary?.opening_hours === null && summary.business_status === "operational";
    })
    .map((one) => ({
      ...one,
      features: { ...one.features, hours_unknown: 1 },
      score: one.score + weights.hours_unknown,
    }));
}

const hasOpening = ({ wishes }: Reading): boolean => wishes.opening !== undefined;

/**
 * Whether a place is what the query asks for, or of a related kind: an open convenience store is better than closed supermarkets. "Restaurant"
 * says nothing of the cuisine.
 */
function isOfItsKinds({ place: { type }, match, reading, features }: ScoredPlace): boolean {
  const { kind_related: related = 0, missing = 0 } = features;
  if (match.isComplete || related === 0) return match.isComplete || reading.need !== undefined;
  const saysKind = isTypeCode(type) && TYPE_CODES[type].isForWishes !== true;
  return saysKind && missing <= MATCHING.mostMissingWhenSorted;
}

/** A part of a round: what it asks, where that is needed. */
type Part = readonly [isNeeded: boolean, askings: () => readonly Asking[]];

const needed = (parts: readonly Part[]): Asking[] =>
  parts.flatMap(([isNeeded, askings]) => (isNeeded ? askings() : []));

/** Whether a lookup finds names only. A page full of places of a kind says nothing about names that begin with the words. */
const isOfNames = ({ intent: { reading }, want: { filter } }: Answer): boolean =>
  reading.kinds.length === 0 && filter.nameBeginning !== undefined && filter.wordSets === undefined;

/** The round that is left for a search without its opening wish: the landmarks are known, and kinds of which there are few have others with them. */
async function findWithoutWish(search: RankedSearch, landmarks: Landmarks): Promise<Ranked> {
  const candidates = createCandidates(search);
  const asked: Asked = { ...search, ...search.words };
  const { atOnce, later } = toIntents(search, asked);
  const all = [...atOnce, ...later().filter(({ reading }) => reading.need !== undefined)];
  // There is no round left in which to look around an area that has none.
  const rare = all.filter(({ reading }) => reading.area !== undefined || isRare(reading, asked));
  await candidates.collect([
    ...[...intentsAround(landmarks, asked), ...all].flatMap(wantsOf),
    ...rare.flatMap((one) => elsewhere(one, [], asked)),
  ]);
  return toFound(candidates, landmarks, search);
}

/** The rounds of a search. With an opening wish the last is left for the search without it. */
async function findAll(search: RankedSearch, openAt?: MomentIn): Promise<Ranked> {
  const { readings, words, wanted, isDeeper = false } = search;
  const candidates = createCandidates(search);
  const { collect, ranked } = candidates;
  const asked: Asked = { ...search, ...words, ...(openAt && { openAt }) };
  const mayHaveTypos = (): boolean => mayBeMistyped(readings, ranked()) && !isAnswered(ranked(), search);
  const typos = (): Asking[] => typosOf(readings, asked, ranked());
  const { atOnce, later } = toIntents(search, asked);

  const first = await collect(atOnce.flatMap(wantsOf));

  const [top] = ranked();
  const mayBeInStreet = readings.readings.some((reading) => mayNameStreet(reading, asked));
  const complete = ranked().filter(({ match }) => match.isComplete);
  // Who asks for a kind in a street wants more than one of its houses.
  const isMeant = isDone(ranked(), search) && (!mayBeInStreet || isOfName(top!.match));
  const inFirst = landmarksIn(first, readings.readings, words);
  const landmarks = withRelation(inFirst);
  const around = intentsAround(landmarks, asked);
  // A name that several places have, such as that of a chain: a page has room for more of them.
  const isOfSeveral = isMeant && complete.length >= LOOKUPS.fewFound && complete.length < wanted;
  const goesOn = !isMeant || (around.length > 0 && !isOfSeveral);
  const hasTypos = !isMeant && around.length === 0 && !mayBeInStreet && mayHaveTypos();
  const inStreet = mayBeInStreet ? nearestOf(complete, asked) : undefined;
  const others = goesOn ? later().map((one) => seenFrom(one, inStreet)) : [];
  const second = await collect(
    needed([
      [isOfSeveral, () => first.filter(({ intent }) => intent.reading === top?.reading).flatMap(widen)],
      [goesOn, () => [...askingsAround(around, asked), ...others.flatMap(wantsOf)]],
      [goesOn && around.length === 0 && !isDeeper, () => mistypedLandmarks(search, ranked(), asked)],
      [goesOn && isKindUnsaid(readings, ranked()), () => wantsOf(toWordIntent(readings.plain, asked))],
      // Before typos, which may take all the room that is left: a word that nobody knows beside a kind that the dataset lacks.
      [goesOn, () => [...atOnce, ...others].flatMap((one) => elsewhere(one, ranked(), asked))],
      [hasTypos, typos],
      [goesOn, () => first.filter((one) => complete.length < wanted || isOfNames(one)).flatMap(widen)],
      [true, () => [...atOnce, ...others].flatMap((one) => neighbours(one, ranked(), asked))],
    ]),
  );
  if (isMeant) return toFound(candidates, landmarks, search);

  const inSecond = landmarksIn(second, readings.readings, words);
  const streets = withRelation(inSecond);
  if (openAt) return toFound(candidates, landmarks.size > 0 ? landmarks : streets, search);
  // A landmark of other words than were typed only guesses where places are.
  const hasOnlyGuesses = [...streets.keys()].every(({ respelled }) => respelled?.isSure === false);
  const found = isAnswered(ranked(), search) ? streets : new Map([...inFirst, ...inSecond]);
  await collect(
    needed([
      [!isDeeper, () => askingsAround(intentsAround(streets, asked), asked)],
      // Those for which there was no room in the second round too; before what is near a landmark that the query does not say to be one.
      [hasOnlyGuesses && mayHaveTypos(), typos],
      [!isDeeper, () => askingsAround(intentsAround(found, asked), asked)],
      [hasTypos, () => namesakes(ranked(), asked)],
    ]),
    true,
  );
  return toFound(candidates, landmarks, search);
}

/** What is asked for around landmarks, with related kinds near a place and where the dataset has few of the kind: without cash machines the banks there. */
const askingsAround = (intents: readonly Intent[], asked: Asked): Asking[] =>
  intents.flatMap((intent) => {
    const hasRelated = intent.reading.landmark?.relation === "near" || isRare(intent.reading, asked);
    const related = hasRelated ? relatedWants(intent.reading, asked, intent.where) : [];
    return [...wantsOf(intent), ...related.map((want) => ({ intent, want }))];
  });

const intentsAround = (landmarks: Landmarks, asked: Asked): Intent[] =>
  [...landmarks].map(([reading, at]) => toIntent(reading, asked, at));

/** The landmarks that the query or the addresses say to be such. */
const withRelation = (found: Landmarks): Landmarks =>
  new Map([...found].filter(([{ landmark }]) => landmark?.relation !== "none"));

/** Whether the words beside a kind may be a street: addresses have all of them. */
const mayNameStreet = ({ landmark, kinds }: Reading, { lexicon }: Asked): boolean =>
  landmark?.relation === "none" &&
  kinds.length > 0 &&
  landmark.words.length > 1 &&
  landmark.words.every((word) => lexicon.inAddresses(word) > 0);

const nearestOf = (found: readonly ScoredPlace[], { centre }: Asked): Coordinates | undefined =>
  found
    .map(({ place }) => place.location)
    .toSorted((one, other) => distanceMeters(centre, one) - distanceMeters(centre, other))[0];

/** Where a place has a kind and the words beside it, the street of these words is there, if it is one: a narrow ring holds its houses. */
function seenFrom(intent: Intent, centre: Coordinates | undefined): Intent {
  if (!centre) return intent;
  const narrow = (want: Want): Want =>
    isCrowded(want) ? { ...want, where: { ...want.where, centre }, within: LOOKUPS.mostSorted } : want;
  const { anchor, wants } = intent;
  return { ...intent, wants: wants.map(narrow), ...(anchor && { anchor: anchor.map(narrow) }) };
}

/** What is looked up at once, and what only where that has not found all that was typed. */
function toIntents(
  { readings: { readings, plain, light, held }, suggesting, centre }: RankedSearch,
  asked: Asked,
): { readonly atOnce: readonly Intent[]; readonly later: () => readonly Intent[] } {
  const isAtOnce = (reading: Reading): boolean => isNeededAtOnce(reading, light, asked);
  const intentsOf = (some: readonly Reading[]) => some.map((reading) => toIntent(reading, asked));
  const [first, others] = [readings.filter(isAtOnce), readings.filter((reading) => !isAtOnce(reading))];
  if (!suggesting)
    return {
      atOnce: [...intentsOf(first), ...toHeldIntents(held.names, asked)],
      later: () => intentsOf(others),
    };
  const where = { centre };
  const wants = beginningWants(suggesting, asked, where);
  const beginning = { reading: plain, centre, where, wants };
  if (suggesting.joined.length <= SUGGESTIONS.fewLetters) return { atOnce: [beginning], later: () => [] };
  return { atOnce: [beginning], later: () => intentsOf([...first, ...others]) };
}

/** A reading that leaves words out, or takes them for a street, is needed at once only where other words say that the query is a sentence. */
function isNeededAtOnce(reading: Reading, light: ReadonlySet<string>, asked: Asked): boolean {
  const { landmark, unread, dropped, besideKinds, need } = reading;
  // What a sentence may need is looked up where nothing is called so.
  if (need !== undefined) return false;
  const isOfChain = isChain(reading);
  if (landmark) {
    // Beside a chain, a place of another kind is where it is looked for.
    const isSaid = landmark.kinds.length > 0 && (isOfChain || besideKinds !== undefined);
    return landmark.relation !== "none" || isSaid || (light.size > 0 && mayNameStreet(reading, asked));
  }
  if (isOfChain) return false;
  return light.size > 0 || unread.length + dropped === 0;
}

/** Whether the dataset has few places of the kinds. */
const isRare = ({ kinds }: Reading, { countTypes }: Asked): boolean =>
  kinds.length > 0 && countTypes(typesOfKinds(kinds)) < LOOKUPS.fewFound;

/** Around the area that the query names, and related kinds: where few places are what was asked for. */
function elsewhere(intent: Intent, ranked: readonly ScoredPlace[], asked: Asked): Asking[] {
  const { reading, centre, wants } = intent;
  if (reading.landmark || (reading.kinds.length === 0 && !reading.area)) return [];
  const found = ranked.filter((one) => one.reading === reading && one.match.isComplete).length;
  if (found >= LOOKUPS.fewFound) return [];
  // Who names only an area wants no place of another city.
  const bounds = reading.form === "area" ? boundsAround(centre, AREAS.ownCityMeters) : undefined;
  const { openAt } = intent.where;
  const where: Where = { centre, ...(openAt && { openAt }), ...(bounds && { bounds }) };
  const related = relatedWants(reading, asked, intent.where);
  const around = reading.area
    ? [...wants, ...related].map((want) => ({ intent, want: { ...want, where }, isOutside: true }))
    : [];
  return [...related.map((want) => ({ intent, want })), ...around];
}

/** The other houses of the street of an address: the nearest to the house where that was found. */
function neighbours(intent: Intent, ranked: readonly ScoredPlace[], asked: Asked): Asking[] {
  const { reading, where } = intent;
  const house = ranked.find((one) => one.reading === reading && one.match.isNearlyComplete === true);
  return neighbourWants(reading, asked, where, house?.place.location).map((want) => ({ intent, want }));
}

/** Looks for typos in all words, and in the name of an area; where nothing was found, in any name that the words hold. */
function typosOf(query: QueryReadings, asked: Asked, ranked: readonly ScoredPlace[]): Asking[] {
  const { plain, readings, held, light } = query;
  const names = readings.filter(({ form, landmark }) => form === "name" && landmark === undefined);
  const inArea = names.filter(({ area }) => area !== undefined).slice(0, 1);
  const some = ranked.length === 0 ? names : inArea;
  const core = held.core && light.size > 0 ? [held.core] : [];
  const whole = core.length === 0 || isPlainName(query) ? [plain] : [];
  return [...readings.filter(({ address }) => address), ...core, ...whole, ...some].flatMap((reading) => {
    const intent = toIntent(reading, asked);
    return typoWants(reading, asked, intent.where).map((want) => ({ intent, want }));
  });
}

/** The landmarks of a query, none of which was found as it was typed, nor anything else that was meant. */
function mistypedLandmarks(search: RankedSearch, ranked: readonly ScoredPlace[], asked: Asked): Asking[] {
  if (isAnswered(ranked, search)) return [];
  return search.readings.readings.flatMap((reading): Asking[] => {
    if (!reading.landmark || isOfKindOnly(reading.landmark)) return [];
    const intent = toIntent(reading, asked);
    // A landmark may be closed.
    const { openAt: _, ...where } = intent.where;
    const wants = landmarkTypoWants(reading.landmark, asked, where);
    return wants.map((want) => ({ intent, want, isAnchor: true, isRespelled: true }));
  });
}

/** The name that was probably meant may have nearer places than the one that a typo led to. */
function namesakes(ranked: readonly ScoredPlace[], asked: Asked): Asking[] {
  const [best] = ranked;
  if (!best || best.match.isComplete || best.place.title === "") return [];
  const name = toFoldedWords(words(fold(best.place.title)));
  const intent = toIntent({ ...best.reading, name, kinds: [] }, asked);
  return intent.wants.slice(0, 1).map((want) => ({ intent: { ...intent, reading: best.reading }, want }));
}

/** What was found, in its order, and whether a landmark was not. */
async function toFound(candidates: Candidates, landmarks: Landmarks, search: RankedSearch): Promise<Ranked> {
  const { readings, plain } = search.readings;
  const isSaid = (one: LandmarkReading | undefined) => one !== undefined && one.relation !== "none";
  const landmark = readings.map((reading) => reading.landmark).find(isSaid);
  const leavesOut = ({ unread }: Reading): boolean =>
    landmark?.words.every((word) => unread.includes(word)) === true;
  const ranked = ofChain(candidates.ranked(), search.readings);
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
    ...(landmark && isMissing && { landmarkNotFound: landmark }),
    isCut: candidates.isCut(),
    landmarks,
  };
}

/** Of a chain its branches, whose names have its words in a row; where it has none, places of its kind, and nothing that is only like its name. */
function ofChain(ranked: readonly ScoredPlace[], { readings }: QueryReadings): readonly ScoredPlace[] {
  const chain = readings.find(isChain)?.kinds.flatMap(({ words }) => words);
  if (!chain) return ranked;
  const isInRow = ({ place }: ScoredPlace): boolean =>
    place.foldedNames.some((name) => joinWords(name).includes(chain.join("")));
  const named = ranked.filter((one) => !isChain(one.reading) || isInRow(one));
  // "highlands ng" is half typed: the name of a branch may be most like all of it.
  if (named.some((one) => isNamed(one.match) && isInRow(one)))
    return named.filter((one) => !one.match.features.apart || isInRow(one));
  const complete = ranked.filter(({ match }) => match.isComplete);
  return complete.some(({ reading }) => isChain(reading)) ? complete : ranked;
}

/** Places with one name, kind and spot are one. */
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
