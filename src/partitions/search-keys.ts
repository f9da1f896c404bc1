import type { EngineAddress } from "../meilisearch/connection.ts";
import { ensureSearchKey, findExcessPermissions as findExcess } from "../meilisearch/keys.ts";
import { mapUid } from "./partition-map.ts";
import { enginesOf, isTopology, type IndexAddress } from "./topology.ts";

/** The engine's pattern for the indexes of all partitions and the map. */
const allIndexes = (prefix: string): string => `${prefix}_*`;

/** The key of one of several engines that may search all partitions and do nothing else; creates it if needed. */
export const ensureSearchKeyOf = (engine: EngineAddress, prefix: string): Promise<string> =>
  ensureSearchKey({ url: engine.url, key: engine.key, prefix: allIndexes(prefix) });

/**
 * The same index, with keys that may search it and do nothing else, which are created if needed.
 * @param address with keys that may manage keys, such as the master key.
 */
export async function withSearchKeys(address: IndexAddress): Promise<IndexAddress> {
  if (!isTopology(address)) return { ...address, key: await ensureSearchKey(address) };
  const withSearchKey = async <T extends EngineAddress>(engine: T): Promise<T> => ({
    ...engine,
    key: await ensureSearchKeyOf(engine, address.prefix),
  });
  return { ...address, engines: await Promise.all(address.engines.map(withSearchKey)) };
}

/** `findExcessPermissions` for every engine of an index. @throws when one does not respond. */
export async function findExcessPermissions(address: IndexAddress): Promise<string[]> {
  const prefix = isTopology(address) ? { prefix: mapUid(address.prefix) } : {};
  const found = await Promise.all(enginesOf(address).map((engine) => findExcess({ ...engine, ...prefix })));
  return [...new Set(found.flat())];
}
