import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { PlaceIndex } from "../../../src/meilisearch/place-index.ts";
import type { OpenRange, PlaceDocument } from "../../../src/place/document/place-document.ts";
import { createPlaceSearch } from "../../../src/search/search-places.ts";
import { findAreas } from "../../../src/search/reading/area-spans.ts";
import { toTokens } from "../../../src/search/reading/tokens.ts";
import type { SearchRequest } from "../../../src/search/search-request.ts";
import { loadVocabulary } from "../../../src/search/vocabulary/read-vocabulary.ts";
import { buildPlace, type PlaceFacts } from "../../support/build-place.ts";
import { createMemoryIndex } from "../../support/memory-index.ts";
import { CENTRE, placeAt, requestOf, searchAmong } from "../../support/memory-search.ts";
import { pointAt } from "../../support/points.ts";

const NOON = Temporal.Instant.from("2026-11-18T12:00:00+07:00");

const cafeAt = (meters: number, title: string, facts: PlaceFacts = {}): PlaceDocument =>
  placeAt(meters, title, { type: "COFFEE", ...facts });

const daily = (...ranges: OpenRange[]): Pick<PlaceFacts, "opening_hours"> => ({
  opening_hours: { week: Array.from({ length: 7 }, () => ranges), special_days: [] },
});

const find = (places: readonly PlaceDocument[], query: string, more: Partial<SearchRequest> = {}) =>
  searchAmong(places, query, { now: NOON, ...more });

const titles = async (...what: Parameters<typeof find>): Promise<readonly string[]> =>
  (await find(...what)).titles;

describe("a wish for opening hours", () => {
  const places = [
    cafeAt(100, "Trưa", daily([600, 840])),
    cafeAt(200, "Khuya", daily([1080, 1500])),
    cafeAt(300, "Suốt ngày", daily([0, 1440])),
    cafeAt(400, "Đêm", daily([1080, 1680])),
    cafeAt(50, "Không rõ"),
  ];

  test.each([
    ["cà phê đang mở cửa", ["Trưa", "Suốt ngày"], ["Không rõ"]],
    ["cà phê mở khuya", ["Khuya", "Suốt ngày", "Đêm"], []],
    ["cà phê 24h", ["Suốt ngày"], ["Không rõ"]],
  ])(
    "%s leaves what is open then; behind fewer than three, what has no hours",
    async (query, open, others) => {
      const closed = cafeAt(600, "Nghỉ", { business_status: "closed_temporarily" });
      const { places: found } = await find([...places, closed], query);
      expect(
        found.map(({ place, explanation }) => [place.title, explanation.isWishDropped ?? false]),
      ).toStrictEqual([...open.map((title) => [title, false]), ...others.map((title) => [title, true])]);
    },
  );

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
    const { places: found } = await find(closed, "cà phê đang mở cửa");
    expect(found.map(({ place }) => place.title)).toStrictEqual(["Khuya", "Không rõ"]);
    expect(found.every(({ explanation }) => explanation.isWishDropped)).toBe(true);
  });

  test("is checked by both searches of a request that prefers a rectangle, though hours are read once", async () => {
    const wide = { south: 10, north: 11, west: 106, east: 107 };
    const memory = createMemoryIndex(places);
    let wait = 40;
    const index: PlaceIndex = {
      ...memory,
      // The second search asks while the first still waits.
      async readSummaries(...args) {
        await setTimeout((wait -= 10));
        return memory.readSummaries(...args);
      },
    };
    const search = createPlaceSearch(index);
    const { places: found } = await search.search(
      requestOf("cà phê đang mở cửa", { now: NOON, preferred: wide }),
    );
    expect(found.map(({ place }) => place.title)).toStrictEqual(["Trưa", "Suốt ngày", "Không rõ"]);
  });

  test("that no place meets is dropped where only related kinds are left, too", async () => {
    expect(await titles([placeAt(300, "Hoa", { type: "HOTEL" })], "nhà nghỉ mở cửa 24h")).toHaveLength(1);
  });

  test("that only a place of a related kind meets finds that one", async () => {
    const open = placeAt(900, "Ki Ốt", { type: "CONVENIENCE_STORE", ...daily([0, 1440]) });
    const closed = placeAt(300, "Hoa", { type: "SUPERMARKET", ...daily([480, 1320]) });
    expect(await titles([closed, open], "siêu thị 24/24")).toStrictEqual(["Ki Ốt"]);
  });

  test("at an unknown time is dropped", async () => {
    const search = createPlaceSearch(createMemoryIndex(places));
    await search.prepared;
    expect((await search.search(requestOf("cà phê đang mở cửa"))).places).toHaveLength(places.length);
  });
});

describe("a wish without a kind", () => {
  const [district] = findAreas(toTokens("quận 3"), loadVocabulary(), CENTRE);
  const areas = [district!.id];
  const places = [
    placeAt(2_000, "Công an Quận 3", { type: "POLICE", areas, ...daily([0, 1440]) }),
    cafeAt(2_100, "Đêm", { areas, ...daily([1080, 1680]) }),
    cafeAt(100, "Ngoài", daily([1080, 1680])),
  ];

  test.each(["quận 3 mở khuya", "chỗ nào ăn đêm ở quận 3", "somewhere open late in district 3"])(
    "in an area finds places to eat and drink there: %s",
    async (query) => {
      expect((await titles(places, query))[0]).toBe("Đêm");
    },
  );

  test('asks for a "chỗ" where it was typed without marks, and for no market', async () => {
    const market = placeAt(50, "Chợ Vườn Chuối", { type: "MARKET", ...daily([0, 1440]) });
    expect((await titles([...places, market], "cho nao an khuya"))[0]).toBe("Ngoài");
    for (const query of ["cho nao gan day", "cho dang mo cua"])
      expect((await titles([...places, market], query))[0]).toBe("Chợ Vườn Chuối");
  });

  test("finds places to eat and drink near a landmark", async () => {
    const market = placeAt(2_050, "Chợ Tân Định", { type: "MARKET" });
    expect((await titles([...places, market], "ăn đêm gần chợ tân định"))[0]).toBe("Đêm");
  });

  test("and an area alone are not the same", async () => {
    expect((await titles(places, "quận 3"))[0]).toBe("Công an Quận 3");
  });
});

describe("a wish for a kind of place", () => {
  test("cheap puts the cheaper half first, then unknown prices, and the dearer half last", async () => {
    const places = [
      cafeAt(100, "Đắt", { pricing: { min: 90_000, max: 150_000 } }),
      cafeAt(110, "Không rõ"),
      cafeAt(120, "Rẻ", { pricing: { min: 10_000, max: 20_000 } }),
      cafeAt(130, "Vừa", { pricing: { min: 30_000, max: 50_000 } }),
    ];
    expect(await titles(places, "cà phê rẻ")).toStrictEqual(["Rẻ", "Vừa", "Không rõ", "Đắt"]);
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

  test("of two wishes, meeting both puts a place first, then one of them", async () => {
    const features = { ...buildPlace().features, other: ["has_wi_fi"] };
    const dear = { pricing: { min: 90_000, max: 150_000 } };
    const places = [
      cafeAt(100, "Không gì", { pricing: { min: 10_000, max: 20_000 } }),
      cafeAt(110, "Một", dear),
      cafeAt(120, "Hai", { ...dear, features }),
      cafeAt(90, "Vừa", { pricing: { min: 20_000, max: 40_000 } }),
      cafeAt(130, "Rẻ", { pricing: { min: 20_000, max: 30_000 } }),
    ];
    expect((await titles(places, "cà phê sang trọng có wifi")).slice(0, 2)).toStrictEqual(["Hai", "Một"]);
  });

  test.each(["cà phê có wifi", "cà phê yên tĩnh có wifi có chỗ đậu xe"])(
    "a feature puts the places that have it first, whatever no place is known to have: %s",
    async (query) => {
      const features = { ...buildPlace().features, other: ["has_wi_fi"] };
      const places = [cafeAt(100, "Trứng"), cafeAt(300, "Muối", { features })];
      expect(await titles(places, query)).toStrictEqual(["Muối", "Trứng"]);
    },
  );
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

describe("a place that closed for good", () => {
  const closed = { business_status: "closed_permanently" as const, rating: 5, reviews: 900 };

  test("comes after the others of its kind", async () => {
    const places = [cafeAt(50, "Cũ", closed), cafeAt(2_500, "Mới")];
    expect(await titles(places, "cà phê")).toStrictEqual(["Mới", "Cũ"]);
  });

  test("comes after one of the same name", async () => {
    const places = [cafeAt(50, "Cộng Cũ", closed), cafeAt(400, "Cộng Cũ")];
    const { places: found } = await find(places, "cộng cũ");
    expect(found.map(({ distanceMeters }) => Math.round(distanceMeters))).toStrictEqual([400, 50]);
  });
});

describe("the branches of a chain", () => {
  test.each(["kfc", "kfc gần đây", "kfc gần nhất", "kfc near me"])(
    "for %s come nearest first, whatever follows the name",
    async (query) => {
      const places = [cafeAt(4_000, "KFC"), cafeAt(300, "KFC - Lê Lợi"), cafeAt(100, "Gà KF")];
      expect((await titles(places, query)).slice(0, 2)).toStrictEqual(["KFC - Lê Lợi", "KFC"]);
    },
  );

  test("may be typed with other spaces", async () => {
    expect(await titles([cafeAt(900, "Co.op Mart")], "coopmart gần đây")).toStrictEqual(["Co.op Mart"]);
  });

  test("do not hide a name that is unique and far away", async () => {
    const places = [placeAt(600_000, "Quillon Tower"), cafeAt(100, "Tower Coffee"), cafeAt(200, "KFC")];
    expect((await titles(places, "quillon tower"))[0]).toBe("Quillon Tower");
  });
});

describe("a chain and a street that is half typed", () => {
  const coffee = (meters: number, title: string, full: string) =>
    cafeAt(meters, title, { location: { address: { full } } });

  test.each(["highlands n", "highlands ng", "highlands nguy"])(
    "finds the branch in it, and no other place of the kind: %s",
    async (query) => {
      const places = [
        coffee(600, "Highlands Coffee", "8 Lê Lợi"),
        coffee(900, "Highlands Coffee", "5 Nguyễn Du"),
        coffee(4_000, "The Coffee House 313 Ng Thị Thập", "313 Nguyễn Thị Thập"),
        placeAt(5_000, "Nguyễn Kim"),
      ];
      const { places: found } = await find(places, query);
      expect(found.map(({ place }) => place.title)).toStrictEqual(["Highlands Coffee", "Highlands Coffee"]);
      expect(Math.round(found[0]!.distanceMeters)).toBe(900);
    },
  );

  test("finds the nearest branch where many names begin so", async () => {
    const others = Array.from({ length: 30 }, (_, at) =>
      placeAt(9_000 + at, at === 0 ? "L Hotel" : `Lan ${at}`),
    );
    const branches = [
      coffee(600, "Highlands Coffee", "8 Trần Phú"),
      coffee(1_500, "Highlands Coffee", "5 Lê Lai"),
    ];
    const { places: found } = await find([...branches, ...others], "highlands l");
    expect(Math.round(found[0]!.distanceMeters)).toBe(600);
  });
});

describe("a chain with two names", () => {
  const others = [placeAt(100, "Hòa", { type: "CONVENIENCE_STORE" })];
  const branch = (meters: number, title: string) => placeAt(meters, title, { type: "CONVENIENCE_STORE" });

  test("finds its nearest branches by either", async () => {
    const places = [...others, branch(900, "VinMart+ Lê Lợi"), branch(1_900, "WinMart")];
    for (const query of ["winmart", "vinmart", "winmart gần đây"])
      expect(await titles(places, query)).toStrictEqual(["VinMart+ Lê Lợi", "WinMart"]);
  });

  test("is looked for near a landmark by both", async () => {
    const market = placeAt(5_000, "Chợ Tân Định", { type: "MARKET" });
    const places = [...others, market, branch(300, "VinMart Xa"), branch(5_100, "VinMart Gần")];
    expect((await titles(places, "winmart gần chợ tân định"))[0]).toBe("VinMart Gần");
  });

  test("is looked for in a street by both", async () => {
    const at = (meters: number, title: string, type: string, full: string) =>
      placeAt(meters, title, { type, location: { address: { full } } });
    const places = [
      at(900, "Tiệm Tư", "CONVENIENCE_STORE", "5 Nguyễn Trãi"),
      at(950, "Quán Năm", "COFFEE", "9 Nguyễn Trãi"),
      at(1_000, "Mắt Kính Sáu", "OPTICIAN", "13 Nguyễn Trãi"),
      at(200, "VinMart", "CONVENIENCE_STORE", "1 Lê Lợi"),
      at(1_100, "VinMart", "CONVENIENCE_STORE", "20 Nguyễn Trãi"),
    ];
    const { places: found } = await find(places, "winmart nguyễn trãi");
    expect(found[0]!.place.title).toBe("VinMart");
    expect(Math.round(found[0]!.distanceMeters)).toBe(1_100);
  });
});

describe("a chain that the dataset lacks", () => {
  const pharmacy = placeAt(900, "Nhà thuốc Hòa Bình", { type: "PHARMACY" });
  const others = [pharmacy, placeAt(100, "Mỹ Châu", { type: "COFFEE" }), placeAt(200, "Long Châm")];

  test.each(["long châu", "nhà thuốc long châu", "long chau gần đây"])(
    "%j finds places of its kind, and none that is only like its name",
    async (query) => {
      expect(await titles(others, query)).toStrictEqual(["Nhà thuốc Hòa Bình"]);
    },
  );

  test("finds its far branches instead where there are some", async () => {
    const branch = placeAt(9_000, "Long Châu Lê Lợi", { type: "PHARMACY" });
    expect(await titles([...others, branch], "long châu")).not.toContain("Nhà thuốc Hòa Bình");
    expect((await titles([...others, branch], "nhà thuốc long châu"))[0]).toBe("Long Châu Lê Lợi");
  });

  test("is no place in the named area that has its words apart", async () => {
    const branch = placeAt(9_000, "FPT Long Châu", { type: "PHARMACY", alternate_names: ["Long Châu"] });
    const [district] = findAreas(toTokens("quận 3"), loadVocabulary(), CENTRE);
    const apart = placeAt(100, "Sân cầu lông Ngọc Châu", { areas: [district!.id] });
    expect((await titles([apart, branch], "long châu quận 3"))[0]).toBe("FPT Long Châu");
  });

  test("beside another kind or another name means something else", async () => {
    expect(await titles(others, "cà phê long châu")).not.toContain("Nhà thuốc Hòa Bình");
    expect(await titles(others, "long châu hưng thịnh")).not.toContain("Nhà thuốc Hòa Bình");
  });
});

describe("a place that was recorded twice", () => {
  test("shows once within sixty metres", async () => {
    const places = [cafeAt(100, "Phở Hòa"), cafeAt(150, "PHỞ HÒA"), cafeAt(300, "Phở Hòa")];
    const { places: found } = await find(places, "phở hòa");
    expect(found.map(({ distanceMeters }) => Math.round(distanceMeters))).toStrictEqual([100, 300]);
  });

  test("is two where the kind, or a mark, is another", async () => {
    const kinds = [cafeAt(100, "Phở Hòa"), placeAt(110, "Phở Hòa", { type: "PHO" })];
    expect(await titles(kinds, "phở hòa")).toHaveLength(2);
    const marks = [cafeAt(100, "Tiệm may Đường"), cafeAt(110, "Tiệm may Dương")];
    expect(await titles(marks, "tiem may duong")).toHaveLength(2);
  });
});

describe("a kind and a name", () => {
  const cafes = [cafeAt(900, "Quán cà phê tại Phố Giang Văn Minh"), cafeAt(2_000, "Cà Phê Giang")];

  test.each(["cafe giang", "giang cafe", "coffee giang"])(
    "find the place that has both: %s",
    async (query) => {
      expect((await titles(cafes, query))[0]).toBe("Cà Phê Giang");
    },
  );

  test("need not belong together in a sentence", async () => {
    const rice = (meters: number, title: string) => placeAt(meters, title, { type: "RICE_RESTAURANT" });
    const places = [
      placeAt(0, "Ga Sài Gòn", { type: "TRAIN_STATION" }),
      rice(200, "Cơm Cô Ba"),
      rice(3_000, "Cơm Gà"),
    ];
    expect((await titles(places, "gần ga Sài Gòn có quán cơm không"))[0]).toBe("Cơm Cô Ba");
  });
});

describe("a product", () => {
  const eatery = (meters: number, title: string) => placeAt(meters, title, { type: "EATERY" });

  test("is first looked for in names, then where such things are sold", async () => {
    const places = [eatery(50, "Quán Năm"), eatery(900, "Nem nướng Bà Ba"), eatery(5_000, "Nem nướng Xa")];
    const found = await titles(places, "nem nướng");
    expect(found[0]).toBe("Nem nướng Bà Ba");
    expect(new Set(found)).toStrictEqual(new Set(["Nem nướng Bà Ba", "Quán Năm", "Nem nướng Xa"]));
  });

  test("counts by its marks", async () => {
    const places = [eatery(50, "Quán Năm"), eatery(300, "Bánh Cần Thơ")];
    expect((await titles(places, "bánh căn"))[0]).toBe("Quán Năm");
  });
});

describe("a kind that no place has", () => {
  test("may be a name or a street", async () => {
    const places = [
      placeAt(300, "Lan", { location: { address: { full: "12 Quan Hoa" } } }),
      placeAt(900, "Chợ Quan Hoa", { type: "MARKET" }),
    ];
    expect(new Set(await titles(places, "quan hoa"))).toStrictEqual(new Set(["Chợ Quan Hoa", "Lan"]));
  });

  test("is no name with other spaces", async () => {
    expect(await titles([placeAt(300, "Thuý", { type: "RESTAURANT" })], "thu y")).toStrictEqual([]);
  });

  test("may be a name where it was typed without marks and no place says that it has it", async () => {
    expect((await titles([cafeAt(100, "Lan"), cafeAt(900, "Cafe Cat")], "cat cafe"))[0]).toBe("Cafe Cat");
  });
});

test("a wish of one word without its marks may be part of a name", async () => {
  const pharmacy = (meters: number, title: string) => placeAt(meters, title, { type: "PHARMACY" });
  const places = [pharmacy(700, "Nhà thuốc Đức Huy"), pharmacy(900, "Nhà thuốc Đức Đạt")];
  expect((await titles(places, "nha thuoc dat duc"))[0]).toBe("Nhà thuốc Đức Đạt");
  expect((await titles(places, "nhà thuốc đắt đức"))[0]).toBe("Nhà thuốc Đức Huy");
});

test("a near name with a typo comes before a far one that holds the words among others", async () => {
  const places = [
    placeAt(900, "Pizza Hut", { type: "PIZZA_RESTAURANT" }),
    placeAt(9_000, "Domino's Pizza Nguyễn Hữu Cảnh", { type: "PIZZA_RESTAURANT" }),
  ];
  expect((await titles(places, "pizza huu"))[0]).toBe("Pizza Hut");
  expect((await titles(places.slice(1), "pizza huu"))[0]).toBe("Domino's Pizza Nguyễn Hữu Cảnh");
});

describe("a kind with a typo", () => {
  const seafood = (meters: number, title: string) => placeAt(meters, title, { type: "SEAFOOD_RESTAURANT" });

  test("is meant where no name is like it, even if its first word alone is mistyped", async () => {
    expect(await titles([seafood(300, "Biển Nhớ")], "qaun hai san")).toStrictEqual(["Biển Nhớ"]);
  });

  test("comes after a name that is like it", async () => {
    const places = [seafood(100, "Biển Nhớ"), cafeAt(900, "Cổng Hải San")];
    expect((await titles(places, "cong hai san"))[0]).toBe("Cổng Hải San");
  });

  test("is not lost to a place with one of its words in its address", async () => {
    const places = [
      placeAt(800, "Nail xinh Thơ", { type: "NAIL_SALON", location: { address: { full: "45 Hạnh Thông" } } }),
      placeAt(900, "Tiệm nail Thảo Hạnh", { type: "NAIL_SALON" }),
    ];
    expect((await titles(places, "tiem nail tho hanh"))[0]).toBe("Tiệm nail Thảo Hạnh");
  });

  test("is not lost to a place that has its letters in name and address", async () => {
    const places = [
      cafeAt(100, "Sáng"),
      cafeAt(200, "C.O.C", { location: { address: { full: "9 Phê, Quận 1" } } }),
    ];
    expect(await titles(places, "quan c phe")).toContain("Sáng");
  });
});

describe("a kind of which there are few", () => {
  const hotel = placeAt(300, "Hoa", { type: "HOTEL" });
  const guestHouses = (count: number) =>
    Array.from({ length: count }, (_, i) => placeAt(1_000 + 100 * i, `Nghỉ ${i}`, { type: "GUEST_HOUSE" }));

  test("is followed by one that may stand in for it", async () => {
    expect(await titles([hotel, ...guestHouses(2)], "nhà nghỉ")).toStrictEqual(["Nghỉ 0", "Nghỉ 1", "Hoa"]);
  });

  test("is not followed by it where there are three", async () => {
    expect(await titles([hotel, ...guestHouses(3)], "nhà nghỉ")).not.toContain("Hoa");
  });

  test("is not followed by shops that may sell anything", async () => {
    const places = [
      placeAt(300, "Cửa hàng Dung", { type: "SHOP" }),
      placeAt(900, "Mèo", { type: "PET_STORE" }),
    ];
    expect(await titles(places, "thức ăn chó mèo")).toStrictEqual(["Mèo"]);
  });

  test("finds nothing where no other kind will do", async () => {
    expect(await titles([placeAt(300, "Al-Noor", { type: "MOSQUE" })], "chùa")).toStrictEqual([]);
    expect(await titles([placeAt(300, "Gumiho", { type: "TOILET" })], "gym")).toStrictEqual([]);
  });
});
