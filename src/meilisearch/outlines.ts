import * as v from "valibot";
import { isCoordinates } from "../place/geometry/coordinates.ts";
import {
  placeDocumentSchema,
  type PlaceSummaryDocument,
  type StoredPlace,
} from "../place/document/place-document.ts";
import { isCandidate, toCandidate } from "./index-form.ts";
import { toPlaceDocument, toSummary, readFirstPhoto, unpackOwn } from "./packed-place.ts";

/**
 * What the engine's responses about places must be like. A program that is no Meilisearch, or one that is broken, may respond with
 * anything; its places would be wrong in ways that callers cannot see. Reading 50 hits takes 50 µs, half of it for the checks.
 */

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
/** In one check: with `v.array`, hits take twice as long to read. */
const texts = v.custom<string[]>(
  (value) => Array.isArray(value) && value.every((text) => typeof text === "string"),
);

const idSchema = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{1,16}$/));

const rankedSchema = v.object({
  title: v.exactOptional(v.string()),
  folded_names: v.exactOptional(texts),
  folded_rest: v.exactOptional(v.string()),
  ranking_fields: v.string(),
  import_order: v.exactOptional(v.number()),
  _rankingScore: v.exactOptional(v.number()),
});

const hitSchema = v.pipe(
  rankedSchema,
  v.transform((hit) => ({
    place: toCandidate(hit),
    isNamed: hit.title !== undefined && hit.folded_names !== undefined && hit.folded_rest !== undefined,
    order: hit.import_order,
    score: hit._rankingScore,
  })),
  v.check(({ place }) => isCandidate(place)),
);

const resultSchema = v.object({
  indexUid: v.string(),
  hits: v.array(hitSchema),
  estimatedTotalHits: count,
});

/** What a query to an index found. */
export type FoundHits = v.InferOutput<typeof resultSchema>;

interface AskedQuery {
  readonly indexUid: string;
  readonly limit: number;
  readonly attributesToRetrieve?: readonly string[] | null;
  readonly showRankingScore?: boolean;
}

/** What was asked for, of the index that was asked, and no more. */
const isAnswerTo = ({ indexUid, hits }: FoundHits, asked: AskedQuery | undefined): boolean =>
  asked !== undefined &&
  indexUid === asked.indexUid &&
  hits.length <= asked.limit &&
  (asked.attributesToRetrieve?.includes("title") === false || hits.every(({ isNamed }) => isNamed)) &&
  (asked.showRankingScore !== true || hits.every(({ score }) => score !== undefined));

/** One result for each query, in their order. */
export const multiSearchOutline = (queries: readonly AskedQuery[]) =>
  v.object({
    results: v.pipe(
      v.array(resultSchema),
      v.length(queries.length),
      v.check((results) => results.every((result, at) => isAnswerTo(result, queries[at]))),
    ),
  });

/** The document of a data id that leads to another place. Any place has no such field. */
const redirectSchema = v.object({ id: idSchema, redirect_to: idSchema });

const packedSummary = {
  id: idSchema,
  location_half: v.pipe(v.string(), v.regex(/^[0-9a-f]{1,16}$/)),
  title: v.string(),
  type: v.string(),
  rating: v.exactOptional(v.number()),
  reviews: v.exactOptional(count),
  _geo: v.object({ lat: v.number(), lng: v.number() }),
  timezone: v.exactOptional(v.string()),
  summary: v.string(),
  busy_hours: v.exactOptional(v.string()),
  detail: v.exactOptional(v.string()),
  custom: v.exactOptional(v.string()),
  names: v.exactOptional(v.string()),
  areas: v.exactOptional(texts),
};

const summarySchema = v.pipe(
  v.object({ ...packedSummary, indexed_at: v.exactOptional(v.number()) }),
  v.transform(
    ({
      busy_hours,
      indexed_at,
      detail,
      custom,
      names,
      areas,
      ...packed
    }): { id: string; place: PlaceSummaryDocument } => ({
      id: packed.id,
      place: {
        ...toSummary(packed),
        ...(busy_hours !== undefined && { busy_hours }),
        ...(indexed_at !== undefined && { indexed_at }),
        ...(detail !== undefined && readFirstPhoto({ detail })),
        ...unpackOwn({ custom, names }),
        ...(areas && { areas: [...areas] }),
      },
    }),
  ),
  v.check(({ place }) => hasNumbers(place)),
);

/** The numbers of a summary are packed in a text. Checking all of it would take three times as long as reading it. */
const hasNumbers = ({ location, pricing, opening_hours: hours }: PlaceSummaryDocument): boolean =>
  isCoordinates(location) &&
  Number.isFinite(pricing.min + pricing.max) &&
  (hours === null || hours.week.every((ranges) => ranges.every(([opens, closes]) => opens < closes)));

const documentSchema = v.pipe(
  v.object({
    ...packedSummary,
    source: v.string(),
    indexed_at: v.number(),
  }),
  v.transform((found) => ({ id: found.id, indexedAt: found.indexed_at, place: toPlaceDocument(found) })),
  v.check(({ place }) => v.is(placeDocumentSchema, place)),
  v.transform(({ id, indexedAt, place }): { id: string; place: StoredPlace } => ({
    id,
    place: { ...place, indexed_at: indexedAt },
  })),
);

/** Those of the documents with these ids that there are. */
const fetched = <T extends { readonly id: string }>(
  document: v.GenericSchema<unknown, T>,
  ids: ReadonlySet<string>,
) =>
  v.object({
    results: v.pipe(
      v.array(document),
      v.maxLength(ids.size),
      v.check((results) => results.every(({ id }) => ids.has(id))),
    ),
  });

/** Redirects come second: few documents are any. */
export const documentsOutline = (ids: ReadonlySet<string>) =>
  fetched(v.union([documentSchema, redirectSchema]), ids);

export const summariesOutline = (ids: ReadonlySet<string>) =>
  fetched(v.union([summarySchema, redirectSchema]), ids);

/** A place, or a redirect to one. */
export type FoundDocument = v.InferOutput<typeof documentSchema> | v.InferOutput<typeof redirectSchema>;

export const isRedirectTo = (found: FoundDocument): found is v.InferOutput<typeof redirectSchema> =>
  "redirect_to" in found;

/** Hundreds of thousands of values in a large index: a schema of records would copy them all. */
const counts = v.custom<Readonly<Record<string, number>>>(
  (value) =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((number) => Number.isInteger(number) && (number as number) >= 0),
);

/** How many documents have each value of some fields. */
export const facetsOutline = v.object({ facetDistribution: v.record(v.string(), counts) });
