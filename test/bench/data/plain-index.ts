import { Meilisearch } from "meilisearch";
import { startPlainEngine, type PlainEngine } from "../systems/plain-engine.ts";
import type { BuildOptions, BuildResult } from "./build-result.ts";
import { folderBytes } from "./folder-bytes.ts";
import { readBatches, type NativePlace } from "./native-line.ts";

export const PLAIN_INDEX = "places";

/** Raise it when the documents or settings below change, so that an index built before is not reused. */
export const PLAIN_INDEX_FORM = 1;

/** About 25 MB of documents: big batches are few, and each rewrites the engine's tree of points. */
const BATCH_SIZE = 25_000;

/** A million documents of which every text is searchable take some minutes. */
const TASK_TIMEOUT_MS = 3_600_000;
const TASK_POLL_MS = 250;

/** The engine takes no colon in an id. */
export const toPlainId = (dataId: string): string => dataId.replace(":", "-");

const toPlainDocument = (place: NativePlace): Record<string, unknown> => ({
  ...place,
  id: toPlainId(place.data_id),
  _geo: { lat: place.location.latitude, lng: place.location.longitude },
});

/** The records as they are, in an index with default settings: what everybody begins with. */
export async function buildPlainIndex({ file, folder, signal }: BuildOptions): Promise<BuildResult> {
  const engine = await startPlainEngine(folder);
  try {
    const startedAt = performance.now();
    await fill(engine, readBatches(file, { size: BATCH_SIZE, signal }));
    const seconds = (performance.now() - startedAt) / 1_000;
    return { seconds, bytes: folderBytes(folder) };
  } finally {
    await engine.stop();
  }
}

async function fill({ url, key }: PlainEngine, batches: AsyncIterable<NativePlace[]>): Promise<void> {
  const client = new Meilisearch({ host: url, apiKey: key });
  const index = client.index(PLAIN_INDEX);
  await index.updateSettings({ sortableAttributes: ["_geo"], filterableAttributes: ["_geo"] });
  let lastTask = 0;
  for await (const batch of batches) {
    const task = await index.addDocuments(batch.map(toPlainDocument), { primaryKey: "id" });
    lastTask = task.taskUid;
  }
  await client.tasks.waitForTask(lastTask, { timeout: TASK_TIMEOUT_MS, interval: TASK_POLL_MS });
  const { results } = await client.tasks.getTasks({ statuses: ["failed"] });
  if (results[0]) throw new Error(`The plain index could not be built: ${results[0].error?.message}`);
}
