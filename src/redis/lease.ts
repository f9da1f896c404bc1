import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { RedisConnection } from "./connection.ts";
import type { leaseKeys } from "./keys.ts";

/** Who holds a lease, for the one who is refused. */
export interface LeaseHolder {
  /** What it does: `import`, `apply`. */
  readonly command: string;
  readonly host: string;
  readonly pid: number;
  /** ISO 8601, in UTC. */
  readonly since: string;
}

/** The right to do what only one may do at a time. */
export interface Lease {
  /** Aborted with a `LeaseLostError` when the lease is lost. */
  readonly signal: AbortSignal;
  /** @throws {LeaseLostError} when another may have it by now: the last look before something that cannot be undone. */
  check(): void;
  /** Gives it back. Never throws: what cannot be given back expires. */
  release(): Promise<void>;
}

/** The lease could not be kept: Redis was away for too long, or this process stood still. */
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

/** Long enough for a hiccup of Redis or a busy process, short enough to wait for after a crash. */
const LEASE_MS = 15_000;

/** Two renewals may fail before the third is too late. */
const RENEWALS_PER_LEASE = 3;

/** Redis that is away for a moment is asked again this soon. */
const RETRY_MS = 500;

/** A Redis that is started again is waited for. */
const MAX_SILENCE_MS = 15_000;

const POLL_MS = 50;

/** A waiting one that crashed stands in nobody's way for longer; each poll renews it. */
const NEXT_MS = 2_000;

/**
 * Takes the lease when it is free and nobody else waits for it, else answers who holds it. One that waits becomes the next, so
 * that a holder who comes back at once cannot keep it out for ever. KEYS: held, next. ARGV: holder, lease ms, next ms or 0.
 */
const TAKE = `
local next = redis.call("GET", KEYS[2])
if next and next ~= ARGV[1] then return redis.call("GET", KEYS[1]) or next end
if redis.call("SET", KEYS[1], ARGV[1], "NX", "PX", ARGV[2]) then
  redis.call("DEL", KEYS[2])
  return false
end
if ARGV[3] ~= "0" then redis.call("SET", KEYS[2], ARGV[1], "PX", ARGV[3]) end
return redis.call("GET", KEYS[1])`;

const RENEW = `
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call("PEXPIRE", KEYS[1], ARGV[2])`;

const RELEASE = `
if redis.call("GET", KEYS[1]) == ARGV[1] then redis.call("DEL", KEYS[1]) end
return 1`;

/** Takes the lease, or resolves to who has it. Rejects when Redis does not answer. */
export async function tryLease(redis: RedisConnection, options: LeaseOptions): Promise<Lease | LeaseHolder> {
  return take(redis, options, { holder: buildHolder(options), nextMs: 0 });
}

/**
 * Waits for the lease until the signal is aborted; `onWait` hears once who has it.
 * @throws Redis's error after 15 s of nothing else, and the signal's reason.
 */
export async function waitForLease(
  redis: RedisConnection,
  options: LeaseOptions,
  { signal, onWait }: { signal: AbortSignal; onWait: (holder: LeaseHolder) => void },
): Promise<Lease> {
  const holder = buildHolder(options);
  let isTold = false;
  for (let answeredAt = performance.now(); ;) {
    signal.throwIfAborted();
    const taken = await take(redis, options, { holder, nextMs: NEXT_MS }).catch((error: unknown) => {
      if (performance.now() - answeredAt > MAX_SILENCE_MS) throw error;
    });
    if (taken && isLease(taken)) return taken;
    if (taken) answeredAt = performance.now();
    if (taken && !isTold) onWait(taken);
    isTold ||= taken !== undefined;
    await sleep(taken ? POLL_MS : RETRY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** Tells a lease from its holder. */
export const isLease = (taken: Lease | LeaseHolder): taken is Lease => "release" in taken;

/** Who holds the lease now; `undefined` when it is free. */
export async function readLeaseHolder(
  redis: RedisConnection,
  keys: LeaseOptions["keys"],
): Promise<LeaseHolder | undefined> {
  const text = await redis.get(keys.held);
  return text === null ? undefined : parseHolder(text);
}

/** The token makes two leases of one process different. */
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
  const reply = await redis.eval(TAKE, 2, keys.held, keys.next, holder, leaseMs, nextMs);
  if (typeof reply === "string") return parseHolder(reply);
  return keepLease({ redis, key: keys.held, holder, leaseMs, askedAt });
}

interface Held {
  readonly redis: RedisConnection;
  readonly key: string;
  readonly holder: string;
  readonly leaseMs: number;
  readonly askedAt: number;
}

/** Renews until it is released or lost. Time counts from before the question: the answer may have been long on its way. */
function keepLease({ redis, key, holder, leaseMs, askedAt }: Held): Lease {
  const lost = new AbortController();
  const done = new AbortController();
  let expiresAt = askedAt + leaseMs;

  const lose = (): void => {
    done.abort();
    lost.abort(new LeaseLostError("The lease on the index was lost: another command may be writing to it."));
  };
  const renew = async (): Promise<number> => {
    const now = performance.now();
    try {
      if ((await redis.eval(RENEW, 1, key, holder, leaseMs)) === 0) lose();
      else expiresAt = now + leaseMs;
      return leaseMs / RENEWALS_PER_LEASE;
    } catch {
      return Math.min(RETRY_MS, leaseMs / RENEWALS_PER_LEASE);
    }
  };
  const keep = async (): Promise<void> => {
    for (let pauseMs = leaseMs / RENEWALS_PER_LEASE; !done.signal.aborted; pauseMs = await renew()) {
      await sleep(pauseMs, undefined, { signal: done.signal, ref: false }).catch(() => {});
      if (!done.signal.aborted && performance.now() >= expiresAt) lose();
      if (done.signal.aborted) return;
    }
  };
  void keep();

  return {
    signal: lost.signal,
    check() {
      if (!done.signal.aborted && performance.now() >= expiresAt) lose();
      lost.signal.throwIfAborted();
    },
    async release() {
      done.abort();
      await redis.eval(RELEASE, 1, key, holder).catch(() => {});
    },
  };
}
