import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { RedisConnection } from "./connection.ts";
import { LEASE_NAMES, leaseKeys } from "./keys.ts";

/** The holder of a lease, for the message of a refusal. */
export interface LeaseHolder {
  /** The command that runs: `import`, `apply`. */
  readonly command: string;
  readonly host: string;
  readonly pid: number;
  /** ISO 8601, in UTC. */
  readonly since: string;
}

/** The exclusive right to do something. */
export interface Lease {
  /** Aborted with a `LeaseLostError` when the lease is lost. */
  readonly signal: AbortSignal;
  /**
   * Waits for Redis if the lease may have expired.
   * @throws {LeaseLostError} when another process may hold it or have held it. Call this last before something
   *   that cannot be undone.
   */
  check(): Promise<void>;
  /** Whether another process waits for it. False when Redis does not respond. */
  isWanted(): Promise<boolean>;
  /** Releases the lease. Never throws: a lease that cannot be released expires. */
  release(): Promise<void>;
}

/** The lease could not be kept: Redis was away for too long, or another process took it while this one was stalled. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

export interface LeaseOptions {
  readonly keys: ReturnType<typeof leaseKeys>;
  readonly command: string;
  readonly host: string;
  /** How long a lease outlives a holder that crashed. */
  readonly leaseMs?: number;
}

/** Long enough for a short failure of Redis or a busy process, short enough to wait for after a crash. */
const LEASE_MS = 15_000;

/** Two renewals may fail before the third is too late. */
const RENEWALS_PER_LEASE = 3;

/** How soon a call is retried while Redis is briefly away. */
const RETRY_MS = 500;

/** How long to wait for a Redis that restarts. */
const MAX_SILENCE_MS = 15_000;

/** A call gets its response or its time-out sooner. One that takes longer waited for this process, which was stalled. */
const LONGEST_CALL_MS = 5_000;

/** How long a call that began at this moment kept this process waiting, without a stall of its own. */
const waitedMs = (since: number, longestMs = LONGEST_CALL_MS): number =>
  Math.min(performance.now() - since, longestMs);

const POLL_MS = 50;

/** A waiting process that crashed blocks others no longer than this; each poll renews it. */
const NEXT_MS = 2_000;

/** A process that was suspended for a night goes on if no other took its lease. */
const REMEMBERED_MS = 24 * 3_600_000;

/**
 * Takes the lease when it is free and no other process waits for it; otherwise returns its holder. A process
 * that waits becomes the next, so that a holder who returns at once cannot keep it out forever. KEYS: held,
 * next, last. ARGV: holder, lease ms, next ms or 0, remembered ms.
 */
const TAKE = `
local next = redis.call("GET", KEYS[2])
if next and next ~= ARGV[1] then return redis.call("GET", KEYS[1]) or next end
if redis.call("SET", KEYS[1], ARGV[1], "NX", "PX", ARGV[2]) then
  redis.call("DEL", KEYS[2])
  redis.call("SET", KEYS[3], ARGV[1], "PX", ARGV[4])
  return false
end
if ARGV[3] ~= "0" then redis.call("SET", KEYS[2], ARGV[1], "PX", ARGV[3]) end
return redis.call("GET", KEYS[1])`;

/** Also renews a lease that expired, if nobody has taken it since. KEYS: held, last. ARGV: as for `TAKE`. */
const RENEW = `
if redis.call("GET", KEYS[2]) ~= ARGV[1] then return 0 end
local held = redis.call("GET", KEYS[1])
if held and held ~= ARGV[1] then return 0 end
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
redis.call("PEXPIRE", KEYS[2], ARGV[3])
return 1`;

/** KEYS: held, last. ARGV: holder. */
const RELEASE = `
for _, key in ipairs(KEYS) do
  if redis.call("GET", key) == ARGV[1] then redis.call("DEL", key) end
end
return 1`;

/** Takes the lease, or resolves to its holder. Rejects when Redis does not respond. */
export async function tryLease(redis: RedisConnection, options: LeaseOptions): Promise<Lease | LeaseHolder> {
  return take(redis, options, { holder: buildHolder(options), nextMs: 0 });
}

/**
 * Waits for the lease until the signal is aborted. Calls `onWait` once with its holder.
 * @throws Redis's error after 15 s of failures, during which this process was not stalled, and the signal's reason.
 */
export async function waitForLease(
  redis: RedisConnection,
  options: LeaseOptions,
  { signal, onWait }: { signal: AbortSignal; onWait: (holder: LeaseHolder) => void },
): Promise<Lease> {
  const holder = buildHolder(options);
  let isTold = false;
  for (let silentMs = 0; ;) {
    signal.throwIfAborted();
    const askedAt = performance.now();
    const taken = await take(redis, options, { holder, nextMs: NEXT_MS }).catch((error: unknown) => {
      silentMs += waitedMs(askedAt);
      if (silentMs > MAX_SILENCE_MS) throw error;
    });
    if (taken && isLease(taken)) return taken;
    if (taken && !isTold) onWait(taken);
    isTold ||= taken !== undefined;
    silentMs = taken ? 0 : silentMs + RETRY_MS;
    await sleep(taken ? POLL_MS : RETRY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** True for a lease, false for its holder. */
export const isLease = (taken: Lease | LeaseHolder): taken is Lease => "release" in taken;

/** The current holder of the lease; `undefined` when it is free. */
export async function readLeaseHolder(
  redis: RedisConnection,
  keys: LeaseOptions["keys"],
): Promise<LeaseHolder | undefined> {
  const text = await redis.get(keys.held);
  return text === null ? undefined : parseHolder(text);
}

/**
 * Releases the leases on an index that were taken before a moment. For the process that started this Redis at that moment, with a
 * new password: earlier holders cannot reach it, and would block others until their leases expire.
 */
export async function releaseOrphanedLeases(
  redis: RedisConnection,
  indexPrefix: string,
  startedAt: Date,
): Promise<void> {
  for (const name of LEASE_NAMES) {
    const { held, last } = leaseKeys(indexPrefix, name);
    const holder = await redis.get(held);
    const isOrphaned = holder !== null && new Date(parseHolder(holder).since) < startedAt;
    if (isOrphaned) await redis.eval(RELEASE, 2, held, last, holder);
  }
}

/** The token distinguishes two leases of one process. */
const buildHolder = ({ command, host }: LeaseOptions): string =>
  JSON.stringify({ command, host, pid: process.pid, since: new Date().toISOString(), token: randomUUID() });

function parseHolder(text: string): LeaseHolder {
  const { command, host, pid, since } = JSON.parse(text) as LeaseHolder;
  return { command, host, pid, since };
}

async function take(
  redis: RedisConnection,
  { keys, leaseMs = LEASE_MS }: LeaseOptions,
  { holder, nextMs }: { holder: string; nextMs: number },
): Promise<Lease | LeaseHolder> {
  const askedAt = performance.now();
  const { held, next, last } = keys;
  const reply = await redis.eval(TAKE, 3, held, next, last, holder, leaseMs, nextMs, REMEMBERED_MS);
  if (typeof reply === "string") return parseHolder(reply);
  const isWanted = async (): Promise<boolean> => (await redis.exists(next).catch(() => 0)) > 0;
  return { ...keepLease({ redis, keys, holder, leaseMs, askedAt }), isWanted };
}

interface Held {
  readonly redis: RedisConnection;
  readonly keys: LeaseOptions["keys"];
  readonly holder: string;
  readonly leaseMs: number;
  readonly askedAt: number;
}

/**
 * Renews the lease until it is released or lost: another process took it, or Redis was silent for as long as it lasts, so that
 * another may have. A stall of this process tells nothing, however long: `RENEW` knows whether somebody used it. Time counts from
 * before the request, because the response may take long to arrive.
 */
function keepLease({ redis, keys, holder, leaseMs, askedAt }: Held): Omit<Lease, "isWanted"> {
  const lost = new AbortController();
  const done = new AbortController();
  const renewMs = leaseMs / RENEWALS_PER_LEASE;
  const retryMs = Math.min(RETRY_MS, renewMs);
  let expiresAt = askedAt + leaseMs;
  /** For how long Redis has not responded, to the renewals or to `check`. */
  let silentMs = waitedMs(askedAt, renewMs);

  const lose = (why: string): void => {
    done.abort();
    lost.abort(new LeaseLostError(`The lease on the index was lost: ${why}.`));
  };
  const hasExpired = (): boolean => performance.now() >= expiresAt;
  const pause = (ms: number, ref: boolean): Promise<void> =>
    sleep(ms, undefined, { signal: done.signal, ref }).catch(() => {});
  /** Resolves to whether Redis responded. */
  const renew = async (): Promise<boolean> => {
    const now = performance.now();
    try {
      const kept = await redis.eval(RENEW, 2, keys.held, keys.last, holder, leaseMs, REMEMBERED_MS);
      if (kept === 0) lose("another command took it, or Redis lost its data");
      else expiresAt = now + leaseMs;
      silentMs = 0;
      return true;
    } catch {
      return false;
    }
  };
  const keep = async (): Promise<void> => {
    for (let pauseMs = renewMs; ;) {
      await pause(pauseMs, false);
      if (done.signal.aborted) return;
      const now = performance.now();
      const hasResponded = await renew();
      silentMs += (hasResponded ? 0 : pauseMs) + waitedMs(now, renewMs);
      if (silentMs >= leaseMs) lose("Redis does not respond, and another command may be writing to it");
      pauseMs = hasResponded ? renewMs : retryMs;
    }
  };
  void keep();

  return {
    signal: lost.signal,
    async check() {
      while (!done.signal.aborted && hasExpired()) if (!(await renew())) await pause(retryMs, true);
      lost.signal.throwIfAborted();
    },
    async release() {
      done.abort();
      await redis.eval(RELEASE, 2, keys.held, keys.last, holder).catch(() => {});
    },
  };
}
