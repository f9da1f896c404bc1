import * as v from "valibot";
import { SCOPES } from "./caller.ts";

const time = v.pipe(v.string(), v.isoTimestamp("must be a time such as 2026-11-20T09:00:00Z"));
const wholeNumber = (min: number, max: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));

const secretSchema = v.strictObject({
  /** SHA-256 of the secret, in hexadecimal. */
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits")),
  created_at: time,
  /** Until when it works; absent on the newest one. */
  ends_at: v.optional(time),
});

export const MAX_NAME_LENGTH = 100;

/** Bounds of what a key may be given; those of the settings RATE_LIMIT_PER_MINUTE and RATE_LIMIT_PER_DAY. */
export const LIMIT_BOUNDS = { perMinute: [1, 1_000_000], perDay: [0, 999_999_999] } as const;

/** What is kept of a key, in Redis and in a backup. Nothing in it opens anything. */
const keyRecordSchema = v.strictObject({
  version: v.literal(1),
  id: v.pipe(v.string(), v.regex(/^[0-9a-z]{12}$/, "must be 12 digits and lower-case letters")),
  /** Who has it or what for; for the operator only. */
  name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_NAME_LENGTH), v.regex(/^\P{Cc}+$/u)),
  scopes: v.pipe(v.array(v.picklist(SCOPES)), v.minLength(1)),
  limits: v.strictObject({
    /** Absent: the server's. */
    per_minute: v.optional(wholeNumber(...LIMIT_BOUNDS.perMinute)),
    /** Absent: the server's; 0: none. */
    per_day: v.optional(wholeNumber(...LIMIT_BOUNDS.perDay)),
  }),
  created_at: time,
  expires_at: v.optional(time),
  revoked_at: v.optional(time),
  /** The newest first, and the one before it. */
  secrets: v.pipe(v.array(secretSchema), v.minLength(1), v.maxLength(2)),
  /** One more with every change: of two records of a key the one with more is the newer. */
  revision: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  changed_at: time,
});

export type KeyRecord = v.InferOutput<typeof keyRecordSchema>;
export type KeySecret = KeyRecord["secrets"][number];

/** A text that should be a record and is not. The message says which members are wrong, and never what they hold. */
export class KeyRecordError extends Error {
  override readonly name = "KeyRecordError";
}

/**
 * Reads a record from its JSON.
 * @throws {KeyRecordError}
 */
export function parseKeyRecord(json: string): KeyRecord {
  const parsed = v.safeParse(keyRecordSchema, parseJson(json));
  if (parsed.success) return parsed.output;
  const problems = parsed.issues.map((issue) => describe(issue));
  throw new KeyRecordError([...new Set(problems)].join(", "));
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new KeyRecordError("it is no JSON");
  }
}

/** Only what we wrote ourselves: the words of valibot quote what they got. */
function describe(issue: v.InferIssue<typeof keyRecordSchema>): string {
  const path = v.getDotPath(issue) ?? "the record";
  return issue.message.startsWith("must ") ? `${path} ${issue.message}` : `${path} is missing or wrong`;
}
