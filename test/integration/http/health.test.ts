import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { openPlaceIndex } from "../../../src/partitions/open-place-index.ts";
import { findDeadPort } from "../../support/dead-servers.ts";
import { fakePlaces } from "../../support/fake-places.ts";
import { launchMeilisearchServer } from "../../support/meilisearch-server.ts";
import { SAMPLE_PLACES } from "../../support/sample-places.ts";
import { startTestApp } from "../../support/test-app.ts";
import { createTestIndex } from "../../support/test-index.ts";

const anonymous = { headers: { "x-api-key": "" } };

const testIndex = await createTestIndex(SAMPLE_PLACES);
afterAll(() => testIndex[Symbol.asyncDispose]());

test("with an engine, an index and Redis, the server is ready and describes its index", async () => {
  await using app = await startTestApp({ index: testIndex.index });
  const answer = await app.ask("/readyz", anonymous);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    status: "ready",
    engine: "up",
    redis: "up",
    index: { state: "ready", places: SAMPLE_PLACES.length },
  });
});

test("while Redis is down, the server is degraded but stays in load balancers", async () => {
  const redisUrl = `redis://127.0.0.1:${await findDeadPort()}`;
  await using app = await startTestApp({ ...fakePlaces(), redisUrl });
  const answer = await app.ask("/readyz", anonymous);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ status: "degraded", engine: "up", redis: "down" });
  expect((await app.ask("/api/maps/search?q=pho")).status).toBe(200);
});

test("a server that requires Redis is not ready without it", async () => {
  const redisUrl = `redis://127.0.0.1:${await findDeadPort()}`;
  await using app = await startTestApp({ ...fakePlaces(), redisUrl, readyNeedsRedis: true });
  const answer = await app.ask("/readyz", anonymous);
  expect(answer.status).toBe(503);
  expect(answer.body).toMatchObject({ status: "not_ready", engine: "up", redis: "down" });
});

test("a server without a configured Redis is ready", async () => {
  await using app = await startTestApp({ ...fakePlaces(), redisUrl: "none" });
  const answer = await app.ask("/readyz", anonymous);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ status: "ready", redis: "none" });
});

test("an index whose data cannot be read is reported as damaged", async () => {
  await using engine = await launchMeilisearchServer();
  await engine.fill(SAMPLE_PLACES);
  const index = openPlaceIndex(engine.topology);
  onTestFinished(() => index.close());
  await using app = await startTestApp({ index, redisUrl: "none" });
  expect((await app.ask("/readyz", anonymous)).status).toBe(200);
  overwritePages(engine.listIndexFiles()[0] ?? "");
  await expect
    .poll(() => app.ask("/readyz", anonymous).then(({ status, body }) => ({ status, body })))
    .toEqual({
      status: 503,
      body: { status: "not_ready", engine: "up", redis: "none", index: { state: "damaged" } },
    });
});

/** As a broken disk does: all pages but the two that describe the file. */
function overwritePages(path: string): void {
  const [page, { size }] = [4_096, statSync(path)];
  const file = openSync(path, "r+");
  for (let at = 2 * page; at < size; at += page) writeSync(file, Buffer.alloc(page, 0xa7), 0, page, at);
  closeSync(file);
}

test("the process is alive whatever else is broken", async () => {
  const fakes = fakePlaces({ state: { state: "unreachable" } });
  await using app = await startTestApp({ ...fakes, redisUrl: `redis://127.0.0.1:${await findDeadPort()}` });
  expect((await app.ask("/healthz", anonymous)).status).toBe(200);
  expect((await app.ask("/healthz", { ...anonymous, method: "HEAD" })).text).toBe("");
});
