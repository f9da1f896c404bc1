import { connectEngine, type Ask, type EngineConnection } from "../meilisearch/connection.ts";
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
}

/** @param guard wraps the reads that callers wait for; each engine has its own, by its name. */
export const connectEngines = (
  { engines }: Topology,
  guard: (ask: Ask, engine: string) => Ask,
): readonly ClusterEngine[] =>
  engines.map(({ name, ...address }) => {
    const connection = connectEngine(address);
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
    };
    return engine;
  });
