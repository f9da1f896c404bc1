import { ensureSearchKey, findExcessPermissions as findExcess } from "../meilisearch/keys.ts";
import { mapUid } from "./partition-map.ts";
import type { Topology } from "./topology.ts";

/**
 * The same index, with keys that may search it and do nothing else, which are created if needed.
 * @param topology with keys that may manage keys, such as the master key.
 */
export async function withSearchKeys(topology: Topology): Promise<Topology> {
  const withSearchKey = async (engine: Topology["engines"][number]) => ({
    ...engine,
    key: await ensureSearchKey(engine, topology.prefix),
  });
  return { ...topology, engines: await Promise.all(topology.engines.map(withSearchKey)) };
}

/** `findExcessPermissions` for every engine of an index. @throws when one does not respond. */
export async function findExcessPermissions({ engines, prefix }: Topology): Promise<string[]> {
  const found = await Promise.all(engines.map((engine) => findExcess(engine, mapUid(prefix))));
  return [...new Set(found.flat())];
}
