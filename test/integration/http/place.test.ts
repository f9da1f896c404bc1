import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BAR, CAFE, SAMPLE_PLACES, UNKNOWN_SHOP } from "../../support/sample-places.ts";
import { startAppOver, type TestApp } from "../../support/test-app.ts";

type Detail = Record<string, unknown>;

let app: TestApp;

beforeAll(async () => {
  app = await startAppOver(SAMPLE_PLACES, { now: () => Temporal.Instant.from("2026-11-18T12:30:00Z") });
});

afterAll(() => app[Symbol.asyncDispose]());

async function readPlace(dataId: string, rest = ""): Promise<Detail> {
  const target = `/api/maps/place?data_id=${encodeURIComponent(dataId)}${rest}`;
  return (await app.read<{ place_result: Detail }>(target)).place_result;
}

test("a detail returns the values of the record", async () => {
  expect(await readPlace(CAFE.data_id)).toMatchObject({
    data_id: CAFE.data_id,
    title: CAFE.title,
    rating: 4,
    pricing: { min: 25_000, max: 60_000 },
    contacts: CAFE.contacts,
    location: CAFE.location,
    features: CAFE.features,
    description: CAFE.description,
    review_list: CAFE.review_list,
  });
});

test("lang changes labels but not codes", async () => {
  const [vi, en] = [await readPlace(CAFE.data_id), await readPlace(CAFE.data_id, "&lang=en")];
  expect(vi["photos"]).toMatchObject([{ category_id: "interior", category_label: "Bên trong" }]);
  expect(en["photos"]).toMatchObject([{ category_id: "interior", category_label: "Inside" }]);
  expect(en["type"]).toBe(vi["type"]);
  expect(en["features"]).toStrictEqual(vi["features"]);
});

test("the data_id may be in upper case and have leading zeros", async () => {
  expect(await readPlace("0x001F:0X00BA2")).toMatchObject({ data_id: BAR.data_id });
});

test("the old data_id of a place that moved returns the current record", async () => {
  expect(await readPlace("0xabc:0xba2")).toMatchObject({ data_id: BAR.data_id });
});

test("a valid data_id without a place is a 404", async () => {
  const answer = await app.ask("/api/maps/place?data_id=0x1%3A0xffffffffffffffff");
  expect(answer.status).toBe(404);
  expect(answer.body).toMatchObject({ code: "unknown_place" });
  expect(answer.headers.has("x-ratelimit-remaining")).toBe(true);
});

describe("coordinates", () => {
  test("affect only the centre of the search link", async () => {
    const without = await readPlace(CAFE.data_id);
    const place = await readPlace(CAFE.data_id, "&lat=21,03&lng=105.85");
    expect(place["link_search_value"]).toMatch(/lat=21,03&lng=105,85$/);
    expect(place).toStrictEqual({ ...without, link_search_value: place["link_search_value"] });
  });

  test("one alone is validated but has no effect", async () => {
    expect(await readPlace(CAFE.data_id, "&lat=21")).toStrictEqual(await readPlace(CAFE.data_id));
  });

  test("add the distance on request", async () => {
    const place = await readPlace(CAFE.data_id, "&lat=10.7721&lng=106.698&include=distance");
    expect(place["distance_m"]).toBe(0);
  });

  test("are required for a distance", async () => {
    expect(await readPlace(CAFE.data_id, "&include=distance")).toStrictEqual(await readPlace(CAFE.data_id));
  });
});

describe("include", () => {
  test("periods adds opening hours for programs", async () => {
    const place = await readPlace(CAFE.data_id, "&include=periods");
    expect(place).toMatchObject({ special_days: [], next_change_at: "2026-11-18T22:00:00+07:00" });
    expect(place["opening_periods"]).toHaveLength(7);
  });

  test("periods of unknown hours are null", async () => {
    const place = await readPlace(UNKNOWN_SHOP.data_id, "&include=periods");
    expect(place).toMatchObject({ opening_periods: null, special_days: [], next_change_at: null });
  });

  test("explain and match have no effect on a detail", async () => {
    const plain = await readPlace(CAFE.data_id);
    expect(await readPlace(CAFE.data_id, "&include=explain,match")).toStrictEqual(plain);
  });
});

test.each([
  ["", "data_id"],
  ["data_id=0x1:0x2&data_id=0x1:0x2", "data_id"],
  ["data_id=0x1:0x11111111111111111", "data_id"],
  ["data_id=0x1:0x2&include=", "include"],
])("?%s is a 422 that names %s", async (query, parameter) => {
  const answer = await app.ask(`/api/maps/place?${query}`);
  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({ code: "invalid_parameter", errors: [{ parameter }] });
});
