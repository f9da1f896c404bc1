import * as v from "valibot";
import { invalidParameters, type ParameterProblem, type ParameterProblemCode } from "../errors.ts";

/** An object schema, which may have checks after its entries. */
interface QuerySchema extends v.GenericSchema<unknown> {
  readonly entries: Readonly<Record<string, unknown>>;
}

/** The stable codes of a problem body, by valibot's names for the same faults. */
const CODES: Readonly<Record<string, ParameterProblemCode>> = {
  object: "missing",
  non_empty: "empty",
  max_code_points: "too_long",
  min_value: "out_of_range",
  max_value: "out_of_range",
  picklist: "unknown_value",
  every_item: "unknown_value",
  partial_check: "conflicting",
};

/**
 * Reads the parameters that `schema` names from a raw query string and ignores all others. So names such as
 * `__proto__` and `toString` have no effect (Koa's own `ctx.query` is vulnerable to both).
 * @throws {ProblemError} 422 that names every parameter that is missing, repeated or wrong.
 */
export function parseQuery<TSchema extends QuerySchema>(
  schema: TSchema,
  querystring: string,
): v.InferOutput<TSchema> {
  const { values, repeated } = readNamed(new URLSearchParams(querystring), Object.keys(schema.entries));
  const parsed = v.safeParse(schema, values);
  const wrong = firstOfEach((parsed.issues ?? []).map(toParameterProblem)).filter(
    ({ parameter }) => !repeated.has(parameter),
  );
  const problems = [...[...repeated].map(toRepeatedProblem), ...wrong];
  if (!parsed.success || problems.length > 0) throw invalidParameters(problems);
  return parsed.output;
}

/** One value can break several rules; the first is enough. */
const firstOfEach = (problems: readonly ParameterProblem[]): ParameterProblem[] =>
  problems.filter(
    ({ parameter }, index) => problems.findIndex((other) => other.parameter === parameter) === index,
  );

function readNamed(
  query: URLSearchParams,
  names: readonly string[],
): { values: Record<string, string>; repeated: ReadonlySet<string> } {
  const values: Record<string, string> = {};
  const repeated = new Set<string>();
  for (const name of names) {
    const [first, ...others] = query.getAll(name);
    if (others.length > 0) repeated.add(name);
    else if (first !== undefined) values[name] = first;
  }
  return { values, repeated };
}

function toRepeatedProblem(parameter: string): ParameterProblem {
  return { parameter, code: "repeated", message: `${parameter} may be given once only.` };
}

function toParameterProblem(issue: v.BaseIssue<unknown>): ParameterProblem {
  const parameter = v.getDotPath(issue) ?? "";
  const code = CODES[issue.type] ?? "malformed";
  // Our schemas' messages say what a value must be. Only a missing value has a message from valibot.
  const message = code === "missing" ? "is required" : issue.message;
  return { parameter, code, message: `${parameter} ${message}.` };
}

/**
 * One plain number with a decimal point or, as in our own links, a comma. No exponent, plus sign or spaces.
 */
const DECIMAL_NUMBER = /^-?\d{1,3}(?:[.,]\d+)?$/;

/** A number such as `10.8` or `10,8`. */
export const decimal = (minimum: number, maximum: number, description: Description) => {
  const message = `must be a number from ${minimum} to ${maximum}`;
  return v.pipe(
    v.string(),
    published({ type: "number", minimum, maximum, ...description }),
    v.regex(DECIMAL_NUMBER, message),
    v.transform((text) => Number(text.replace(",", "."))),
    v.minValue(minimum, message),
    v.maxValue(maximum, message),
  );
};

/** Digits only: a comma or a point could separate thousands as well as a fraction. */
export const wholeNumber = (minimum: number, maximum: number, description: Description) => {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return v.pipe(
    v.string(),
    published({ type: "integer", minimum, maximum, ...description }),
    v.regex(/^\d+$/, message),
    v.transform(Number),
    v.minValue(minimum, message),
    v.maxValue(maximum, message),
  );
};

/** What readers see of a parameter. */
export interface Description {
  readonly description: string;
  readonly examples?: readonly unknown[];
}

/** The JSON Schema of a parameter as callers see it: a number, though it arrives as text. */
export interface PublishedSchema extends Description {
  readonly type: "string" | "number" | "integer" | "boolean" | "array";
  readonly [keyword: string]: unknown;
}

/**
 * Adds to a parameter's schema what the OpenAPI document should say where text alone would say too little.
 * Must come before the first transformation, because later entries do not describe what is sent.
 */
export const published = <Input>(
  schema: PublishedSchema,
): v.MetadataAction<Input, { published: PublishedSchema }> => v.metadata({ published: schema });
