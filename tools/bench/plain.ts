import { acquireEngines } from "../../src/local-engines/acquire-engines.ts";
import { Meilisearch } from "meilisearch";
import { type BuildOptions, type BuildResult, folderBytes } from "./builds.ts";
import { type NativePlace, readBatches } from "./dataset.ts";
import type { Call, HttpCall } from "./senders.ts";
import type { BenchRequest } from "./requests.ts";
import type { System } from "./system.ts";

/** A separate Meilisearch for the plain index, so that its memory is not mixed with ours. */
export interface PlainEngine {
  readonly url: string;
  readonly key: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** @throws {LocalEnginesError} when it does not start, or another bench uses the directory. */
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

const PLAIN_INDEX = "places";

/** Raise this when the documents or settings below change, so that older indexes are not reused. */
export const PLAIN_INDEX_FORM = 1;

/** About 25 MB of documents: big batches are few, and each rewrites the engine's tree of points. */
const BATCH_SIZE = 25_000;

/** A million documents with every text searchable take some minutes. */
const TASK_TIMEOUT_MS = 3_600_000;
const TASK_POLL_MS = 250;

/** The engine allows no colon in an id. */
const toPlainId = (dataId: string): string => dataId.replace(":", "-");

const toPlainDocument = (place: NativePlace): Record<string, unknown> => ({
  ...place,
  id: toPlainId(place.data_id),
  _geo: { lat: place.location.latitude, lng: place.location.longitude },
});

/** Indexes the records unchanged, with default settings: how most projects begin. */
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

/** As many results as search and autocomplete return by the contract. */
const SEARCH_LIMIT = 20;
const AUTOCOMPLETE_LIMIT = 4;

const limitOf = ({ operation }: BenchRequest): number =>
  operation === "autocomplete" ? AUTOCOMPLETE_LIMIT : SEARCH_LIMIT;

/** Without words, every place matches. */
const textOf = (request: Exclude<BenchRequest, { operation: "detail" }>): string =>
  "text" in request ? request.text : "";

/** The usual first implementation: the stock client, and the engine's own sort by distance. */
export function naiveSystem(engine: PlainEngine, compressed: boolean): System {
  return {
    name: compressed ? "naive" : "naive-plain",
    target: { via: "client", url: engine.url, key: engine.key, index: PLAIN_INDEX, compressed },
    toCall: toNaiveCall,
    enginePids: () => [engine.pid],
  };
}

function toNaiveCall(request: BenchRequest): Call {
  if (request.operation === "detail") return { via: "client", documentId: toPlainId(request.dataId) };
  const { latitude, longitude } = request.centre;
  const sort = [`_geoPoint(${latitude},${longitude}):asc`];
  return { via: "client", query: textOf(request), options: { limit: limitOf(request), sort } };
}

/**
 * The raw engine, called the cheapest way: text only, without location or our ranking. An API's cost comes on
 * top of this.
 */
export function floorSystem(engine: PlainEngine): System {
  return {
    name: "floor",
    target: {
      via: "http",
      origin: engine.url,
      headers: [{ authorization: `Bearer ${engine.key}`, "content-type": "application/json" }],
    },
    toCall: toFloorCall,
    enginePids: () => [engine.pid],
  };
}

function toFloorCall(request: BenchRequest): HttpCall {
  const index = `/indexes/${PLAIN_INDEX}`;
  if (request.operation === "detail") {
    return { via: "http", path: `${index}/documents/${toPlainId(request.dataId)}` };
  }
  const body = JSON.stringify({ q: textOf(request), limit: limitOf(request) });
  return { via: "http", path: `${index}/search`, body };
}
