import { parseApiKey } from "../../src/keys/key-record.ts";
import { createKey, type IssuedKey, type NewKey } from "../../src/keys/change-key.ts";

/** When `buildKey` creates its keys. */
export const KEY_MADE_AT = new Date("2026-11-20T12:00:00.000Z");

export const buildKey = (facts: Partial<NewKey> = {}, now = KEY_MADE_AT): IssuedKey =>
  createKey({ name: "test", scopes: ["search", "place", "autocomplete"], limits: {}, ...facts }, now);

/** The secret part of a key that was just made. */
export function secretOf(key: string): string {
  const parsed = parseApiKey(key);
  if (!parsed) throw new Error("this is no key");
  return parsed.secret;
}
