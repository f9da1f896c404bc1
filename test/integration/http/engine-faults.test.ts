import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { cachePlaces } from "../../../src/meilisearch/cached-places.ts";
import { createClusterTelemetry } from "../../../src/telemetry/cluster-telemetry.ts";
import { readMap } from "../../../indexer/index/store-map.ts";
import { putMap } from "../../support/divided-index.ts";
import { openPlaceIndex } from "../../../src/partitions/open-place-index.ts";
import { createEngineGate } from "../../../src/meilisearch/gate.ts";
import { cacheSearches } from "../../../src/search/cached-search.ts";
import { createPlaceSearch } from "../../../src/search/search-places.ts";
import { buildPlace } from "../../support/build-place.ts";
import { createLogBook } from "../../support/log-lines.ts";
import { startMeilisearchServer, type MeilisearchServer } from "../../support/meilisearch-server.ts";
import { CAFE, SAMPLE_PLACES } from "../../support/sample-places.ts";
import { createTelemetryRecord } from "../../support/telemetry-record.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";

// The server as it runs, gate and caches and all, over an engine that has a hard life.
let engine: MeilisearchServer;
beforeAll(async () => {
  engine = await startMeilisearchServer();
  await engine.fill(SAMPLE_PLACES);
});
afterAll(() => engine[Symbol.asyncDispose]());

const gateLog = createLogBook();
const { telemetry, heard } = createTelemetryRecord();

async function startApp(clock?: () => number): Promise<TestApp> {
  const index = cachePlaces(
    openPlaceIndex(engine.topology, {
      guard: (ask) => createEngineGate({ ask, telemetry, logger: gateLog.logger }),
      ...createClusterTelemetry(telemetry, gateLog.logger),
    }),
    clock && { clock },
  );
  onTestFinished(() => index.close());
  const app = await startTestApp({ index, search: cacheSearches(createPlaceSearch(index)) });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return app;
}

let asked = 0;
/** A search that nobody made before, so that no memory can answer it. */
const newSearch = (): string => {
  asked += 1;
  return `/api/maps/search?q=${encodeURIComponent(CAFE.title)}&lat=10.77&lng=${106.6 + asked / 100_000}`;
};

/** How long the engine is left alone after several failures in a row. */
const REST_MS = 500;

interface Burst {
  readonly statuses: ReadonlySet<number>;
  /** How many calls of the engine there were, without those that were not sent. */
  readonly calls: number;
  /** How many calls there may be of an engine that is left alone: one in each rest, to see whether it is back. */
  readonly trials: number;
}

async function burst(app: TestApp, count: number): Promise<Burst> {
  const [before, startedAt] = [heard("callEnded").length, performance.now()];
  const answers = await Promise.all(Array.from({ length: count }, () => app.ask(newSearch())));
  const outcomes = heard("callEnded")
    .slice(before)
    .map(([call]) => (call as { outcome: string }).outcome);
  return {
    statuses: new Set(answers.map(({ status }) => status)),
    calls: outcomes.filter((outcome) => outcome !== "rejected").length,
    trials: Math.ceil((performance.now() - startedAt) / REST_MS),
  };
}

const readyz = async (app: TestApp): Promise<unknown> => (await app.ask("/readyz")).body;

/** Resolves when a new search is answered. */
const waitForRecovery = (app: TestApp): Promise<void> =>
  expect.poll(async () => (await app.ask(newSearch())).status, { interval: 20 }).toBe(200);

test("an engine that hangs is a 500, soon without waiting for it, and is used again when it resumes", async () => {
  const app = await startApp();
  expect((await app.askRetryingTimeouts(newSearch())).status).toBe(200);
  engine.hang();
  onTestFinished(() => engine.goOn());
  expect((await burst(app, 20)).statuses).toStrictEqual(new Set([500]));
  const second = await burst(app, 20);
  expect(second.statuses).toStrictEqual(new Set([500]));
  expect(second.calls).toBeLessThanOrEqual(second.trials);
  expect(await readyz(app)).toMatchObject({
    status: "not_ready",
    engine: "down",
    index: { state: "unknown" },
  });
  engine.goOn();
  await waitForRecovery(app);
  await expect.poll(() => readyz(app)).toMatchObject({ status: "ready", engine: "up" });
});

test("an engine that is killed is a 500, and is used again when it is back", async () => {
  const app = await startApp();
  expect((await app.askRetryingTimeouts(newSearch())).status).toBe(200);
  await engine.kill();
  try {
    // As many as hang above: on a busy machine, the last of more wait too long, which is a 503.
    const gone = await burst(app, 20);
    expect(gone.statuses).toStrictEqual(new Set([500]));
    expect(await readyz(app)).toMatchObject({ status: "not_ready", engine: "down" });
  } finally {
    await engine.revive();
  }
  await waitForRecovery(app);
  await expect.poll(() => readyz(app)).toMatchObject({ status: "ready", engine: "up" });
});

test("a restart of the engine between requests goes unnoticed", async () => {
  const app = await startApp();
  expect((await app.askRetryingTimeouts(newSearch())).status).toBe(200);
  await engine.kill();
  await engine.revive();
  expect((await app.askRetryingTimeouts(newSearch())).status).toBe(200);
});

test("while the engine is down, cached details are returned and others are a 500", async () => {
  let aheadMs = 0;
  const app = await startApp(() => performance.now() + aheadMs);
  const target = `/api/maps/place?data_id=${CAFE.data_id}`;
  expect((await app.askRetryingTimeouts(target)).status).toBe(200);
  await engine.kill();
  onTestFinished(() => engine.revive());
  // No longer fresh, so the engine is asked first.
  aheadMs = 5_100;
  expect((await app.ask(target)).body).toMatchObject({ place_result: { data_id: CAFE.data_id } });
  expect((await app.ask("/api/maps/place?data_id=0x1:0x2")).body).toMatchObject({
    code: "engine_unavailable",
  });
});

test("the log says once that the engine is down, with what cannot be read, and once that it is back", async () => {
  const app = await startApp();
  await app.askRetryingTimeouts(newSearch());
  const before = gateLog.lines().length;
  await engine.kill();
  for (let i = 0; i < 5; i += 1) await burst(app, 20);
  await engine.revive();
  await waitForRecovery(app);
  const known = ["engine_down", "engine_up", "partitions_back", "partitions_lost"];
  const told = () =>
    gateLog
      .lines()
      .slice(before)
      .map(({ event }) => String(event))
      .filter((event) => known.includes(event))
      .toSorted();
  await expect.poll(told, { timeout: 10_000 }).toStrictEqual(known);
});

test("swapping the index under load fails no request", async () => {
  const app = await startApp();
  await app.askRetryingTimeouts(newSearch());
  const statuses = new Map<number, number>();
  const stopping = new AbortController();
  const ask = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const { status } = await app.askRetryingTimeouts(newSearch());
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const asking = Promise.all([ask(), ask(), ask(), ask()]);
  const added = buildPlace({ data_id: "0x1:0xb2", title: "Quán Mới Mở" });
  await engine.fill([...SAMPLE_PLACES, added]);
  await engine.fill(SAMPLE_PLACES);
  stopping.abort();
  await asking;
  expect([...statuses.keys()]).toStrictEqual([200]);
  expect(statuses.get(200)).toBeGreaterThan(10);
});

/** Deletes something behind the program's back, and waits until it is done. */
async function remove(path: string): Promise<void> {
  const headers = { authorization: `Bearer ${engine.address.key}` };
  const answer = await fetch(`${engine.address.url}${path}`, { method: "DELETE", headers });
  const { taskUid } = (await answer.json()) as { taskUid: number };
  const readStatus = async (): Promise<unknown> =>
    (
      (await (await fetch(`${engine.address.url}/tasks/${taskUid}`, { headers })).json()) as {
        status: string;
      }
    ).status;
  await expect.poll(readStatus, { timeout: 30_000 }).toBe("succeeded");
}

test("without an index, every search is a 500 and /readyz gives the reason, until the first import", async () => {
  const app = await startApp();
  await remove("/indexes/places_map");
  await sleep(1_500);
  expect(await app.ask(newSearch())).toMatchObject({ status: 500, body: { code: "engine_unavailable" } });
  expect(await readyz(app)).toMatchObject({ engine: "up", index: { state: "missing" } });
  await engine.fill(SAMPLE_PLACES);
  await waitForRecovery(app);
});

/** Says in the map that another version of the program built everything. */
async function setVersion(index_version: string): Promise<void> {
  const { sequence, live } = (await readMap(engine.topology))!;
  await putMap(engine.topology, { sequence: sequence + 1, live: { ...live, index_version } });
}

test("an index of another version is never served at the start, and the right one at once", async () => {
  await setVersion("0.1");
  onTestFinished(() => engine.fill(SAMPLE_PLACES));
  const app = await startApp();
  const first = await burst(app, 20);
  expect(first.statuses).toStrictEqual(new Set([500]));
  expect(await readyz(app)).toMatchObject({ index: { state: "wrong_version", found: "0.1" } });
  await engine.fill(SAMPLE_PLACES);
  await waitForRecovery(app);
});

test("an index of another version that goes live while the server runs is served for little more than a second", async () => {
  const app = await startApp();
  expect((await app.askRetryingTimeouts(newSearch())).status).toBe(200);
  await setVersion("0.1");
  onTestFinished(() => engine.fill(SAMPLE_PLACES));
  await sleep(1_500);
  expect((await burst(app, 5)).statuses).toStrictEqual(new Set([500]));
  expect(await readyz(app)).toMatchObject({ index: { state: "wrong_version", found: "0.1" } });
});
