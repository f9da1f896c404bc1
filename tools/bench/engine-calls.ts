import { setTimeout as sleep } from "node:timers/promises";
import { type Dispatcher, Pool } from "undici";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";

/** The address of an engine. */
export interface EngineAt {
  readonly url: string;
  readonly key: string;
}

/** Calls the engine over HTTP without a client library. Paths begin with a slash. */
export interface EngineCalls {
  get<T>(path: string): Promise<T>;
  send<T>(method: "POST" | "PATCH", path: string, body: object): Promise<T>;
  /** Sends documents as JSON lines. */
  postLines(path: string, lines: Buffer): Promise<void>;
  /** Waits until every task is done. @throws when one has failed. */
  waitForAll(): Promise<void>;
  /** The number of tasks so far. */
  countTasks(): Promise<number>;
  close(): Promise<void>;
}

interface TaskList {
  readonly total: number;
  readonly results: readonly { readonly error?: { readonly message: string } | null }[];
}

const TASK_POLL_MS = 100;

/** The response to a large batch may take long, because the engine writes the batch to disk first. */
const ANSWER_WITHIN_MS = 120_000;

export function createEngineCalls({ url, key }: EngineAt): EngineCalls {
  const pool = new Pool(url, { headersTimeout: ANSWER_WITHIN_MS, bodyTimeout: ANSWER_WITHIN_MS });
  const call = async <T>(request: Omit<Dispatcher.RequestOptions, "headers">, type?: string): Promise<T> => {
    const headers = { authorization: `Bearer ${key}`, ...(type !== undefined && { "content-type": type }) };
    const { statusCode, body } = await pool.request({ ...request, headers });
    if (statusCode >= 400) throw new Error(`${request.path}: ${statusCode} ${await body.text()}`);
    return (await body.json()) as T;
  };
  const get = <T>(path: string): Promise<T> => call<T>({ path, method: "GET" });
  return {
    get,
    send: (method, path, body) => call({ path, method, body: JSON.stringify(body) }, "application/json"),
    async postLines(path, lines) {
      await call({ path, method: "POST", body: lines }, "application/x-ndjson");
    },
    async waitForAll() {
      for (;;) {
        const { total } = await get<TaskList>("/tasks?statuses=enqueued,processing&limit=1");
        if (total === 0) break;
        await sleep(TASK_POLL_MS);
      }
      const { results } = await get<TaskList>("/tasks?statuses=failed&limit=1");
      if (results[0]) throw new Error(`The engine failed at a task: ${results[0].error?.message}`);
    },
    countTasks: async () => (await get<TaskList>("/tasks?limit=1")).total,
    close: () => pool.close(),
  };
}

/** The index of the only partition of a new engine: `places_mb3k2f_0`. */
async function findIndex(engine: EngineCalls): Promise<string> {
  const { results } = await engine.get<{ results: { uid: string }[] }>("/indexes?limit=100");
  const found = results.find(({ uid }) => /^places_.*_0$/.test(uid));
  if (!found) throw new Error("The engine has no index of places.");
  return `/indexes/${found.uid}`;
}

/** The index that documents are posted to. */
const RAW_INDEX = "/indexes/places";

/** Documents per page: some megabytes a response. */
const PAGE = 1_000;

const LINE_FEED = 0x0a;

/**
 * Writes all documents of the index to a file, one line of JSON each, as the indexer sent them. Resolves to
 * the settings of the index.
 */
export async function writeDocuments(
  engine: EngineCalls,
  file: string,
  signal: AbortSignal,
): Promise<object> {
  const index = await findIndex(engine);
  const output = await open(file, "w");
  try {
    for (let offset = 0; ; offset += PAGE) {
      signal.throwIfAborted();
      const page = { offset, limit: PAGE };
      const { results } = await engine.send<{ results: object[] }>("POST", `${index}/documents/fetch`, page);
      if (results.length === 0) break;
      await output.appendFile(results.map((document) => `${JSON.stringify(document)}\n`).join(""));
    }
  } finally {
    await output.close();
  }
  return engine.get<object>(`${index}/settings`);
}

interface PostOptions {
  readonly file: string;
  readonly settings: object;
  readonly batchBytes: number;
  readonly signal: AbortSignal;
}

/** Posts the documents as fast as the engine accepts them. Resolves to the seconds until all were indexed. */
export async function postDocuments(
  engine: EngineCalls,
  { file, settings, batchBytes, signal }: PostOptions,
): Promise<number> {
  await engine.send("POST", "/indexes", { uid: "places", primaryKey: "id" });
  await engine.send("PATCH", `${RAW_INDEX}/settings`, settings);
  await engine.waitForAll();
  const startedAt = performance.now();
  for await (const lines of readBatches(file, batchBytes)) {
    signal.throwIfAborted();
    await engine.postLines(`${RAW_INDEX}/documents`, lines);
  }
  await engine.waitForAll();
  return (performance.now() - startedAt) / 1_000;
}

/** Batches of whole lines, each of about this many bytes. */
async function* readBatches(file: string, bytes: number): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: bytes })) {
    const joined = Buffer.concat([rest, chunk as Buffer]);
    const end = joined.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) yield joined.subarray(0, end);
    rest = joined.subarray(end);
  }
  if (rest.length > 0) yield rest;
}
