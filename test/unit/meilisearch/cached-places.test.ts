import { describe, expect, test } from "vitest";
import { CallerGoneError, engineUnavailable, overloaded } from "../../../src/errors.ts";
import { cachePlaces } from "../../../src/meilisearch/cached-places.ts";
import type { PlaceIndex } from "../../../src/meilisearch/place-index.ts";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import { noTelemetry } from "../../../src/telemetry/telemetry.ts";
import { createTelemetryRecord } from "../../support/telemetry-record.ts";
import { buildPlace } from "../../support/build-place.ts";

const DATA_ID = "0x1:0xa";

const AWAY = engineUnavailable(new Error("connect ECONNREFUSED"));

interface State {
  place: PlaceDocument | undefined;
  isAway: boolean;
  /** What the index says while it is away. */
  failure: Error;
  asked: number;
  askedIds: readonly string[];
  nowMs: number;
  writes: number;
}

/** An index of one place whose engine can go away, with a clock of its own. */
function setUp(telemetry = noTelemetry) {
  const state: State = {
    place: buildPlace({ data_id: DATA_ID }),
    isAway: false,
    failure: AWAY,
    asked: 0,
    askedIds: [],
    nowMs: 0,
    writes: 0,
  };
  const index = {
    getPlace: () => {
      state.asked += 1;
      return state.isAway ? Promise.reject(state.failure) : Promise.resolve(state.place);
    },
    getPlaces: (ids: readonly string[]) => {
      state.asked += 1;
      state.askedIds = ids;
      if (state.isAway) return Promise.reject(state.failure);
      return Promise.resolve(ids.map((id) => (id === DATA_ID ? state.place : undefined)));
    },
  } as Partial<PlaceIndex> as PlaceIndex;
  const options = { clock: () => state.nowMs, writes: () => state.writes, telemetry };
  return { state, places: cachePlaces(index, options) };
}

describe("a detail", () => {
  test("is asked for once while it is fresh, and again after", async () => {
    const { state, places } = setUp();
    await places.getPlace(DATA_ID);
    await places.getPlace(DATA_ID);
    expect(state.asked).toBe(1);
    state.nowMs = 5_000;
    await places.getPlace(DATA_ID);
    expect(state.asked).toBe(2);
  });

  test("is asked for again after a write that is done, also when it was under way meanwhile", async () => {
    const { state, places } = setUp();
    const underWay = places.getPlace(DATA_ID);
    state.writes = 1;
    await underWay;
    await places.getPlace(DATA_ID);
    expect(state.asked).toBe(2);
    state.writes = 2;
    await places.getPlaces([DATA_ID]);
    expect(state.asked).toBe(3);
  });

  test("that is no longer fresh is still given while the engine is away", async () => {
    const { state, places } = setUp();
    await places.getPlace(DATA_ID);
    state.nowMs = 60_000;
    state.isAway = true;
    expect(await places.getPlace(DATA_ID)).toBe(state.place);
  });

  test("is given as it was while the engine has too much to do", async () => {
    const { state, places } = setUp();
    await places.getPlace(DATA_ID);
    state.nowMs = 60_000;
    state.isAway = true;
    state.failure = overloaded();
    expect(await places.getPlace(DATA_ID)).toBe(state.place);
  });

  test("is never older than ten minutes, however long the engine is away", async () => {
    const { state, places } = setUp();
    state.nowMs = 1;
    await places.getPlace(DATA_ID);
    state.isAway = true;
    state.nowMs = 600_001;
    expect(await places.getPlace(DATA_ID)).toBe(state.place);
    state.nowMs = 600_002;
    await expect(places.getPlace(DATA_ID)).rejects.toBe(AWAY);
  });

  test.each([
    { name: "a mistake of ours", failure: new TypeError("x is undefined") },
    { name: "a caller who has hung up", failure: new CallerGoneError() },
  ])("does not cover up $name", async ({ failure }) => {
    const { state, places } = setUp();
    await places.getPlace(DATA_ID);
    state.nowMs = 60_000;
    state.isAway = true;
    state.failure = failure;
    await expect(places.getPlace(DATA_ID)).rejects.toBe(failure);
  });

  test("that was never read fails while the engine is away", async () => {
    const { state, places } = setUp();
    state.isAway = true;
    await expect(places.getPlace(DATA_ID)).rejects.toBe(AWAY);
  });

  test("of a place that is gone is forgotten", async () => {
    const { state, places } = setUp();
    await places.getPlace(DATA_ID);
    state.nowMs = 5_000;
    state.place = undefined;
    expect(await places.getPlace(DATA_ID)).toBeUndefined();
    state.isAway = true;
    await expect(places.getPlace(DATA_ID)).rejects.toBe(AWAY);
  });
});

test("the telemetry hears which details were at hand and fresh", async () => {
  const { telemetry, heard } = createTelemetryRecord();
  const { state, places } = setUp(telemetry);
  await places.getPlace(DATA_ID);
  await places.getPlace(DATA_ID);
  state.nowMs = 5_000;
  await places.getPlace(DATA_ID);
  expect(heard("cacheAsked")).toEqual([
    ["place", false],
    ["place", true],
    ["place", false],
  ]);
});

describe("several details", () => {
  test("are asked for once, each id once, and in the order of the ids", async () => {
    const { state, places } = setUp();
    const found = await places.getPlaces(["0x1:0xb", DATA_ID, DATA_ID]);
    expect(found).toStrictEqual([undefined, state.place, state.place]);
    expect(state).toMatchObject({ asked: 1, askedIds: ["0x1:0xb", DATA_ID] });
  });

  test("that are fresh are not asked for again, alone or together", async () => {
    const { state, places } = setUp();
    await places.getPlace(DATA_ID);
    expect(await places.getPlaces([DATA_ID])).toStrictEqual([state.place]);
    expect(state.asked).toBe(1);
    await places.getPlaces([DATA_ID, "0x1:0xb"]);
    expect(state.askedIds).toStrictEqual(["0x1:0xb"]);
  });

  test("are given as they were while the engine is away, if all are known", async () => {
    const { state, places } = setUp();
    await places.getPlaces([DATA_ID]);
    state.nowMs = 60_000;
    state.isAway = true;
    expect(await places.getPlaces([DATA_ID, DATA_ID])).toStrictEqual([state.place, state.place]);
    await expect(places.getPlaces([DATA_ID, "0x1:0xb"])).rejects.toBe(AWAY);
  });
});
