import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import { buildPlace, type PlaceFacts } from "../../support/build-place.ts";
import { pointAt } from "../../support/points.ts";
import { encodePolyline, type Points } from "../../support/polyline.ts";
import { startAppOver, startTestApp, type TestApp } from "../../support/test-app.ts";

interface Element {
  readonly title: string;
  readonly distance_m: number;
}

const CENTRE = { latitude: 10.776, longitude: 106.7 };
const NEAR = `lat=${CENTRE.latitude}&lng=${CENTRE.longitude}`;

const placeAt = (meters: number, title: string, facts: PlaceFacts = {}): PlaceDocument =>
  buildPlace({ title, location: pointAt(CENTRE, meters + 0.5, 90), ...facts });

const ADDRESS = { full: "", ward: "Phường Bến Thành", city: "Thành phố Hồ Chí Minh", country: "Việt Nam" };

/** Taveuni, beside the antimeridian. */
const inFiji = (longitude: number, title: string): PlaceDocument =>
  buildPlace({ title, location: { latitude: -16.8, longitude, timezone: "Pacific/Fiji" } });

const onStreet = (meters: number, title: string, street: string): PlaceDocument =>
  buildPlace({
    title,
    location: {
      ...pointAt(CENTRE, meters, 180),
      address: { ...ADDRESS, street, full: `${street}, ${ADDRESS.ward}` },
    },
  });

const PLACES: readonly PlaceDocument[] = [
  placeAt(100, "Bờ Kè", { type: "COFFEE", rating: 4.9, reviews: 2 }),
  placeAt(300, "Vườn Sau", { type: "PARK" }),
  onStreet(310, "Tiệm Một", "12 Trần Kẽ"),
  onStreet(800, "Tiệm Hai", "14 Trần Kẽ"),
  onStreet(900, "Tiệm Ba", "12 Trần Kẽ"),
  onStreet(950, "Tiệm Tư", "12 Hẻm Kẽ Trần"),
  placeAt(700, "Chợ Nhỏ", { type: "COFFEE", rating: 4.5, reviews: 3_000 }),
  placeAt(5_000, "Nhà Thờ Đá", { rating: 4.6, reviews: 900 }),
  placeAt(30_000, "Bến Xa", { type: "COFFEE", rating: 5, reviews: 9_000 }),
  inFiji(179.985, "West Beach"),
  inFiji(-179.99, "East Beach"),
  inFiji(-179.5, "Far Beach"),
  buildPlace({ title: "North Pole Cabin", location: { latitude: 90, longitude: 0, timezone: "UTC" } }),
];

let app: TestApp;

beforeAll(async () => {
  app = await startAppOver(PLACES);
});

afterAll(() => app[Symbol.asyncDispose]());

async function titlesOf(target: string): Promise<string[]> {
  const { local_result } = await app.read<{ local_result: Element[] }>(`/api/maps/${target}`);
  return local_result.map(({ title }) => title);
}

describe("nearby", () => {
  test.each(["", "lat=10.8", "lng=106.7", "bbox=106,10,107,11"])(
    "without a point (%s) is a 422",
    async (query) => {
      expect((await app.ask(`/api/maps/nearby?${query}`)).status).toBe(422);
    },
  );

  test("has the orders distance, prominence and rating and no other", async () => {
    expect((await app.ask(`/api/maps/nearby?${NEAR}&sort=relevance`)).status).toBe(422);
  });

  test("refuses open_now together with open_at", async () => {
    expect((await app.ask(`/api/maps/nearby?${NEAR}&open_now=1&open_at=2026-11-20T20:00Z`)).status).toBe(422);
  });

  test("lists the nearest places of any kind and name", async () => {
    expect(await titlesOf(`nearby?${NEAR}&limit=4`)).toEqual(["Bờ Kè", "Vườn Sau", "Tiệm Một", "Chợ Nhỏ"]);
  });

  test("shows distances and how many places there are", async () => {
    const { local_result: places, total } = await app.read<{ local_result: Element[]; total: number }>(
      `/api/maps/nearby?${NEAR}&radius=750&include=distance,total&type=full`,
    );
    expect(places.map(({ distance_m: meters }) => meters)).toEqual([101, 300, 310, 701]);
    expect(total).toBe(4);
  });

  test("counts places alone, not what else the index holds", async () => {
    expect(await app.read(`/api/maps/nearby?${NEAR}&include=total`)).toMatchObject({ total: PLACES.length });
  });

  test("filters by category, radius, rating and rectangle", async () => {
    expect(await titlesOf(`nearby?${NEAR}&category=COFFEE&radius=50000`)).toEqual([
      "Bờ Kè",
      "Chợ Nhỏ",
      "Bến Xa",
    ]);
    expect(await titlesOf(`nearby?${NEAR}&min_rating=4.6&radius=500`)).toEqual(["Bờ Kè"]);
    expect(await titlesOf(`nearby?${NEAR}&bbox=106.702,10.7,106.71,10.8`)).toEqual(["Vườn Sau", "Chợ Nhỏ"]);
  });

  test("by prominence puts the best known of the city first", async () => {
    expect((await titlesOf(`nearby?${NEAR}&sort=prominence`)).slice(0, 3)).toEqual([
      "Chợ Nhỏ",
      "Nhà Thờ Đá",
      "Bờ Kè",
    ]);
  });

  test("by rating puts the best rated of the city first", async () => {
    expect(await titlesOf(`nearby?${NEAR}&sort=rating&limit=2`)).toEqual(["Bờ Kè", "Nhà Thờ Đá"]);
  });

  test("pages without gaps", async () => {
    const pages = await Promise.all(
      [0, 2].map((offset) => titlesOf(`nearby?${NEAR}&limit=2&offset=${offset}`)),
    );
    expect(pages.flat()).toEqual(["Bờ Kè", "Vườn Sau", "Tiệm Một", "Chợ Nhỏ"]);
  });

  test("sees across the antimeridian and at a pole", async () => {
    expect(await titlesOf("nearby?lat=-16.8&lng=180&limit=2&offset=0&radius=5000")).toHaveLength(2);
    expect(await titlesOf("nearby?lat=89.9999&lng=-120&limit=1")).toEqual(["North Pole Cabin"]);
  });

  test("of an empty sea is an empty list", async () => {
    expect(await titlesOf("nearby?lat=-50&lng=-120&radius=50000")).toEqual([]);
    expect(await titlesOf("nearby?lat=-50&lng=-120&sort=rating")).toEqual([]);
  });
});

describe("a rectangle", () => {
  test("restricts a search, also across the antimeridian", async () => {
    expect(await titlesOf("search?q=beach&bbox=179.9,-17,-179.9,-16&sort=distance")).toEqual([
      "East Beach",
      "West Beach",
    ]);
    expect(await titlesOf("search?q=beach&bbox=-180,-17,-179,-16")).toHaveLength(2);
  });

  test("may be as large as a country or the world", async () => {
    expect(await titlesOf("search?q=beach&bbox=-180,-90,180,90")).toHaveLength(3);
    expect(await titlesOf("search?q=beach&bbox=100,-90,-179.6,90")).toHaveLength(2);
    expect(await titlesOf("nearby?lat=0&lng=0&bbox=-180,80,180,90")).toEqual(["North Pole Cabin"]);
  });

  test("restricts suggestions", async () => {
    const { suggestions } = await app.read<{ suggestions: { value: string }[] }>(
      "/api/maps/autocomplete?q=w&bbox=179.9,-17,-179.9,-16",
    );
    expect(suggestions.map(({ value }) => value)).toEqual(["West Beach"]);
  });

  test("without places gives an empty list", async () => {
    expect(await titlesOf("search?q=beach&bbox=10,10,11,11")).toEqual([]);
  });

  test("is where a search without coordinates looks first", async () => {
    const { local_result: places } = await app.read<{ local_result: Element[] }>(
      "/api/maps/search?q=beach&bbox=179.98,-16.81,179.99,-16.79&include=distance",
    );
    expect(places.map(({ distance_m: meters }) => meters < 1_000)).toEqual([true]);
  });
});

describe("bbox_bias", () => {
  const FAR = "bbox_bias=106.96,10.7,107,10.85";

  test("puts places in the rectangle before others that match as well", async () => {
    expect((await titlesOf(`search?q=cafe&${NEAR}`))[0]).not.toBe("Bến Xa");
    expect((await titlesOf(`search?q=cafe&${NEAR}&${FAR}`))[0]).toBe("Bến Xa");
  });

  test("leaves no place out", async () => {
    const titles = await titlesOf(`search?q=cafe&${NEAR}&${FAR}`);
    expect(titles.toSorted()).toEqual((await titlesOf(`search?q=cafe&${NEAR}`)).toSorted());
  });

  test("does not outweigh a better match", async () => {
    expect((await titlesOf(`search?q=cho+nho&${NEAR}&${FAR}`))[0]).toBe("Chợ Nhỏ");
  });

  test("prefers suggestions, too", async () => {
    const first = async (query: string) => {
      const { suggestions } = await app.read<{ suggestions: { value: string }[] }>(
        `/api/maps/autocomplete?q=b&${NEAR}${query}`,
      );
      return suggestions[0]?.value;
    };
    expect(await first("")).toBe("Bờ Kè");
    expect(await first(`&${FAR}`)).toBe("Bến Xa");
  });

  test("together with bbox is a 422", async () => {
    for (const target of ["search?q=x", "autocomplete?q=x"])
      expect((await app.ask(`/api/maps/${target}&${FAR}&bbox=1,1,2,2`)).status).toBe(422);
  });
});

describe("a point in the query", () => {
  const POINT = "q=10.776,106.7";

  test("is the centre of the list instead of lat and lng", async () => {
    const { local_result: places } = await app.read<{ local_result: Element[] }>(
      `/api/maps/search?${POINT}&lat=21&lng=105&sort=distance&include=distance&limit=2`,
    );
    expect(places.map(({ title }) => title)).toEqual(["Bờ Kè", "Vườn Sau"]);
    expect(places[0]?.distance_m).toBe(101);
  });

  test("lists the best rated of its surroundings", async () => {
    expect(await titlesOf(`search?${POINT}&lat=21&lng=105&sort=rating&limit=2`)).toEqual([
      "Bờ Kè",
      "Nhà Thờ Đá",
    ]);
  });
});

describe("an address in the query", () => {
  test("lists the places of the house, nearest first", async () => {
    expect(await titlesOf(`search?q=12+duong+tran+ke&${NEAR}&sort=distance`)).toEqual([
      "Tiệm Một",
      "Tiệm Ba",
    ]);
    expect(await app.read(`/api/maps/search?q=12+duong+tran+ke&${NEAR}&include=total`)).toMatchObject({
      total: 2,
    });
  });

  test("whose house no place has lists the places of the street", async () => {
    expect(await titlesOf(`search?q=99+duong+tran+ke&${NEAR}&sort=distance`)).toEqual([
      "Tiệm Một",
      "Tiệm Hai",
      "Tiệm Ba",
    ]);
  });
});

describe("reverse", () => {
  interface Reversed {
    readonly reverse_result: {
      readonly address: Readonly<Record<string, string>>;
      readonly address_sources: Readonly<Record<string, { distance_m: number; data_id?: string }>>;
    };
    readonly local_result: readonly Element[];
  }
  const read = (query: string) => app.read<Reversed>(`/api/maps/reverse?${query}`);
  const { latitude, longitude } = pointAt(CENTRE, 300, 180);

  test.each(["", "lat=10.8", "lng=106.7"])("without a point (%s) is a 422", async (query) => {
    expect((await app.ask(`/api/maps/reverse?${query}`)).status).toBe(422);
  });

  test("returns the nearest places and the address of the nearest that has one", async () => {
    const { reverse_result: result, local_result: places } = await read(
      `lat=${latitude}&lng=${longitude}&limit=2`,
    );
    expect(places.map(({ title }) => title)).toEqual(["Tiệm Một", "Bờ Kè"]);
    expect(result.address).toEqual({
      full: "12 Trần Kẽ, Phường Bến Thành, Thành phố Hồ Chí Minh, Việt Nam",
      street: "12 Trần Kẽ",
      ward: "Phường Bến Thành",
      city: "Thành phố Hồ Chí Minh",
      country: "Việt Nam",
    });
    expect(result.address_sources["street"]?.distance_m).toBe(10);
  });

  test("takes no street from another block, but the ward and the city", async () => {
    const { reverse_result: result } = await read(NEAR);
    expect(result.address["street"]).toBe("");
    expect(result.address_sources).not.toHaveProperty("street");
    expect(result.address["ward"]).toBe("Phường Bến Thành");
    expect(result.address_sources["ward"]?.distance_m).toBe(310);
  });

  test("knows the ward and the province of a point without places", async () => {
    const { reverse_result: result, local_result: places } = await read("lat=10.2&lng=103.95");
    expect(places).toEqual([]);
    expect(result.address["full"]).toBe("Đặc khu Phú Quốc, Tỉnh An Giang");
    expect(result.address_sources).toEqual({ ward: { distance_m: 0 }, city: { distance_m: 0 } });
  });

  test("of an empty sea has neither places nor an address", async () => {
    const { reverse_result: result, local_result: places } = await read("lat=-50&lng=-120");
    expect(places).toEqual([]);
    expect(result).toEqual({
      address: { full: "", street: "", ward: "", city: "", country: "" },
      address_sources: {},
    });
  });

  test("lists the places of its radius only", async () => {
    const { local_result: places } = await read(`${NEAR}&radius=200&include=distance&format=json`);
    expect(places).toMatchObject([{ title: "Bờ Kè", distance_m: 101 }]);
  });
});

test("an operator may set the centre and the language of requests that name none", async () => {
  const defaults = { centre: { latitude: -16.8, longitude: -179.5 }, language: "en" } as const;
  await using elsewhere = await startTestApp({ index: app.index, defaults });
  const { local_result: places } = await elsewhere.read<{
    local_result: (Element & { opening_hours: { day: string }[] })[];
  }>("/api/maps/search?q=beach&limit=1&type=full&include=distance");
  expect(places[0]).toMatchObject({ title: "Far Beach", distance_m: 0 });
  expect(places[0]?.opening_hours[0]?.day).toBe("Monday");
});

/** East from the centre; the line ends before `Nhà Thờ Đá`. */
const WAY = encodePolyline([
  [CENTRE.longitude, CENTRE.latitude],
  [CENTRE.longitude + 0.02, CENTRE.latitude],
]);

describe("polygon", () => {
  const ring = (west: number, east: number): Points => [
    [west, 10.77],
    [east, 10.77],
    [east, 10.7815],
    [west, 10.7815],
    [west, 10.77],
  ];
  const shape = (points: Points): string => `polygon=${encodeURIComponent(encodePolyline(points))}`;

  test("that crosses itself is a 422 that says so", async () => {
    const bow: Points = [
      [106.7, 10.7],
      [106.8, 10.8],
      [106.8, 10.7],
      [106.7, 10.8],
    ];
    const { status, body } = await app.ask(`/api/maps/nearby?${NEAR}&${shape(bow)}`);
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain("polygon crosses itself.");
  });

  test("restricts lists, totals and suggestions exactly", async () => {
    expect(await titlesOf(`nearby?${NEAR}&${shape(ring(106.702, 106.71))}`)).toEqual(["Vườn Sau", "Chợ Nhỏ"]);
    const target = `/api/maps/search?q=coffee&include=total&${shape(ring(106.69, 106.71))}`;
    const { total, local_result: found } = await app.read<{ total: number; local_result: Element[] }>(target);
    expect([total, found.map(({ title }) => title).toSorted()]).toEqual([2, ["Bờ Kè", "Chợ Nhỏ"]]);
    const suggested = async (points: Points): Promise<number> =>
      (await app.read<{ suggestions: unknown[] }>(`/api/maps/autocomplete?q=cho&${shape(points)}`))
        .suggestions.length;
    expect(await suggested(ring(106.69, 106.71))).toBe(1);
    expect(await suggested(ring(106.69, 106.7))).toBe(0);
  });

  test("in GeoJSON may cross the antimeridian, and its middle is the centre", async () => {
    const coordinates = [
      [
        [179.9, -16.9],
        [-179.9, -16.9],
        [-179.9, -16.7],
        [179.9, -16.7],
        [179.9, -16.9],
      ],
    ];
    const polygon = encodeURIComponent(JSON.stringify({ type: "Polygon", coordinates }));
    expect(await titlesOf(`search?q=beach&sort=distance&polygon=${polygon}`)).toEqual([
      "East Beach",
      "West Beach",
    ]);
  });
});

describe("route", () => {
  const route = `route=${encodeURIComponent(WAY)}`;

  test("restricts to its corridor and orders by detour", async () => {
    const shown = await app.read<{ local_result: (Element & { detour_m: number })[] }>(
      `/api/maps/nearby?${NEAR}&${route}&route_radius=320&include=detour`,
    );
    const [last, ...others] = shown.local_result.toReversed();
    expect(last?.title).toBe("Tiệm Một");
    expect(last?.detour_m).toBeGreaterThan(615);
    expect(last?.detour_m).toBeLessThan(625);
    expect(others.map(({ title }) => title).toSorted()).toEqual(["Bờ Kè", "Chợ Nhỏ", "Vườn Sau"]);
    expect(others.every(({ detour_m: meters }) => meters <= 1)).toBe(true);
  });

  test("starts where a search without coordinates has its centre", async () => {
    const target = `search?q=coffee&${route}&route_radius=500&sort=distance`;
    expect(await titlesOf(target)).toEqual(["Bờ Kè", "Chợ Nhỏ"]);
  });

  test("is needed to sort by detour", async () => {
    expect((await app.ask(`/api/maps/nearby?${NEAR}&sort=detour`)).status).toBe(422);
  });

  test("without it, detours are unknown", async () => {
    const { local_result: found } = await app.read<{ local_result: object[] }>(
      `/api/maps/nearby?${NEAR}&include=detour`,
    );
    expect(found[0]).toHaveProperty("detour_m", null);
  });
});
