import * as v from "valibot";
import { invalidParameters, type ParameterProblem, type ParameterProblemCode } from "../errors.ts";
import type { HttpContext, HttpMiddleware } from "./request-state.ts";

/** The schema of a parameter; `wrapped` is that of an optional one. */
interface ParameterSchema {
  readonly type: string;
  readonly wrapped?: { readonly type: string };
}

/** Whether a parameter may be repeated: its values are an array. */
export const isRepeatable = ({ type, wrapped }: ParameterSchema): boolean =>
  type === "array" || wrapped?.type === "array";

/** An object schema, which may have checks after its entries. */
interface QuerySchema extends v.GenericSchema<unknown> {
  readonly entries: Readonly<Record<string, ParameterSchema>>;
}

/** The stable codes of a problem body, by valibot's names for the same faults. */
const CODES: Readonly<Record<string, ParameterProblemCode>> = {
  object: "missing",
  non_empty: "empty",
  max_code_points: "too_long",
  max_length: "repeated",
  min_value: "out_of_range",
  max_value: "out_of_range",
  picklist: "unknown_value",
  every_item: "unknown_value",
  partial_check: "conflicting",
};

/** The code of an issue of valibot. */
export const toProblemCode = (type: string): ParameterProblemCode => CODES[type] ?? "malformed";

/** The response header with the names of the parameters that the operation does not know. */
export const IGNORED_HEADER = "X-Ignored-Parameters";

/** Names that the header repeats. It shows all others as one `*`, so that nothing hostile gets into a response. */
const PLAIN_NAME = /^[a-z][a-z\d_]{0,29}$/i;
const MOST_NAMED = 8;

/** A route in two steps, so that a request with wrong parameters is refused before it waits for its turn. */
export interface RouteSteps {
  readonly check: HttpMiddleware;
  readonly respond: HttpMiddleware;
}

/** A route that responds to the parameters of a request. */
export function withParameters<TSchema extends QuerySchema>(
  schema: TSchema,
  respond: (ctx: HttpContext, parameters: v.InferOutput<TSchema>) => Promise<void> | void,
): RouteSteps {
  const read = new WeakMap<HttpContext["req"], v.InferOutput<TSchema>>();
  return {
    check(ctx, next) {
      read.set(ctx.req, readParameters(ctx, schema));
      return next();
    },
    respond: (ctx) => respond(ctx, read.get(ctx.req)!),
  };
}

/**
 * Reads the parameters of a request. Unknown ones have no effect, and `X-Ignored-Parameters` names them, so that a misspelled
 * name is noticed.
 * @throws {ProblemError} as `parseQuery`.
 */
function readParameters<TSchema extends QuerySchema>(
  ctx: HttpContext,
  schema: TSchema,
): v.InferOutput<TSchema> {
  const query = new URLSearchParams(ctx.querystring);
  const ignored = listIgnored(query, schema);
  if (ignored !== "") ctx.set(IGNORED_HEADER, ignored);
  return parseNamed(schema, query);
}

/** The unknown names as a list: `radius_m, fomat`. */
function listIgnored(query: URLSearchParams, { entries }: QuerySchema): string {
  const names = new Set<string>();
  for (const name of query.keys()) {
    if (Object.hasOwn(entries, name) || (isPrefix(prefixOf(name)) && Object.hasOwn(entries, prefixOf(name))))
      continue;
    names.add(names.size < MOST_NAMED && PLAIN_NAME.test(name) ? name : "*");
    if (names.size > MOST_NAMED) break;
  }
  return [...names].join(", ");
}

/**
 * Reads the parameters that `schema` names from a raw query string and ignores all others. So names such as
 * `__proto__` and `toString` have no effect (Koa's own `ctx.query` is vulnerable to both).
 * @throws {ProblemError} 422 that names every parameter that is missing, repeated or wrong.
 */
export const parseQuery = <TSchema extends QuerySchema>(
  schema: TSchema,
  querystring: string,
): v.InferOutput<TSchema> => parseNamed(schema, new URLSearchParams(querystring));

function parseNamed<TSchema extends QuerySchema>(
  schema: TSchema,
  query: URLSearchParams,
): v.InferOutput<TSchema> {
  const { values, repeated } = readNamed(query, schema.entries);
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

/** Parameters whose conditions may also be parameters of their own: `custom.floor>=3` is `custom=floor>=3`. */
const isPrefix = (name: string): boolean => name === "custom";

const prefixOf = (name: string): string => name.slice(0, name.indexOf("."));

/** The first `=` of `custom.floor>=3` ends the name of the parameter, for everyone who reads a URL. */
const readPrefixed = (query: URLSearchParams, prefix: string): string[] =>
  [...query].flatMap(([name, value]) =>
    name.startsWith(`${prefix}.`) ? [`${name.slice(prefix.length + 1)}=${value}`] : [],
  );

/** An array in the schema is a parameter that may be repeated. */
function readNamed(
  query: URLSearchParams,
  entries: QuerySchema["entries"],
): { values: Record<string, string | string[]>; repeated: ReadonlySet<string> } {
  const values: Record<string, string | string[]> = {};
  const repeated = new Set<string>();
  for (const [name, entry] of Object.entries(entries)) {
    const given = isPrefix(name) ? [...query.getAll(name), ...readPrefixed(query, name)] : query.getAll(name);
    const [first] = given;
    if (first === undefined) continue;
    if (isRepeatable(entry)) values[name] = given;
    else if (given.length > 1) repeated.add(name);
    else values[name] = first;
  }
  return { values, repeated };
}

function toRepeatedProblem(parameter: string): ParameterProblem {
  return { parameter, code: "repeated", message: `${parameter} may be given once only.` };
}

function toParameterProblem(issue: v.BaseIssue<unknown>): ParameterProblem {
  const [parameter = "", position] = (v.getDotPath(issue) ?? "").split(".");
  const code = toProblemCode(issue.type);
  // Our schemas' messages say what a value must be. Only a missing value has a message from valibot.
  const message = code === "missing" ? "is required" : issue.message;
  // Of a parameter that is repeated, the value that is wrong: "data_id number 3 must be ...".
  const value = position === undefined ? parameter : `${parameter} number ${Number(position) + 1}`;
  return { parameter, code, message: `${value} ${message}.` };
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
