import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEngineGate } from "../../../src/meilisearch/gate.ts";
import { createLogger } from "../../../src/telemetry/logger.ts";
import type { IndexState, PlaceIndex } from "../../../src/meilisearch/place-index.ts";
import { openPlaceIndex } from "../../../src/partitions/open-place-index.ts";
import {
  createPartitionFinder,
  partitionUid,
  type Generation,
  type PartitionMap,
} from "../../../src/partitions/partition-map.ts";
import { toWritesDocument } from "../../../src/partitions/writes.ts";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import { createPlaceSearch } from "../../../src/search/search-places.ts";
import { noTelemetry } from "../../../src/telemetry/telemetry.ts";
import { buildPlace } from "../../support/build-place.ts";
import { buildGeneration, putDocuments, putMap } from "../../support/divided-index.ts";
import { pointAt } from "../../support/points.ts";
import { startTestApp } from "../../support/test-app.ts";
import { startThreeEngines, type ThreeEngines } from "../../support/three-engines.ts";

/** Each its own partition: so far apart that no ring of one reaches another. */
const CITIES = [
  { name: "Sài Gòn", latitude: 10.7769, longitude: 106.7009 },
  { name: "Hà Nội", latitude: 21.0285, longitude: 105.8542 },
  { name: "Đà Nẵng", latitude: 16.0544, longitude: 108.2022 },
];

const placesOf = (generation: string): PlaceDocument[] =>
  CITIES.flatMap((city, index) =>
    Array.from({ length: 40 }, (_, number) =>
      buildPlace({
        title: number === 0 ? `Quillon ${index} ${generation}` : `Phở ${city.name} ${number} ${generation}`,
        type: "PHO",
        location: pointAt(city, 50 * number, 37 * number),
      }),
    ),
  );

const openGuarded = (engines: ThreeEngines): PlaceIndex =>
  openPlaceIndex(engines.topology, {
    guard: (ask) =>
      createEngineGate({ ask, telemetry: noTelemetry, logger: createLogger({ level: "silent" }) }),
  });

const divisionOf = (state: IndexState) => (state.state === "ready" ? state.division : undefined);

/** Where only the results count: engines that build indexes beside, on a machine with other work, may need longer than callers are made to wait. */
const PATIENCE_MS = 30_000;

const searchPatiently = (index: PlaceIndex) => createPlaceSearch(index, { deadlineMs: PATIENCE_MS });

const searchAround = (index: PlaceIndex, city: (typeof CITIES)[number], query: string) =>
  searchPatiently(index).search({ query, centre: city, limit: 20, offset: 0 });

/** On a machine with other work callers may be refused as `overloaded` (503 with Retry-After), and ask again; nothing else may fail. */
async function unlessBusy(ask: () => Promise<void>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if ((error as { code?: unknown }).code !== "overloaded") throw error;
  }
}

/** Repeats each work until `disturb` has ended, which gets a promise that rejects with the first error of any of them. */
async function workDuring(
  works: readonly ((turn: number) => Promise<void>)[],
  disturb: (working: Promise<unknown>) => Promise<void>,
): Promise<void> {
  const ended = new AbortController();
  const repeat = async (work: (turn: number) => Promise<void>): Promise<void> => {
    for (let turn = 0; !ended.signal.aborted; turn += 1) await work(turn);
  };
  const working = Promise.all(works.map(repeat));
  // It is thrown below, after what was disturbed is in order again.
  working.catch(() => ended.abort());
  await disturb(working).finally(() => ended.abort());
  await working;
}

describe("with two replicas", () => {
  let engines: ThreeEngines;
  let index: PlaceIndex;
  let map: PartitionMap;
  const places = placesOf("a");

  beforeAll(async () => {
    engines = await startThreeEngines({ partitions: 3, replicas: 2 });
    map = { sequence: 1, live: await buildGeneration(engines.topology, places, "a") };
    await putMap(engines.topology, map);
    index = openGuarded(engines);
  });
  afterAll(async () => {
    await index.close();
    await engines[Symbol.asyncDispose]();
  });

  /** Searches and reads details all the time while `disturb` runs, which gets the number of those that succeeded. None may fail. */
  async function askDuring(disturb: (awaitMore: (count: number) => Promise<void>) => Promise<void>) {
    const search = createPlaceSearch(index);
    await search.prepared;
    let done = 0;
    const ask = async (turn: number): Promise<void> => {
      const city = CITIES[turn % CITIES.length]!;
      const query = { query: `pho ${city.name}`, centre: city, limit: 20, offset: 0 };
      const { places: found, missingPartitions } = await search.search(query);
      expect(missingPartitions).toEqual([]);
      expect(found).toHaveLength(20);
      const place = places[turn % places.length]!;
      expect((await index.getPlace(place.data_id))?.title).toBe(place.title);
      done += 1;
    };
    const askAs = (caller: number) => (turn: number) => unlessBusy(() => ask(caller + turn));
    await workDuring([0, 1, 2, 3].map(askAs), async (working) => {
      const awaitMore = async (count: number): Promise<void> => {
        const before = done;
        while (done < before + count) await Promise.race([sleep(5), working]);
      };
      await awaitMore(20);
      await disturb(awaitMore);
    });
  }

  const upEngines = async () => divisionOf(await index.readState())?.engines.map(({ isUp }) => isUp);

  test.each([0, 1, 2])("engine %i is killed under searches and details, and none of them fails", (victim) =>
    askDuring(async (awaitMore) => {
      await engines.servers[victim]!.kill();
      await awaitMore(40);
      await engines.servers[victim]!.revive();
      await expect.poll(upEngines).toEqual([true, true, true]);
    }),
  );

  test("an engine hangs under searches and details, and none of them fails; it serves again when it goes on", () =>
    askDuring(async (awaitMore) => {
      engines.servers[0]!.hang();
      try {
        await expect.poll(upEngines, { timeout: 15_000 }).toEqual([false, true, true]);
        await awaitMore(40);
      } finally {
        engines.servers[0]!.goOn();
      }
      await expect.poll(upEngines).toEqual([true, true, true]);
      await awaitMore(40);
    }));

  test("a replica that missed a write is not read until it has it", async () => {
    const tower = places[0]!;
    const partition = createPartitionFinder(map.live.partitions).ofPoint(tower.location);
    const uid = partitionUid("places", "a", partition);
    const [current, stale] = engines.topology.engines.filter(({ name }) =>
      map.live.partitions[partition]!.engines.includes(name),
    );
    await putDocuments(current!, uid, [toWritesDocument({ count: 1 })]);
    const stateOfReplicas = async () =>
      divisionOf(await index.readState())?.partitions[partition]?.replicas.map(({ engine, state }) => [
        engine,
        state,
      ]);
    expect(await stateOfReplicas()).toEqual([
      [current!.name, "current"],
      [stale!.name, "stale"],
    ]);
    const survivor = engines.servers[engines.topology.engines.indexOf(current!)]!;
    await survivor.kill();
    // Its data is there, but older than what callers have seen.
    await expect(index.getPlace(tower.data_id)).rejects.toMatchObject({ code: "engine_unavailable" });
    await survivor.revive();
    await putDocuments(stale!, uid, [toWritesDocument({ count: 1 })]);
    expect((await stateOfReplicas())?.map(([, state]) => state)).toEqual(["current", "current"]);
    expect((await index.getPlace(tower.data_id))?.title).toBe(tower.title);
  });

  test("another import is noticed, and no search mixes the two", async () => {
    const search = searchPatiently(index);
    await search.prepared;
    const seen = new Set<string>();
    const searchIn = (city: (typeof CITIES)[number]) => async () => {
      const { places: found } = await search.search({ query: "pho", centre: city, limit: 20, offset: 0 });
      const generations = new Set(found.map(({ place }) => place.title.at(-1)!));
      expect(generations.size).toBe(1);
      seen.add([...generations].join());
    };
    let next: Generation | undefined;
    await workDuring(CITIES.map(searchIn), async (working) => {
      next = await buildGeneration(engines.topology, placesOf("b"), "b");
      expect([...seen]).toEqual(["a"]);
      await putMap(engines.topology, { sequence: 2, live: next, previous: map.live });
      while (!seen.has("b")) await Promise.race([sleep(5), working]);
    });
    // The engine that has an older map is overruled.
    await putMap(engines.topology, map, engines.topology.engines.slice(0, 1));
    const state = await index.readState();
    expect(state).toMatchObject({ builtAt: next?.built_at });
  });
});

describe("without replicas", () => {
  let engines: ThreeEngines;
  let index: PlaceIndex;
  let lost: number;
  const places = placesOf("a");
  const [there, elsewhere] = CITIES as [(typeof CITIES)[0], (typeof CITIES)[0]];

  beforeAll(async () => {
    engines = await startThreeEngines({ partitions: 3, replicas: 1 });
    const live = await buildGeneration(engines.topology, places, "a");
    await putMap(engines.topology, { sequence: 1, live });
    index = openGuarded(engines);
    await index.warmUp();
    lost = createPartitionFinder(live.partitions).ofPoint(there);
    await engines.servers[lost]!.kill();
  });
  afterAll(async () => {
    await index.close();
    await engines[Symbol.asyncDispose]();
  });

  test("callers around a lost partition get an error", async () => {
    await expect(searchAround(index, there, "pho")).rejects.toMatchObject({ code: "engine_unavailable" });
    const inLost = places.find(({ title }) => title.includes(there.name))!;
    await expect(index.getPlace(inLost.data_id)).rejects.toMatchObject({ code: "engine_unavailable" });
  });

  test("callers elsewhere get complete results without it", async () => {
    const { places: found, missingPartitions } = await searchAround(
      index,
      elsewhere,
      `pho ${elsewhere.name} 7 a`,
    );
    expect(found[0]?.place.title).toBe(`Phở ${elsewhere.name} 7 a`);
    expect(missingPartitions).toEqual([]);
    const elsewherePlace = places.find(({ title }) => title.includes(elsewhere.name))!;
    expect((await index.getPlace(elsewherePlace.data_id))?.title).toBe(elsewherePlace.title);
  });

  test("a name that only the lost partition may hold is not found, and the response says what is missing", async () => {
    await using app = await startTestApp({ index, search: searchPatiently(index), redisUrl: "none" });
    const query = new URLSearchParams({
      q: "Quillon 0 a",
      lat: String(elsewhere.latitude),
      lng: String(elsewhere.longitude),
      include: "explain,total",
    });
    const response = await fetch(`${app.url}/api/maps/search?${query.toString()}`, {
      headers: { "x-api-key": app.key },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("X-Missing-Partitions")).toBe(String(lost));
    expect(response.headers.get("Cache-Control")).toContain("max-age=0");
    const body = (await response.json()) as {
      missing_partitions: number[];
      local_result: { title: string }[];
    };
    expect(body.missing_partitions).toEqual([lost]);
    expect(body.local_result.map(({ title }) => title)).not.toContain("Quillon 0 a");
  });

  test("/readyz and the status name what is lost, and the server stays ready for the others", async () => {
    await using app = await startTestApp({ index, search: searchPatiently(index), redisUrl: "none" });
    const ready = await fetch(`${app.url}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({
      status: "degraded",
      engines: { up: 2, down: 1 },
      partitions: { count: 3, lost: [lost], behind: 0 },
    });
  });

  test("the partition is back with its engine", async () => {
    await engines.servers[lost]!.revive();
    await expect.poll(async () => (await index.readState()).state).toBe("ready");
    await expect
      .poll(() => searchAround(index, there, "Quillon 0 a"))
      .toMatchObject({ missingPartitions: [] });
    const { places: found } = await searchAround(index, there, "Quillon 0 a");
    expect(found[0]?.place.title).toBe("Quillon 0 a");
  });
});
