import { timingSafeEqual } from "node:crypto";
import type { Caller, CallerLimits } from "./caller.ts";
import type { KeyVerdict } from "./callers.ts";
import type { KeyRecord, KeySecret } from "./key-record.ts";

/** Compared with where there is no secret, so that an unknown id costs what a wrong secret costs. Nothing hashes to it. */
const NO_HASH = Buffer.alloc(32);

/** The secret with this hash. Always two comparisons in constant time, however many secrets there are. */
function findSecret(record: KeyRecord | undefined, hash: Buffer): KeySecret | undefined {
  let found: KeySecret | undefined;
  for (const secret of [record?.secrets[0], record?.secrets[1]]) {
    const kept = secret ? Buffer.from(secret.hash, "hex") : NO_HASH;
    if (timingSafeEqual(kept, hash)) found = secret;
  }
  return found;
}

interface Judgement {
  /** Undefined when no key has the id. */
  readonly record: KeyRecord | undefined;
  readonly secretHash: Buffer;
  readonly nowMs: number;
  /** The server's limits, for a key that has none of its own. */
  readonly limits: CallerLimits;
}

/** Decides over a key at this moment. That it is revoked or expired is told to nobody but who holds one of its secrets. */
export function judgeKey({ record, secretHash, nowMs, limits }: Judgement): KeyVerdict {
  const secret = findSecret(record, secretHash);
  if (record === undefined || secret === undefined) return { refused: "invalid_api_key" };
  if (record.revoked_at !== undefined) return { refused: "revoked_api_key" };
  const isOver = (end: string | undefined): boolean => end !== undefined && Date.parse(end) <= nowMs;
  if (isOver(record.expires_at) || isOver(secret.ends_at)) return { refused: "expired_api_key" };
  return { caller: toCaller(record, limits) };
}

const toCaller = ({ id, limits, scopes }: KeyRecord, defaults: CallerLimits): Caller => ({
  callerId: id,
  limits: {
    perMinute: limits.per_minute ?? defaults.perMinute,
    perDay: limits.per_day ?? defaults.perDay,
  },
  scopes: new Set(scopes),
});
