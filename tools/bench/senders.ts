import { Pool } from "undici";
import { Meilisearch } from "meilisearch";
import postgres from "postgres";

/** One call as plain data, which can be sent to the process that generates the load. */
export type Call = HttpCall | ClientCall | SqlCall;

export interface HttpCall {
  readonly via: "http";
  readonly path: string;
  /** JSON to POST; without it the call is a GET. */
  readonly body?: string;
}

/** A call of the stock meilisearch client: a search, or a document by its id. */
type ClientCall =
  | { readonly via: "client"; readonly query: string; readonly options: Readonly<Record<string, unknown>> }
  | { readonly via: "client"; readonly documentId: string };

/** The first column of the rows is the JSON of a place. */
export interface SqlCall {
  readonly via: "sql";
  readonly text: string;
  readonly values: readonly (string | number)[];
}

/** The target of the calls. */
export type Target = HttpTarget | ClientTarget | SqlTarget;

interface HttpTarget {
  readonly via: "http";
  readonly origin: string;
  /** Used in turn, one set of headers per request: callers with different keys. */
  readonly headers: readonly Readonly<Record<string, string>>[];
}

interface ClientTarget {
  readonly via: "client";
  readonly url: string;
  readonly key: string | undefined;
  readonly index: string;
  /** Whether responses are compressed, as Node's fetch requests by default. */
  readonly compressed: boolean;
}

export interface SqlTarget {
  readonly via: "sql";
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** Makes calls over a fixed number of connections. */
export interface Sender<C extends Call = Call> {
  /** Resolves after reading the whole response, to whether it contains no place. Rejects for an error. */
  send(call: C): Promise<{ readonly isEmpty: boolean }>;
  close(): Promise<void>;
}

/** A sender for the client of the target. Calls must be of the same sort as the target. */
export function openSender(target: Target, connections: number): Sender {
  switch (target.via) {
    case "http":
      return openHttpSender(target, connections) as Sender;
    case "client":
      return openClientSender(target) as Sender;
    case "sql":
      return openSqlSender(target, connections) as Sender;
  }
}

/** How a response of our API or of the engine begins when its list is empty. */
const EMPTY_LIST = /^\{"\w+":\[\]/;

/** Uses undici's pool, which keeps each connection open and does not request compression. */
function openHttpSender({ origin, headers }: HttpTarget, connections: number): Sender<HttpCall> {
  const pool = new Pool(origin, { connections });
  let turn = 0;
  return {
    async send({ path, body }) {
      turn += 1;
      const response = await pool.request({
        path,
        method: body === undefined ? "GET" : "POST",
        headers: headers[turn % headers.length] ?? {},
        body: body ?? null,
      });
      const text = await response.body.text();
      if (response.statusCode !== 200)
        throw new Error(`${response.statusCode} ${path}: ${text.slice(0, 200)}`);
      return { isEmpty: EMPTY_LIST.test(text) };
    },
    close: () => pool.close(),
  };
}

/**
 * Uses the stock client with Node's own fetch, which opens a connection for each concurrent call and keeps
 * it.
 */
function openClientSender({ url, key, index, compressed }: ClientTarget): Sender<ClientCall> {
  const client = new Meilisearch({
    host: url,
    ...(key !== undefined && { apiKey: key }),
    ...(!compressed && { requestInit: { headers: { "accept-encoding": "identity" } } }),
  });
  const places = client.index(index);
  return {
    async send(call) {
      if ("documentId" in call) {
        await places.getDocument(call.documentId);
        return { isEmpty: false };
      }
      const { hits } = await places.search(call.query, call.options);
      return { isEmpty: hits.length === 0 };
    },
    close: () => Promise.resolve(),
  };
}

/**
 * Uses a pool of PostgreSQL connections. Statements are prepared once per connection, as in an application.
 */
function openSqlSender({ port, user, password }: SqlTarget, connections: number): Sender<SqlCall> {
  const sql = postgres({ host: "127.0.0.1", port, user, password, database: "postgres", max: connections });
  return {
    async send({ text, values }) {
      const rows = await sql.unsafe(text, [...values], { prepare: true });
      return { isEmpty: rows.length === 0 };
    },
    close: () => sql.end(),
  };
}
