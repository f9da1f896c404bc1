import type * as v from "valibot";
import type { autocompleteParameters, placeParameters, searchParameters } from "../routes/parameters.ts";

/** A list where the server reads a comma list, a point in time in any form where it reads one. */
type Given<Read> =
  Read extends ReadonlySet<infer Item>
    ? readonly Item[]
    : Read extends Temporal.Instant
      ? Temporal.Instant | Date | string
      : Read;

/** The parameters of an operation, from the schema that the server checks them with: the same names, those with a default optional. */
type ParametersOf<Schema extends v.GenericSchema> = {
  readonly [Name in keyof v.InferInput<Schema>]: Name extends keyof v.InferOutput<Schema>
    ? Given<v.InferOutput<Schema>[Name]> | (undefined extends v.InferInput<Schema>[Name] ? undefined : never)
    : never;
};

export type SearchParameters = ParametersOf<typeof searchParameters>;
export type PlaceParameters = ParametersOf<typeof placeParameters>;
export type AutocompleteParameters = ParametersOf<typeof autocompleteParameters>;

/** Writes parameters as a query string; those that are undefined are left out. */
export function toQueryString(parameters: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, toText(value));
  }
  return query.toString();
}

function toText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.join(",") : String(value);
}
