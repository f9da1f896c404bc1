import { hash as digest, timingSafeEqual } from "node:crypto";
import { SCOPES, type Caller, type CallerLimits, type Scope } from "./caller.ts";

/** Why a key is not accepted, as the problem body has it. */
export type RefusalCode = "invalid_api_key" | "revoked_api_key" | "expired_api_key";

/**
 * What became of a key: whose it is; why it is refused; or that it could not be checked, since the asker was not admitted, too
 * many keys are being checked already, or the store does not answer.
 */
export type KeyVerdict =
  | { readonly caller: Caller }
  | { readonly refused: RefusalCode }
  | { readonly unchecked: "not_admitted" | "busy" | "unavailable" };

/** Those who may call. */
export interface Callers {
  /**
   * Decides over a key within 60 ms and never rejects. `admit` is asked before a store is asked about a key that this process
   * does not know as good.
   */
  findCaller(key: string, admit: () => boolean): Promise<KeyVerdict>;
}

/** Finds the caller with a configured key. */
export type FindConfigured = (key: string) => Caller | undefined;

/** 64 bits tell callers apart; they are no secret and lead back to none. */
const CALLER_ID_LENGTH = 16;

const hashKey = (key: string): Buffer => digest("sha256", key, "buffer");

const ALL_SCOPES: ReadonlySet<Scope> = new Set(SCOPES);

/** Takes the keys of the configuration, which may do everything within the given limits, and keeps their hashes only. */
export function createConfiguredKeys(keys: readonly string[], limits: CallerLimits): FindConfigured {
  const known = keys.map((key) => {
    const hash = hashKey(key);
    const callerId = hash.toString("hex").slice(0, CALLER_ID_LENGTH);
    return { hash, caller: { callerId, limits, scopes: ALL_SCOPES } };
  });
  return (key) => {
    const asked = hashKey(key);
    let found: Caller | undefined;
    // All of them, always: how long it takes says nothing about which key was nearly right.
    for (const { hash, caller } of known) if (timingSafeEqual(hash, asked)) found = caller;
    return found;
  };
}

/** Callers with the keys of the configuration and no others. */
export function createCallers(keys: readonly string[], limits: CallerLimits): Callers {
  const find = createConfiguredKeys(keys, limits);
  return {
    async findCaller(key) {
      const caller = find(key);
      return caller ? { caller } : { refused: "invalid_api_key" };
    },
  };
}
