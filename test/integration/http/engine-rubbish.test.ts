import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Ask } from "../../../src/meilisearch/connection.ts";
import { createEngineGate } from "../../../src/meilisearch/gate.ts";
import { openPlaceIndex } from "../../../src/partitions/open-place-index.ts";
import { oneEngine, type Topology } from "../../../src/partitions/topology.ts";
import { buildGeneration, putMap } from "../../support/divided-index.ts";
import { createLogBook } from "../../support/log-lines.ts";
import { startMeilisearchServer, type MeilisearchServer } from "../../support/meilisearch-server.ts";
import { CAFE, SAMPLE_PLACES } from "../../support/sample-places.ts";
import {
  startSpoilingProxy,
  type SpoiledResponse,
  type SpoilingProxy,
} from "../../support/spoiling-proxy.ts";
import { createTelemetryRecord } from "../../support/telemetry-record.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";
import { startThreeEngines, type ThreeEngines } from "../../support/three-engines.ts";

/*
 * An engine whose responses are JSON and well formed, but not what was asked for: another program, another version, a proxy, a bug. What a
 * caller gets is right, or `engine_unavailable`.
 */

type Json = Record<string, unknown>;

const change =
  (spoil: (body: Json) => unknown) =>
  ({ status, body }: SpoiledResponse): SpoiledResponse => ({
    status,
    body: JSON.stringify(spoil(JSON.parse(body) as Json)),
  });

const instead =
  (body: string, status = 200) =>
  (): SpoiledResponse => ({ status, body });

const results = (spoil: (results: Json[]) => unknown) =>
  change((body) => ({ ...body, results: spoil(body["results"] as Json[]) }));

const eachResult = (spoil: (result: Json) => unknown) => results((all) => all.map(spoil));

const hits = (spoil: (hit: Json) => unknown) =>
  eachResult((result) => ({ ...result, hits: (result["hits"] as Json[]).map(spoil) }));

const rankingFields = (spoil: (fields: string[]) => unknown) =>
  hits((hit) => ({ ...hit, ranking_fields: spoil((hit["ranking_fields"] as string).split("\t")) }));

const without =
  (field: string) =>
  (one: Json): Json =>
    Object.fromEntries(Object.entries(one).filter(([name]) => name !== field));

const withPart = (fields: string[], at: number, text: string): string => fields.with(at, text).join("\t");

/** Of any request. */
const ANYTHING = {
  "an empty object": instead("{}"),
  "an empty list": instead("[]"),
  null: instead("null"),
  "a number": instead("42"),
  "a text": instead('"ok"'),
  "no body": instead(""),
  "half of a body": ({ status, body }: SpoiledResponse) => ({ status, body: body.slice(0, -5) }),
  "a page for people": instead("<html><body>It works!</body></html>"),
  "results that are an object": instead('{"results":{"0":{}}}'),
  "results that are null": instead('{"results":[null]}'),
  "another program's bad request": instead('{"error":"no such tenant"}', 400),
  "another program's not found": instead('{"status":404}', 404),
  "another program's refusal": instead('{"message":"who are you?"}', 403),
  "another program's failure": instead('{"message":"oops"}', 502),
  "a redirect": instead("", 302),
};

/** Of lookups. */
const LOOKUPS = {
  "one result too few": results((all) => all.slice(1)),
  "one result too many": results((all) => [...all, ...all.slice(0, 1)]),
  "no results": results(() => []),
  "results of another index": eachResult((result) => ({ ...result, indexUid: "movies" })),
  "hits without their text for ranking": hits(without("ranking_fields")),
  "hits without names": hits(without("folded_names")),
  "hits without fields": hits(() => ({})),
  "hits of another program": hits(() => ({ id: 7, name: "Carol" })),
  "hits that are null": hits(() => null),
  "hits that are texts": hits(({ title }) => title),
  "hits that are an object": eachResult((result) => ({
    ...result,
    hits: Object.fromEntries(Object.entries(result["hits"] as Json[])),
  })),
  "no hits": eachResult(without("hits")),
  "names that are one text": hits((hit) => ({ ...hit, folded_names: "ca phe" })),
  "names that are numbers": hits((hit) => ({ ...hit, folded_names: [1, 2] })),
  "titles that are numbers": hits((hit) => ({ ...hit, title: 5 })),
  "any text for ranking": hits((hit) => ({ ...hit, ranking_fields: "first" })),
  "positions that are words": rankingFields((fields) => withPart(fields, 2, "north")),
  "positions that are not on Earth": rankingFields((fields) => withPart(fields, 3, "1e5")),
  "ids of another kind": rankingFields((fields) => withPart(fields, 0, "12")),
  "prominence that is a word": rankingFields((fields) => withPart([...fields, "", "", ""], 4, "high")),
  "a total that is a text": eachResult((result) => ({ ...result, estimatedTotalHits: "12" })),
  "a total that is null": eachResult((result) => ({ ...result, estimatedTotalHits: null })),
  "a total that is negative": eachResult((result) => ({ ...result, estimatedTotalHits: -1 })),
  "a total that is a fraction": eachResult((result) => ({ ...result, estimatedTotalHits: 1.5 })),
  "no total": eachResult(without("estimatedTotalHits")),
  "more hits than were asked for": eachResult((result) => ({
    ...result,
    hits: Array.from({ length: 5_000 }, () => (result["hits"] as Json[])[0] ?? {}),
  })),
};

/** Of documents. */
const DOCUMENTS = {
  "places without a summary": eachResult(without("summary")),
  "nothing but ids": eachResult(({ id }) => ({ id })),
  "places that were not asked for": eachResult((place) => ({ ...place, id: "0xbad" })),
  "each place twice": results((all) => [...all, ...all]),
  "positions that are texts": eachResult((place) => ({ ...place, _geo: { lat: "10", lng: "106" } })),
  "positions that are not on Earth": eachResult((place) => ({ ...place, _geo: { lat: 1e3, lng: 1e3 } })),
  "no positions": eachResult(without("_geo")),
  "titles that are lists": eachResult((place) => ({ ...place, title: ["a"] })),
  "ratings that are texts": eachResult((place) => ({ ...place, rating: "4.5" })),
  "reviews that are fractions": eachResult((place) => ({ ...place, reviews: 1.5 })),
  "another data id": eachResult((place) => ({ ...place, location_half: "north" })),
  "prices that are words": eachResult((place) => ({
    ...place,
    summary: (place["summary"] as string).split("|").with(10, "cheap").join("|"),
  })),
  "hours that are words": eachResult((place) => ({
    ...place,
    summary: (place["summary"] as string).split("|").with(9, "always").join("|"),
  })),
};

/** Of whole documents. */
const WHOLE = {
  "a redirect to nothing": eachResult(({ id }) => ({ id, redirect_to: 5 })),
  "reviews that are words": eachResult((place) => ({ ...place, detail: '["",["good"],[]]' })),
  "photos without a size": eachResult((place) => ({ ...place, detail: '["",[],[["a","b",[["c","d"]]]]]' })),
  "a detail that is no text": eachResult((place) => ({ ...place, detail: 12 })),
  "a detail that is anything": eachResult((place) => ({ ...place, detail: "eJx-nonsense" })),
  "popular times that are words": eachResult((place) => ({ ...place, busy_hours: "often" })),
};

const named = <T>(kinds: Readonly<Record<string, T>>) => Object.entries(kinds);

const AROUND = "lat=10.7721&lng=106.698";

const SEARCHES = [
  `/api/maps/search?q=ca%20phe&${AROUND}&include=distance,total`,
  `/api/maps/search?q=ca%20phe&${AROUND}&sort=distance`,
  `/api/maps/search?q=ca%20phe&${AROUND}&sort=rating&radius=2000`,
  `/api/maps/search?q=ben%20thanh&${AROUND}&type=full`,
  `/api/maps/search?q=10.7721,106.698&${AROUND}`,
  `/api/maps/nearby?${AROUND}`,
  `/api/maps/reverse?${AROUND}`,
  `/api/maps/autocomplete?q=ca&${AROUND}`,
  `/photon/api?q=ca%20phe&lat=10.7721&lon=106.698`,
];

const DETAILS = [
  `/api/maps/place?data_id=${encodeURIComponent(CAFE.data_id)}`,
  `/api/maps/places?data_id=${encodeURIComponent(CAFE.data_id)}`,
];

/** One of each way to ask the engines: that every request tells rubbish apart is shown with one engine. */
const OF_EACH_WAY = [
  `/api/maps/search?q=ca%20phe&${AROUND}&include=distance,total`,
  `/api/maps/search?q=ca%20phe&${AROUND}&sort=distance`,
  `/api/maps/autocomplete?q=ca&${AROUND}`,
  `/api/maps/places?data_id=${encodeURIComponent(CAFE.data_id)}`,
];

const now = () => Temporal.Instant.from("2026-11-18T05:00:00Z");

/** Without a cache, and without a gate unless told otherwise, which would soon ask the engine no more: no response changes the next. */
async function startApp(topology: Topology, guard: (ask: Ask) => Ask = (ask) => ask): Promise<TestApp> {
  const index = openPlaceIndex(topology, { guard });
  const app = await startTestApp({ index, now });
  return {
    ...app,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await index.close();
    },
  };
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

async function askAll(app: TestApp, targets: readonly string[]): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (const target of targets) {
    const { status, body } = await app.askRetryingTimeouts(target);
    replies.push({ status, body });
  }
  return replies;
}

/** What a healthy engine's server returns, which is asked once for each target. */
function createRightReplies() {
  const known = new Map<string, Reply>();
  return async (app: TestApp, targets: readonly string[]): Promise<Reply[]> => {
    const unknown = targets.filter((target) => !known.has(target));
    for (const [at, reply] of (await askAll(app, unknown)).entries()) known.set(unknown[at]!, reply);
    const replies = targets.map((target) => known.get(target)!);
    expect(replies.map(({ status }) => status)).toStrictEqual(targets.map(() => 200));
    return replies;
  };
}

const isOneOf = (reply: Reply, replies: readonly Reply[]): boolean =>
  replies.some((one) => isDeepStrictEqual(one, reply));

const isUnavailable = ({ status, body }: Reply): boolean =>
  status === 500 && (body as Json)["code"] === "engine_unavailable";

describe("one engine", () => {
  let engine: MeilisearchServer;
  let proxy: SpoilingProxy;
  let app: TestApp;
  const askRight = createRightReplies();
  beforeAll(async () => {
    engine = await startMeilisearchServer();
    await engine.fill(SAMPLE_PLACES);
    proxy = await startSpoilingProxy(engine.address.url);
    app = await open();
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
    await engine[Symbol.asyncDispose]();
  });

  const open = (guard?: (ask: Ask) => Ask): Promise<TestApp> =>
    startApp(oneEngine({ ...engine.address, url: proxy.url }), guard);

  /** The responses that are neither what they were before nor say that the engine is unavailable, as some must. */
  async function findWrong(
    targets: readonly string[],
    path: RegExp,
    spoil: (response: SpoiledResponse) => SpoiledResponse,
  ): Promise<Reply[]> {
    proxy.spoil = (_path, response) => response;
    const right = await askRight(app, targets);
    proxy.spoil = (asked, response) => (path.test(asked) ? spoil(response) : response);
    const replies = await askAll(app, targets);
    expect(replies.some(isUnavailable)).toBe(true);
    return replies.filter((reply) => !isUnavailable(reply) && !isOneOf(reply, right));
  }

  test.each(named({ ...ANYTHING, ...LOOKUPS }))(
    "whose lookups return %s is unavailable",
    async (_, spoil) => {
      expect(await findWrong(SEARCHES, /multi-search/, spoil)).toStrictEqual([]);
    },
  );

  test.each(named({ ...ANYTHING, ...DOCUMENTS }))(
    "whose documents are %s is unavailable",
    async (_, spoil) => {
      expect(await findWrong([...SEARCHES, ...DETAILS], /documents\/fetch/, spoil)).toStrictEqual([]);
    },
  );

  test.each(named(WHOLE))("whose documents of places have %s is unavailable", async (_, spoil) => {
    expect(await findWrong(DETAILS, /documents\/fetch/, spoil)).toStrictEqual([]);
  });

  test.each(named(ANYTHING))("whose every response is %s is unavailable", async (_, spoil) => {
    expect(await findWrong([...SEARCHES, ...DETAILS], /./, spoil)).toStrictEqual([]);
  });

  test.each(named(ANYTHING))("whose description of the index is %s counts as down", async (_, spoil) => {
    proxy.spoil = (_path, response) => spoil(response);
    expect(await app.ask("/readyz")).toMatchObject({ status: 503, body: { engine: "down" } });
  });

  test("is left alone after several such responses, and used again when it is well", async () => {
    const { telemetry } = createTelemetryRecord();
    const logBook = createLogBook();
    proxy.spoil = (_path, response) => response;
    await using guarded = await open((ask) => createEngineGate({ ask, telemetry, logger: logBook.logger }));
    const ask = async (): Promise<number> => (await guarded.ask(SEARCHES[1]!)).status;
    proxy.spoil = (path, response) =>
      path.includes("multi-search") ? LOOKUPS["hits without fields"](response) : response;
    for (let count = 0; count < 10; count += 1) expect(await ask()).toBe(500);
    proxy.spoil = (_path, response) => response;
    await expect.poll(ask).toBe(200);
    expect(logBook.lines().map(({ event }) => event)).toStrictEqual(["engine_lost", "engine_back"]);
  });
});

describe("one of three engines", () => {
  let three: ThreeEngines;
  let proxy: SpoilingProxy;
  let app: TestApp;
  const askRight = createRightReplies();
  beforeAll(async () => {
    three = await startThreeEngines();
    const live = await buildGeneration(three.topology, SAMPLE_PLACES, "g1");
    await putMap(three.topology, { sequence: 1, live });
    const [first, ...others] = three.topology.engines;
    proxy = await startSpoilingProxy(first!.url);
    app = await startApp({ ...three.topology, engines: [{ ...first!, url: proxy.url }, ...others] });
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
    await three[Symbol.asyncDispose]();
  });

  const kinds = [
    ...named({ ...ANYTHING, ...LOOKUPS }).map(([kind, spoil]) => ({ of: "multi-search", kind, spoil })),
    ...named({ ...ANYTHING, ...DOCUMENTS }).map(([kind, spoil]) => ({ of: "documents/fetch", kind, spoil })),
  ];

  test.each(kinds)("that responds to $of with $kind is replaced by its replica", async ({ of, spoil }) => {
    proxy.spoil = (_path, response) => response;
    const right = await askRight(app, OF_EACH_WAY);
    let spoiled = 0;
    proxy.spoil = (path, response) => {
      if (!path.includes(of)) return response;
      spoiled += 1;
      return spoil(response);
    };
    const wrong: Reply[] = [];
    const askAgain = async (): Promise<Reply[]> => {
      const replies = await askAll(app, OF_EACH_WAY);
      wrong.push(...replies.filter((reply) => !isUnavailable(reply) && !isOneOf(reply, right)));
      return replies;
    };
    // The replica may be late on a machine that is busy with other tests; it is never wrong.
    await expect.poll(askAgain, { timeout: 20_000 }).toStrictEqual(right);
    expect(wrong).toStrictEqual([]);
    expect(spoiled).toBeGreaterThan(0);
  });
});
