import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CAFE, SAMPLE_PLACES } from "../../support/sample-places.ts";
import { startAppOver, type TestApp } from "../../support/test-app.ts";

/** `fields`, `format` and the header that names unknown parameters. */

let app: TestApp;

beforeAll(async () => {
  app = await startAppOver(SAMPLE_PLACES, { now: () => Temporal.Instant.from("2026-11-18T12:30:00Z") });
});

afterAll(() => app[Symbol.asyncDispose]());

type Place = Record<string, unknown>;

const SEARCH = "/api/maps/search?q=cafe";
const PLACE = `/api/maps/place?data_id=${CAFE.data_id}`;
const COMPLETE = "/api/maps/autocomplete?q=ca";

const searchPlaces = async (rest: string): Promise<Place[]> =>
  (await app.read<{ local_result: Place[] }>(`${SEARCH}${rest}`)).local_result;
const readPlace = async (rest: string): Promise<Place> =>
  (await app.read<{ place_result: Place }>(`${PLACE}${rest}`)).place_result;

describe("fields", () => {
  test.each([
    ["a name that no field has", "titel"],
    ["a field of a text", "title.x"],
    ["a field of search results that place details lack", "place_id"],
    ["a name inside an object without the object", "full"],
    ["nothing", ""],
    ["an empty element", "title,"],
    ["white space", " title"],
    ["a name of JavaScript", "__proto__"],
  ])("refuses %s with a list of valid fields", async (_what, fields) => {
    const answer = await app.ask(`${PLACE}&fields=${encodeURIComponent(fields)}`);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      errors: [
        {
          parameter: "fields",
          code: "unknown_value",
          message: expect.stringContaining("data_id, title, type") as string,
        },
      ],
    });
    expect(answer.text).toContain("popular_times.hours.occupancy_percent");
  });

  test("returns the named fields and the data_id", async () => {
    for (const place of await searchPlaces("&fields=title,rating"))
      expect(Object.keys(place)).toStrictEqual(["data_id", "title", "rating"]);
    expect(Object.keys(await readPlace("&fields=photos"))).toStrictEqual(["data_id", "photos"]);
  });

  test("reaches into objects and arrays", async () => {
    const whole = await readPlace("");
    const place = await readPlace("&fields=location.address.city,location.latitude,opening_hours.hours");
    expect(place).toStrictEqual({
      data_id: CAFE.data_id,
      location: {
        address: { city: CAFE.location.address.city },
        latitude: CAFE.location.latitude,
      },
      opening_hours: (whole["opening_hours"] as Place[]).map(({ hours }) => ({ hours })),
    });
  });

  test("that name an object return all of it, even next to one of its parts", async () => {
    const { location } = await readPlace("");
    for (const fields of ["location", "location,location.latitude", "location.latitude,location"])
      expect(await readPlace(`&fields=${fields}`)).toStrictEqual({ data_id: CAFE.data_id, location });
  });

  test("are in the order of the response, not of the request", async () => {
    const place = await readPlace("&fields=type,title,data_id");
    expect(Object.keys(place)).toStrictEqual(["data_id", "title", "type"]);
  });

  test("may include opening hours and features without type=full", async () => {
    const [place] = await searchPlaces("&fields=opening_hours");
    expect(place?.["opening_hours"]).toHaveLength(7);
  });

  test("keep what include adds", async () => {
    const [place] = await searchPlaces("&fields=title&include=distance,periods");
    expect(Object.keys(place!).toSorted()).toStrictEqual(
      ["data_id", "title", "distance_m", "next_change_at", "opening_periods", "special_days"].toSorted(),
    );
  });

  test("have no effect on suggestions, which name them as ignored", async () => {
    const answer = await app.ask(`${COMPLETE}&fields=value`);
    expect(answer.headers.get("x-ignored-parameters")).toBe("fields");
    expect(answer.body).toStrictEqual((await app.ask(COMPLETE)).body);
  });
});

interface Feature {
  readonly type: string;
  readonly id: string;
  readonly geometry: object;
  readonly properties: Place;
}

describe("format=geojson", () => {
  const featureOf = (place: Place, location = place): Feature => ({
    type: "Feature",
    id: String(place["data_id"]),
    geometry: { type: "Point", coordinates: [location["longitude"], location["latitude"]] },
    properties: place,
  });

  test.each(["xml", "GEOJSON", "", "json,geojson"])("refuses the format %j", async (format) => {
    const answer = await app.ask(`${PLACE}&format=${format}`);
    expect(answer.body).toMatchObject({ errors: [{ parameter: "format", code: "unknown_value" }] });
  });

  test("is the same search as a FeatureCollection, longitude first", async () => {
    const answer = await app.askRetryingTimeouts(`${SEARCH}&format=geojson`);
    expect(answer.headers.get("content-type")).toBe("application/geo+json");
    const places = await searchPlaces("");
    expect(answer.body).toStrictEqual({
      type: "FeatureCollection",
      features: places.map((place) => featureOf(place, place["location"] as Place)),
    });
  });

  test("is one Feature for a place", async () => {
    const place = await readPlace("");
    expect(await app.read(`${PLACE}&format=geojson`)).toStrictEqual(
      featureOf(place, place["location"] as Place),
    );
  });

  test("has suggestions too", async () => {
    const { suggestions } = await app.read<{ suggestions: Place[] }>(COMPLETE);
    expect(await app.read(`${COMPLETE}&format=geojson`)).toStrictEqual({
      type: "FeatureCollection",
      features: suggestions.map((suggestion) => featureOf(suggestion)),
    });
  });

  test("keeps total and understood next to the features", async () => {
    const { total, understood } = await app.read<Place>(`${SEARCH}&include=total,explain`);
    expect(await app.read(`${SEARCH}&include=total,explain&format=geojson`)).toMatchObject({
      total,
      understood,
    });
  });

  test("has a geometry also where the location was not chosen", async () => {
    const { geometry, properties } = await app.read<Feature>(`${PLACE}&format=geojson&fields=title`);
    expect(properties).toStrictEqual({ data_id: CAFE.data_id, title: CAFE.title });
    expect(geometry).toMatchObject({ coordinates: [CAFE.location.longitude, CAFE.location.latitude] });
  });

  test("has its own ETag, and errors that are problem bodies", async () => {
    const [geojson, json] = [await app.ask(`${PLACE}&format=geojson`), await app.ask(PLACE)];
    expect(geojson.headers.get("etag")).not.toBe(json.headers.get("etag"));
    const wrong = await app.ask("/api/maps/place?format=geojson");
    expect(wrong.headers.get("content-type")).toBe("application/problem+json");
  });
});

describe("unknown parameters", () => {
  const ignoredIn = async (target: string): Promise<string | null> =>
    (await app.ask(target)).headers.get("x-ignored-parameters");

  test("are named, each once, and change nothing", async () => {
    const answer = await app.ask(`${PLACE}&radius_m=5&fomat=geojson&radius_m=6`);
    expect(answer.headers.get("x-ignored-parameters")).toBe("radius_m, fomat");
    expect(answer.text).toBe((await app.ask(PLACE)).text);
  });

  test("are not named when there are none", async () => {
    for (const target of [SEARCH, PLACE, COMPLETE]) expect(await ignoredIn(target)).toBeNull();
  });

  test("are also named when the request is refused or the place unknown", async () => {
    expect(await ignoredIn("/api/maps/search?query=cafe")).toBe("query");
    expect(await ignoredIn("/api/maps/place?data_id=0x1:0xdead&foo=1")).toBe("foo");
  });

  test("include those of another operation", async () => {
    expect(await ignoredIn(`${PLACE}&radius=5&q=x`)).toBe("radius, q");
  });

  test.each([
    "<script>",
    "a b",
    "ü",
    "a\r\nset-cookie: b",
    "",
    "__proto__",
    "a".repeat(31),
    "1a",
    "a,b",
    "a-b",
  ])("with a name such as %j are listed as a star", async (name) => {
    expect(await ignoredIn(`${PLACE}&${encodeURIComponent(name)}=1&x=1`)).toBe("*, x");
  });

  test("after the eighth are summed up as a star", async () => {
    const many = Array.from({ length: 2_000 }, (_, number) => `p${number}=1`).join("&");
    expect(await ignoredIn(`${PLACE}&${many}`)).toBe("p0, p1, p2, p3, p4, p5, p6, p7, *");
  });
});

describe("include=photo", () => {
  const first = CAFE.photos[0]?.media[0];

  test.each(["search?q=ca%20phe%20trung", "nearby?", "reverse?"])(
    "adds the first picture to %s",
    async (list) => {
      const { latitude, longitude } = CAFE.location;
      const target = `/api/maps/${list}&lat=${latitude}&lng=${longitude}`;
      const { local_result } = await app.read<{ local_result: Place[] }>(`${target}&include=photo`);
      expect(local_result.find(({ data_id }) => data_id === CAFE.data_id)?.["photo"]).toStrictEqual(first);
      const without = await app.read<{ local_result: Place[] }>(target);
      expect(local_result).toMatchObject(without.local_result);
    },
  );

  test("is null for a place without pictures", async () => {
    const { latitude, longitude } = CAFE.location;
    const target = `/api/maps/nearby?lat=${latitude}&lng=${longitude}&include=photo`;
    const { local_result } = await app.read<{ local_result: Place[] }>(target);
    const others = local_result.filter(({ data_id }) => data_id !== CAFE.data_id);
    expect(others.map(({ photo }) => photo)).toStrictEqual([null, null]);
  });

  test("is kept beside chosen fields, and in GeoJSON", async () => {
    const [place] = await searchPlaces("&include=photo&fields=title");
    expect(Object.keys(place ?? {})).toStrictEqual(["data_id", "title", "photo"]);
    const { features } = await app.read<{ features: { properties: Place }[] }>(
      `${SEARCH}&include=photo&format=geojson`,
    );
    expect(features[0]?.properties).toHaveProperty("photo");
  });

  test("changes nothing for one place, which has all its pictures anyway", async () => {
    expect((await app.ask(`${PLACE}&include=photo`)).text).toBe((await app.ask(PLACE)).text);
  });
});
