import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { PhotonAnswer } from "../../../src/answers/photon-response.ts";
import { CAFE, SAMPLE_PLACES } from "../../support/sample-places.ts";
import { startAppOver, type TestApp } from "../../support/test-app.ts";
import { readKeys } from "../keys/run-keys.ts";

/** `GET /photon/api` and `GET /photon/reverse`. */

let app: TestApp;

beforeAll(async () => {
  app = await startAppOver(SAMPLE_PLACES);
});

afterAll(() => app[Symbol.asyncDispose]());

const { latitude, longitude, address } = CAFE.location;
const AT = `lat=${latitude}&lon=${longitude}`;

describe("a search", () => {
  test("returns the places of the same search as Photon describes them", async () => {
    const { type, features } = await app.read<PhotonAnswer>(`/photon/api?q=cafe&${AT}`);
    const { local_result: places } = await app.read<{ local_result: readonly { data_id: string }[] }>(
      `/api/maps/search?q=cafe&lat=${latitude}&lng=${longitude}&limit=15`,
    );
    expect(type).toBe("FeatureCollection");
    expect(features.map(({ properties }) => properties.data_id)).toStrictEqual(
      places.map((place) => place.data_id),
    );
    const cafe = features.find(({ properties }) => properties.data_id === CAFE.data_id);
    expect(cafe).toMatchObject({
      type: "Feature",
      geometry: { type: "Point", coordinates: [longitude, latitude] },
      properties: { type: "house", name: CAFE.title, city: address.city, country: address.country },
    });
    const { housenumber = "", street = "" } = cafe!.properties;
    expect(`${housenumber} ${street}`.trim()).toBe(address.street);
  });

  test("accepts what clients of Photon send, at the path with and without a slash", async () => {
    const target =
      "q=cafe&limit=5&lang=default&osm_tag=amenity:cafe&osm_tag=!shop&layer=house&layer=street&zoom=12&location_bias_scale=0.4";
    for (const path of ["/photon/api", "/photon/api/"]) {
      const answer = await fetch(`${app.url}${path}?${target}`, { headers: { "x-api-key": app.key } });
      expect(answer.status).toBe(200);
      expect(answer.headers.has("x-ignored-parameters")).toBe(false);
    }
  });

  test("keeps to a rectangle", async () => {
    const around = [longitude - 0.0001, latitude - 0.0001, longitude + 0.0001, latitude + 0.0001].join(",");
    const { features } = await app.read<PhotonAnswer>(`/photon/api?q=cafe&bbox=${around}`);
    expect(features.map(({ properties }) => properties.data_id)).toStrictEqual([CAFE.data_id]);
  });

  test.each(["", "q=", "q=a&limit=51", "q=a&lat=91", "q=a&bbox=1,2,3", "q=a&q=b"])(
    "refuses ?%s",
    async (query) => {
      expect((await app.ask(`/photon/api?${query}`)).status).toBe(422);
    },
  );
});

describe("reverse", () => {
  test("returns the nearest place, within a kilometre", async () => {
    const { features } = await app.read<PhotonAnswer>(`/photon/reverse?${AT}`);
    expect(features.map(({ properties }) => properties.data_id)).toStrictEqual([CAFE.data_id]);
    expect(await app.read(`/photon/reverse?lat=60&lon=10`)).toStrictEqual({
      type: "FeatureCollection",
      features: [],
    });
  });

  test.each(["", "lat=1", "lon=1", `${AT}&radius=51`, `${AT}&radius=-1`])("refuses ?%s", async (query) => {
    expect((await app.ask(`/photon/reverse?${query}`)).status).toBe(422);
  });
});

describe("the key", () => {
  const keys = (...args: string[]) =>
    readKeys<{ readonly key: string }>(["create", "--name", "page", ...args], {
      REDIS_URL: inject("redisUrl"),
    });
  const ask = (key: string, headers: Record<string, string> = {}) =>
    app.ask(`/photon/api?q=cafe&key=${key}`, { headers: { "x-api-key": "", ...headers } });

  test("may be a parameter when it is restricted to origins, and the page is one of them", async () => {
    const { key } = await keys("--origins", "https://a.example");
    expect((await ask(key, { origin: "https://a.example" })).status).toBe(200);
    expect((await ask(key, { origin: "https://b.example" })).body).toMatchObject({
      code: "origin_not_allowed",
    });
  });

  test("may not be a parameter otherwise, nor at another path", async () => {
    const { key } = await keys("--addresses", "127.0.0.0/8");
    expect((await ask(key)).body).toMatchObject({ status: 401, code: "missing_api_key" });
    expect((await ask(app.key)).status).toBe(401);
    const { key: forPage } = await keys("--origins", "https://a.example");
    const headers = { "x-api-key": "", origin: "https://a.example" };
    expect((await app.ask(`/api/maps/search?q=cafe&key=${forPage}`, { headers })).status).toBe(401);
  });

  test("requires the scope search", async () => {
    const { key } = await keys("--scopes", "place");
    const answer = await app.ask("/photon/api?q=cafe", { headers: { "x-api-key": key } });
    expect(answer.body).toMatchObject({ code: "missing_scope" });
  });
});
