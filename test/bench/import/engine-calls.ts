import { setTimeout as sleep } from "node:timers/promises";
import { Pool, type Dispatcher } from "undici";

/** Where an engine is. */
export interface EngineAt {
  readonly url: string;
  readonly key: string;
}

/** The engine over HTTP, without any client. Paths begin with a slash. */
export interface EngineCalls {
  get<T>(path: string): Promise<T>;
  send<T>(method: "POST" | "PATCH", path: string, body: object): Promise<T>;
  /** Hands over documents as JSON lines. */
  postLines(path: string, lines: Buffer): Promise<void>;
  /** Waits until every task is done. @throws when one has failed. */
  waitForAll(): Promise<void>;
  /** How many tasks there ever were. */
  countTasks(): Promise<number>;
  close(): Promise<void>;
}

interface TaskList {
  readonly total: number;
  readonly results: readonly { readonly error?: { readonly message: string } | null }[];
}

const TASK_POLL_MS = 100;

/** An answer to a large batch may be long in coming: the engine writes it to its disk first. */
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
