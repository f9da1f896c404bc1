import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { withLiveWriter } from "../../../indexer/changes/apply-changes.ts";
import { applyWrites } from "../../../indexer/changes/apply-writes.ts";
import { createCoordination } from "../../../indexer/session/coordination.ts";
import type { PlaceAnswer } from "../../../src/answers/place-response.ts";
import type { WriteAnswer, WriteResult } from "../../../src/answers/write-response.ts";
import { createClient } from "../../../src/client/client.ts";
import { closeRedisConnection, createRedisConnection, waitForRedis } from "../../../src/redis/connection.ts";
import { createWriteQueue } from "../../../src/redis/write-queue.ts";
import { buildPlace } from "../../support/build-place.ts";
import { createLogBook } from "../../support/log-lines.ts";
import { startRedisServer } from "../../support/redis-server.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";
import { createTestIndex, testTopology, type TestIndex } from "../../support/test-index.ts";

let testIndex: TestIndex;
let app: TestApp;
let stopWorker: () => Promise<void>;

beforeAll(async () => {
  testIndex = await createTestIndex([buildPlace()]);
  app = await startWriteApp();
  stopWorker = await startWorker(inject("redisUrl"));
});

afterAll(async () => {
  await stopWorker();
  await app[Symbol.asyncDispose]();
  await testIndex[Symbol.asyncDispose]();
});

const startWriteApp = (options: Partial<Parameters<typeof startTestApp>[0]> = {}): Promise<TestApp> =>
  startTestApp({
    index: testIndex.index,
    writesTo: testIndex.prefix,
    scopes: ["place", "search", "write"],
    ...options,
  });

/** Applies writes to the index of this file, as `hereabouts write` does. */
async function startWorker(redisUrl: string): Promise<() => Promise<void>> {
  const { prefix } = testIndex;
  const { logger } = createLogBook();
  const redis = createRedisConnection({ url: redisUrl, logger, commandTimeoutMs: 5_000 });
  await waitForRedis(redis, 5_000);
  const index = testTopology(prefix);
  const coordination = createCoordination({ redis, indexPrefix: prefix, command: "write", say: () => {} });
  const queue = createWriteQueue(redis, prefix);
  const stopping = new AbortController();
  const running = withLiveWriter({ index, coordination }, (writer) =>
    applyWrites({ writer, queue, signal: stopping.signal, onApplied: () => {}, onFailure: () => {} }),
  );
  return async () => {
    stopping.abort();
    await running;
    await closeRedisConnection(redis);
  };
}

let ids = 0;
/** Far from those that `buildPlace` counts. */
const newId = (): string => `0x1:0x${(0xfeed_0000 + (ids += 1)).toString(16)}`;
const record = (title: string, more: object = {}): object => ({
  title,
  location: { latitude: 10.7712, longitude: 106.7012 },
  ...more,
});

interface SendOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly by?: TestApp;
}

async function send(method: string, path: string, { body, headers, by = app }: SendOptions = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const {
    status,
    headers: returned,
    body: answer,
  } = await by.ask(`/api/maps/${path}`, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: text }),
  });
  return { status, headers: returned, answer };
}

const put = (id: string, body: unknown, options: SendOptions = {}) =>
  send("PUT", `places/${id}`, { ...options, body });
const patch = (id: string, body: unknown, options: SendOptions = {}) =>
  send("PATCH", `places/${id}`, { ...options, body });
const post = (body: unknown, options: SendOptions = {}) => send("POST", "places", { ...options, body });

const writeOf = (answer: unknown): WriteAnswer["write"] => (answer as WriteAnswer).write;
const resultsOf = (answer: unknown): readonly WriteResult[] => writeOf(answer).results ?? [];

/** Waits until a write is done, however busy the machine is. */
async function sent(sending: ReturnType<typeof send>) {
  const { answer, ...rest } = await sending;
  if (rest.status !== 202) return { answer, ...rest };
  for (;;) {
    const { body } = await app.ask(`/api/maps/writes/${writeOf(answer).id}`);
    if (writeOf(body).state === "done") return { ...rest, answer: body };
  }
}

const readPlace = async (id: string): Promise<PlaceAnswer["place_result"]> =>
  (await app.read<PlaceAnswer>(`/api/maps/place?data_id=${encodeURIComponent(id)}&include=version`))
    .place_result;

describe("who may write", () => {
  test("without WRITE_API the paths do not exist, as before", async () => {
    await using reading = await startTestApp({ index: testIndex.index, scopes: ["place", "write"] });
    expect(await put(newId(), record("A"), { by: reading })).toMatchObject({
      status: 404,
      answer: { code: "unknown_route" },
    });
    expect(await post({ places: [] }, { by: reading })).toMatchObject({
      status: 405,
      answer: { code: "method_not_allowed" },
    });
  });

  test("a key without the scope write may not", async () => {
    await using reading = await startWriteApp({ scopes: ["search", "place", "admin"] });
    for (const sending of [
      put(newId(), record("A"), { by: reading }),
      post({ places: [record("A")] }, { by: reading }),
      send("DELETE", `places/${newId()}`, { by: reading }),
      send("GET", `writes/${randomUUID()}`, { by: reading }),
    ])
      expect(await sending).toMatchObject({ status: 403, answer: { code: "missing_scope" } });
  });

  test("the state of a write is its caller's alone", async () => {
    await using other = await startWriteApp();
    const { answer } = await put(newId(), record("A"));
    const path = `writes/${writeOf(answer).id}`;
    expect(await send("GET", path)).toMatchObject({ status: 200 });
    expect(await send("GET", path, { by: other })).toMatchObject({
      status: 404,
      answer: { code: "unknown_write" },
    });
  });
});

describe("what cannot be written", () => {
  test.each([
    ["no JSON", "{", "The body is not JSON."],
    ["a list", [], "The body must be one JSON object."],
    [
      "the place of another path",
      { data_id: "0x1:0x1" },
      "The data_id of the record is not that of the path.",
    ],
    ["a deep body", `${"[".repeat(40)}${"]".repeat(40)}`, "The body is nested more than 32 levels deep."],
  ])("%s", async (_, body, detail) => {
    expect(await put(newId(), body)).toMatchObject({
      status: 422,
      answer: { code: "invalid_record", detail },
    });
  });

  test("a record that an import would reject, with its field", async () => {
    expect(await put(newId(), { title: "A", location: { latitude: 91, longitude: 0 } })).toMatchObject({
      status: 422,
      answer: {
        code: "invalid_record",
        errors: [{ code: "rejected", parameter: expect.stringContaining("l") as string }],
      },
    });
  });

  test("a patch with a value that an import would leave out: nothing changes", async () => {
    const id = newId();
    await sent(put(id, record("Before")));
    expect(await patch(id, { title: "After", rating: "good" })).toMatchObject({
      status: 422,
      answer: { errors: [{ parameter: "rating" }] },
    });
    expect(await readPlace(id)).toMatchObject({ title: "Before" });
  });

  test("what is not there", async () => {
    expect(await patch(newId(), { title: "A" })).toMatchObject({
      status: 404,
      answer: { code: "unknown_place" },
    });
    expect(await send("DELETE", `places/${newId()}`)).toMatchObject({ status: 404 });
    expect(await put("0x1", record("A"))).toMatchObject({
      status: 422,
      answer: { code: "invalid_parameter" },
    });
  });

  test("too much at once", async () => {
    const places = Array.from({ length: 1_001 }, () => ({}));
    expect(await post({ places })).toMatchObject({ status: 413, answer: { code: "body_too_large" } });
    expect(await post({ places: [] })).toMatchObject({
      status: 422,
      answer: { detail: "The body has no records." },
    });
  });

  test.each([
    ["If-Match", "abc"],
    ["If-None-Match", '"abc"'],
    ["Idempotency-Key", "a b"],
  ])("a malformed %s", async (name, value) => {
    expect(await put(newId(), record("A"), { headers: { [name]: value } })).toMatchObject({
      status: 422,
      answer: { code: "invalid_parameter", errors: [{ parameter: name }] },
    });
  });
});

describe("when Redis fails", () => {
  test("a write is refused while Redis is away, and while it keeps no append-only file", async () => {
    await using redis = await startRedisServer();
    await using broken = await startWriteApp({ redisUrl: redis.url, redisTimeoutMs: 500 });
    const refusal = { status: 503, answer: { code: "writes_unavailable" } };
    expect(await put(newId(), record("A"), { by: broken })).toMatchObject(refusal);
    expect(broken.logBook.lines("write_refused")).toMatchObject([{ reason: "not stored" }]);
    await redis.kill();
    expect(await put(newId(), record("A"), { by: broken })).toMatchObject(refusal);
  });
});

describe("a write", () => {
  test("adds a place, replaces it, changes fields of it and deletes it", async () => {
    const id = newId();
    const created = await sent(put(id, record("One", { rating: 4.5 })));
    expect(resultsOf(created.answer)).toMatchObject([{ line: 1, outcome: "created", data_id: id }]);
    expect(await readPlace(id)).toMatchObject({ title: "One", rating: 4.5 });
    const replaced = await sent(put(id, record("Two")));
    expect(resultsOf(replaced.answer)).toMatchObject([{ outcome: "replaced" }]);
    const changed = await sent(patch(id, { contacts: { website: "https://two.example" } }));
    expect(resultsOf(changed.answer)).toMatchObject([{ outcome: "changed" }]);
    const gone = await sent(send("DELETE", `places/${id}`));
    expect(resultsOf(gone.answer)).toMatchObject([{ outcome: "deleted", data_id: id }]);
    const target = `/api/maps/place?data_id=${encodeURIComponent(id)}`;
    expect(await app.ask(target)).toMatchObject({ status: 404 });
  });

  test("is answered with 201 or 200 and the version that place detail has", async () => {
    const id = newId();
    const created = await put(
      id,
      record("One", { opening_hours: [], features: { parking: ["parking_availability"] } }),
    );
    expect(created.status).toBe(201);
    expect(created.headers.get("etag")).toBe(`"${(await readPlace(id)).version}"`);
    const changed = await patch(id, { title: "Two" });
    expect(changed.status).toBe(200);
    expect(changed.headers.get("etag")).not.toBe(created.headers.get("etag"));
  });

  test("with If-Match changes only that version, and with If-None-Match adds only", async () => {
    const id = newId();
    const { answer } = await sent(put(id, record("One"), { headers: { "If-None-Match": "*" } }));
    const first = `"${resultsOf(answer)[0]?.version}"`;
    await sent(patch(id, { title: "Two" }, { headers: { "If-Match": `"other", ${first}` } }));
    for (const headers of [{ "If-Match": first }, { "If-Match": `W/${first}` }, { "If-None-Match": "*" }]) {
      const { answer: refused, ...rest } = await sent(put(id, record("Three"), { headers }));
      const outcome = rest.status === 412 ? "conflict" : resultsOf(refused)[0]?.outcome;
      expect(outcome).toBe("conflict");
    }
    expect(await readPlace(id)).toMatchObject({ title: "Two" });
    expect((await patch(newId(), { title: "A" }, { headers: { "If-Match": "*" } })).status).toBe(412);
  });

  test("that is sent again with its Idempotency-Key is done once", async () => {
    const headers = { "Idempotency-Key": randomUUID() };
    const places = [record("One", { source: "tests", source_id: randomUUID() })];
    const answers = await Promise.all([post({ places }, { headers }), post({ places }, { headers })]);
    expect(new Set(answers.map(({ answer }) => writeOf(answer).id)).size).toBe(1);
    expect(await post({ places: [record("Two")] }, { headers })).toMatchObject({
      status: 422,
      answer: { code: "idempotency_key_reused" },
    });
  });

  test("of many records keeps their order, and rejects only what an import would", async () => {
    const id = newId();
    const lines = [
      JSON.stringify(record("One", { data_id: id })),
      "{",
      JSON.stringify({ op: "patch", data_id: id, title: "Two" }),
      JSON.stringify({ op: "rename", data_id: id }),
      JSON.stringify({ title: "Nowhere", source_id: "1" }),
      JSON.stringify({ op: "patch", data_id: id, rating: 4 }),
      JSON.stringify({ op: "delete", source_id: "unknown" }),
    ];
    const { answer } = await sent(
      post(lines.join("\n"), { headers: { "content-type": "application/x-ndjson" } }),
    );
    expect(resultsOf(answer).map(({ line, outcome }) => [line, outcome])).toEqual([
      [1, "created"],
      [2, "rejected"],
      [3, "changed"],
      [4, "rejected"],
      [5, "rejected"],
      [6, "changed"],
      [7, "unknown"],
    ]);
    expect(resultsOf(answer)[1]?.errors).toEqual([{ field: "record", message: "not JSON" }]);
    expect(await readPlace(id)).toMatchObject({ title: "Two", rating: 4 });
  });

  test("that prefers not to wait gets the address of its state", async () => {
    const { status, headers, answer } = await put(newId(), record("A"), {
      headers: { Prefer: "respond-async" },
    });
    expect(status).toBe(202);
    expect(headers.get("location")).toBe(`https://places.example/api/maps/writes/${writeOf(answer).id}`);
    expect(answer).toMatchObject({ write: { records: 1 } });
  });

  test("is found by a search", async () => {
    const title = "Quán Mới Ghi";
    await sent(put(newId(), record(title)));
    const { local_result: found } = await app.read<{ local_result: { title: string }[] }>(
      `/api/maps/search?q=${encodeURIComponent(title)}&lat=10.7712&lng=106.7012`,
    );
    expect(found[0]?.title).toBe(title);
  });
});

test("the client writes, and says which version a change is for", async () => {
  const client = createClient({ baseUrl: app.url, apiKey: app.key });
  const id = newId();
  const { write } = await client.putPlace(id, record("One"));
  const isDone = async (writeId: string): Promise<boolean> =>
    (await client.write(writeId)).write.state === "done";
  await expect.poll(() => isDone(write.id)).toBe(true);
  const stale = client.patchPlace(id, { title: "Two" }, { ifVersion: "another" });
  await expect(stale).rejects.toMatchObject({ code: "precondition_failed", status: 412 });
  const idempotencyKey = randomUUID();
  const twice = [1, 2].map(() => client.writePlaces([{ op: "delete", data_id: id }], { idempotencyKey }));
  const ids = (await Promise.all(twice)).map((answer) => answer.write.id);
  expect(new Set(ids).size).toBe(1);
  await expect.poll(() => isDone(ids[0]!)).toBe(true);
  await expect(client.deletePlace(id)).rejects.toMatchObject({ code: "unknown_place" });
});
