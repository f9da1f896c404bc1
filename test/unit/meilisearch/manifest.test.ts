import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  connectEngine,
  engineResponseOf,
  type EngineConnection,
} from "../../../src/meilisearch/connection.ts";
import { countDocuments, readManifest } from "../../../src/meilisearch/manifest.ts";

/** Says what an engine says about its indexes; test/integration/place-index asks a real one. */
const responses: Record<string, { status: number; body: object }> = {
  "/indexes/full/documents/manifest": {
    status: 200,
    body: { id: "manifest", _manifest: { version: "7", built_at: "2026-11-20T00:00:00Z" } },
  },
  "/indexes/none/documents/manifest": {
    status: 404,
    body: { code: "index_not_found", message: "Index `none` not found." },
  },
  "/indexes/locked/documents/manifest": {
    status: 403,
    body: { code: "invalid_api_key", message: "The provided API key is invalid." },
  },
  "/indexes/broken/documents/manifest": { status: 500, body: { code: "internal", message: "disk" } },
  "/indexes/full/stats": {
    status: 200,
    body: {
      numberOfDocuments: 104,
      rawDocumentDbSize: 4_096,
      fieldDistribution: { redirect_to: 3, id: 104 },
    },
  },
  "/indexes/empty/stats": { status: 200, body: { numberOfDocuments: 0 } },
};

const server = createServer((request, response) => {
  const { status, body } = responses[request.url ?? ""] ?? { status: 404, body: {} };
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
});
let connection: EngineConnection;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  connection = connectEngine({ url: `http://127.0.0.1:${port}`, key: undefined });
});
afterAll(async () => {
  await connection.close();
  server.close();
});

const PATIENT_MS = 10_000;

test("an index says which version it is and when it was built", async () => {
  expect(await readManifest(connection, "full", PATIENT_MS)).toEqual({
    version: "7",
    built_at: "2026-11-20T00:00:00Z",
  });
});

test("an index that is not there has no manifest", async () => {
  expect(await readManifest(connection, "none", PATIENT_MS)).toBeUndefined();
});

test.each([
  ["locked", 403],
  ["broken", 500],
])("an engine that is %s is not taken for one without the index", async (uid, status) => {
  const error: unknown = await readManifest(connection, uid, PATIENT_MS).catch((reason: unknown) => reason);
  expect(engineResponseOf(error)?.status).toBe(status);
});

test("places are all documents but the redirects and the manifest", async () => {
  expect(await countDocuments(connection, "full", PATIENT_MS)).toEqual({
    places: 100,
    redirects: 3,
    bytes: 4_096,
  });
});

test("an index without documents has no places, not one too few", async () => {
  expect(await countDocuments(connection, "empty", PATIENT_MS)).toMatchObject({ places: 0 });
});
