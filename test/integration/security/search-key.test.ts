import { createHmac, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { openPlaceIndex } from "../../../src/partitions/open-place-index.ts";
import { engineResponseOf, type EngineAddress } from "../../../src/meilisearch/connection.ts";
import { findExcessPermissions, ensureSearchKey, searchKeyUid } from "../../../src/meilisearch/keys.ts";
import { openIndexAdmin } from "../../../indexer/index/index-admin.ts";
import { mapUid } from "../../../src/partitions/partition-map.ts";
import { oneEngine, type Topology } from "../../../src/partitions/topology.ts";
import { importInto } from "../../support/divided-index.ts";
import { createPlaceSearch } from "../../../src/search/search-places.ts";
import { CAFE, SAMPLE_PLACES } from "../../support/sample-places.ts";
import { startTestApp } from "../../support/test-app.ts";
import { createTestPrefix, removeTestIndex, testTopology } from "../../support/test-index.ts";

let prefix: string;
let master: EngineAddress;
let searcher: EngineAddress;
let index: Topology;
/** The same index as a server reads it. */
let searched: Topology;

const url = (): string => inject("meilisearchUrl");

async function ask(method: string, path: string, { key }: Pick<EngineAddress, "key">, body?: unknown) {
  return fetch(url() + path, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

async function fill(): Promise<void> {
  await importInto(index, SAMPLE_PLACES);
}

beforeAll(async () => {
  prefix = createTestPrefix();
  index = testTopology(prefix);
  master = { url: url(), key: inject("meilisearchKey") };
  searcher = { ...master, key: await ensureSearchKey(master, prefix) };
  searched = oneEngine(searcher, prefix);
});

afterAll(async () => {
  await ask("DELETE", `/keys/${searchKeyUid(prefix)}`, master);
  await removeTestIndex(prefix);
});

test("the key can be created before the index, and a server with it reports the missing index", async () => {
  const places = openPlaceIndex(searched);
  expect(await places.readState()).toEqual({ state: "missing" });
  await places.close();
});

test("the key depends only on the name of the index and the master key", () => {
  const uid = searchKeyUid(prefix);
  expect(uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(searcher.key).toBe(createHmac("sha256", inject("meilisearchKey")).update(uid).digest("hex"));
  expect(searchKeyUid("another")).not.toBe(uid);
});

test("simultaneous creations give one key", async () => {
  await ask("DELETE", `/keys/${searchKeyUid(prefix)}`, master);
  const keys = await Promise.all(Array.from({ length: 8 }, () => ensureSearchKey(master, prefix)));
  expect(new Set(keys)).toEqual(new Set([searcher.key]));
});

test("a key with that uid and more rights is replaced", async () => {
  await ask("DELETE", `/keys/${searchKeyUid(prefix)}`, master);
  const greedy = { uid: searchKeyUid(prefix), actions: ["*"], indexes: ["*"], expiresAt: null };
  expect((await ask("POST", "/keys", master, greedy)).status).toBe(201);
  expect(await findExcessPermissions(searcher, mapUid(prefix))).toContain("keys.get");
  expect(await ensureSearchKey(master, prefix)).toBe(searcher.key);
  expect(await findExcessPermissions(searcher, mapUid(prefix))).toEqual([]);
});

test("every operation works with the key, through rebuilds and rollbacks", async () => {
  await fill();
  const places = openPlaceIndex(searched);
  const app = await startTestApp({ index: places, search: createPlaceSearch(places) });
  const admin = openIndexAdmin(index);
  const expectAllAnswers = async (): Promise<void> => {
    const { local_result: found } = await app.read<{ local_result: { data_id: string }[] }>(
      "/api/maps/search?q=ca+phe+trung&lat=10.772&lng=106.698&type=full",
    );
    expect(found[0]?.data_id).toBe(CAFE.data_id);
    await app.read("/api/maps/autocomplete?q=ca+ph&lat=10.772&lng=106.698");
    await app.read(`/api/maps/place?data_id=${encodeURIComponent(CAFE.data_id)}`);
    const ready = await app.read<{ index: { places: number } }>("/readyz");
    expect(ready.index.places).toBe(SAMPLE_PLACES.length);
  };
  await expectAllAnswers();
  await fill();
  await expectAllAnswers();
  await admin.swapWithPrevious();
  await expectAllAnswers();
  await app[Symbol.asyncDispose]();
  await admin.close();
  await places.close();
});

async function createKey(actions: readonly string[]): Promise<{ uid: string; key: string }> {
  const name = `test ${randomBytes(4).toString("hex")}`;
  const created = await ask("POST", "/keys", master, {
    name,
    actions,
    indexes: [`${prefix}_*`],
    expiresAt: null,
  });
  return (await created.json()) as { uid: string; key: string };
}

test.each(["search", "documents.get", "stats.get"])("a server cannot do without %s", async (missing) => {
  const actions = ["search", "documents.get", "stats.get"].filter((action) => action !== missing);
  const { uid, key } = await createKey(actions);
  const places = openPlaceIndex(oneEngine({ ...master, key }, prefix));
  const answers = await Promise.allSettled([
    places.readCensus(),
    places.getPlace(CAFE.data_id),
    places.readState().then(({ state }) => {
      if (state !== "ready") throw new Error(state);
    }),
  ]);
  expect(answers.map(({ status }) => status)).toContain("rejected");
  await places.close();
  await ask("DELETE", `/keys/${uid}`, master);
});

describe("with the key the engine refuses", () => {
  test.each([
    ["GET", "/keys", undefined],
    ["GET", "/keys/{key}", undefined],
    ["POST", "/keys", { actions: ["*"], indexes: ["*"], expiresAt: null }],
    ["PATCH", "/keys/{key}", { name: "mine" }],
    ["DELETE", "/keys/{key}", undefined],
    ["GET", "/indexes", undefined],
    ["GET", "/indexes/{index}_map", undefined],
    ["POST", "/indexes", { uid: "mine" }],
    ["PATCH", "/indexes/{index}_map", { primaryKey: "x" }],
    ["DELETE", "/indexes/{index}", undefined],
    ["POST", "/swap-indexes", [{ indexes: ["{index}", "{index}_previous"] }]],
    ["POST", "/indexes/{index}/documents", [{ id: "mine" }]],
    ["PUT", "/indexes/{index}/documents", [{ id: "mine" }]],
    ["DELETE", "/indexes/{index}/documents", undefined],
    ["DELETE", "/indexes/{index}/documents/manifest", undefined],
    ["POST", "/indexes/{index}/documents/delete", { filter: "id EXISTS" }],
    ["POST", "/indexes/{index}/documents/delete-batch", ["manifest"]],
    ["POST", "/indexes/{index}/documents/edit", { function: "doc.id" }],
    ["GET", "/indexes/{index}/settings", undefined],
    ["PATCH", "/indexes/{index}/settings", { stopWords: ["pho"] }],
    ["DELETE", "/indexes/{index}/settings", undefined],
    ["GET", "/tasks", undefined],
    ["POST", "/tasks/cancel?statuses=enqueued", undefined],
    ["DELETE", "/tasks?statuses=succeeded", undefined],
    ["GET", "/batches", undefined],
    ["POST", "/dumps", undefined],
    ["POST", "/snapshots", undefined],
    ["POST", "/export", { url: "http://127.0.0.1:1" }],
    ["GET", "/version", undefined],
    ["GET", "/metrics", undefined],
    ["GET", "/network", undefined],
    ["GET", "/experimental-features", undefined],
    ["PATCH", "/experimental-features", { metrics: true }],
    ["POST", "/logs/stream", { mode: "human", target: "info" }],
    ["POST", "/indexes/another{index}/search", { q: "" }],
    ["GET", "/indexes/another{index}/documents", undefined],
    ["GET", "/indexes/another{index}/stats", undefined],
    ["POST", "/multi-search", { queries: [{ indexUid: "another{index}" }] }],
  ])("%s %s", async (method, path, body) => {
    const fillIn = (text: string): string =>
      text.replaceAll("{index}", prefix).replaceAll("{key}", searchKeyUid(prefix));
    const asked = body === undefined ? undefined : (JSON.parse(fillIn(JSON.stringify(body))) as unknown);
    const { status } = await ask(method, fillIn(path), searcher, asked);
    expect([401, 403]).toContain(status);
  });
});

test("its statistics cover only our indexes", async () => {
  const { indexes } = (await (await ask("GET", "/stats", searcher)).json()) as { indexes: object };
  expect(Object.keys(indexes).every((uid) => uid.startsWith(`${prefix}_`))).toBe(true);
  expect(Object.keys(indexes)).toContain(mapUid(prefix));
});

describe("a key with more rights is detected", () => {
  test("the master key", async () => {
    expect(await findExcessPermissions(master, mapUid(prefix))).toEqual([
      "keys.get",
      "tasks.get",
      "settings.get",
      "documents.add",
    ]);
  });

  test.each([["documents.add"], ["settings.get"], ["tasks.get"]])("one for %s", async (action) => {
    const { uid, key } = await createKey(["search", action]);
    const before = await ask("GET", `/tasks?limit=1&indexUids=${mapUid(prefix)}`, master).then((reply) =>
      reply.json(),
    );
    expect(await findExcessPermissions({ ...master, key }, mapUid(prefix))).toEqual([action]);
    // Nothing was changed: the index has no new task. Other tests use the same engine.
    expect(
      await ask("GET", `/tasks?limit=1&indexUids=${mapUid(prefix)}`, master).then((reply) => reply.json()),
    ).toEqual(before);
    await ask("DELETE", `/keys/${uid}`, master);
  });

  test("a wrong key is refused", async () => {
    expect(await findExcessPermissions({ ...master, key: "wrong" }, mapUid(prefix))).toEqual([]);
  });
});

test("an engine that rejects the key is reported", async () => {
  const error: unknown = await ensureSearchKey(searcher, prefix).catch((reason: unknown) => reason);
  expect(engineResponseOf(error)).toMatchObject({ status: 403, code: "invalid_api_key" });
});
