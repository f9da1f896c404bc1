import type { KeyRecord } from "../src/keys/key-record.ts";
import type { KeyStore } from "../src/redis/key-store.ts";
import { KeysError } from "./keys-error.ts";

export const unknownKey = (id: string): KeysError =>
  new KeysError(`No key has the id ${id}. "list" shows all there are.`);

/**
 * Changes one key in one step. Resolves to what `change` made of it in the end.
 * @throws {KeysError} when there is none, and what `change` throws.
 */
export async function changeOne<T extends { readonly record: KeyRecord }>(
  store: KeyStore,
  id: string,
  change: (record: KeyRecord) => T,
): Promise<T> {
  let changed: T | undefined;
  await store.change([id], (found) => {
    const record = found.get(id);
    if (!record) throw unknownKey(id);
    changed = change(record);
    return changed.record === record ? [] : [changed.record];
  });
  if (!changed) throw unknownKey(id);
  return changed;
}
