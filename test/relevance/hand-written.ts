import { readFileSync, readdirSync } from "node:fs";
import * as v from "valibot";
import type { Coordinates } from "../../src/place/geometry/coordinates.ts";
import { isTypeCode } from "../../src/place/document/type-codes.ts";

const slugs = v.pipe(v.array(v.string()), v.minLength(1));

/** Every given condition must hold. Places are named by their `source_id` in places.jsonl. */
const expectationSchema = v.pipe(
  v.strictObject({
    /** One of these comes first. */
    first: v.optional(slugs),
    /** The answer begins with these, in this order. */
    order: v.optional(slugs),
    /** How many places from the first the members below look at. */
    top: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(20))),
    /** All of these are among the top. */
    has: v.optional(slugs),
    /** One of these at least is among the top. */
    has_one_of: v.optional(slugs),
    /** None of these is among the top. */
    lacks: v.optional(slugs),
    /** The top is full, and each of it is of one of these types. */
    types: v.optional(v.array(v.pipe(v.string(), v.check(isTypeCode, "no type code")))),
    /** No name comes twice. */
    distinct_titles: v.optional(v.literal(true)),
    /** No more places than this. */
    at_most: v.optional(v.number()),
    /** Any answer will do that is no error. */
    answers: v.optional(v.literal(true)),
  }),
  v.check(
    ({ top, has, has_one_of: hasOneOf, lacks, types }) =>
      (top !== undefined) === [has, hasOneOf, lacks, types].some((member) => member !== undefined),
    "top goes with has, has_one_of, lacks or types",
  ),
);

const caseSchema = v.strictObject({
  query: v.string(),
  /** A point of points.json. */
  at: v.string(),
  /** `search` when absent. */
  operation: v.optional(v.picklist(["search", "autocomplete"]), "search"),
  expect: expectationSchema,
  /** Why a person expects this. */
  reason: v.pipe(v.string(), v.minLength(5)),
});

export type Expectation = v.InferOutput<typeof expectationSchema>;

/** One case of a file, with the name it has in the baseline. */
export interface HandWrittenCase extends v.InferOutput<typeof caseSchema> {
  readonly id: string;
  readonly centre: Coordinates;
}

const FOLDER = new URL("./cases/", import.meta.url);

const readJson = (url: URL): unknown => JSON.parse(readFileSync(url, "utf8"));

/** The cases of all files. Throws for one that is not written as it should be. */
export function readHandWrittenCases(): HandWrittenCase[] {
  const points = readJson(new URL("./points.json", import.meta.url)) as Record<string, Coordinates>;
  return readdirSync(FOLDER).flatMap((file) => {
    const cases = v.parse(v.array(caseSchema), readJson(new URL(file, FOLDER)));
    return cases.map((one) => {
      const id = `${file.replace(/\.json$/, "")}: ${one.query} @ ${one.at}`;
      const centre = points[one.at];
      if (!centre) throw new Error(`${id}: there is no such point`);
      return { ...one, id, centre };
    });
  });
}

/** The places that an expectation speaks of. */
export const namedPlaces = ({ first, order, has, has_one_of: hasOneOf, lacks }: Expectation): string[] =>
  [first, order, has, hasOneOf, lacks].flatMap((named) => named ?? []);
