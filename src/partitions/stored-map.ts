import * as v from "valibot";
import { connectEngine, engineResponseOf, type EngineConnection } from "../meilisearch/connection.ts";
import { readManifest } from "../meilisearch/manifest.ts";
import { mapUid, partitionMapSchema, type PartitionMap } from "./partition-map.ts";
import type { Topology } from "./topology.ts";

/** The partition map as a document, of which every engine has a copy. */

const MAP_ID = "map";

export const toMapDocument = (map: PartitionMap): object => ({ id: MAP_ID, _map: map });

/** Reading one document by id takes a healthy engine a millisecond. */
const MAP_DEADLINE_MS = 500;

/** An engine that may have a map. */
interface MapHolder {
  readonly name: string;
  readonly connection: Pick<EngineConnection, "ask">;
}

/**
 * The map as one engine has it; `undefined` when it has none. An index from before there was a map is the only partition of a
 * generation without a name.
 * @throws when the engine does not respond, or has something else there.
 */
export async function readMapOf(
  { name, connection }: MapHolder,
  prefix: string,
  deadlineMs = MAP_DEADLINE_MS,
): Promise<PartitionMap | undefined> {
  try {
    const { _map: map } = await connection.ask({
      operation: "map",
      path: `/indexes/${mapUid(prefix)}/documents/${MAP_ID}`,
      signal: AbortSignal.timeout(deadlineMs),
      outline: v.object({ _map: partitionMapSchema }),
    });
    return map;
  } catch (error) {
    if (engineResponseOf(error)?.status !== 404) throw error;
  }
  const manifest = await readManifest(connection, prefix, deadlineMs);
  if (manifest === undefined) return undefined;
  const { version: index_version, built_at } = manifest;
  return {
    sequence: 0,
    live: { generation: "", index_version, built_at, partitions: [{ first_cell: 0, engines: [name] }] },
  };
}

/** The map with the highest sequence: an engine that was away may have an older one. */
export const latestMap = (maps: readonly (PartitionMap | undefined)[]): PartitionMap | undefined =>
  maps
    .filter((map) => map !== undefined)
    .reduce<PartitionMap | undefined>(
      (latest, map) => (latest === undefined || map.sequence > latest.sequence ? map : latest),
      undefined,
    );

/**
 * The map of each engine that responds.
 * @throws the error of the first engine when none does.
 */
export async function readMaps(
  { engines, prefix }: Topology,
  deadlineMs = MAP_DEADLINE_MS,
): Promise<(PartitionMap | undefined)[]> {
  const read = await Promise.allSettled(
    engines.map(async (engine) => {
      const connection = connectEngine(engine);
      try {
        return await readMapOf({ name: engine.name, connection }, prefix, deadlineMs);
      } finally {
        await connection.close();
      }
    }),
  );
  const responses = read.filter((one) => one.status === "fulfilled");
  if (responses.length === 0) throw (read[0] as PromiseRejectedResult).reason;
  return responses.map(({ value }) => value);
}

/**
 * The current map. `undefined` when engines respond and none has one.
 * @throws the error of the first engine when none responds.
 */
export const readPartitionMap = async (
  topology: Topology,
  deadlineMs = MAP_DEADLINE_MS,
): Promise<PartitionMap | undefined> => latestMap(await readMaps(topology, deadlineMs));
