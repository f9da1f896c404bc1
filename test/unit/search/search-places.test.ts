import { NOTHING_FOUND } from "../../support/fake-places.ts";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { PlaceIndex } from "../../../src/meilisearch/place-index.ts";
import type { PlaceDocument } from "../../../src/place/place-document.ts";
import { createPlaceSearch } from "../../../src/search/search-places.ts";
import type { FoundPlaces, SearchRequest } from "../../../src/search/search-request.ts";
import { buildPlace, type PlaceFacts } from "../../support/build-place.ts";
import { createMemoryIndex } from "../../support/memory-index.ts";
import { pointAt } from "../../support/points.ts";

const CENTRE = { latitude: 10.776, longitude: 106.7 };

const placeAt = (meters: number, title: string, facts: PlaceFacts = {}): PlaceDocument =>
  buildPlace({ title, location: pointAt(CENTRE, meters, 90), ...facts });

const requestOf = (query: string, more: Partial<SearchRequest> = {}): SearchRequest => ({
  query,
  centre: CENTRE,
  limit: 20,
  offset: 0,
  ...more,
});

const titlesOf = ({ places }: Pick<FoundPlaces, "places">): string[] =>
  places.map(({ place }) => place.title);

async function search(places: readonly PlaceDocument[], query: string, more?: Partial<SearchRequest>) {
  return titlesOf(await createPlaceSearch(createMemoryIndex(places)).search(requestOf(query, more)));
}

async function suggest(places: readonly PlaceDocument[], query: string, limit = 4) {
  return titlesOf(await createPlaceSearch(createMemoryIndex(places)).suggest(requestOf(query, { limit })));
}

describe("a search", () => {
  test.each(["", "🍜", "…"])("for %j finds nothing and asks nothing", async (query) => {
    const index = createMemoryIndex([placeAt(1, "Phở Hòa")]);
    expect(await createPlaceSearch(index).search(requestOf(query))).toStrictEqual(NOTHING_FOUND);
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

  test("for a category finds places of it and places whose names say it, nearest first", async () => {
    const places = [
      placeAt(900, "Góc Phố", { type: "COFFEE" }),
      placeAt(100, "Trứng", { type: "COFFEE" }),
      placeAt(10, "Máy pha cafe Sài Gòn", { type: "HARDWARE_STORE" }),
    ];
    expect(await search(places, "cafe")).toStrictEqual(["Trứng", "Máy pha cafe Sài Gòn", "Góc Phố"]);
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

  test("finds the nearest place of a mistyped name, however many places have it", async () => {
    const far = Array.from({ length: 100 }, (_, i) => placeAt(30_000 + i * 200, "Phở Hòa"));
    const index = createMemoryIndex([...far, placeAt(9_000, "Phở Hòa")]);
    const { places } = await createPlaceSearch(index).search(requestOf("pho hoqa"));
    expect(places[0]?.distanceMeters).toBeCloseTo(9_000, 3);
  });

  test("looks for namesakes of a mistyped name only where not all names like it were returned", async () => {
    const namesakesAsked = async (places: readonly PlaceDocument[]) => {
      const index = createMemoryIndex(places);
      await createPlaceSearch(index).search(requestOf("pho hoqa"));
      return index.rounds.flat().some(({ filter }) => filter.nameWords?.join(" ") === "pho hoa");
    };
    const few = [placeAt(9_000, "Phở Hòa"), placeAt(100, "Phở Hoa"), placeAt(50, "Phố Hoan")];
    const many = Array.from({ length: 100 }, (_, i) => placeAt(30_000 + i * 200, "Phở Hòa"));
    expect(await namesakesAsked(few)).toBe(false);
    expect(await namesakesAsked(many)).toBe(true);
  });

  test("never looks up the words of a title that has none", async () => {
    const crowd = Array.from({ length: 100 }, (_, i) =>
      placeAt(i * 500, "☕", { alternate_names: ["Phở Hòa"] }),
    );
    const index = createMemoryIndex(crowd);
    expect(titlesOf(await createPlaceSearch(index).search(requestOf("pho hoqa")))[0]).toBe("☕");
    expect(index.rounds.flat().map(({ filter }) => filter)).not.toContainEqual({ nameWords: [] });
  });

  test("tells distance and how a place got its rank", async () => {
    const { places: ranked } = await createPlaceSearch(createMemoryIndex([placeAt(250, "Phở Hòa")])).search(
      requestOf("pho hoa"),
    );
    expect(ranked[0]?.distanceMeters).toBeCloseTo(250, 3);
    const { text = 0, distance = 0, prominence = 0, score } = ranked[0]?.explanation ?? {};
    expect(score).toBeCloseTo(text + distance + prominence, 10);
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

describe("suggestions", () => {
  const CHAIN = [
    placeAt(2_000, "Highlands Coffee - Nguyễn Huệ"),
    placeAt(300, "Highlands Coffee (Bitexco)"),
    placeAt(1_000, "Highlands Coffee | Lê Lợi"),
    placeAt(700, "Highlands Coffee"),
  ];

  const OTHERS = [placeAt(1_500, "Highway Grill"), placeAt(1_600, "High School")];

  test("name each chain once, by its nearest branch, before its other branches", async () => {
    const found = await suggest([...CHAIN, ...OTHERS], "high");
    expect(found).toStrictEqual([
      "Highlands Coffee (Bitexco)",
      "Highway Grill",
      "High School",
      "Highlands Coffee",
    ]);
  });

  test("name the branches of a chain one by one when more than its first letters are typed", async () => {
    const found = await suggest([...CHAIN, ...OTHERS], "highlands coffee");
    expect(found).toStrictEqual([
      "Highlands Coffee (Bitexco)",
      "Highlands Coffee",
      "Highlands Coffee | Lê Lợi",
      "Highlands Coffee - Nguyễn Huệ",
    ]);
  });

  test("are places of the kind where no name begins with the word for it", async () => {
    const places = [placeAt(100, "Long Châu", { type: "PHARMACY" }), placeAt(200, "Bún chả")];
    expect(await suggest(places, "nhà thuốc")).toStrictEqual(["Long Châu"]);
  });

  test("keep names apart that only begin alike", async () => {
    const found = await suggest(
      [placeAt(100, "Phở Hòa"), placeAt(200, "Phở Hòa Pasteur"), placeAt(300, "Pho Hoa")],
      "pho",
    );
    expect(found).toStrictEqual(["Phở Hòa", "Phở Hòa Pasteur"]);
  });

  test("are as few as were asked for", async () => {
    const places = Array.from({ length: 30 }, (_, i) =>
      placeAt(i * 50, `Phở ${String.fromCharCode(97 + (i % 26))}${i}`),
    );
    expect(await suggest(places, "p", 4)).toHaveLength(4);
    expect(await suggest(places, "p", 10)).toHaveLength(10);
  });

  test.each(["t", "tr", "trà", "tra s", "trasua", "trà sữa tok", "sữa"])("complete %j", async (typed) => {
    const places = [placeAt(600, "Trà Sữa Toko"), placeAt(100, "Bún chả"), placeAt(200, "Phở Lệ")];
    expect((await suggest(places, typed))[0]).toBe("Trà Sữa Toko");
  });

  test.each(["", "🍜"])("of %j are none", async (typed) => {
    expect(await suggest(CHAIN, typed)).toStrictEqual([]);
  });
});
