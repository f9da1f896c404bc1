import { expect, test } from "vitest";
import { fakePlaces } from "../../support/fake-places.ts";
import { startRedisServer } from "../../support/redis-server.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";

const SEARCH = "/api/maps/search?q=pho";

interface WindowFigures {
  readonly limit: number | null;
  readonly used: number;
  readonly remaining: number | null;
  readonly resets_at: string;
  readonly resets_in_s: number;
}

interface Usage {
  readonly minute: WindowFigures;
  readonly day: WindowFigures;
  readonly days: readonly { readonly date: string; readonly requests: number }[];
  readonly counted_by: string;
}

const readUsage = async (app: TestApp): Promise<Usage> =>
  (await app.read<{ usage: Usage }>("/api/usage")).usage;

async function search(app: TestApp, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) await app.ask(SEARCH);
}

test("a caller without a valid key gets no usage", async () => {
  await using app = await startTestApp(fakePlaces());
  expect((await app.ask("/api/usage", { headers: { "x-api-key": "wrong" } })).status).toBe(401);
});

test("a caller sees requests used and left, and when the limits reset", async () => {
  const now = (): Temporal.Instant => Temporal.Instant.from("2026-11-20T23:00:00.300Z");
  await using app = await startTestApp({ ...fakePlaces(), perMinute: 10, perDay: 100, now });
  await search(app, 3);
  const { minute, day, days, counted_by } = await readUsage(app);
  expect(minute).toMatchObject({ limit: 10, used: 3, remaining: 7 });
  expect(minute.resets_in_s).toBeGreaterThan(50);
  expect(day).toStrictEqual({
    limit: 100,
    used: 3,
    remaining: 97,
    resets_at: "2026-11-21T00:00:00Z",
    resets_in_s: 3_600,
  });
  expect(days).toStrictEqual([{ date: "2026-11-20", requests: 3 }]);
  expect(counted_by).toBe("all_processes");
});

test("a caller without requests has used nothing", async () => {
  await using app = await startTestApp({ ...fakePlaces(), perMinute: 10, perDay: 100 });
  const { minute, day, days } = await readUsage(app);
  expect([minute.used, minute.remaining, day.used, day.remaining]).toStrictEqual([0, 10, 0, 100]);
  expect(days).toStrictEqual([]);
});

test("getting the usage does not change it", async () => {
  await using app = await startTestApp({ ...fakePlaces(), perMinute: 10, perDay: 100 });
  await search(app, 1);
  for (let i = 0; i < 5; i += 1) await readUsage(app);
  const { headers } = await app.ask(SEARCH);
  expect(headers.get("ratelimit")).toMatch(/^"minute";r=8;t=\d+, "day";r=98;t=\d+$/);
});

test("a caller without requests left still gets its usage", async () => {
  await using app = await startTestApp({ ...fakePlaces(), perMinute: 2, perDay: 100 });
  await search(app, 5);
  const { minute, day } = await readUsage(app);
  expect(minute).toMatchObject({ used: 2, remaining: 0 });
  expect(day).toMatchObject({ used: 2, remaining: 98 });
});

test("earlier days are listed, oldest first", async () => {
  const clock = { now: Temporal.Instant.from("2026-11-18T12:00:00Z") };
  await using app = await startTestApp({ ...fakePlaces(), perDay: 100, now: () => clock.now });
  await search(app, 1);
  clock.now = Temporal.Instant.from("2026-11-20T12:00:00Z");
  await search(app, 2);
  expect((await readUsage(app)).days).toStrictEqual([
    { date: "2026-11-18", requests: 1 },
    { date: "2026-11-20", requests: 2 },
  ]);
});

test("a day without a limit is also counted", async () => {
  await using app = await startTestApp({ ...fakePlaces(), perDay: 0 });
  await search(app, 2);
  expect((await readUsage(app)).day).toMatchObject({ limit: null, used: 2, remaining: null });
});

test("getting the usage has its own limit of 60 a minute, whatever the limits of the key", async () => {
  await using app = await startTestApp({ ...fakePlaces(), perMinute: 1_000 });
  const first = await app.ask("/api/usage");
  expect(first.headers.get("ratelimit-policy")).toBe('"usage";q=60;w=60');
  expect(first.headers.get("ratelimit")).toBe('"usage";r=59;t=60');
  const others = await Promise.all(Array.from({ length: 61 }, () => app.ask("/api/usage")));
  const refused = others.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(2);
  expect(refused[0]?.body).toMatchObject({ code: "rate_limit_minute" });
  expect(refused[0]?.headers.get("retry-after")).toMatch(/^(5\d|60)$/);
  expect(refused[0]?.headers.get("x-ratelimit-remaining")).toBe("0");
  expect((await app.ask(SEARCH)).status).toBe(200);
});

test("while Redis is unavailable, the usage is that of this process, and says so", async () => {
  await using redis = await startRedisServer();
  await using app = await startTestApp({
    ...fakePlaces(),
    redisUrl: redis.url,
    perMinute: 10,
    perDay: 100,
  });
  await search(app, 2);
  await redis.kill();
  await search(app, 1);
  const { minute, day, days, counted_by } = await readUsage(app);
  expect([minute.used, day.used, days, counted_by]).toStrictEqual([3, 3, [], "this_process"]);
});
