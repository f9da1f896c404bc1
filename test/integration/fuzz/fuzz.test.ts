import { expect, test } from "vitest";
import { buildOpenApiDocument } from "../../../src/openapi/document.ts";
import type { Documented } from "../../../tools/soak/fuzz/arbitrary-requests.ts";
import { runFuzz } from "../../../tools/soak/fuzz/run-fuzz.ts";
import { SAMPLE_PLACES } from "../../support/sample-places.ts";
import { startTestApp } from "../../support/test-app.ts";
import { createTestIndex } from "../../support/test-index.ts";

/** `npm run fuzz` sends a hundred thousand; these few are the same in every run, and find what breaks at once. */
const REQUESTS = 1_500;
const SEED = 20_261_120;

test("no odd request causes a 5xx, breaks the contract, or is echoed", { timeout: 240_000 }, async () => {
  await using testIndex = await createTestIndex(SAMPLE_PLACES);
  await testIndex.index.warmUp();
  await using app = await startTestApp({ index: testIndex.index, perMinute: 1_000_000 });
  const { findings, requests, statuses } = await runFuzz({
    origin: app.url,
    port: app.port,
    documented: buildOpenApiDocument({
      publicBaseUrl: app.url,
      externalMapsUrl: app.url,
    }) as unknown as Documented,
    keys: [app.key],
    knownIds: SAMPLE_PLACES.flatMap(({ data_id }) => (data_id === undefined ? [] : [data_id])),
    requests: REQUESTS,
    seed: SEED,
    signal: AbortSignal.timeout(230_000),
  });
  expect(findings).toStrictEqual([]);
  expect(requests).toBe(REQUESTS);
  // The fuzzer repeats a request for which the engine was too slow. Any other failure of the engine counts, also if it came once.
  const failures = app.logBook.lines("engine_failed").map((line) => JSON.stringify(line["err"]));
  expect(failures.filter((failure) => !failure.includes("TimeoutError"))).toEqual([]);
  // A fuzzer that is always refused would find nothing either.
  expect(statuses.get("200")).toBeGreaterThan(REQUESTS / 10);
  expect(statuses.get("422 invalid_parameter")).toBeGreaterThan(REQUESTS / 10);
});
