import * as v from "valibot";
import { hash, randomInt, timingSafeEqual } from "node:crypto";
import { BlockList, isIP } from "node:net";
import { crc32 } from "node:zlib";

/** Why a key is refused, as the problem body states it. */
export type RefusalCode = "invalid_api_key" | "revoked_api_key" | "expired_api_key";

/**
 * The result of checking a key: its caller; the reason for a refusal; or why it could not be checked. A check
 * is not possible when the request was not admitted, when too many keys are being checked already, or when
 * the store does not respond.
 */
export type KeyVerdict =
  | { readonly caller: Caller }
  | { readonly refused: RefusalCode }
  | { readonly unchecked: "not_admitted" | "busy" | "unavailable" };

/** One scope for each operation about places. A new key has these. */
export const PLACE_SCOPES = ["search", "place", "autocomplete"] as const;

/** What a key may be used for. `admin` reads the state of the service (`/api/status`). */
export const SCOPES = [...PLACE_SCOPES, "write", "admin"] as const;

const time = v.pipe(v.string(), v.isoTimestamp("must be a time such as 2026-11-20T09:00:00Z"));
const wholeNumber = (min: number, max: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));

const secretSchema = v.strictObject({
  /** SHA-256 of the secret, in hexadecimal. */
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits")),
  created_at: time,
  /** When it stops working; missing on the newest secret. */
  ends_at: v.optional(time),
});

export const MAX_NAME_LENGTH = 100;

/** True for a scheme, host and port alone, such as `https://app.example`. */
export const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text && !text.includes("*");

/** True for an address or a network: `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`. */
export function isNetwork(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

const listOf = (isElement: (text: string) => boolean, message: string) =>
  v.optional(v.pipe(v.array(v.pipe(v.string(), v.check(isElement, message))), v.minLength(1)));

/** The bounds of a key's limits, the same as of the settings RATE_LIMIT_PER_MINUTE and RATE_LIMIT_PER_DAY. */
export const LIMIT_BOUNDS = {
  perMinute: [1, 1_000_000],
  perDay: [0, 999_999_999],
  weight: [1, 100],
} as const;

/** A key as Redis and backups store it. Nothing in it gives access. */
const keyRecordSchema = v.strictObject({
  version: v.literal(1),
  id: v.pipe(v.string(), v.regex(/^[0-9a-z]{12}$/, "must be 12 digits and lower-case letters")),
  /** Its owner or purpose; for the operator only. */
  name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_NAME_LENGTH), v.regex(/^\P{Cc}+$/u)),
  scopes: v.pipe(v.array(v.picklist(SCOPES)), v.minLength(1)),
  limits: v.strictObject({
    /** When missing, the server's limit applies. */
    per_minute: v.optional(wholeNumber(...LIMIT_BOUNDS.perMinute)),
    /** When missing, the server's limit applies; 0 means no limit. */
    per_day: v.optional(wholeNumber(...LIMIT_BOUNDS.perDay)),
    /** Its part of the server while others use it; 1 when missing. */
    weight: v.optional(wholeNumber(...LIMIT_BOUNDS.weight)),
  }),
  /** Only pages of these origins may use it; all when missing. */
  origins: listOf(isOrigin, "must be origins such as https://app.example"),
  /** It may be used from these addresses and networks only; from all when missing. */
  addresses: listOf(isNetwork, "must be addresses or networks such as 192.0.2.0/24"),
  created_at: time,
  expires_at: v.optional(time),
  revoked_at: v.optional(time),
  /** The newest secret first, then the previous one. */
  secrets: v.pipe(v.array(secretSchema), v.minLength(1), v.maxLength(2)),
  /** Increases with every change: of two records of a key, the higher one is newer. */
  revision: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  changed_at: time,
});

export type KeyRecord = v.InferOutput<typeof keyRecordSchema>;
export type KeySecret = KeyRecord["secrets"][number];

/** A text that is not a valid record. The message names the wrong fields, but never their values. */
export class KeyRecordError extends Error {
  override readonly name = "KeyRecordError";
}

/**
 * Parses a record from JSON.
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

/** Uses only our own messages: those of valibot quote the input. */
function describe(issue: v.InferIssue<typeof keyRecordSchema>): string {
  const path = v.getDotPath(issue) ?? "the record";
  return issue.message.startsWith("must ") ? `${path} ${issue.message}` : `${path} is missing or wrong`;
}

/** The two parts of a key `hab_<id>_<secret>`. The id is public and appears in logs and lists. */
export interface ApiKey {
  readonly id: string;
  readonly secret: string;
}

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Lower case and digits only, so that people can read an id aloud and type it. */
const ID_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";

/** 62 bits: a million ids do not collide. */
const ID_LENGTH = 12;

/** 43 digits in base 62 are 256 bits, as many as 32 random bytes. */
const RANDOM_LENGTH = 43;

/** 32 bits in base 62. */
const CHECKSUM_LENGTH = 6;

const ID_PATTERN = new RegExp(`^[0-9a-z]{${ID_LENGTH}}$`);

const KEY_PATTERN = new RegExp(
  `^hab_([0-9a-z]{${ID_LENGTH}})_([0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}})$`,
);

const randomDigits = (digits: string, length: number): string =>
  Array.from({ length }, () => digits[randomInt(digits.length)]).join("");

/** Creates a new id. A collision is too unlikely to matter. */
export const createKeyId = (): string => randomDigits(ID_DIGITS, ID_LENGTH);

/** Creates a new secret for an id. It ends with a checksum of both. */
export function createSecret(id: string): string {
  const random = randomDigits(DIGITS, RANDOM_LENGTH);
  return random + checksumOf(id, random);
}

export const formatApiKey = ({ id, secret }: ApiKey): string => `hab_${id}_${secret}`;

/** True when a text has the format of an id. */
export const isKeyId = (text: string): boolean => ID_PATTERN.test(text);

/**
 * Parses a key. Returns undefined for text that cannot be one of ours: another format, or a wrong checksum,
 * as after a typing error.
 */
export function parseApiKey(text: string): ApiKey | undefined {
  const [, id, secret] = KEY_PATTERN.exec(text) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  const random = secret.slice(0, RANDOM_LENGTH);
  return secret.slice(RANDOM_LENGTH) === checksumOf(id, random) ? { id, secret } : undefined;
}

/** SHA-256, the only stored form of a secret. With 256 random bits a slow hash would add no protection. */
export const hashSecret = (secret: string): Buffer => hash("sha256", secret, "buffer");

/**
 * CRC-32 of everything before it, in base 62. It is not secret: it tells keys from look-alikes, for us and
 * for secret scanners.
 */
function checksumOf(id: string, random: string): string {
  let rest = crc32(`hab_${id}_${random}`);
  let text = "";
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    text = `${DIGITS[rest % DIGITS.length]}${text}`;
    rest = Math.floor(rest / DIGITS.length);
  }
  return text;
}

export type Scope = (typeof SCOPES)[number];

/** How many requests a caller may make. */
export interface CallerLimits {
  readonly perMinute: number;
  /** 0 means no daily limit. */
  readonly perDay: number;
  /** How much of the server it may use beside others: so many times what a key without a weight may. */
  readonly weight?: number;
}

/**
 * The owner of a request's key. `callerId` is a hash or the public part of the key; nothing here gives
 * access.
 */
export interface Caller {
  readonly callerId: string;
  readonly limits: CallerLimits;
  readonly scopes: ReadonlySet<Scope>;
  /** The origins of pages, and the addresses and networks, that may use the key; all when missing. */
  readonly origins?: readonly string[] | undefined;
  readonly addresses?: readonly string[] | undefined;
}

/** One list for each array of a key record, which lives as long as the record is cached. */
const blockLists = new WeakMap<readonly string[], BlockList>();

/** True when an address lies in one of the networks; an IPv4 address also in its IPv6 form (`::ffff:192.0.2.1`). */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  let list = blockLists.get(networks);
  if (!list) {
    list = new BlockList();
    for (const network of networks) {
      const [base = "", prefix] = network.split("/");
      const isV4 = isIP(base) === 4;
      list.addSubnet(base, Number(prefix ?? (isV4 ? 32 : 128)), isV4 ? "ipv4" : "ipv6");
    }
    blockLists.set(networks, list);
  }
  const [plain = ""] = address.split("%");
  return isIP(plain) !== 0 && list.check(plain, isIP(plain) === 4 ? "ipv4" : "ipv6");
}

/**
 * Compared with when there is no secret, so that an unknown id costs as much as a wrong secret. No input
 * hashes to it.
 */
const NO_HASH = Buffer.alloc(32);

/**
 * Finds the secret with this hash. Always makes two comparisons in constant time, however many secrets there
 * are.
 */
function findSecret(record: KeyRecord | undefined, hash: Buffer): KeySecret | undefined {
  let found: KeySecret | undefined;
  for (const secret of [record?.secrets[0], record?.secrets[1]]) {
    const kept = secret ? Buffer.from(secret.hash, "hex") : NO_HASH;
    if (timingSafeEqual(kept, hash)) found = secret;
  }
  return found;
}

export type KeyState = "active" | "expired" | "revoked";

/** Whether a key works at this moment, as lists show it. */
export function stateOf(
  { revoked_at: revokedAt, expires_at: expiresAt }: KeyRecord,
  nowMs: number,
): KeyState {
  if (revokedAt !== undefined) return "revoked";
  return expiresAt !== undefined && Date.parse(expiresAt) <= nowMs ? "expired" : "active";
}

interface Judgement {
  /** Undefined when no key has this id. */
  readonly record: KeyRecord | undefined;
  readonly secretHash: Buffer;
  readonly nowMs: number;
  /** The server's limits, for a key without limits. */
  readonly limits: CallerLimits;
}

/**
 * Checks a key at this moment. Only a caller with one of its secrets learns that it is revoked or expired.
 */
export function judgeKey({ record, secretHash, nowMs, limits }: Judgement): KeyVerdict {
  const secret = findSecret(record, secretHash);
  if (record === undefined || secret === undefined) return { refused: "invalid_api_key" };
  if (record.revoked_at !== undefined) return { refused: "revoked_api_key" };
  const isOver = (end: string | undefined): boolean => end !== undefined && Date.parse(end) <= nowMs;
  if (isOver(record.expires_at) || isOver(secret.ends_at)) return { refused: "expired_api_key" };
  return { caller: toCaller(record, limits) };
}

const toCaller = ({ id, limits, scopes, origins, addresses }: KeyRecord, defaults: CallerLimits): Caller => ({
  callerId: id,
  limits: {
    perMinute: limits.per_minute ?? defaults.perMinute,
    perDay: limits.per_day ?? defaults.perDay,
    ...(limits.weight !== undefined && { weight: limits.weight }),
  },
  scopes: new Set(scopes),
  ...(origins && { origins }),
  ...(addresses && { addresses }),
});
