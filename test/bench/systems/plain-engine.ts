import { acquireEngines } from "../../../src/local-engines/acquire-engines.ts";

/** A Meilisearch of its own for the plain index, so that its memory is not mixed with ours. */
export interface PlainEngine {
  readonly url: string;
  readonly key: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** @throws {LocalEnginesError} when it does not start, or another bench works in the directory. */
export async function startPlainEngine(dataDir: string): Promise<PlainEngine> {
  let pid = 0;
  const { meilisearch, stop } = await acquireEngines({
    dataDir,
    role: "server",
    needs: { redis: false },
    onEvent: (event) => {
      if (event.name === "engine_started" || event.name === "engine_restarted") pid = event.pid;
    },
  });
  return { url: meilisearch.url, key: meilisearch.key ?? "", pid, stop };
}
