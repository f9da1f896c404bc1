import { expect, test } from "vitest";
import type { Ask } from "../../../src/meilisearch/connection.ts";
import { createEngineGate } from "../../../src/meilisearch/gate.ts";
import { noTelemetry } from "../../../src/telemetry/telemetry.ts";
import { createLogBook } from "../../support/log-lines.ts";
import { openPlaceIndex } from "../../../src/partitions/open-place-index.ts";
import { oneEngine } from "../../../src/partitions/topology.ts";
import { findDeadPort, startSilentServer } from "../../support/dead-servers.ts";
import { engineGone, fakePlaces } from "../../support/fake-places.ts";
import { startTestApp } from "../../support/test-app.ts";

const TARGETS = [
  "/api/maps/search?q=pho",
  "/api/maps/nearby?lat=10.8&lng=106.7",
  "/api/maps/reverse?lat=10.8&lng=106.7",
  "/api/maps/place?data_id=0x1:0x2",
  "/api/maps/autocomplete?q=pho",
];

async function expectUnavailable(port: number): Promise<void> {
  const { logger } = createLogBook();
  const guard = (ask: Ask): Ask => createEngineGate({ ask, telemetry: noTelemetry, logger });
  const index = openPlaceIndex(oneEngine({ url: `http://127.0.0.1:${port}`, key: "engine-key" }), { guard });
  await using app = await startTestApp({ index });
  for (const answer of await Promise.all(TARGETS.map((target) => app.ask(target)))) {
    expect(answer.body).toMatchObject({ status: 500, code: "engine_unavailable" });
    expect(answer.text).not.toContain(String(port));
  }
  expect(app.logBook.lines("engine_failed")).toHaveLength(TARGETS.length);
  expect(app.logBook.text()).not.toContain("engine-key");
  await index.close();
}

test("an engine that refuses connections is a 500", async () => {
  await expectUnavailable(await findDeadPort());
});

test("an engine that never responds is a 500 instead of an endless wait", async () => {
  await using silent = await startSilentServer();
  await expectUnavailable(silent.port);
});

test("an invalid parameter is still a 422 while the engine is down", async () => {
  await using app = await startTestApp(fakePlaces({ error: engineGone() }));
  expect((await app.ask("/api/maps/search")).status).toBe(422);
});

test("a bug in the server is not reported as an engine fault", async () => {
  await using app = await startTestApp({
    ...fakePlaces({ error: new TypeError("x is undefined") }),
  });
  const answer = await app.ask("/api/maps/place?data_id=0x1:0x2");
  expect(answer.body).toMatchObject({ status: 500, code: "internal_error" });
  expect(answer.text).not.toContain("undefined");
});
