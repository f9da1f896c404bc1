import type { FoundPlace, PlaceCandidate, PlaceFilter } from "../meilisearch/place-index.ts";
import { momentOf, type MomentIn } from "../place/time/open-state.ts";
import type { RankedSearch } from "./candidates.ts";
import { idsOf } from "./intents.ts";
import { compareWith, typesOfKinds } from "./match.ts";
import type { Compare, Words } from "./match-words.ts";
import { numberWordsOf } from "./reading/address.ts";
import { spokenIn } from "./reading/kind-reading.ts";
import { hasWishes, type AddressReading, type Reading } from "./reading/reading.ts";
import { scorePlace, type ScoredPlace } from "./score.ts";
import { isInPart, isInside, type Geometry, type SearchContext, type Where } from "./search-context.ts";
import { typesUnder } from "../place/document/type-codes.ts";
import type { Refinements, SearchRequest, SortOrder } from "./search-request.ts";
import { EXACT_LISTS, RINGS } from "./numbers.ts";
import { hasHours, isAtItsHours, isOpenAsWished } from "./hours.ts";

/**
 * What a query matches exactly: for each reading a filter of the index, and a check that keeps only matches.
 *
 * A place matches a reading with kinds if its type is of a kind or a name says the kind (`compareWith`), and names, type
 * and address hold every other word. It matches a reading as a name if a name is the query, or names, type and address hold
 * every word. An area restricts to the places inside. Every place matches an empty query.
 * It matches an address if its address holds the street, without a typo, with the house number before it; if no place has the
 * number, every place of the street matches. Every place matches a point, which is the centre of the request.
 * Landmarks and kinds with a typo have no exact list: their order is that of relevance, sorted.
 */

/** What an exact list is made for. */
export interface ExactSearch extends Pick<
  RankedSearch,
  "readings" | "words" | "contextAt" | "readSummaries"
> {
  readonly request: SearchRequest;
}

/** Within which radii the best rated and the most prominent are sought where nothing says where: a city, and where it has none, around it. */
export const SCOPES_METERS = [20_000, 100_000] as const;

/** What matches: a filter of the index that lets all matches through, and a check that keeps only matches. */
export type Matching = ReturnType<typeof createMatching>;

/** One meaning of a query. */
export interface Meaning {
  readonly matching: Matching;
  /** What matches, in parts of which no place matches two, those first that are counted without being read. */
  readonly toParts: () => readonly Matching[];
  /** Its opening wish is left out. */
  readonly isWishDropped: boolean;
}

/** The meanings of a query, one after the other: each reading with its opening wish, then without, in each scope. */
export function* matchingsOf(search: ExactSearch, sort: SortOrder = "relevance"): Generator<Meaning> {
  const { request, readings } = search;
  for (const reading of request.query === "" ? [readings.plain] : readings.readings) {
    const opening = momentOf(reading.wishes.opening, request.now);
    for (const text of request.query === "" ? [ANYTHING] : textsOf(reading, search.words)) {
      for (const openAt of opening === undefined ? [undefined] : [opening, undefined]) {
        for (const radiusMeters of scopesOf(request, reading, sort)) {
          const where: Where = {
            ...(openAt && { openAt }),
            ...(reading.area && { areas: idsOf(reading.area) }),
            ...(radiusMeters !== undefined && { radiusMeters }),
          };
          const toMatching = (one: MatchingText): Matching => createMatching(one, search, reading, where);
          yield {
            matching: toMatching(text),
            toParts: () => (text.parts ?? [text]).map(toMatching),
            isWishDropped: opening !== undefined && openAt === undefined,
          };
        }
      }
    }
  }
}

/** The radius of the request; by rating and prominence without radius, rectangle and area the scopes, first the narrow. */
function scopesOf(
  { refinements }: SearchRequest,
  { area }: Reading,
  sort: SortOrder,
): readonly (number | undefined)[] {
  const hasScope = isInPart(refinements) || area !== undefined;
  const needsScope = sort === "rating" || sort === "prominence";
  return hasScope || !needsScope ? [refinements?.radiusMeters] : SCOPES_METERS;
}

/** The words of a reading as a filter and as a check. */
interface MatchingText {
  readonly filter: PlaceFilter;
  readonly compare: Compare;
  readonly isFilterExact: boolean;
  /** Estimated share (0 to 1) of all places that match. Decides only where to look first. */
  readonly share: (context: SearchContext) => number;
  /** The share may be much too high: there may be few matches. */
  readonly isShareGuessed?: boolean;
  /** The same in parts that share no place, where the filter of one is exact. */
  readonly parts?: readonly MatchingText[];
}

const EVERY_PLACE: Compare = () => ({ features: {}, isComplete: true, isWholeName: false });

/** The index holds other documents too, so without any condition its filter is not exact. */
const ANYTHING: MatchingText = { filter: {}, compare: EVERY_PLACE, isFilterExact: false, share: () => 1 };

/** What a reading may match, first what says most; none for readings without an exact list. */
function textsOf(reading: Reading, words: Words): MatchingText[] {
  const { form, kinds, name, address, landmark, unread, respelled, need } = reading;
  if (landmark || unread.length > 0 || respelled || need !== undefined) return [];
  if (address) return textsOfAddress(reading, address, words);
  if (form === "point") return [ANYTHING];
  if (kinds.length > 0) return [textOfKinds(reading, words)];
  if (name.joined !== "") {
    const filter = { names: [name.joined], wordSets: [name.words] };
    const compare = compareWith(reading, words);
    return [{ filter, compare, isFilterExact: true, share: () => RINGS.commonShare, isShareGuessed: true }];
  }
  // What neither names nor wishes anything matches nothing.
  const saysNothing = !reading.area && !reading.isNear && !hasWishes(reading.wishes);
  return saysNothing ? [] : [{ ...ANYTHING, isFilterExact: reading.area !== undefined }];
}

/**
 * Most places of kinds have their types, by which the engine counts them. Only names have to be read, and of other types: those with the
 * words that were typed, not with the labels of the type, so that their filter stays exact.
 */
function textOfKinds(reading: Reading, words: Words): MatchingText {
  const kinds = reading.kinds.map((kind) => ({ ...kind, inNames: kind.inNames.slice(0, 1) }));
  const types = typesOfKinds(kinds);
  const spoken = kinds.flatMap(spokenIn);
  const others = reading.name.words;
  const filter: PlaceFilter = {
    anyOf: [
      { types },
      { names: kinds.map((kind) => kind.words.join("")) },
      ...spoken.map(({ words: nameWords }) => ({ nameWords })),
    ],
    ...(others.length > 0 && { wordSets: [others] }),
  };
  const compareAll = compareWith({ ...reading, kinds }, words);
  const compare: Compare = (place) => {
    const match = compareAll(place);
    return match?.features.kind_related ? undefined : match;
  };
  const share = ({ shareOf }: SearchContext): number => shareOf(types) ?? RINGS.commonShare;
  // Words of a kind in a name must stand together, which the index does not know.
  const isFilterExact = spoken.every((one) => one.words.length === 1);
  const text = { filter, compare, isFilterExact, share };
  if (isFilterExact) return text;
  const ofTypes = { ...text, filter: { ...filter, anyOf: [{ types }] }, isFilterExact: true };
  return { ...text, parts: [ofTypes, { ...text, filter: { ...filter, noneOf: [{ types }] } }] };
}

/** The house, then its street. */
function textsOfAddress(reading: Reading, address: AddressReading, words: Words): MatchingText[] {
  const street = { street: address.street, alleys: [] };
  return (numberWordsOf(address).length > 0 ? [address, street] : [street]).map((wanted) => {
    const compare = compareWith({ ...reading, address: wanted }, words);
    return {
      filter: { wordSets: [[...numberWordsOf(wanted), ...wanted.street.words, ...reading.name.words]] },
      compare: (place) => {
        const match = compare(place);
        return match?.isComplete ? match : undefined;
      },
      // The index does not know the order of words.
      isFilterExact: false,
      share: () => EXACT_LISTS.shareOfStreet,
      isShareGuessed: true,
    };
  });
}

function createMatching(text: MatchingText, search: ExactSearch, reading: Reading, where: Where) {
  const { request, readSummaries } = search;
  const { centre, refinements = {} } = request;
  const { types } = refinements;
  const { openAt, radiusMeters } = where;
  const geometry: Geometry = { ...refinements, ...(radiusMeters !== undefined && { radiusMeters }) };
  const mustCheckHours = openAt !== undefined || hasHours(refinements);
  const context = search.contextAt(where);
  const isAlways = openAt !== undefined && reading.wishes.opening === "24h";
  const specialDates = isAlways ? undefined : datesInDoubt(context, refinements, openAt);
  const isAt = ({ location }: FoundPlace): boolean => isInside(geometry, centre, location);
  const readDoubtful = specialDates && once(() => readSpecial(text.filter, specialDates, context));
  return {
    filter: text.filter,
    // Where the hours are asked for: of places without these special days the index alone says whether they are open.
    specialDates,
    share: Math.min(text.share(context), (types && context.shareOf(types.flatMap(typesUnder))) ?? 1),
    isShareGuessed: text.isShareGuessed === true,
    context,
    geometry,
    // Nothing but its part of the Earth keeps the filter from being exact. What is no place has no position.
    isGeometryAll:
      (text.isFilterExact || text.compare === EVERY_PLACE) && (!mustCheckHours || specialDates !== undefined),
    // The filter of the index lets matches through only.
    isFilterExact: text.isFilterExact && !isInPart(geometry) && !mustCheckHours,
    // Names decide nothing, so none are read.
    withoutNames: text.compare === EVERY_PLACE,
    isAt,
    /** The matches among the candidates, in their order, whatever their hours. */
    compare: (places: readonly PlaceCandidate[]): ScoredPlace[] =>
      places.flatMap((place) => {
        const match = isAt(place) ? text.compare(place) : undefined;
        return match ? scorePlace({ place, match, reading }, { centre, isOutside: false }) : [];
      }),
    /** Those of them that are open and quiet when they have to be. */
    atHours: async <Found extends Pick<ScoredPlace, "place">>(
      places: readonly Found[],
    ): Promise<readonly Found[]> => {
      if (!mustCheckHours || places.length === 0) return places;
      const doubtful = await readDoubtful?.();
      const unsure = doubtful ? places.filter(({ place }) => doubtful.has(place.id)) : places;
      const summaries = await readSummaries(unsure.map(({ place }) => place));
      return places.filter(({ place }) => {
        if (doubtful?.has(place.id) === false) return true;
        const summary = summaries.get(place.id);
        if (summary === undefined) return false;
        const isAsWished = openAt === undefined || isOpenAsWished(summary, reading.wishes.opening, openAt);
        return isAsWished && isAtItsHours(summary, refinements);
      });
    },
  };
}

/** The days for which the index does not decide who is open; `undefined` where it never does: for two moments, and for busyness. */
function datesInDoubt(
  { specialDates }: SearchContext,
  { openAt: ofRequest, busy }: Refinements,
  ofWish: MomentIn | undefined,
): readonly string[] | undefined {
  const isOneMoment = (ofWish === undefined) !== (ofRequest === undefined);
  return isOneMoment && busy === undefined ? specialDates : undefined;
}

/** The ids of the matches with special hours on these dates; `undefined` when there are too many. */
async function readSpecial(
  filter: PlaceFilter,
  special: readonly string[],
  { lookUp }: SearchContext,
): Promise<ReadonlySet<string> | undefined> {
  const [found] = await lookUp([{ filter: { ...filter, special }, limit: EXACT_LISTS.mostSpecial }]);
  if (found === undefined || found.total > found.places.length) return undefined;
  return new Set(found.places.map(({ id }) => id));
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => (value ??= read());
}
