import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { distanceMeters } from "../../../src/place/geometry/coordinates.ts";
import type { OpenRange, PlaceDocument } from "../../../src/place/document/place-document.ts";
import { buildPlace } from "../../support/build-place.ts";
import { CENTRE, placeAt, searchAmong } from "../../support/memory-search.ts";
import { pointAt } from "../../support/points.ts";

/** Names against everything else that their words may mean, and the nearest of many. */

const BEST_KNOWN = { rating: 5, reviews: 10_000 };

/** Well-known places around the caller, of the kinds, areas and streets that the names below hold. */
const OTHERS: readonly PlaceDocument[] = [
  placeAt(20, "Bệnh viện Mắt", { type: "HOSPITAL", ...BEST_KNOWN }),
  placeAt(30, "THPT Bùi Thị Xuân", { type: "HIGH_SCHOOL", ...BEST_KNOWN }),
  placeAt(40, "Chợ Dân Sinh", { type: "MARKET", ...BEST_KNOWN }),
  placeAt(50, "Cơm Thố", { type: "RESTAURANT", ...BEST_KNOWN }),
  placeAt(60, "Trứng", { type: "COFFEE", ...BEST_KNOWN }),
  placeAt(70, "FamilyMart", { type: "CONVENIENCE_STORE", ...BEST_KNOWN }),
  placeAt(80, "Bảo tàng Mỹ thuật", { type: "MUSEUM", ...BEST_KNOWN }),
  placeAt(90, "Bánh Xèo", { location: { address: { full: "7 Eleven Street, Quận 1" } }, ...BEST_KNOWN }),
];

describe("a name inside of a sentence", () => {
  const hospital = placeAt(4_000, "Bệnh viện Đa khoa Quốc tế Vinmec Times City", { type: "HOSPITAL" });
  const egg = placeAt(3_000, "Cafe Giảng", { type: "COFFEE" });

  test.each([
    ["is enough where no other name has its words", "Vinmec Times City thì rẽ vào cổng nào em nhỉ", hospital],
    ["may have other words for its kind", "rẽ qua cà phê Giảng uống cốc gì nóng đi nhé", egg],
  ])("%s", async (_, query, { title }) => {
    const { titles } = await searchAmong([hospital, egg, ...OTHERS], query);
    expect(titles[0]).toBe(title);
  });

  test("is no words that many names have together", async () => {
    const schools = [1, 2, 3, 4].map((at) => placeAt(at * 900, `Trường Tiểu học ${at}`, { type: "SCHOOL" }));
    const { reading } = await searchAmong([...schools, ...OTHERS], "cho hỏi trường tiểu học nào dạy bơi vậy");
    expect(reading?.form).toBe("kind");
  });
});

describe("a name that holds words of kinds, wishes, areas and numbers", () => {
  test.each([
    "Bệnh viện Quận 1",
    "Trường THPT Nguyễn Du",
    "Chợ Bến Thành",
    "Đà Nẵng Quán",
    "Sài Gòn Coffee",
    "Ngon",
    "Rẻ Quán",
    "24h Mart",
    "7 Eleven",
    "Quán Ngon 138",
    "Bảo tàng Hồ Chí Minh",
    "Chùa Một Cột",
    "Circle K",
    "Cơm Văn Phòng",
  ])("is found first by it: %s", async (title) => {
    const named = placeAt(900, title, { type: "PLACE" });
    expect((await searchAmong([...OTHERS, named], title)).titles[0]).toBe(title);
    expect((await searchAmong([...OTHERS, named], title.toLowerCase())).titles[0]).toBe(title);
  });

  test("is found first by the words in another order", async () => {
    const pho = [1, 2, 3].map((number) =>
      placeAt(100 * number, `Phở ${"Lan Cúc Đào".split(" ")[number - 1]}`, { type: "PHO" }),
    );
    const named = placeAt(900, "Phở Quillon", { type: "PHO" });
    expect((await searchAmong([...pho, named], "quillon pho")).titles[0]).toBe("Phở Quillon");
  });
});

test("a branch whose name leaves out the kind of its chain is found by the whole name, and the nearest comes first", async () => {
  const branches = [
    placeAt(100, "Cộng", { type: "COFFEE" }),
    placeAt(2_000, "Cộng Cà Phê", { type: "COFFEE" }),
  ];
  const others = [
    placeAt(50, "Cà phê Sáng", { type: "COFFEE" }),
    placeAt(60, "Cộng Hòa", { type: "SCHOOL" }),
  ];
  const { titles } = await searchAmong([...branches, ...others], "cộng cà phê");
  expect(titles.slice(0, 2)).toStrictEqual(["Cộng", "Cộng Cà Phê"]);
});

describe("a kind beside a name", () => {
  const banks = (meters: readonly number[]) =>
    meters.map((at) => placeAt(at, "Vietinbank", { type: "BANK", location: { address: { full: `${at}` } } }));
  const inFull = placeAt(900, "Ngân hàng Vietinbank", { type: "BANK" });

  test("of a chain finds the nearest branch, also where only its type says the kind", async () => {
    const places = [...OTHERS, ...banks([300, 1_200, 1_500, 1_800]), inFull];
    expect((await searchAmong(places, "ngan hang vietinbank")).titles.slice(0, 2)).toEqual([
      "Vietinbank",
      "Ngân hàng Vietinbank",
    ]);
  });

  test("that is half typed is not that of another kind", async () => {
    const places = [
      ...OTHERS,
      placeAt(300, "Passio", { type: "COFFEE" }),
      placeAt(900, "Yoga", { type: "GYM" }),
    ];
    expect((await searchAmong(places, "gym day pass")).titles).not.toContain("Passio");
    expect((await searchAmong(places, "cafe pass")).titles).toContain("Passio");
  });

  test("of a single place finds the one whose name says both", async () => {
    const places = [...OTHERS, ...banks([500]), inFull];
    expect((await searchAmong(places, "ngan hang vietinbank")).titles[0]).toBe("Ngân hàng Vietinbank");
  });
});

test.each(["phở sài gòn", "phở tp hcm"])(
  "the words of a kind and a city are not those of a post office or of the city, whose names hold them apart: %s",
  async (query) => {
    const names = ["Bưu điện Sài Gòn", "Bưu điện Thành phố", "Bưu điện TP HCM"];
    const office = placeAt(100, "Bưu điện Trung tâm", { type: "POST_OFFICE", alternate_names: names });
    const city = placeAt(200, "Thành phố Hồ Chí Minh", { type: "PLACE", alternate_names: names });
    const pho = placeAt(300, "Phở Hòa", { type: "PHO" });
    expect((await searchAmong([office, city, pho], query)).titles[0]).toBe("Phở Hòa");
  },
);

test("of two places of a name the one that is what the name says comes first, and not a shop near it", async () => {
  const rental = placeAt(900, "Sân bay Tân Sơn Nhất", { type: "CAR_RENTAL" });
  const airport = placeAt(1_000, "Sân bay Tân Sơn Nhất", { type: "AIRPORT" });
  const { places } = await searchAmong([rental, airport], "sân bay tân sơn nhất");
  expect(places.map(({ place }) => place.type)).toStrictEqual(["AIRPORT", "CAR_RENTAL"]);
  const far = placeAt(5_000, "Sân bay Tân Sơn Nhất", { type: "AIRPORT" });
  const [first] = (await searchAmong([rental, far], "sân bay tân sơn nhất")).places;
  expect(first?.place.type).toBe("CAR_RENTAL");
});

describe("a half-typed name of a kind of which there are many", () => {
  const OF_MANY = Array.from({ length: 1_200 }, (_, index) => [
    placeAt(100 + 5 * index, `Bánh mì Cô ${index}`, { type: "BANH_MI" }),
    placeAt(10_000, `Trường Hiền ${index}`, { type: "SCHOOL" }),
  ]).flat();

  test("is found beyond the first ring, and before a nearer one that is like its letters", async () => {
    const places = [
      ...OF_MANY,
      placeAt(150, "Bánh mì Trúc", { type: "BANH_MI" }),
      placeAt(3_000, "Bánh mì Trương Định", { type: "BANH_MI" }),
    ];
    expect((await searchAmong(places, "banh mi truo")).titles[0]).toBe("Bánh mì Trương Định");
  });

  test("is found where its last word may be a greeting, and a page is full of the kind", async () => {
    const places = [...OF_MANY, placeAt(1_500, "Bánh mì Hiệp Tài", { type: "BANH_MI" })];
    expect((await searchAmong(places, "banh mi hi")).titles).toContain("Bánh mì Hiệp Tài");
  });
});

test.each([
  ["cafe trứng", "Giảng - Cà Phê Trứng"],
  ["egg coffee", "Giảng - Cà Phê Trứng"],
  ["bún đậu mắm tôm", "Quán Bún Đậu"],
])("a product is found in the other words that names have for it: %s", async (query, title) => {
  const type = title.startsWith("Quán") ? "BUN" : "COFFEE";
  const places = [placeAt(100, "Highlands", { type }), placeAt(700, title, { type })];
  expect((await searchAmong(places, query)).titles[0]).toBe(title);
});

describe("the nearest of a kind", () => {
  const spot = fc.record({
    meters: fc.integer({ min: 1, max: 60_000 }),
    bearing: fc.integer({ min: 0, max: 359 }),
  });

  /** Distinct names, so that none is taken for another recorded twice. */
  const placesOf = (type: string, spots: readonly { readonly meters: number; readonly bearing: number }[]) =>
    spots.map(({ meters, bearing }, number) =>
      buildPlace({ title: `Số ${number}`, type, location: pointAt(CENTRE, meters, bearing) }),
    );

  test("are found wherever they lie, whatever else there is, in three rounds at most", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(spot, { minLength: 1, maxLength: 60 }),
        fc.array(spot, { maxLength: 120 }),
        async (cafes, shops) => {
          const places = placesOf("COFFEE", cafes);
          const { places: found, rounds } = await searchAmong(
            [...places, ...placesOf("SHOP", shops)],
            "cafe",
          );
          const metersOf = (all: readonly { readonly location: typeof CENTRE }[]): number[] =>
            all.map(({ location }) => Math.round(distanceMeters(CENTRE, location)));
          const nearest = metersOf(places).toSorted((one, other) => one - other);
          expect(metersOf(found.map(({ place }) => place)).slice(0, 3)).toStrictEqual(nearest.slice(0, 3));
          expect(rounds.length).toBeLessThanOrEqual(3);
        },
      ),
      { seed: 1, numRuns: 60 },
    );
  });

  test("are found at the edge of a crowd, whose far places are better known", async () => {
    const crowd = Array.from({ length: 1_500 }, (_, i) =>
      buildPlace({ title: `Xa ${i}`, type: "COFFEE", location: pointAt(CENTRE, 2_000 + i, i) }),
    );
    const near = placesOf(
      "COFFEE",
      [10, 200, 900].map((meters) => ({ meters, bearing: meters })),
    );
    const { titles } = await searchAmong([...crowd, ...near], "cafe");
    expect(titles.slice(0, 3)).toStrictEqual(["Số 0", "Số 1", "Số 2"]);
  });
});

test("the words of a province at the end of an address are none that a name may have", async () => {
  const address = { full: "225 Lý Tự Trọng, Phường Sài Gòn, Thành phố Hồ Chí Minh 70000, Việt Nam" };
  const places = [
    placeAt(76, "Quán cơm Quốc Lợi", { location: { address } }),
    placeAt(4_000, "Phở Việt Nam"),
  ];
  expect((await searchAmong(places, "phở việt nam")).titles).toStrictEqual(["Phở Việt Nam"]);
  const abroad = placeAt(300, "Café Linde", { location: { address: { full: "5 Hauptstraße, Bonn 53111" } } });
  expect((await searchAmong([...places, abroad], "hauptstraße 53111")).titles[0]).toBe("Café Linde");
  const street = placeAt(500, "Trường Hoàng Hoa Thám", {
    location: { address: { full: "2 Phố Vĩnh Phúc" } },
  });
  expect((await searchAmong([...places, street], "2 vĩnh phúc")).titles[0]).toBe("Trường Hoàng Hoa Thám");
});

test("a name that says the kind is of it, also where the place is filed under a related one", async () => {
  const far = placeAt(3_300, "Phòng tập California", { type: "GYM" });
  const near = placeAt(700, "California Gym", { type: "SPORTS_CENTER" });
  expect((await searchAmong([far, near], "gym california")).titles[0]).toBe("California Gym");
});

test("a branch that many well-known ones further away could hide is found", async () => {
  const far = Array.from({ length: 120 }, (_, i) =>
    buildPlace({
      title: `Highlands Coffee ${i}`,
      ...BEST_KNOWN,
      location: pointAt(CENTRE, 30_000 + i * 100, i),
    }),
  );
  const { titles } = await searchAmong([...far, placeAt(3_000, "Highlands Coffee Q7")], "highlands coffee");
  expect(titles[0]).toBe("Highlands Coffee Q7");
});

describe("a question whether a place is open", () => {
  const now = Temporal.Instant.from("2026-11-18T12:00:00+07:00");
  const openBetween = (from: number, to: number) => ({
    opening_hours: { week: Array.from({ length: 7 }, (): OpenRange[] => [[from, to]]), special_days: [] },
  });
  const cafeAt = (meters: number, title: string, from: number, to: number): PlaceDocument =>
    placeAt(meters, title, { type: "COFFEE", ...openBetween(from, to) });
  const [NOON, TWO, MORNING] = [720, 840, 300];

  test.each(["phòng khám sao mai mở cửa không", "is phong kham sao mai open now"])(
    "finds it although it is closed: %s",
    async (query) => {
      const clinic = placeAt(600, "Phòng khám Sao Mai", { type: "CLINIC", ...openBetween(0, MORNING) });
      const { titles } = await searchAmong([clinic, cafeAt(100, "Trưa", NOON, TWO)], query, { now });
      expect(titles[0]).toBe("Phòng khám Sao Mai");
    },
  );

  test("is none that another place answers, which is open and has some of its words", async () => {
    const clinic = placeAt(600, "Phòng khám Sao Mai", { type: "CLINIC", ...openBetween(0, MORNING) });
    const other = placeAt(100, "Sao Mai", { type: "COFFEE", ...openBetween(NOON, TWO) });
    const { titles } = await searchAmong([clinic, other], "phòng khám sao mai mở cửa không", { now });
    expect(titles[0]).toBe("Phòng khám Sao Mai");
  });

  test("about a kind keeps the wish, whatever a closed place is called", async () => {
    const places = [cafeAt(200, "Quán Nào", 0, MORNING), cafeAt(300, "Trưa", NOON, TWO)];
    const { titles } = await searchAmong(places, "gần đây có quán cà phê nào đang mở cửa không", { now });
    expect(titles[0]).toBe("Trưa");
  });

  test("finds of a chain the branches that are open", async () => {
    const branches = [
      cafeAt(100, "Sao Mai", 0, MORNING),
      cafeAt(300, "Sao Mai", NOON, TWO),
      cafeAt(400, "Sao Mai", NOON, TWO),
    ];
    const { places } = await searchAmong(branches, "sao mai đang mở cửa", { now });
    const distances = places.map(({ place }) => Math.round(distanceMeters(CENTRE, place.location) / 100));
    expect(distances).toStrictEqual([3, 4]);
  });
});

describe("another name for a place of a kind", () => {
  const consulates = ["Pháp", "Hoa Kỳ", "Nhật Bản"].map((country, at) =>
    placeAt(100 * (at + 1), `Tổng Lãnh sự quán ${country}`, { type: "EMBASSY" }),
  );
  const places = [
    ...consulates,
    placeAt(50, "Sushi World", { type: "JAPANESE_RESTAURANT" }),
    placeAt(60, "Bệnh viện Nhiệt Đới", { type: "HOSPITAL" }),
    placeAt(900, "Bệnh viện Mắt", { type: "HOSPITAL" }),
    placeAt(40, "Trường Mỹ", { type: "SCHOOL" }),
  ];
  const first = async (query: string) => (await searchAmong(places, query)).places[0]?.place.title;

  test.each([
    ["lãnh sự quán mỹ", "Tổng Lãnh sự quán Hoa Kỳ"],
    ["american consulate", "Tổng Lãnh sự quán Hoa Kỳ"],
    ["japanese consulate", "Tổng Lãnh sự quán Nhật Bản"],
    ["eye hospital", "Bệnh viện Mắt"],
  ])("finds it: %s", async (query, title) => {
    expect(await first(query)).toBe(title);
  });

  test.each([
    ["trường mỹ", "Trường Mỹ"],
    ["japanese restaurant", "Sushi World"],
    ["lãnh sự quán pháp", "Tổng Lãnh sự quán Pháp"],
  ])("takes nothing from what was typed: %s", async (query, title) => {
    expect(await first(query)).toBe(title);
  });
});

test("a question around a name changes nothing, though a street has the name too", async () => {
  const school = (meters: number, title: string) =>
    placeAt(meters, title, { type: "HIGH_SCHOOL", location: { address: { full: "2 Phố Kim Liên" } } });
  const near = ["Đinh Tiên Hoàng", "Phan Đình Phùng", "Lê Quý Đôn"].map((name, at) =>
    school(300 + at, `Trường THPT ${name}`),
  );
  const places = [...near, placeAt(2_000, "Trường THPT Kim Liên", { type: "HIGH_SCHOOL" })];
  for (const query of ["thpt kim liên", "thpt kim liên ở đâu", "cho hỏi thpt kim liên ở đâu vậy"])
    expect((await searchAmong(places, query)).titles[0]).toBe("Trường THPT Kim Liên");
});

test("what a doctor is asked for is looked up in the names of clinics and hospitals", async () => {
  const places = [
    placeAt(200, "Phòng khám Tomec", { type: "CLINIC" }),
    placeAt(900, "Bệnh viện Mắt Hà Nội", { type: "HOSPITAL" }),
  ];
  for (const query of ["khám mắt", "đau mắt khám ở đâu"])
    expect((await searchAmong(places, query)).titles[0]).toBe("Bệnh viện Mắt Hà Nội");
});

test("of several kinds, a place of one whose name says the other comes before many near ones of one kind", async () => {
  const cafes = Array.from({ length: 100 }, (_, at) => placeAt(100 + at, `Nắng ${at}`, { type: "COFFEE" }));
  const games = placeAt(3_000, "Bit Board (Milk tea - Board game)", { type: "BUBBLE_TEA" });
  const { titles } = await searchAmong([...cafes, games], "quán cafe chơi board game");
  expect(titles[0]).toBe(games.title);
});
