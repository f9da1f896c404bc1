import { setImmediate as breathe } from "node:timers/promises";
import type {
  LookupResult,
  PinnedReader,
  PlaceCandidate,
  PlaceFilter,
  PlaceLookup,
  WordForms,
} from "../meilisearch/place-index.ts";
import { cellsAround } from "../place/geometry/cells.ts";
import { distanceMeters } from "../place/geometry/coordinates.ts";
import type { PlaceSummaryDocument } from "../place/document/place-document.ts";
import { firstLetters, fold, words } from "../place/text/fold.ts";
import { contactKeys } from "../same-place/contacts.ts";
import {
  compareRecord,
  confidencesOf,
  overlapOf,
  prepareRecord,
  reasonsOf,
  scoreOf,
  type AskedRecord,
  type MatchFeatures,
  type MatchReason,
  type PreparedRecord,
  type Rarity,
} from "../same-place/likelihood.ts";
import { coreWords } from "../same-place/name-likeness.ts";
import { areSamePlace } from "../same-place/same-place.ts";
import type { Lexicon } from "./lexicon.ts";
import { RECORDS } from "./numbers.ts";

/**
 * Which place each of some records is:
 * 1. a few lookups for each record, by what it has: around its position, by its name, phone, website and address. Those of
 *    many records go to the engine together;
 * 2. the best of what they find, told by its names and its distance, is read;
 * 3. it is compared with the record as an import compares (src/same-place), which gives the confidence.
 */

/** The likeliest place of a record. Without a candidate the confidence is 0. */
interface RecordMatch {
  readonly place?: PlaceSummaryDocument;
  /** The probability that the record is this place, 0 to 1. */
  readonly confidence: number;
  readonly reasons: readonly MatchReason[];
}

/** The likeliest places of records, in their order. */
export interface MatchedRecords {
  readonly matches: readonly RecordMatch[];
  /** The numbers of partitions that may hold a match and that no engine could read; mostly none. */
  readonly missingPartitions: readonly number[];
}

/** A place that a record may be. */
export interface MatchCandidate {
  readonly place: PlaceSummaryDocument;
  readonly features: MatchFeatures;
}

export interface MatchContext {
  readonly reader: PinnedReader;
  readonly lexicon: Lexicon;
  /** How many places the dataset has, about. */
  readonly places: number;
  readonly signal: AbortSignal;
}

/** The likeliest place of each record. */
export async function matchRecords(
  records: readonly AskedRecord[],
  context: MatchContext,
): Promise<MatchedRecords> {
  const candidates = await findCandidates(records, context);
  return {
    matches: records.map((record, index) => toMatch(record, candidates[index] ?? [])),
    missingPartitions: context.reader.missingPartitions(),
  };
}

/** The places that each record may be, with what they have in common with it. */
export async function findCandidates(
  records: readonly AskedRecord[],
  context: MatchContext,
): Promise<(readonly MatchCandidate[])[]> {
  const found: (readonly MatchCandidate[])[] = [];
  for (let from = 0; from < records.length; from += RECORDS.atOnce)
    found.push(...(await findTogether(records.slice(from, from + RECORDS.atOnce), context)));
  return found;
}

async function findTogether(
  records: readonly AskedRecord[],
  context: MatchContext,
): Promise<(readonly MatchCandidate[])[]> {
  const { reader, signal } = context;
  const rarity = createRarity(context);
  const asked = [];
  for (const record of records) {
    const prepared = prepareRecord(record);
    asked.push({ prepared, lookups: lookupsFor(prepared, context.lexicon) });
    // Words that no name has take a millisecond or two each: others have their turn in between.
    await breathe();
  }
  const lookups = asked.flatMap((one) => one.lookups);
  const results = lookups.length === 0 ? [] : await reader.findPlaces(lookups, signal);
  const resultOf = new Map(lookups.map((lookup, index) => [lookup, results[index]]));
  const likely = asked.map((one) =>
    chooseLikely(
      one.prepared,
      one.lookups.map((lookup) => resultOf.get(lookup)),
      rarity,
    ),
  );
  const wanted = new Map(likely.flat().map((place) => [place.id, place]));
  const summaries =
    wanted.size === 0
      ? new Map<string, PlaceSummaryDocument>()
      : await reader.readSummaries([...wanted.values()], signal);
  return asked.map(({ prepared }, index) =>
    (likely[index] ?? []).flatMap(({ id }) => {
      const place = summaries.get(id);
      return place ? { place, features: compareRecord(prepared, place, rarity) } : [];
    }),
  );
}

/** The part of the logarithm of the number of places that a word takes away. */
const createRarity = ({ lexicon, places }: MatchContext): Rarity => {
  const all = Math.log(Math.max(2, places));
  return (word) => Math.min(1, Math.max(0, 1 - Math.log(Math.max(1, lexicon.inNames(word))) / all));
};

/** Cells of some 350 m: their ring reaches 200 m at least, further than points of one place differ. */
const NEAREST_CELLS = [9, 1] as const;
/** Cells of some 900 m: a whole name finds its place also where a position is some blocks off. */
const AROUND_CELLS = [8, 1] as const;

/** What is looked up for a record. */
function lookupsFor(record: PreparedRecord, lexicon: Lexicon): PlaceLookup[] {
  const { phones, site } = record;
  const contacts = [
    ...phones,
    ...(site === "" ? [] : contactKeys({ phone: "", website: `https://${site}` })),
  ];
  const telling = tellingWords(record, lexicon);
  return [
    ...(contacts.length > 0 ? [{ filter: { contacts }, limit: RECORDS.byContact }] : []),
    ...(record.location ? lookupsAround(record, record.location, telling) : lookupsByWords(record, telling)),
  ];
}

/** Places with words of the name, or where no place has them, with its letters; without a name the nearest. */
function lookupsAround(
  { joinedName }: PreparedRecord,
  location: NonNullable<AskedRecord["location"]>,
  telling: readonly WordForms[],
): PlaceLookup[] {
  const cells = cellsAround(location, ...NEAREST_CELLS);
  const order = { by: "distance", from: location } as const;
  if (joinedName === "") return [{ filter: { cells }, order, limit: RECORDS.nearest }];
  const around = cellsAround(location, ...AROUND_CELLS);
  if (telling.length === 0)
    return [
      {
        filter: { cells: around },
        joinedName: firstLetters(joinedName, RECORDS.mostLetters),
        limit: RECORDS.byLetters,
      },
    ];
  const anyOf: PlaceFilter[] = [
    ...telling.slice(0, RECORDS.wordsAround).map((word) => ({ cells, nameWords: [word] })),
    { names: [joinedName], nameWords: telling.slice(0, RECORDS.wordsOfPair) },
  ];
  return [{ filter: { cells: around, anyOf }, order, limit: RECORDS.around }];
}

/** Without a position: by the whole name, by its letters, by two of its words, with the street, or by the address alone. */
function lookupsByWords(
  { nameWords, joinedName, street }: PreparedRecord,
  telling: readonly WordForms[],
): PlaceLookup[] {
  const streetWords = street.streetWords.slice(0, RECORDS.mostWords);
  const ofAddress = [...street.houses.flatMap((house) => words(fold(house))), ...streetWords];
  if (nameWords.length === 0)
    return ofAddress.length === 0 ? [] : [{ filter: { wordSets: [ofAddress] }, limit: RECORDS.byAddress }];
  const pair = telling.slice(0, RECORDS.wordsOfPair);
  const hasOthers = pair.length > 0 && pair.length < nameWords.length;
  const anyOf = telling.slice(0, RECORDS.rareWords).map((word): PlaceFilter => ({ nameWords: [word] }));
  return [
    {
      filter: { names: [joinedName], nameWords: nameWords.slice(0, RECORDS.mostWords) },
      limit: RECORDS.byName,
    },
    { filter: {}, joinedName: firstLetters(joinedName, RECORDS.mostLetters), limit: RECORDS.byLetters },
    ...(hasOthers ? [{ filter: { nameWords: pair }, limit: RECORDS.byName }] : []),
    ...(streetWords.length > 0 && anyOf.length > 0
      ? [{ filter: { wordSets: [streetWords], anyOf }, limit: RECORDS.byAddress }]
      : []),
  ];
}

/**
 * The words of a name, the rarest first; of one that no name has, those that it may be a typo of. Where there are others, not the city nor
 * those of every shop.
 */
function tellingWords({ nameWords, mainName }: PreparedRecord, lexicon: Lexicon): WordForms[] {
  const core = coreWords(mainName, "PLACE");
  const telling = [...new Set(core.length > 0 ? core : nameWords)].slice(0, RECORDS.mostWords);
  let mistyped = 0;
  const formsOf = (word: string): readonly string[] => {
    if (lexicon.inNames(word) > 0) return [word];
    if (word.length > RECORDS.lettersMistyped || ++mistyped > RECORDS.mistypedWords) return [];
    return lexicon.alike(word).slice(0, RECORDS.mostForms);
  };
  return telling
    .map((word) => ({ forms: formsOf(word), size: lexicon.inNames(word) || RECORDS.mistypedSize }))
    .filter(({ forms }) => forms.length > 0)
    .toSorted((one, other) => one.size - other.size)
    .map(({ forms }) => (forms.length === 1 ? forms[0]! : forms));
}

/** The candidates that may be the place, by what lookups say of them. Those of a phone come first. */
function chooseLikely(
  { nameWords, location, phones, site, street }: PreparedRecord,
  results: readonly (LookupResult | undefined)[],
  rarity: Rarity,
): PlaceCandidate[] {
  const places = new Map(results.flatMap((result) => result?.places ?? []).map((place) => [place.id, place]));
  const hasContacts = phones.length > 0 || site !== "";
  const byContact = new Set((hasContacts ? (results[0]?.places ?? []) : []).map(({ id }) => id));
  const likelinessOf = ({ id, foldedNames, foldedRest, location: at }: PlaceCandidate): number => {
    const names = foldedNames.map((name) => overlapOf(nameWords, words(name), rarity));
    const rest = new Set(words(foldedRest));
    const ofStreet =
      street.streetWords.filter((word) => rest.has(word)).length / Math.max(1, street.streetWords.length);
    const meters = location ? distanceMeters(location, at) : 0;
    return (
      (byContact.has(id) ? RECORDS.nameToDistance : 0) +
      RECORDS.nameToDistance * Math.max(0, ...names) +
      ofStreet -
      Math.log1p(meters / RECORDS.distanceStepMeters)
    );
  };
  return [...places.values()]
    .map((place) => ({ place, likeliness: likelinessOf(place) }))
    .toSorted((one, other) => other.likeliness - one.likeliness || (one.place.id < other.place.id ? -1 : 1))
    .slice(0, RECORDS.likely)
    .map(({ place }) => place);
}

/** The likeliest of the candidates. One place that the dataset has twice is no rival of itself. */
function toMatch(record: AskedRecord, candidates: readonly MatchCandidate[]): RecordMatch {
  const confidences = confidencesOf(candidates.map(({ features }) => scoreOf(features)));
  const ranked = candidates
    .map((candidate, index) => ({ ...candidate, confidence: confidences[index] ?? 0 }))
    .toSorted((one, other) => other.confidence - one.confidence);
  const [best, ...others] = ranked;
  if (!best) return { confidence: 0, reasons: [] };
  const isDouble = ({ place }: MatchCandidate): boolean => areSamePlace(best.place, place);
  const doubles = others.filter(isDouble);
  const confidence = doubles.reduce((sum, one) => sum + one.confidence, best.confidence);
  const hasRival = others.some((one) => one.confidence >= RECORDS.rival && !doubles.includes(one));
  return {
    place: best.place,
    confidence,
    reasons: [...reasonsOf(record, best.features), ...(hasRival ? (["several_alike"] as const) : [])],
  };
}
