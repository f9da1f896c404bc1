import {
  connectEngine,
  engineResponseOf,
  type Ask,
  type EngineConnection,
  type EngineResponseError,
} from "../meilisearch/connection.ts";
import type { Topology } from "./topology.ts";

/** One of several engines, as the reads of a server see it. */
export interface ClusterEngine {
  readonly name: string;
  /** For what no caller waits for. */
  readonly connection: EngineConnection;
  /** For reads that callers wait for. */
  readonly ask: Ask;
  /** Such reads under way. */
  load: number;
  /** It responded to the last check, and no read found it gone since. */
  isUp: boolean;
  /** Why the last check could not read it, such as a key that it refuses. */
  problem: unknown;
  /** A response within the last half minute said that it cannot read its data. */
  isDamaged(): boolean;
}

/** How long an engine counts as damaged after a response that says so: not every request reads what is damaged. */
const DAMAGE_KNOWN_MS = 30_000;

/** The engine's storage (LMDB) cannot be read, as the engine says it. */
const saysDamaged = (response: EngineResponseError | undefined): boolean =>
  response?.code === "internal" && response.message.includes("MDB_");

/** The same connection, which notices responses that say that the engine cannot read its data. */
function noticeDamage(connection: EngineConnection): {
  readonly connection: EngineConnection;
  readonly isDamaged: () => boolean;
} {
  let damagedAt = -Infinity;
  const ask: Ask = (question) =>
    connection.ask(question).catch((error: unknown) => {
      if (saysDamaged(engineResponseOf(error))) damagedAt = performance.now();
      throw error;
    });
  return {
    connection: { ...connection, ask },
    isDamaged: () => performance.now() - damagedAt < DAMAGE_KNOWN_MS,
  };
}

/** @param guard wraps the reads that callers wait for; each engine has its own, by its name. */
export const connectEngines = (
  { engines }: Topology,
  guard: (ask: Ask, engine: string) => Ask,
): readonly ClusterEngine[] =>
  engines.map(({ name, ...address }) => {
    const { connection, isDamaged } = noticeDamage(connectEngine(address));
    const guarded = guard(connection.ask, name);
    const engine: ClusterEngine = {
      name,
      connection,
      async ask(question) {
        engine.load += 1;
        try {
          return await guarded(question);
        } finally {
          engine.load -= 1;
        }
      },
      load: 0,
      isUp: false,
      problem: undefined,
      isDamaged,
    };
    return engine;
  });
