import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { createChangeLog } from "../../../src/redis/change-log.ts";
import { leaseKeys } from "../../../src/redis/keys.ts";
import { isLease, tryLease } from "../../../src/redis/lease.ts";
import { addRun } from "../../../src/redis/run-history.ts";
import { fakePlaces } from "../../support/fake-places.ts";
import { startRedisServer } from "../../support/redis-server.ts";
import { startTestApp } from "../../support/test-app.ts";
import { readKeys } from "../keys/run-keys.ts";

test("every key begins with the name of the product", async () => {
  await using server = await startRedisServer();
  const { key } = await readKeys<{ key: string }>(["create", "--name", "any"], { REDIS_URL: server.url });
  {
    await using app = await startTestApp({ ...fakePlaces(), redisUrl: server.url, perDay: 100 });
    await app.ask("/api/maps/search?q=pho", { headers: { "x-api-key": key } });
  }
  const redis = new Redis(server.url);
  const counts = { read: 1 };
  await addRun(redis, { command: "import", outcome: "done", started_at: "", duration_seconds: 1, counts });
  const log = createChangeLog(redis, "places");
  await log.begin("build");
  await log.note(["0x1"]);
  const lease = await tryLease(redis, { keys: leaseKeys("places", "write"), command: "test", host: "here" });
  const written = (await redis.keys("*")).toSorted();
  if (isLease(lease)) await lease.release();
  redis.disconnect();
  // Keys and their last uses, a minute and a day of a caller, runs, a rebuild and its changes, a lease and who took it last.
  expect(written).toHaveLength(9);
  expect(written.filter((name) => !name.startsWith("hereabouts:"))).toEqual([]);
});
