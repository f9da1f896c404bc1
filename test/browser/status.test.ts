import { Redis } from "ioredis";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addQueries, lastDates } from "../../src/redis/query-log.ts";
import { addRun } from "../../src/redis/run-history.ts";
import { readKeys } from "../integration/keys/run-keys.ts";
import { findBarriers } from "../support/barriers.ts";
import { shareBrowser, type TestBrowser } from "../support/browser.ts";
import { createMemoryIndex } from "../support/memory-index.ts";
import { buildPlayground } from "../support/playground.ts";
import { startRedisServer, type RedisServer } from "../support/redis-server.ts";
import { CAFE } from "../support/sample-places.ts";
import { startTestApp, type TestApp } from "../support/test-app.ts";

let redis: RedisServer;
let app: TestApp;
let browser: TestBrowser;
let adminKey: string;

beforeAll(async () => {
  redis = await startRedisServer();
  const env = { REDIS_URL: redis.url };
  ({ key: adminKey } = await readKeys<{ key: string }>(
    ["create", "--name", "status", "--scopes", "admin"],
    env,
  ));
  const connection = new Redis(redis.url);
  await addRun(connection, {
    command: "import",
    outcome: "failed",
    error: "places.jsonl has no places",
    started_at: "2026-11-17T01:00:00Z",
    duration_seconds: 2.5,
    counts: { read: 1_200, rejected: 1_200 },
  });
  const [today = ""] = lastDates(Temporal.Now.instant(), 1);
  const callers = ["a", "b", "c", "d", "e"];
  await addQueries(connection, today, [{ query: "tram sac xe dien", searches: 41, empty: 40, callers }]);
  connection.disconnect();
  app = await startTestApp({
    index: createMemoryIndex([CAFE]),
    redisUrl: redis.url,
    logsQueries: true,
    playground: () => buildPlayground(),
  });
  browser = await shareBrowser();
});

afterAll(async () => {
  await app?.[Symbol.asyncDispose]();
  await redis?.[Symbol.asyncDispose]();
});

const enterKey = async (page: Page, key: string): Promise<void> => {
  await page.getByLabel("Key with the scope admin").fill(key);
  await page.getByRole("button", { name: "Show the status" }).click();
};

test("a key that may not read it is refused with the reason, and another can be entered", async () => {
  await using watched = await browser.open(app.url);
  const { page } = watched;
  await page.goto(`${app.url}/status`);
  await enterKey(page, app.key);
  await page.getByText("This key does not have the scope admin.").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await enterKey(page, adminKey);
  await page.getByRole("heading", { name: "Please check" }).waitFor();
});

test("it speaks Vietnamese to those who read it, and keeps the language and theme of the map page", async () => {
  await using watched = await browser.open(app.url, { locale: "vi-VN", colorScheme: "light" });
  const { page } = watched;
  await page.goto(`${app.url}/status`);
  await page.getByLabel("Khóa có quyền admin").fill(adminKey);
  await page.getByRole("button", { name: "Xem trạng thái" }).click();
  for (const text of [
    "Nên xem lại",
    "Lần chạy import gần nhất thất bại",
    "giờ mở cửa",
    "1.200 đã đọc",
    "Truy vấn thường gặp nhất",
  ])
    await page.getByText(text).first().waitFor();
  expect(await findBarriers(page)).toEqual([]);

  await page.getByRole("button", { name: "EN, English" }).click();
  await page.getByRole("heading", { name: "Please check" }).waitFor();
  await page.getByRole("button", { name: "Light or dark theme" }).click();
  await page.goto(app.url);
  await page.getByRole("heading", { name: "What are you looking for?" }).waitFor();
  expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
});

test.each([
  { width: 1440, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
] as const)("it shows everything at $width px in $colorScheme, and everyone can read it", async (look) => {
  const { width, colorScheme } = look;
  await using watched = await browser.open(app.url, { viewport: { width, height: 900 }, colorScheme });
  const { page, foreignRequests } = watched;
  await page.goto(`${app.url}/status`);
  await enterKey(page, adminKey);
  for (const text of [
    "The last import failed",
    "places.jsonl has no places",
    "opening hours",
    "tram sac xe dien",
  ])
    await page.getByText(text).first().waitFor();
  expect(await page.getByRole("row", { name: /status .* active admin/ }).count()).toBe(1);
  expect(await findBarriers(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  expect(foreignRequests).toEqual([]);
});
