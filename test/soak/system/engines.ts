import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  endChild,
  startChild,
  type EngineChild,
  type EngineCommand,
} from "../../../src/local-engines/engine-process.ts";
import {
  findExecutable,
  findMeilisearch,
  buildMeilisearchCommand,
} from "../../../src/local-engines/meilisearch-process.ts";
import { findFreePorts } from "../../../src/local-engines/own-engines.ts";
import { buildRedisCommand } from "../../../src/local-engines/redis-process.ts";

/** An engine that nobody keeps alive: it dies, hangs and comes back when it is told to. */
export interface BreakableEngine {
  readonly url: string;
  /** Ends it as the kernel would that is out of memory. Returns when it is gone. */
  kill(): Promise<void>;
  /** Starts it again in the same way; returns when it answers. */
  revive(): Promise<void>;
  /** It keeps its connections and answers nothing. */
  hang(): void;
  goOn(): void;
  stop(): Promise<void>;
}

export interface BreakableEngines {
  readonly meilisearch: BreakableEngine & { readonly key: string };
  readonly redis: BreakableEngine;
  stop(): Promise<void>;
}

/** Both on free loopback ports with their data in the folder. @throws {LocalEnginesError} when one does not start. */
export async function startBreakableEngines(folder: string, signal: AbortSignal): Promise<BreakableEngines> {
  mkdirSync(join(folder, "logs"), { recursive: true });
  const redisFile = findExecutable("redis-server");
  if (redisFile === undefined) throw new Error("A redis-server must be on the PATH.");
  const [meilisearchPort, redisPort] = await findFreePorts();
  const command = buildMeilisearchCommand(folder, meilisearchPort, findMeilisearch(folder));
  const meilisearch = await startBreakable(command, signal);
  try {
    const redis = await startBreakable(buildRedisCommand(folder, redisPort, redisFile), signal);
    const stop = async (): Promise<void> => void (await Promise.all([meilisearch.stop(), redis.stop()]));
    return { meilisearch: { ...meilisearch, key: command.key }, redis, stop };
  } catch (error) {
    await meilisearch.stop();
    throw error;
  }
}

async function startBreakable(command: EngineCommand, signal: AbortSignal): Promise<BreakableEngine> {
  let child: EngineChild = await startChild(command, signal);
  const send = (name: NodeJS.Signals): void => {
    if (child.pid !== undefined && child.isRunning()) process.kill(child.pid, name);
  };
  return {
    url: command.url,
    async kill() {
      send("SIGKILL");
      await child.ended;
    },
    async revive() {
      if (!child.isRunning()) child = await startChild(command, signal);
    },
    hang: () => send("SIGSTOP"),
    goOn: () => send("SIGCONT"),
    stop: () => endChild(child),
  };
}
