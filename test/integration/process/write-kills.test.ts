import { expect, test } from "vitest";
import { runWriteKills } from "../../soak/write-kills.ts";

test("no change is lost, done twice or out of order when the worker, Redis, the engine and the server are killed", async () => {
  const report = await runWriteKills({ changes: 240, kills: 4, places: 48, seed: 7, onProgress: () => {} });
  expect(report).toMatchObject({
    killed: { worker: 1, redis: 1, engine: 1, server: 1 },
    answered: 240,
    lost: 0,
    wrongOutcomes: 0,
    wrongPlaces: 0,
  });
});
