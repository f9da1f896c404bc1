import { describe, expect, test } from "vitest";
import type { OpenRange, PlaceDocument } from "../../../src/place/place-document.ts";
import { findAreas } from "../../../src/search/reading/area-spans.ts";
import { toTokens } from "../../../src/search/reading/tokens.ts";
import { readVocabulary } from "../../../src/search/vocabulary/read-vocabulary.ts";
import { createPlaceSearch } from "../../../src/search/search-places.ts";
import type { SearchRequest } from "../../../src/search/search-request.ts";
import { buildPlace, type PlaceFacts } from "../../support/build-place.ts";
import { createMemoryIndex } from "../../support/memory-index.ts";
import { pointAt } from "../../support/points.ts";

const CENTRE = { latitude: 10.776, longitude: 106.7 };
const NOON = Temporal.Instant.from("2026-11-18T12:00:00+07:00");

const cafeAt = (meters: number, title: string, facts: PlaceFacts = {}): PlaceDocument =>
  buildPlace({ title, type: "COFFEE", location: pointAt(CENTRE, meters, 90), ...facts });

const daily = (...ranges: OpenRange[]): Pick<PlaceFacts, "opening_hours"> => ({
  opening_hours: { week: Array.from({ length: 7 }, () => ranges), special_days: [] },
});

async function find(places: readonly PlaceDocument[], query: string, more: Partial<SearchRequest> = {}) {
  const search = createPlaceSearch(createMemoryIndex(places));
  // Opening hours are filtered by the time zones that the census knows.
  await search.prepared;
  const request = { query, centre: CENTRE, limit: 20, offset: 0, now: NOON, ...more };
  return (await search.search(request)).places;
}

const titles = async (...what: Parameters<typeof find>): Promise<string[]> =>
  (await find(...what)).map(({ place }) => place.title);

describe("a wish for opening hours", () => {
  const places = [
    cafeAt(100, "Trưa", daily([600, 840])),
    cafeAt(200, "Khuya", daily([1080, 1500])),
    cafeAt(300, "Suốt ngày", daily([0, 1440])),
    cafeAt(400, "Đêm", daily([1080, 1680])),
    cafeAt(500, "Không rõ"),
  ];

  test.each([
    ["cà phê đang mở cửa", ["Trưa", "Suốt ngày"]],
    ["cà phê mở khuya", ["Khuya", "Suốt ngày", "Đêm"]],
    ["cà phê 24h", ["Suốt ngày"]],
  ])("%s leaves the places that are open then", async (query, expected) => {
    expect(await titles(places, query)).toStrictEqual(expected);
  });

  test.each([
    { where: "in Spain", zone: "Europe/Madrid", longitude: -3.7 },
    { where: "in western China", zone: "Asia/Shanghai", longitude: 76 },
  ])("means the clock of the places: $where", async ({ zone, longitude }) => {
    const centre = { latitude: 39.5, longitude };
    const cafe = (meters: number, title: string, range: OpenRange): PlaceDocument => {
      const { location, ...facts } = cafeAt(meters, title, daily(range));
      return { ...facts, location: { ...location, ...pointAt(centre, meters, 90), timezone: zone } };
    };
    const there = [cafe(100, "Đến nửa đêm", [1080, 1440]), cafe(200, "Đến mười giờ", [480, 1320])];
    const now = Temporal.Instant.from("2026-07-01T12:00:00Z");
    for (const sort of ["relevance", "distance"] as const)
      expect(await titles(there, "coffee open late", { centre, now, sort })).toStrictEqual(["Đến nửa đêm"]);
  });

  test("that no place meets is dropped, and each result says so", async () => {
    const closed = [cafeAt(100, "Khuya", daily([1080, 1500])), cafeAt(500, "Không rõ")];
    const found = await find(closed, "cà phê đang mở cửa");
    expect(found.map(({ place }) => place.title)).toStrictEqual(["Khuya", "Không rõ"]);
    expect(found.every(({ explanation }) => explanation.isWishDropped)).toBe(true);
  });

  test("that a place meets is not reported as dropped", async () => {
    const found = await find(places, "cà phê đang mở cửa");
    expect(found.some(({ explanation }) => explanation.isWishDropped)).toBe(false);
  });

  test("at an unknown time is dropped", async () => {
    const { now: _, ...request } = {
      query: "cà phê đang mở cửa",
      centre: CENTRE,
      limit: 20,
      offset: 0,
      now: NOON,
    };
    const search = createPlaceSearch(createMemoryIndex(places));
    expect((await search.search(request)).places).toHaveLength(places.length);
  });
});

describe("a wish for a kind of place", () => {
  test("cheap puts the cheaper half first, and an unknown price after it", async () => {
    const places = [
      cafeAt(100, "Không rõ"),
      cafeAt(110, "Đắt", { pricing: { min: 90_000, max: 150_000 } }),
      cafeAt(120, "Rẻ", { pricing: { min: 10_000, max: 20_000 } }),
      cafeAt(130, "Vừa", { pricing: { min: 30_000, max: 50_000 } }),
    ];
    expect(new Set((await titles(places, "cà phê rẻ")).slice(0, 2))).toStrictEqual(new Set(["Rẻ", "Vừa"]));
  });

  test("expensive puts the dearer half first", async () => {
    const places = [
      cafeAt(100, "Không rõ"),
      cafeAt(110, "Rẻ", { pricing: { min: 10_000, max: 20_000 } }),
      cafeAt(120, "Vừa", { pricing: { min: 30_000, max: 50_000 } }),
      cafeAt(130, "Đắt", { pricing: { min: 90_000, max: 150_000 } }),
    ];
    expect((await titles(places, "cà phê sang trọng"))[0]).toBe("Đắt");
  });

  test("well rated puts the better rated first, and those without a review last", async () => {
    const places = [
      cafeAt(100, "Chưa ai khen"),
      cafeAt(110, "Tệ", { rating: 2, reviews: 50 }),
      cafeAt(120, "Tốt", { rating: 4.9, reviews: 50 }),
    ];
    expect((await titles(places, "quán cà phê ngon"))[0]).toBe("Tốt");
  });

  test("well rated does not rank a bad rating below none", async () => {
    const places = [cafeAt(300, "Chưa ai khen"), cafeAt(100, "Tệ", { rating: 1, reviews: 50 })];
    expect((await titles(places, "quán cà phê ngon"))[0]).toBe("Tệ");
  });

  test("a feature puts the places that have it first, and leaves out none", async () => {
    const features = { ...buildPlace().features, other: ["has_wi_fi"] };
    const places = [cafeAt(100, "Không wifi"), cafeAt(300, "Có wifi", { features })];
    expect(await titles(places, "cà phê có wifi")).toStrictEqual(["Có wifi", "Không wifi"]);
  });
});

describe("a point", () => {
  test("returns the nearest places", async () => {
    const places = [
      cafeAt(10, "Gần người hỏi", { rating: 5, reviews: 10_000 }),
      cafeAt(5_000, "Gần điểm"),
      cafeAt(5_300, "Nổi tiếng", { rating: 5, reviews: 10_000 }),
    ];
    const { latitude, longitude } = pointAt(CENTRE, 5_000, 90);
    expect(await titles(places, `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`)).toStrictEqual([
      "Gần điểm",
      "Nổi tiếng",
      "Gần người hỏi",
    ]);
  });
});

describe("an area", () => {
  const [district] = findAreas(toTokens("quận 3"), readVocabulary(), CENTRE);

  test("puts places inside first, before nearer and better known ones outside", async () => {
    const places = [
      cafeAt(10, "Ngoài", { rating: 5, reviews: 10_000 }),
      cafeAt(4_000, "Trong xa", { areas: [district!.id] }),
      cafeAt(3_000, "Trong gần", { areas: [district!.id] }),
    ];
    const found = await titles(places, "cà phê quận 3");
    expect(found.at(-1)).toBe("Ngoài");
    expect(new Set(found.slice(0, 2))).toStrictEqual(new Set(["Trong xa", "Trong gần"]));
  });
});

describe("a landmark", () => {
  const market = buildPlace({ title: "Chợ Bà Chiểu", type: "MARKET", location: pointAt(CENTRE, 6_000, 0) });
  const near = (title: string, meters: number) =>
    buildPlace({ title, type: "COFFEE", location: pointAt(market.location, meters, 90) });

  test("is the centre of the search, and distances are from the caller", async () => {
    const places = [market, near("Bên chợ", 50), cafeAt(100, "Bên người hỏi")];
    const found = await find(places, "cà phê gần chợ bà chiểu");
    expect(found[0]?.place.title).toBe("Bên chợ");
    expect(found[0]?.distanceMeters).toBeGreaterThan(5_900);
  });

  test("that is unknown keeps the search around the caller", async () => {
    const places = [near("Xa", 50), cafeAt(100, "Bên người hỏi")];
    expect((await titles(places, "cà phê gần chợ bà chiểu"))[0]).toBe("Bên người hỏi");
  });
});

describe("an address", () => {
  const house = (meters: number, street: string, title = street) =>
    buildPlace({
      title,
      type: "SHOP",
      location: { ...pointAt(CENTRE, meters, 90), address: { full: `${street}, Quận 1`, street } },
    });

  test("is the house itself, then the nearest numbers of its street", async () => {
    const places = [
      house(100, "90 Nguyễn Huệ"),
      house(200, "14 Nguyễn Huệ"),
      house(300, "12 Nguyễn Huệ"),
      house(50, "12 Lê Lợi"),
    ];
    expect(await titles(places, "12 nguyễn huệ")).toStrictEqual([
      "12 Nguyễn Huệ",
      "14 Nguyễn Huệ",
      "90 Nguyễn Huệ",
    ]);
  });

  test("with a typo in its street is found, after no house of the street as typed", async () => {
    expect((await titles([house(300, "12 Nguyễn Huệ")], "12 nguyễn hue"))[0]).toBe("12 Nguyễn Huệ");
    expect((await titles([house(300, "12 Nguyễn Huệ")], "12 nguyenn hue"))[0]).toBe("12 Nguyễn Huệ");
  });
});

describe("a place that closed for good", () => {
  const closed = { business_status: "closed_permanently" as const, rating: 5, reviews: 900 };

  test("comes after the others of its kind", async () => {
    const places = [cafeAt(50, "Cũ", closed), cafeAt(2_500, "Mới")];
    expect(await titles(places, "cà phê")).toStrictEqual(["Mới", "Cũ"]);
  });

  test("comes after one of the same name, and before names that begin so", async () => {
    const places = [cafeAt(50, "Cộng Cũ", closed), cafeAt(400, "Cộng Cũ"), cafeAt(60, "Cộng Cũ Kỹ")];
    expect(await titles(places, "cộng cũ")).toStrictEqual(["Cộng Cũ", "Cộng Cũ", "Cộng Cũ Kỹ"]);
    expect((await find(places, "cộng cũ"))[0]?.distanceMeters).toBeGreaterThan(300);
  });
});

describe("the nearest of a chain", () => {
  test.each(["kfc gần đây", "kfc gần nhất", "kfc near me"])(
    "%s counts branches of any name",
    async (query) => {
      const places = [cafeAt(4_000, "KFC"), cafeAt(300, "KFC - Lê Lợi"), cafeAt(100, "Gà KF")];
      expect((await titles(places, query)).slice(0, 2)).toStrictEqual(["KFC - Lê Lợi", "KFC"]);
    },
  );

  test("is not meant by the name alone", async () => {
    const places = [cafeAt(4_000, "KFC"), cafeAt(300, "KFC - Lê Lợi")];
    expect((await titles(places, "kfc"))[0]).toBe("KFC");
  });

  test("may be typed with other spaces", async () => {
    expect(await titles([cafeAt(900, "Co.op Mart")], "coopmart gần đây")).toStrictEqual(["Co.op Mart"]);
  });
});

describe("a product", () => {
  const eatery = (meters: number, title: string) =>
    buildPlace({ title, type: "EATERY", location: pointAt(CENTRE, meters, 90) });

  test("is first looked for in names, then where such things are sold", async () => {
    const places = [eatery(50, "Quán Năm"), eatery(900, "Nem nướng Bà Ba"), eatery(5_000, "Nem nướng Xa")];
    expect(await titles(places, "nem nướng")).toStrictEqual(["Nem nướng Bà Ba", "Quán Năm", "Nem nướng Xa"]);
  });

  test("counts by its marks", async () => {
    const places = [eatery(50, "Quán Năm"), eatery(300, "Bánh Cần Thơ")];
    expect((await titles(places, "bánh căn"))[0]).toBe("Quán Năm");
  });
});

describe("a kind with a typo", () => {
  const seafood = (meters: number, title: string) =>
    buildPlace({ title, type: "SEAFOOD_RESTAURANT", location: pointAt(CENTRE, meters, 90) });

  test("is meant where no name is like it, even if its first word alone is mistyped", async () => {
    expect(await titles([seafood(300, "Biển Nhớ")], "qaun hai san")).toStrictEqual(["Biển Nhớ"]);
  });

  test("comes after a name that is like it", async () => {
    const places = [seafood(100, "Biển Nhớ"), cafeAt(900, "Cổng Hải San")];
    expect((await titles(places, "cong hai san"))[0]).toBe("Cổng Hải San");
  });

  test("is not lost to a place that has its letters in name and address", async () => {
    const places = [
      cafeAt(100, "Sáng"),
      cafeAt(200, "C.O.C", {
        location: { ...pointAt(CENTRE, 200, 90), address: { full: "9 Phê, Quận 1" } },
      }),
    ];
    expect(await titles(places, "quan c phe")).toContain("Sáng");
  });
});

describe("a kind that is filed less exactly", () => {
  const pagodaQuery = "chùa";
  const worship = (meters: number) =>
    buildPlace({ title: "Nơi thờ", type: "PLACE_OF_WORSHIP", location: pointAt(CENTRE, meters, 90) });
  const pagoda = (meters: number) =>
    buildPlace({ title: "Chùa Ông", type: "PAGODA", location: pointAt(CENTRE, meters, 0) });

  test("is searched when no place of the kind is within three kilometres", async () => {
    const index = (places: readonly PlaceDocument[]) => createMemoryIndex(places);
    const isBroaderAsked = async (places: readonly PlaceDocument[]): Promise<boolean> => {
      const memory = index(places);
      await createPlaceSearch(memory).search({ query: pagodaQuery, centre: CENTRE, limit: 20, offset: 0 });
      return memory.rounds.flat().some(({ filter }) => filter.types?.includes("PLACE_OF_WORSHIP"));
    };
    expect(await isBroaderAsked([pagoda(2_900), worship(100)])).toBe(false);
    expect(await isBroaderAsked([pagoda(3_100), worship(100)])).toBe(true);
    expect(await isBroaderAsked([worship(100)])).toBe(true);
  });
});

describe("a kind of which there is none", () => {
  const hotel = buildPlace({ title: "Khách sạn Hoa", type: "HOTEL", location: pointAt(CENTRE, 300, 90) });
  const mosque = buildPlace({ title: "Al-Noor", type: "MOSQUE", location: pointAt(CENTRE, 300, 90) });

  test("is replaced by one that may stand in for it", async () => {
    expect(await titles([hotel], "nhà nghỉ gần đây")).toStrictEqual(["Khách sạn Hoa"]);
  });

  test("finds nothing where no other kind will do", async () => {
    expect(await titles([mosque], "chùa")).toStrictEqual([]);
  });
});

describe("the lookups of a search", () => {
  const at = (meters: number, title: string, full = ""): PlaceDocument =>
    buildPlace({ title, location: { ...pointAt(CENTRE, meters, 90), address: { full } } });

  async function roundsOf(places: readonly PlaceDocument[], query: string) {
    const index = createMemoryIndex(places);
    const search = createPlaceSearch(index);
    await search.prepared;
    const found = await search.search({ query, centre: CENTRE, limit: 20, offset: 0, now: NOON });
    return { rounds: index.rounds, titles: found.places.map(({ place }) => place.title) };
  }

  test("stop after the first for a name that ends with an area, where a place has this very name", async () => {
    const places = [at(500, "Phở Thìn Bến Thành"), at(100, "Phở Thìn")];
    const { rounds, titles: found } = await roundsOf(places, "phở thìn bến thành");
    expect(found[0]).toBe("Phở Thìn Bến Thành");
    expect(rounds).toHaveLength(1);
  });

  test("inside and outside an area go together, and none is sent twice", async () => {
    const { rounds, titles: found } = await roundsOf([at(100, "Highlands")], "highlands quận 3");
    expect(found).toStrictEqual(["Highlands"]);
    const [, second = []] = rounds;
    expect(new Set(second.map(({ filter }) => filter.areas !== undefined))).toStrictEqual(
      new Set([true, false]),
    );
    const sent = rounds.flat().map((lookup) => JSON.stringify(lookup));
    expect(sent).toHaveLength(new Set(sent).size);
  });

  test("for a house stop where its street has many", async () => {
    const street = Array.from({ length: 90 }, (_, i) => at(i * 20, `Quán ${i}`, `${i + 1} Lê Lợi`));
    const { rounds, titles: found } = await roundsOf(street, "12 lê lợi");
    expect(found[0]).toBe("Quán 11");
    expect(rounds).toHaveLength(1);
  });
});
