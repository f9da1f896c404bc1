import * as v from "valibot";
import { invalidParameters } from "../errors.ts";
import type { ParameterProblem, ParameterProblemCode } from "../errors.ts";

/** An object schema, alone or with checks behind it. */
interface QuerySchema extends v.GenericSchema<unknown> {
  readonly entries: Readonly<Record<string, unknown>>;
}

/** The stable codes of a problem body for what valibot calls the same thing. */
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
 * Reads the parameters that `schema` names from a raw query string and ignores all others, so that a `__proto__` or a
 * `toString` among them means nothing (Koa's own `ctx.query` falls for both).
 * @throws {ProblemError} 422 that names every parameter which is missing, repeated or wrong.
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

/** One value can break several rules; the first of them says enough. */
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
  // The messages of our schemas say what a value must be; only a missing one comes from valibot itself.
  const message = code === "missing" ? "is required" : issue.message;
  return { parameter, code, message: `${parameter} ${message}.` };
}
