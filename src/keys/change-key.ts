import {
  createKeyId,
  createSecret,
  formatApiKey,
  hashSecret,
  type CallerLimits,
  type Scope,
  type KeyRecord,
  type KeySecret,
} from "./key-record.ts";

/** A change that the state of a key does not allow. The message is for the operator. */
export class KeyChangeError extends Error {
  override readonly name = "KeyChangeError";
}

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt?: Date | undefined;
  readonly limits: OwnLimits;
  readonly origins?: readonly string[] | undefined;
  readonly addresses?: readonly string[] | undefined;
}

/** Limits of one key. The server's limits apply where one is missing. */
type OwnLimits = { readonly [Name in keyof CallerLimits]?: number | undefined };

/** A record with its key, which is available only this once. */
export interface IssuedKey {
  readonly record: KeyRecord;
  readonly key: string;
}

/** Creates a key. */
export function createKey(
  { name, scopes, expiresAt, limits, origins, addresses }: NewKey,
  now: Date,
): IssuedKey {
  const id = createKeyId();
  const { secret, kept } = issueSecret(id, now);
  const record: KeyRecord = {
    version: 1,
    id,
    name,
    scopes: [...scopes],
    limits: toLimitMembers(limits),
    ...toUseMembers({ origins, addresses }),
    created_at: now.toISOString(),
    ...(expiresAt && { expires_at: expiresAt.toISOString() }),
    secrets: [kept],
    revision: 1,
    changed_at: now.toISOString(),
  };
  return { record, key: formatApiKey({ id, secret }) };
}

function issueSecret(id: string, now: Date): { secret: string; kept: KeySecret } {
  const secret = createSecret(id);
  return { secret, kept: { hash: hashSecret(secret).toString("hex"), created_at: now.toISOString() } };
}

const toLimitMembers = ({ perMinute, perDay, weight }: OwnLimits): KeyRecord["limits"] => ({
  ...(perMinute !== undefined && { per_minute: perMinute }),
  ...(perDay !== undefined && { per_day: perDay }),
  ...(weight !== undefined && { weight }),
});

const toUseMembers = ({ origins, addresses }: Pick<NewKey, "origins" | "addresses">) => ({
  ...(origins && { origins: [...origins] }),
  ...(addresses && { addresses: [...addresses] }),
});

const withChange = (record: KeyRecord, now: Date): KeyRecord => ({
  ...record,
  revision: record.revision + 1,
  changed_at: now.toISOString(),
});

/**
 * Gives a key a new secret. The previous one works for another `graceMs`; 0 ends all older ones at once.
 * @throws {KeyChangeError} for a revoked key, and when two secrets are active already and both should stay
 *   so.
 */
export function rotateKey(record: KeyRecord, graceMs: number, now: Date): IssuedKey {
  if (record.revoked_at !== undefined)
    throw new KeyChangeError(`The key ${record.id} is revoked. Make a new one.`);
  const older = record.secrets.find(
    ({ ends_at: end }) => end !== undefined && Date.parse(end) > now.getTime(),
  );
  if (older !== undefined && graceMs > 0) {
    throw new KeyChangeError(
      `The key ${record.id} was rotated before, and its older secret works until ${older.ends_at}. ` +
        "Wait until then, or end both older ones at once with --grace 0.",
    );
  }
  const { secret, kept } = issueSecret(record.id, now);
  const [newest] = record.secrets;
  const ending = newest && { ...newest, ends_at: new Date(now.getTime() + graceMs).toISOString() };
  const changed = { ...withChange(record, now), secrets: ending ? [kept, ending] : [kept] };
  return { record: changed, key: formatApiKey({ id: record.id, secret }) };
}

/** Revokes a key permanently. Does not change one that is already revoked. */
export const revokeKey = (record: KeyRecord, now: Date): KeyRecord =>
  record.revoked_at === undefined ? { ...withChange(record, now), revoked_at: now.toISOString() } : record;

/** What `limitKey` changes: a missing field stays as it is, and a null one is reset to the default. */
export interface KeyRestrictions {
  readonly perMinute?: number | null;
  readonly perDay?: number | null;
  readonly weight?: number | null;
  readonly expiresAt?: Date | null;
  readonly scopes?: readonly Scope[];
  readonly origins?: readonly string[] | null;
  readonly addresses?: readonly string[] | null;
}

/**
 * Changes a key's scopes, limits and expiry, and where it may be used.
 * @throws {KeyChangeError} for a revoked key.
 */
export function limitKey(record: KeyRecord, change: KeyRestrictions, now: Date): KeyRecord {
  if (record.revoked_at !== undefined) throw new KeyChangeError(`The key ${record.id} is revoked.`);
  const { per_minute: perMinute, per_day: perDay, weight } = record.limits;
  const { expires_at: expiresAt, origins, addresses, ...rest } = withChange(record, now);
  const end = change.expiresAt === undefined ? expiresAt : change.expiresAt?.toISOString();
  return {
    ...rest,
    ...(end !== undefined && { expires_at: end }),
    limits: toLimitMembers({
      perMinute: choose(change.perMinute, perMinute),
      perDay: choose(change.perDay, perDay),
      weight: choose(change.weight, weight),
    }),
    ...(change.scopes && { scopes: [...change.scopes] }),
    ...toUseMembers({
      origins: choose(change.origins, origins),
      addresses: choose(change.addresses, addresses),
    }),
  };
}

const choose = <T>(asked: T | null | undefined, before: T | undefined): T | undefined =>
  asked === undefined ? before : (asked ?? undefined);
