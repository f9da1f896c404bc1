import { expect, test } from "vitest";
import { createPlaceIndex } from "../../../src/place-index/create-place-index.ts";
import { findDeadPort, startSilentServer } from "../../support/dead-servers.ts";
import { engineGone, fakePlaces } from "../../support/fake-places.ts";
import { startTestApp } from "../../support/test-app.ts";

const TARGETS = ["/api/maps/search?q=pho", "/api/maps/place?data_id=0x1:0x2", "/api/maps/autocomplete?q=pho"];

async function expectUnavailable(port: number): Promise<void> {
  const index = createPlaceIndex({ url: `http://127.0.0.1:${port}`, key: "engine-key" });
  await using app = await startTestApp({ index });
  for (const target of TARGETS) {
    const startedAt = performance.now();
    const answer = await app.ask(target);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(answer.body).toMatchObject({ status: 500, code: "engine_unavailable" });
    expect(answer.text).not.toContain(String(port));
  }
  expect(app.logBook.lines("engine_failed")).toHaveLength(TARGETS.length);
  expect(app.logBook.text()).not.toContain("engine-key");
  await index.close();
}

test("an engine where nobody listens is a 500 within a second", async () => {
  await expectUnavailable(await findDeadPort());
});

test("an engine that never answers is a 500 within a second", async () => {
  await using silent = await startSilentServer();
  await expectUnavailable(silent.port);
});

test("a wrong parameter is still a 422 while the engine is gone", async () => {
  await using app = await startTestApp(fakePlaces({ error: engineGone() }));
  expect((await app.ask("/api/maps/search")).status).toBe(422);
});

test("a mistake of ours is not blamed on the engine", async () => {
  await using app = await startTestApp({
    ...fakePlaces({ error: new TypeError("x is undefined") }),
  });
  const answer = await app.ask("/api/maps/place?data_id=0x1:0x2");
  expect(answer.body).toMatchObject({ status: 500, code: "internal_error" });
  expect(answer.text).not.toContain("undefined");
});
