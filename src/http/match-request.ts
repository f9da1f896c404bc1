import * as v from "valibot";
import { invalidParameters, invalidRecord, type ParameterProblem } from "../errors.ts";
import { DEFAULT_MIN_CONFIDENCE, MAX_MATCHED_RECORDS } from "../place/request-defaults.ts";
import type { AskedRecord } from "../same-place/likelihood.ts";
import { isDeep } from "./body.ts";
import { toProblemCode } from "./query-string.ts";

/** The body of a request that matches records with places. */

const about = v.description;

/** Names and addresses of real files are shorter; a longer text is a description. */
const MAX_LENGTHS = { id: 200, name: 200, address: 300, phone: 100, website: 500 } as const;

const textField = (field: keyof typeof MAX_LENGTHS, description: string) =>
  v.nullish(
    v.pipe(
      v.string("must be a text"),
      about(description),
      v.maxLength(MAX_LENGTHS[field], `must have at most ${MAX_LENGTHS[field]} characters`),
      v.check((text) => text.isWellFormed(), "must be valid Unicode"),
    ),
  );

const degrees = (most: number, description: string) => {
  const message = `must be a number from -${most} to ${most}`;
  return v.nullish(
    v.pipe(v.number(message), about(description), v.minValue(-most, message), v.maxValue(most, message)),
  );
};

export const matchedRecordSchema = v.pipe(
  v.strictObject({
    id: textField("id", "Your id of the record. The response repeats it."),
    name: textField("name", "The name, as your file has it."),
    address: textField("address", "The address on one line, house number and street first."),
    phone: textField("phone", "One phone number, or several with `;` between them."),
    website: textField("website", "The web address."),
    lat: degrees(90, "Latitude, with `lng`."),
    lng: degrees(180, "Longitude, with `lat`."),
  }),
  about("A record of your file. It needs one of name, address, phone, website and position."),
);

export const matchRequestSchema = v.strictObject({
  records: v.pipe(
    v.array(matchedRecordSchema, "must be a list of records"),
    v.minLength(1, "must have a record"),
    v.maxLength(MAX_MATCHED_RECORDS),
    about("The records, in any order."),
  ),
  min_confidence: v.optional(
    v.pipe(
      v.number("must be a number from 0 to 1"),
      v.minValue(0, "must be a number from 0 to 1"),
      v.maxValue(1, "must be a number from 0 to 1"),
      about("A place with less confidence is no match."),
    ),
    DEFAULT_MIN_CONFIDENCE,
  ),
});

type SentRecord = v.InferOutput<typeof matchedRecordSchema>;

/** What a request asks for. */
export interface MatchRequest {
  readonly records: readonly { readonly id: string | undefined; readonly asked: AskedRecord }[];
  readonly minConfidence: number;
}

/** Records lie in a list in an object. */
const MAX_DEPTH = 8;

/** The rest of the problems come with the next request. */
const MOST_PROBLEMS = 20;

/**
 * Reads the body of a request. `undefined` when it has too many records.
 * @throws {ProblemError} 422 that names every record and field that is wrong, such as `records[3].lat`.
 */
export function parseMatchRequest(body: string): MatchRequest | undefined {
  const value = parseJson(body);
  const { records: sent } = (value ?? {}) as { readonly records?: unknown };
  if (Array.isArray(sent) && sent.length > MAX_MATCHED_RECORDS) return undefined;
  const parsed = v.safeParse(matchRequestSchema, value);
  if (!parsed.success) throw invalidParameters(firstOfEach(parsed.issues.map(toProblem)));
  const { records, min_confidence: minConfidence } = parsed.output;
  const incomplete = records.flatMap(problemOfRecord);
  if (incomplete.length > 0) throw invalidParameters(incomplete.slice(0, MOST_PROBLEMS));
  return {
    records: records.map((record) => ({ id: record.id ?? undefined, asked: toAsked(record) })),
    minConfidence,
  };
}

function parseJson(body: string): unknown {
  if (isDeep(body, MAX_DEPTH)) throw invalidRecord(`The body is nested more than ${MAX_DEPTH} levels deep.`);
  let value: unknown;
  try {
    value = JSON.parse(body) as unknown;
  } catch {
    throw invalidRecord("The body is not JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalidRecord('The body must be a JSON object with a list "records".');
  return value;
}

/** `records[3].lat`: the number of a record counts from 0, as its caller does. */
const nameOf = (path: readonly PropertyKey[]): string =>
  path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .slice(1);

/** A name of a field that the caller made up is shown only where it is plain. */
const PLAIN_NAME = /^[\w.[\]]{1,60}$/;

const CODES_OF_LENGTHS: Readonly<Record<string, ParameterProblem["code"]>> = {
  min_length: "missing",
  max_length: "too_long",
};

function toProblem(issue: v.BaseIssue<unknown>): ParameterProblem {
  const name = nameOf((issue.path ?? []).map(({ key }) => key as PropertyKey));
  const parameter = PLAIN_NAME.test(name) ? name : "records";
  if (issue.type === "strict_object" && issue.expected === "never")
    return {
      parameter,
      code: "unknown_value",
      message: `${parameter} is unknown; the fields are ${fieldsBeside(issue)}.`,
    };
  if (issue.type === "strict_object" || issue.received === "undefined")
    return issue.received === "undefined"
      ? { parameter, code: "missing", message: `${parameter} is required.` }
      : { parameter, code: "malformed", message: `${parameter} must be an object.` };
  const code = CODES_OF_LENGTHS[issue.type] ?? toProblemCode(issue.type);
  return { parameter, code, message: `${parameter} ${issue.message}.` };
}

/** The fields that may stand where an unknown one does: of a record, or of the whole body. */
function fieldsBeside({ path }: v.BaseIssue<unknown>): string {
  const { entries } = (path?.length ?? 0) > 1 ? matchedRecordSchema : matchRequestSchema;
  return Object.keys(entries).join(", ");
}

const firstOfEach = (problems: readonly ParameterProblem[]): ParameterProblem[] =>
  problems
    .filter(({ parameter }, index) => problems.findIndex((other) => other.parameter === parameter) === index)
    .slice(0, MOST_PROBLEMS);

function problemOfRecord(
  { name, address, phone, website, lat, lng }: SentRecord,
  index: number,
): ParameterProblem[] {
  const at = `records[${index}]`;
  if (isAbsent(lat) !== isAbsent(lng)) {
    const parameter = `${at}.${isAbsent(lat) ? "lat" : "lng"}`;
    return [{ parameter, code: "missing", message: `${parameter} is required with the other coordinate.` }];
  }
  const isEmpty = [name, address, phone, website].every((text) => (text ?? "").trim() === "");
  if (!isEmpty || !isAbsent(lat)) return [];
  return [
    { parameter: at, code: "missing", message: `${at} has no name, address, phone, website or position.` },
  ];
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

function toAsked({ name, address, phone, website, lat, lng }: SentRecord): AskedRecord {
  const trim = (text: string | null | undefined): string => (text ?? "").trim();
  return {
    name: trim(name),
    address: trim(address),
    phone: trim(phone),
    website: trim(website),
    ...(typeof lat === "number" &&
      typeof lng === "number" && { location: { latitude: lat, longitude: lng } }),
  };
}
