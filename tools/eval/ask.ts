import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acquireEngines } from "../../src/local-engines/acquire-engines.ts";
import { readRuntimeFile } from "../../src/local-engines/data-dir.ts";
import type { WantedDivision } from "../../src/local-engines/engine-folders.ts";
import type { Topology } from "../../src/partitions/topology.ts";
import type { EngineAddress } from "../../src/meilisearch/connection.ts";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createApp } from "../../src/http/app.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { createCallers } from "../../src/keys/callers.ts";
import { createLimiter } from "../../src/http/middleware/rate-limit.ts";
import { openPlaceIndex } from "../../src/partitions/open-place-index.ts";
import { createPlaceSearch } from "../../src/search/search-places.ts";
import { noTelemetry } from "../../src/telemetry/telemetry.ts";
import { type EvalCase, isAutocomplete } from "./cases.ts";
import { EVAL_MOMENT } from "./dataset.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import type { Coordinates } from "../../src/place/geometry/coordinates.ts";

/** A separate engine for this run, in a folder that is removed with it. */
export interface Workshop extends AsyncDisposable {
  readonly engine: EngineAddress;
  /** The same engine, or several. */
  readonly index: Topology;
  /** The processes of the engines. */
  readonly enginePids: readonly number[];
}

/** Starts an engine, or several, separate from any other server and index. */
export async function openWorkshop(signal: AbortSignal, division: WantedDivision = {}): Promise<Workshop> {
  const dataDir = mkdtempSync(join(tmpdir(), "hereabouts-eval-"));
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true });
  try {
    const engines = await acquireEngines({
      dataDir,
      role: "server",
      needs: { redis: false },
      division,
      onEvent: (event) => {
        if (event.name === "engine_died") process.stderr.write(`The engine died: ${JSON.stringify(event)}\n`);
      },
      signal,
    });
    const runtime = readRuntimeFile(dataDir);
    const running = runtime?.topology?.engines ?? [runtime?.meilisearch];
    return {
      engine: engines.meilisearch,
      index: engines.index,
      enginePids: running.flatMap((one) => one?.pid ?? []),
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

/** The whole API on an engine's index, on a separate port. */
export interface Api extends AsyncDisposable {
  readonly url: string;
  readonly key: string;
}

/** A busy machine must not change the figures. */
export const PATIENT_MS = 20_000;

/** More than any run sends. */
const NO_LIMIT = 1_000_000_000;

export async function startApi(topology: Topology): Promise<Api> {
  const key = `eval-${randomBytes(12).toString("hex")}`;
  const index = openPlaceIndex(topology);
  const logger = createLogger({ level: "silent" });
  const now = (): Temporal.Instant => EVAL_MOMENT;
  const app = createApp({
    config: {
      PUBLIC_BASE_URL: "http://127.0.0.1",
      EXTERNAL_MAPS_URL: "https://maps.example/?id={data_id}",
      TRUST_PROXY: 0,
    },
    callers: createCallers([key], { perMinute: NO_LIMIT, perDay: 0 }),
    limiter: createLimiter({ telemetry: noTelemetry, now }),
    index,
    search: createPlaceSearch(index, { deadlineMs: PATIENT_MS }),
    logger,
    now,
  });
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    key,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
      await index.close();
    },
  };
}

/** Runs one case on the measured system. Resolves to data ids, best first. */
type Ask<Case> = (asked: Case) => Promise<readonly string[]>;

export interface Asked {
  /** One response per case, in order. */
  readonly answers: readonly (readonly string[])[];
  readonly durationMs: number;
}

interface AskAllOptions {
  readonly connections: number;
  readonly signal: AbortSignal;
}

/** Runs all cases, a few at a time. */
export async function askAll<Case>(
  cases: readonly Case[],
  ask: Ask<Case>,
  { connections, signal }: AskAllOptions,
): Promise<Asked> {
  const answers = Array.from(cases, (): readonly string[] => []);
  const startedAt = performance.now();
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < cases.length) {
      signal.throwIfAborted();
      const number = next++;
      answers[number] = await ask(cases[number]!);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return { answers, durationMs: performance.now() - startedAt };
}

/** Few enough that no search waits longer than its deadline for another. They keep two cores busy. */
export const CONNECTIONS = 4;

/** The API's own number of suggestions, and of results on a page. */
export const SUGGESTIONS = 4;
export const PAGE = 20;

/**
 * A busy machine may miss the deadline. Only the order of results is measured here, so the request is sent
 * again.
 */
const TRIES = 3;
const PAUSE_MS = 300;

/** The density of places is read beside the first search; later searches use it. */
const WARM_UP_MS = 1_000;

/** Sends every case to the API. Resolves to the data ids of the responses, in the order of the cases. */
export const askApi = (cases: readonly EvalCase[], api: Api, signal: AbortSignal): Promise<Asked> =>
  askPaths(
    cases.map(({ kind, query, centre }) =>
      isAutocomplete(kind) ? autocompletePath(query, centre) : searchPath(query, centre),
    ),
    api,
    signal,
  );

/** Sends sentences of one caller to the API, as `askApi` does. */
export const askSentences = (
  queries: readonly string[],
  { api, caller, limit, signal }: AskSentencesOptions,
): Promise<Asked> =>
  askPaths(
    queries.map((query) => `${searchPath(query, caller)}&limit=${limit}`),
    api,
    signal,
  );

interface AskSentencesOptions {
  readonly api: Api;
  readonly caller: Coordinates;
  /** How many results of each count. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

async function askPaths(paths: readonly string[], api: Api, signal: AbortSignal): Promise<Asked> {
  const pool = new Pool(api.url, { connections: CONNECTIONS });
  const ask: Ask<string> = async (path) => {
    const body = await getRetryingTimeouts(pool, path, api.key);
    return (body.suggestions ?? body.local_result ?? []).map((place) => place.data_id);
  };
  try {
    const [first] = paths;
    if (first !== undefined) await ask(first);
    await sleep(WARM_UP_MS, undefined, { signal });
    return await askAll(paths, ask, { connections: CONNECTIONS, signal });
  } finally {
    await pool.close();
  }
}

const withCentre = (path: string, query: string, { latitude, longitude }: Coordinates): string =>
  `${path}?${new URLSearchParams({ q: query, lat: String(latitude), lng: String(longitude) }).toString()}`;

const searchPath = (query: string, centre: Coordinates): string =>
  withCentre("/api/maps/search", query, centre);
const autocompletePath = (query: string, centre: Coordinates): string =>
  withCentre("/api/maps/autocomplete", query, centre);

interface Body {
  readonly local_result?: readonly { readonly data_id: string }[];
  readonly suggestions?: readonly { readonly data_id: string }[];
}

async function getRetryingTimeouts(pool: Pool, path: string, key: string): Promise<Body> {
  for (let tried = 1; ; tried++) {
    const { statusCode, body } = await pool.request({ path, method: "GET", headers: { "x-api-key": key } });
    const text = await body.text();
    if (statusCode === 200) return JSON.parse(text) as Body;
    if (tried === TRIES) throw new Error(`${path}: ${statusCode} ${text}`);
    await sleep(PAUSE_MS);
  }
}
