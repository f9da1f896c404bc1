import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BAR, CAFE, SAMPLE_PLACES } from "../../support/sample-places.ts";
import { engineGone, fakePlaces } from "../../support/fake-places.ts";
import { startAppOver, startTestApp, type TestApp } from "../../support/test-app.ts";

/** `GET /api/maps/places`. */

let app: TestApp;

beforeAll(async () => {
  app = await startAppOver(SAMPLE_PLACES, { now: () => Temporal.Instant.from("2026-11-18T12:30:00Z") });
});

afterAll(() => app[Symbol.asyncDispose]());

type Place = Record<string, unknown>;

interface Answer {
  readonly place_results: readonly Place[];
  readonly unknown_ids: readonly string[];
}

const targetOf = (ids: readonly string[], rest = ""): string =>
  `/api/maps/places?${ids.map((id) => `data_id=${id}`).join("&")}${rest}`;
const readPlaces = (ids: readonly string[], rest = ""): Promise<Answer> => app.read(targetOf(ids, rest));
const readPlace = async (id: string, rest = ""): Promise<Place> =>
  (await app.read<{ place_result: Place }>(`/api/maps/place?data_id=${id}${rest}`)).place_result;

const IDS = SAMPLE_PLACES.map((place) => place.data_id);
const UNKNOWN = ["0x1:0xdead", "0x2:0xbeef"] as const;

describe("the ids", () => {
  test.each([
    ["none", "", "missing"],
    ["an empty one", "data_id=", "malformed"],
    ["a malformed one among good ones", `data_id=${CAFE.data_id}&data_id=0xg:0x1`, "malformed"],
    ["a comma list", `data_id=${CAFE.data_id},${BAR.data_id}`, "malformed"],
    ["fifty-one", Array.from({ length: 51 }, (_, id) => `data_id=0x1:0x${id}`).join("&"), "repeated"],
    ["two thousand", "data_id=0x1:0x2&".repeat(800), "repeated"],
  ])("may not be %s", async (_what, query, code) => {
    const answer = await app.ask(`/api/maps/places?${query}`);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ errors: [{ parameter: "data_id", code }] });
  });

  test("that are malformed are named by their position", async () => {
    const { body } = await app.ask(targetOf([CAFE.data_id, "0x1", BAR.data_id]));
    expect(body).toMatchObject({
      errors: [{ message: "data_id number 2 must be two hexadecimal numbers, 0x<hex>:0x<hex>." }],
    });
  });

  test("may be fifty", async () => {
    const ids = Array.from({ length: 50 }, (_, number) => `0x1:0x${(0xdead_0000 + number).toString(16)}`);
    expect(await readPlaces(ids)).toStrictEqual({ place_results: [], unknown_ids: ids });
  });
});

test("each place is as place detail has it, in the order of the request", async () => {
  for (const ids of [IDS, IDS.toReversed()]) {
    const details = [];
    for (const id of ids) details.push(await readPlace(id));
    expect(await readPlaces(ids)).toStrictEqual({ place_results: details, unknown_ids: [] });
  }
});

test("an id that is given twice has its place twice", async () => {
  const { place_results } = await readPlaces([CAFE.data_id, BAR.data_id, CAFE.data_id]);
  expect(place_results.map((place) => place["data_id"])).toStrictEqual([
    CAFE.data_id,
    BAR.data_id,
    CAFE.data_id,
  ]);
});

test("unknown ids are listed once, in canonical form, and leave no gap", async () => {
  const ids = [UNKNOWN[0], CAFE.data_id, "0X01:0xDEAD", UNKNOWN[1]];
  expect(await readPlaces(ids)).toMatchObject({
    place_results: [{ data_id: CAFE.data_id }],
    unknown_ids: UNKNOWN,
  });
});

test("a place with another id now says from which id it was redirected", async () => {
  const { place_results } = await readPlaces(["0xabc:0xba2", BAR.data_id]);
  expect(place_results.map((place) => [place["data_id"], place["redirected_from"]])).toStrictEqual([
    [BAR.data_id, "0xabc:0xba2"],
    [BAR.data_id, undefined],
  ]);
});

test("the other parameters mean what they mean for one place", async () => {
  const rest = "&lang=en&lat=10.77&lng=106.69&include=distance,periods";
  const { place_results } = await readPlaces([CAFE.data_id], rest);
  expect(place_results).toStrictEqual([await readPlace(CAFE.data_id, rest)]);
  const chosen = await readPlaces([CAFE.data_id], "&fields=title");
  expect(chosen.place_results).toStrictEqual([{ data_id: CAFE.data_id, title: CAFE.title }]);
});

test("as GeoJSON the unknown ids stand next to the features", async () => {
  const body = await app.read(targetOf([UNKNOWN[0], CAFE.data_id], "&format=geojson&fields=title"));
  expect(body).toStrictEqual({
    type: "FeatureCollection",
    features: [
      {
        type: "Feature",
        id: CAFE.data_id,
        geometry: { type: "Point", coordinates: [CAFE.location.longitude, CAFE.location.latitude] },
        properties: { data_id: CAFE.data_id, title: CAFE.title },
      },
    ],
    unknown_ids: [UNKNOWN[0]],
  });
});

describe("a request counts as many requests as it names places", () => {
  const leftOf = async (limited: TestApp, target: string) => {
    const { status, headers, body } = await limited.ask(target);
    const { code, detail } = (body ?? {}) as { code?: string; detail?: string };
    return { status, code, detail, left: headers.get("x-ratelimit-remaining"), headers };
  };

  test("in the minute, to the last one", async () => {
    await using limited = await startTestApp({ ...fakePlaces(), perMinute: 12 });
    const ask = (count: number) =>
      leftOf(limited, targetOf(Array.from({ length: count }, (_, id) => `0x1:0x${id}`)));
    expect(await ask(7)).toMatchObject({ status: 200, left: "5" });
    const refused = await ask(6);
    expect(refused).toMatchObject({ status: 429, code: "rate_limit_minute", left: "5" });
    expect(refused.detail).toMatch(
      /^This request counts as 6, and 5 of 12 are left in this minute\. .* try again in \d+ s\.$/,
    );
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(50);
    expect(await ask(5)).toMatchObject({ status: 200, left: "0" });
    expect(await ask(1)).toMatchObject({ status: 429, left: "0" });
  });

  test("on the day, to the last one", async () => {
    await using limited = await startTestApp({ ...fakePlaces(), perMinute: 100, perDay: 9 });
    const ask = (count: number) =>
      leftOf(limited, targetOf(Array.from({ length: count }, (_, id) => `0x1:0x${id}`)));
    expect(await ask(4)).toMatchObject({ status: 200, left: "5" });
    expect(await ask(6)).toMatchObject({ status: 429, code: "rate_limit_day", left: "5" });
    expect(await ask(5)).toMatchObject({ status: 200, left: "0" });
  });

  test("and says when a key can never read so many", async () => {
    await using limited = await startTestApp({ ...fakePlaces(), perMinute: 3 });
    const ids = ["0x1:0x1", "0x1:0x2", "0x1:0x3", "0x1:0x4"];
    const refused = await leftOf(limited, targetOf(ids));
    expect(refused).toMatchObject({
      status: 429,
      detail: "This request counts as 4, and the key allows 3 in a minute. Ask for fewer places.",
    });
    expect(await leftOf(limited, targetOf(ids.slice(1)))).toMatchObject({ status: 200, left: "0" });
  });

  test("exactly, for many at once", async () => {
    await using limited = await startTestApp({ ...fakePlaces(), perMinute: 100 });
    const ids = Array.from({ length: 7 }, (_, id) => `0x1:0x${id}`);
    const answers = await Promise.all(Array.from({ length: 40 }, () => limited.ask(targetOf(ids))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(14);
    expect(await leftOf(limited, targetOf(ids.slice(0, 2)))).toMatchObject({ status: 200, left: "0" });
  });

  test("one with too many ids counts once", async () => {
    await using limited = await startTestApp({ ...fakePlaces(), perMinute: 100 });
    const ids = Array.from({ length: 60 }, (_, id) => `0x1:0x${id}`);
    expect(await leftOf(limited, targetOf(ids))).toMatchObject({ status: 422, left: "99" });
  });
});

test("a key without the scope is refused, and an engine that is gone is a 500", async () => {
  await using gone = await startTestApp(fakePlaces({ error: engineGone() }));
  expect((await gone.ask(targetOf([CAFE.data_id]))).body).toMatchObject({ code: "engine_unavailable" });
  const answer = await gone.ask(targetOf([CAFE.data_id]), { headers: { "x-api-key": "" } });
  expect(answer.body).toMatchObject({ code: "missing_api_key" });
});
