import { rmSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { createRedisConnection, closeRedisConnection, waitForRedis } from "../../../src/redis/connection.ts";
import { createWriteQueue } from "../../../src/redis/write-queue.ts";
import { runWriteKills } from "../../../tools/soak/write-kills.ts";
import { createLogBook } from "../../support/log-lines.ts";
import { startMeilisearchServer } from "../../support/meilisearch-server.ts";
import { startRedisServer } from "../../support/redis-server.ts";
import { startIndexProcess } from "../import/run-index.ts";
import { makeEngineFolder } from "../../support/engine-folder.ts";

test("no change is lost, done twice or out of order when the worker, Redis, the engine and the server are killed", async ({
  signal,
}) => {
  vi.stubEnv("TMPDIR", makeEngineFolder("write-kills"));
  onTestFinished(() => void vi.unstubAllEnvs());
  const onProgress = (): void => {};
  const report = await runWriteKills({ changes: 240, kills: 4, places: 48, seed: 7, onProgress, signal });
  expect(report).toMatchObject({
    killed: { worker: 1, redis: 1, engine: 1, server: 1 },
    answered: 240,
    lost: 0,
    wrongOutcomes: 0,
    wrongPlaces: 0,
  });
});

test.each(["engine", "redis"] as const)("a worker that starts before the %s waits for it", async (late) => {
  await using engine = await startMeilisearchServer();
  const dataDir = makeEngineFolder("redis");
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  await using redis = await startRedisServer({ dataDir });
  await engine.fill([]);
  const parts = { engine, redis };
  await parts[late].kill();
  const worker = startIndexProcess(["write"], {
    MEILISEARCH_URL: engine.address.url,
    MEILISEARCH_KEY: engine.address.key,
    REDIS_URL: redis.url,
  });
  await worker.hasSaid("Waiting: ");
  await parts[late].revive();

  const { logger } = createLogBook();
  const connection = createRedisConnection({ url: redis.url, logger, commandTimeoutMs: 5_000 });
  await waitForRedis(connection, 5_000);
  const queue = createWriteQueue(connection, "places");
  const value = { data_id: "0x1:0x1", title: "Café", location: { latitude: 10.77, longitude: 106.7 } };
  await queue.accept({ id: "w", callerId: "c", records: [{ value }] });
  const outcomes = async () => (await queue.readState("w"))?.outcomes?.map(({ outcome }) => outcome);
  await expect.poll(outcomes).toEqual(["created"]);
  await closeRedisConnection(connection);

  worker.signal("SIGTERM");
  expect(await worker.ended).toMatchObject({ exitCode: 0 });
});
