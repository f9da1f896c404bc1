import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { PlaceIndex } from "../../../src/meilisearch/place-index.ts";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import { createPlaceSearch } from "../../../src/search/search-places.ts";
import type { SearchRequest } from "../../../src/search/search-request.ts";
import { createMemoryIndex } from "../../support/memory-index.ts";
import { placeAt, requestOf, searchAmong, titlesOf } from "../../support/memory-search.ts";

const search = async (places: readonly PlaceDocument[], query: string, more?: Partial<SearchRequest>) =>
  (await searchAmong(places, query, more)).titles;

describe("a search", () => {
  test.each(["", "🍜", "…"])("for %j finds nothing and asks nothing", async (query) => {
    const index = createMemoryIndex([placeAt(1, "Phở Hòa")]);
    expect(await createPlaceSearch(index).search(requestOf(query))).toMatchObject({
      places: [],
      missingPartitions: [],
    });
    expect(index.rounds).toStrictEqual([]);
  });

  test("finds a name without its spaces, its marks or a letter", async () => {
    const places = [placeAt(800, "Cộng Cà Phê"), placeAt(10, "Bún chả"), placeAt(20, "Phở Lệ")];
    for (const query of ["cong ca phe", "congcaphe", "cong caphe", "cộng cà phe", "cog ca phe"]) {
      expect((await search(places, query))[0]).toBe("Cộng Cà Phê");
    }
  });

  test("finds a far place by its exact name before near ones that are like it", async () => {
    const places = [
      placeAt(100, "Phở Thin"),
      placeAt(200, "Phở Thình"),
      placeAt(1_100_000, "Phở Thìn Lò Đúc"),
    ];
    expect((await search(places, "pho thin lo duc"))[0]).toBe("Phở Thìn Lò Đúc");
  });

  test("finds a place without a name by its kind in both languages, and by no name", async () => {
    const toilet = placeAt(50, "", { type: "TOILET", location: { address: { full: "12 Lê Lợi" } } });
    const places = [toilet, placeAt(300, "Phở Lê Lợi"), placeAt(400, "Nhà hàng Vệ Sinh Xanh")];
    for (const query of ["nhà vệ sinh", "nha ve sinh", "toilet", "public toilet"])
      expect((await search(places, query))[0]).toBe("");
    for (const query of ["lê lợi", "phở lê lợi", "nhà hàng vệ sinh xanh", "nhà hàng công cộng"])
      expect(await search(places, query)).not.toContain("");
  });

  test("for a category finds places of it, nearest first, and then others whose names say it", async () => {
    const places = [
      placeAt(900, "Góc Phố", { type: "COFFEE" }),
      placeAt(100, "Trứng", { type: "COFFEE" }),
      placeAt(10, "Máy pha cafe Sài Gòn", { type: "HARDWARE_STORE" }),
    ];
    expect(await search(places, "cafe")).toStrictEqual(["Trứng", "Góc Phố", "Máy pha cafe Sài Gòn"]);
  });

  test("for a category that nobody has looks for the name", async () => {
    expect(await search([placeAt(500, "Cafe Racer Club", { type: "CLUB" })], "cafe")).toStrictEqual([
      "Cafe Racer Club",
    ]);
  });

  test("for a mistyped category means the category, unless a place is called so", async () => {
    const pharmacies = [
      placeAt(300, "Long Châu", { type: "PHARMACY" }),
      placeAt(100, "An Khang", { type: "PHARMACY" }),
    ];
    expect(await search(pharmacies, "pharmcy")).toStrictEqual(["An Khang", "Long Châu"]);
    expect((await search([...pharmacies, placeAt(900, "Pharmcy")], "pharmcy"))[0]).toBe("Pharmcy");
  });

  test("tells distance and how a place got its rank", async () => {
    const { places: ranked } = await createPlaceSearch(createMemoryIndex([placeAt(250, "Phở Hòa")])).search(
      requestOf("pho hoa"),
    );
    expect(ranked[0]?.distanceMeters).toBeCloseTo(250, 3);
    const { text = 0, distance = 0, prominence = 0, score, parts = {} } = ranked[0]?.explanation ?? {};
    expect(score).toBeCloseTo(text + distance + prominence, 10);
    expect(score).toBeCloseTo(
      Object.values(parts).reduce((sum, part) => sum + part, 0),
      10,
    );
    expect(Object.keys(parts)).toEqual(expect.arrayContaining(["begins", "distance"]));
  });

  test("asks the index for more only when a page needs it", async () => {
    const index = createMemoryIndex(
      Array.from({ length: 300 }, (_, i) => placeAt(i * 20, `Quán ${i}`, { type: "COFFEE" })),
    );
    const places = createPlaceSearch(index);
    const roundsOf = async (more: Partial<SearchRequest>): Promise<number> => {
      const before = index.rounds.length;
      await places.search(requestOf("cafe", more));
      return index.rounds.length - before;
    };
    // The places are counted beside the first search.
    await roundsOf({});
    const [ofFirstPage, ofLastPage] = [
      await roundsOf({ limit: 20 }),
      await roundsOf({ limit: 50, offset: 200 }),
    ];
    expect(ofLastPage).toBeGreaterThan(ofFirstPage);
    const page = await places.search(requestOf("cafe", { limit: 50, offset: 200 }));
    expect(page.places).toHaveLength(50);
    const pages = [0, 50, 100, 150].map((offset) => places.search(requestOf("cafe", { limit: 50, offset })));
    const all = [...(await Promise.all(pages)), page].flatMap(titlesOf);
    expect(new Set(all).size).toBe(250);
  });

  test("in another order keeps what is relevant, in that order", async () => {
    const places = [
      placeAt(500, "Phở Hòa", { rating: 3, reviews: 5 }),
      placeAt(900, "Phở Hòa Pasteur", { rating: 5, reviews: 5 }),
      placeAt(10, "Hoa tươi", { rating: 4, reviews: 5 }),
    ];
    expect(await search(places, "phở hòa", { sort: "distance" })).toStrictEqual([
      "Phở Hòa",
      "Phở Hòa Pasteur",
    ]);
    expect(await search(places, "phở hòa", { sort: "rating" })).toStrictEqual(["Phở Hòa Pasteur", "Phở Hòa"]);
  });

  test("in another order has names that are like the query where none is", async () => {
    const places = [
      placeAt(900, "Phở Hòa", { rating: 3, reviews: 5 }),
      placeAt(500, "Phở Hoa", { rating: 4, reviews: 50 }),
      placeAt(10, "Bánh mì", { rating: 5, reviews: 500 }),
    ];
    const query = "pho hoqaa";
    expect(await search(places, query, { sort: "distance" })).toStrictEqual(["Phở Hoa", "Phở Hòa"]);
    expect(await search(places, query, { sort: "prominence" })).toStrictEqual(["Phở Hoa", "Phở Hòa"]);
    expect(await search(places, query, { sort: "rating" })).toStrictEqual(["Phở Hoa", "Phở Hòa"]);
  });

  test("puts places of a preferred rectangle first, as if they were at the centre", async () => {
    const places = [
      placeAt(300, "Phở Hòa"),
      placeAt(9_000, "Phở Hòa Pasteur"),
      placeAt(20_000, "Phở Hòa Q9"),
    ];
    const [far] = [places[1]!.location];
    const preferred = {
      south: far.latitude - 0.01,
      north: far.latitude + 0.01,
      west: far.longitude - 0.01,
      east: far.longitude + 0.01,
    };
    expect((await search(places, "phở hòa"))[0]).toBe("Phở Hòa");
    expect(await search(places, "phở hòa", { preferred })).toStrictEqual([
      "Phở Hòa Pasteur",
      "Phở Hòa",
      "Phở Hòa Q9",
    ]);
  });

  test("works before the places are counted", async () => {
    const index: PlaceIndex = {
      ...createMemoryIndex([placeAt(100, "Phở Hòa")]),
      readCensus: () => new Promise(() => {}),
    };
    expect(titlesOf(await createPlaceSearch(index).search(requestOf("pho hoa")))).toStrictEqual(["Phở Hòa"]);
  });

  test("gives up an index that does not answer within a second", async () => {
    const asked = Promise.withResolvers<void>();
    const silent: PlaceIndex = {
      ...createMemoryIndex([]),
      findPlaces: (_, signal) =>
        new Promise((_resolve, reject) => {
          asked.resolve();
          signal.addEventListener("abort", () => reject(new Error("too late")));
        }),
    };
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const outcome = createPlaceSearch(silent)
      .search(requestOf("pho"))
      .catch((error: unknown) => error);
    await asked.promise;
    vi.advanceTimersByTime(800);
    expect(await outcome).toStrictEqual(new Error("too late"));
  });
});

test("says what the query was understood to mean: the reading of the first place", async () => {
  const cafe = placeAt(100, "Trứng", { type: "COFFEE" });
  expect((await searchAmong([cafe], "cafe")).reading).toMatchObject({ form: "kind" });
  expect((await searchAmong([cafe], "trứng")).reading).toMatchObject({ kinds: [] });
});

test("ranks all candidates with their features, for whoever fits the weights", async () => {
  const places = [placeAt(100, "Phở Hòa"), placeAt(300, "Phở Hòa Pasteur")];
  const ranking = createPlaceSearch(createMemoryIndex(places));
  await ranking.prepared;
  const ranked = await ranking.rank(requestOf("phở hòa"));
  expect(ranked.map(({ place }) => place.title)).toStrictEqual(["Phở Hòa", "Phở Hòa Pasteur"]);
  const [[nearer], [further]] = [ranked[0]!.ways, ranked[1]!.ways];
  expect(nearer!.distance).toBeLessThan(further!.distance!);
});
