import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acquireEngines } from "../../src/local-engines/acquire-engines.ts";
import type { EngineAddress } from "../../src/meilisearch/connection.ts";

/** An engine of this run's own, in a folder that ends with it. */
export interface Workshop extends AsyncDisposable {
  readonly engine: EngineAddress;
}

/** Starts the engine. Whatever server and index somebody has, this one is apart from them. */
export async function openWorkshop(signal: AbortSignal): Promise<Workshop> {
  const dataDir = mkdtempSync(join(tmpdir(), "hereabouts-eval-"));
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true });
  try {
    const engines = await acquireEngines({
      dataDir,
      role: "server",
      needs: { redis: false },
      onEvent: (event) => {
        if (event.name === "engine_died") process.stderr.write(`The engine died: ${JSON.stringify(event)}\n`);
      },
      signal,
    });
    return {
      engine: engines.meilisearch,
      async [Symbol.asyncDispose]() {
        await engines.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
