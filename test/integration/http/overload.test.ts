import { Agent, request, type IncomingMessage } from "node:http";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { engineUnavailable } from "../../../src/errors.ts";
import { createLoopGauge } from "../../../src/limits/load.ts";
import type { PlaceSearch } from "../../../src/search/search-request.ts";
import { noTelemetry } from "../../../src/telemetry/telemetry.ts";
import { fakePlaces } from "../../support/fake-places.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";

const DEADLINE_MS = 800;

/** A search that ends so many requests in a second, one after the other, and fails those that have waited for too long. */
function createSlowSearch(perSecond: number): PlaceSearch {
  let freeAt = 0;
  const search: PlaceSearch["search"] = async () => {
    const now = performance.now();
    freeAt = Math.max(freeAt, now) + 1_000 / perSecond;
    const waitMs = freeAt - now;
    await sleep(Math.min(waitMs, DEADLINE_MS));
    if (waitMs > DEADLINE_MS) throw engineUnavailable(new Error("too late"));
    return [];
  };
  return { search, suggest: search };
}

/** Asks so often in a second, whether the answers come or not. How many answers there were of each status. */
async function flood(app: TestApp, perSecond: number, seconds: number): Promise<Map<number, number>> {
  const agent = new Agent({ keepAlive: true });
  const statuses = new Map<number, number>();
  const ask = async (): Promise<void> => {
    const asking = request(`${app.url}/api/maps/search?q=pho`, { agent, headers: { "x-api-key": app.key } });
    const [reply] = (await once(asking.end(), "response")) as [IncomingMessage];
    await once(reply.resume(), "end");
    statuses.set(reply.statusCode ?? 0, (statuses.get(reply.statusCode ?? 0) ?? 0) + 1);
  };
  const asked: Promise<void>[] = [];
  const startedAt = performance.now();
  while (performance.now() - startedAt < seconds * 1_000) {
    const due = ((performance.now() - startedAt) / 1_000) * perSecond;
    while (asked.length < due) asked.push(ask());
    await sleep(5);
  }
  await Promise.all(asked);
  agent.destroy();
  return statuses;
}

test("asked for four times what can be ended, it answers some, turns others away, and lets none come too late", async () => {
  const perSecond = 100;
  const gauge = createLoopGauge();
  const shed: string[] = [];
  await using app = await startTestApp({
    ...fakePlaces(),
    search: createSlowSearch(perSecond),
    redisUrl: "none",
    perMinute: 1_000_000,
    gauge,
    telemetry: { ...noTelemetry, requestShed: (reason) => void shed.push(reason) },
  });
  const statuses = await flood(app, 4 * perSecond, 5);
  gauge.close();
  expect(new Set(statuses.keys())).toStrictEqual(new Set([200, 503]));
  expect(statuses.get(200)).toBeGreaterThan(100);
  expect(shed).toHaveLength(statuses.get(503) ?? 0);
});
