import { createHash, timingSafeEqual } from "node:crypto";
import type { Caller, CallerLimits, Scope } from "./request-state.ts";

/** Those who may call. */
export interface Callers {
  /** `undefined` when nobody holds this key. */
  findCaller(key: string): Caller | undefined;
}

/** 64 bits tell callers apart; they are no secret and lead back to none. */
const CALLER_ID_LENGTH = 16;

const hashKey = (key: string): Buffer => createHash("sha256").update(key).digest();

const ALL_SCOPES: ReadonlySet<Scope> = new Set(["search", "place", "autocomplete"]);

/** Takes the keys of the configuration, which may do everything within the given limits, and keeps their hashes only. */
export function createCallers(keys: readonly string[], limits: CallerLimits): Callers {
  const known = keys.map((key) => {
    const hash = hashKey(key);
    const callerId = hash.toString("hex").slice(0, CALLER_ID_LENGTH);
    return { hash, caller: { callerId, limits, scopes: ALL_SCOPES } };
  });
  return {
    findCaller(key) {
      const asked = hashKey(key);
      let found: Caller | undefined;
      // All of them, always: how long it takes says nothing about which key was nearly right.
      for (const { hash, caller } of known) if (timingSafeEqual(hash, asked)) found = caller;
      return found;
    },
  };
}
