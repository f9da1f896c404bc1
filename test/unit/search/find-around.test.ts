import { describe, expect, test } from "vitest";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import { findAreas } from "../../../src/search/reading/area-spans.ts";
import { toTokens } from "../../../src/search/reading/tokens.ts";
import { loadVocabulary } from "../../../src/search/vocabulary/read-vocabulary.ts";
import { buildPlace, type PlaceFacts } from "../../support/build-place.ts";
import { CENTRE, placeAt, searchAmong } from "../../support/memory-search.ts";
import { pointAt } from "../../support/points.ts";

/** Searches that look in an area, around a landmark or in a street. */

const cafeAt = (meters: number, title: string, facts: PlaceFacts = {}): PlaceDocument =>
  placeAt(meters, title, { type: "COFFEE", ...facts });

/** A café so far north of a place. */
const cafeBy = ({ location }: PlaceDocument, meters: number, title: string): PlaceDocument =>
  buildPlace({ title, type: "COFFEE", location: pointAt(location, meters, 0) });

const onStreet = (meters: number, full: string, title = `Nhà ${full}`): PlaceDocument =>
  placeAt(meters, title, { type: "SHOP", location: { address: { full } } });

const titles = async (...what: Parameters<typeof searchAmong>): Promise<readonly string[]> =>
  (await searchAmong(...what)).titles;

describe("an area", () => {
  const [district] = findAreas(toTokens("quận 3"), loadVocabulary(), CENTRE);
  const areas = [district!.id];

  test("puts places inside first, before nearer and better known ones outside", async () => {
    const places = [
      cafeAt(10, "Ngoài", { rating: 5, reviews: 10_000 }),
      cafeAt(4_000, "Trong xa", { areas }),
      cafeAt(3_000, "Trong gần", { areas }),
    ];
    const found = await titles(places, "cà phê quận 3");
    expect(found.at(-1)).toBe("Ngoài");
    expect(new Set(found.slice(0, 2))).toStrictEqual(new Set(["Trong xa", "Trong gần"]));
  });

  test("with three places of the kind is enough", async () => {
    const inside = [1, 2, 3].map((number) => cafeAt(3_000 + number, `Trong ${number}`, { areas }));
    expect(await titles([cafeAt(10, "Ngoài"), ...inside], "cà phê quận 3")).not.toContain("Ngoài");
  });

  test("alone shows what is called so before others that are as well known", async () => {
    const [thaoDien] = findAreas(toTokens("thảo điền"), loadVocabulary(), CENTRE);
    const there = { areas: [thaoDien!.id] };
    const places = [cafeAt(5_000, "An", there), cafeAt(5_100, "Chợ Thảo Điền", there)];
    expect(await titles(places, "thao dien")).toStrictEqual(["Chợ Thảo Điền", "An"]);
  });

  test("alone shows what is nearest to its middle where nothing has been rated", async () => {
    const there = (meters: number, title: string) =>
      buildPlace({ title, type: "COFFEE", areas, location: pointAt(district!.centre, meters, 0) });
    expect(
      await titles([there(900, "Rìa"), there(100, "Giữa"), there(500, "Gần giữa")], "quận 3"),
    ).toStrictEqual(["Giữa", "Gần giữa", "Rìa"]);
  });

  test("alone without a place is followed by those around it, the nearest first", async () => {
    const around = (meters: number) =>
      buildPlace({
        title: `Ngoài ${meters}`,
        type: "COFFEE",
        location: pointAt(district!.centre, meters, 0),
      });
    expect((await titles([around(9_000), around(3_000), around(6_000)], "quận 3"))[0]).toBe("Ngoài 3000");
  });

  test("that a district does not have is a name in this district", async () => {
    const ward = placeAt(4_000, "Phường 13", { type: "RESIDENTIAL_AREA", areas });
    const others = ["quận 10", "quận phú nhuận"].flatMap((other) =>
      findAreas(toTokens(`phường 13 ${other}`), loadVocabulary(), CENTRE).map(({ id }) => id),
    );
    const elsewhere = cafeAt(100, "Ngoài", { areas: others });
    const inside = cafeAt(3_000, "Trong", { areas });
    expect(await titles([elsewhere, ward, inside], "phường 13 quận 3")).toStrictEqual([
      "Phường 13",
      "Trong",
      "Ngoài",
    ]);
  });

  test("of another city shows no place of the caller's", async () => {
    expect(await titles([cafeAt(10, "Ngoài", { rating: 5, reviews: 10_000 })], "quận hà đông")).toStrictEqual(
      [],
    );
  });

  test("of another city may be a street behind the name of a chain", async () => {
    const houses = [1, 2, 3, 4].map((number) => onStreet(2_000 + number, `${number} Hai Bà Trưng`));
    const banks = [3_000, 1_900, 900].map((meters) => placeAt(meters, "Techcombank", { type: "BANK" }));
    const { places } = await searchAmong([...houses, ...banks], "techcombank hai ba trung");
    expect(places[0]?.place.title).toBe("Techcombank");
    expect(Math.round(places[0]!.distanceMeters)).toBe(1_900);
  });

  test("alone shows what is best known there, and no bus stop", async () => {
    const places = [
      cafeAt(4_000, "Không ai biết", { areas }),
      cafeAt(4_500, "Nổi tiếng", { areas, rating: 5, reviews: 10_000 }),
      placeAt(3_900, "Trạm", { type: "BUS_STOP", areas }),
      cafeAt(10, "Ngoài", { rating: 5, reviews: 10_000 }),
    ];
    expect((await titles(places, "quận 3")).slice(0, 2)).toStrictEqual(["Nổi tiếng", "Không ai biết"]);
    expect(await titles(places, "quận 3")).not.toContain("Trạm");
  });

  test("has the house whose address says so, though its border runs along the street", async () => {
    const [full, other] = ["165 Cách Mạng Tháng Tám, P. 1, Quận 3", "2 Cách Mạng Tháng Tám"];
    const places = [
      onStreet(3_500, full, "Ngoài ranh"),
      placeAt(3_000, "Trong", { location: { address: { full: other } }, areas }),
    ];
    expect(await titles(places, "165 Cách Mạng Tháng Tám, quận 3")).toStrictEqual(["Ngoài ranh", "Trong"]);
  });

  test("does not hide a place of another area that bears the very name", async () => {
    const places = [placeAt(800, "Highlands"), cafeAt(3_000, "Trong", { areas })];
    expect(await titles(places, "highlands quận 3")).toStrictEqual(["Highlands"]);
  });
});

describe("a landmark", () => {
  const market = placeAt(6_000, "Chợ Bà Chiểu", { type: "MARKET" });
  const others = [cafeBy(market, 50, "Xa"), cafeAt(100, "Bên người hỏi")];

  test.each([
    "cà phê gần chợ bà chiểu",
    "cà phê đối diện chợ bà chiểu",
    "cafe near chợ bà chiểu",
    "chợ bà chiểu có cà phê không",
  ])("is the centre of the search: %s", async (query) => {
    const { places: found, reading, landmarkNotFound } = await searchAmong([market, ...others], query);
    expect(found[0]?.place.title).toBe("Xa");
    expect(found[0]?.distanceMeters, "from the caller").toBeGreaterThan(5_900);
    expect(reading?.landmark?.words).toStrictEqual(["cho", "ba", "chieu"]);
    expect(landmarkNotFound).toBeUndefined();
  });

  test.each([
    ["words of a story", "cà phê gần chợ bà chiểu để ngồi chờ mẹ"],
    ["a comma", "cà phê gần chợ bà chiểu, khát quá"],
    ["what is asked for", "gần chợ bà chiểu có gì uống không"],
  ])("ends before %s", async (_, query) => {
    const cafes = [cafeBy(market, 50, "Cà phê Xa"), cafeAt(100, "Cà phê Bên người hỏi")];
    expect((await titles([market, ...cafes], query))[0]).toBe("Cà phê Xa");
  });

  test("goes on behind the dot of an abbreviation", async () => {
    const church = placeAt(6_000, "St. Joseph", { type: "CHURCH" });
    const cafes = [cafeBy(church, 50, "Cà phê Xa"), cafeAt(100, "Cà phê Bên người hỏi")];
    const { titles: found, reading } = await searchAmong([church, ...cafes], "cafe near St. Joseph");
    expect(reading?.landmark?.words).toStrictEqual(["st", "joseph"]);
    expect(found[0]).toBe("Cà phê Xa");
  });

  test("is a street of which words are left out behind its name only", async () => {
    const streets = [
      onStreet(3_000, "12 Nguyễn Thị Minh Khai, Quận 3"),
      onStreet(3_020, "14 Nguyễn Thị Minh Khai, Quận 3"),
      onStreet(3_040, "16 Nguyễn Thị Minh Khai, Quận 3"),
    ];
    const places = [...streets, cafeBy(streets[0]!, 60, "Xa"), cafeAt(100, "Bên người hỏi")];
    expect((await titles(places, "cà phê trên nguyễn thị minh khai đông vui"))[0]).toBe("Xa");
    // "nguyễn thị" is the beginning of many streets, and the name of none.
    expect((await titles(places, "cà phê trên nguyễn thị thập đông vui"))[0]).toBe("Bên người hỏi");
  });

  test("is where a need is met that no word names", async () => {
    const there = buildPlace({ title: "Sacombank", type: "ATM", location: pointAt(market.location, 90, 0) });
    const here = placeAt(50, "ACB", { type: "ATM" });
    const query = "đang ở chợ bà chiểu mà hết sạch tiền mặt rồi";
    expect((await titles([market, there, here], query))[0]).toBe("Sacombank");
  });

  test("that nobody has is named, and the search stays around the caller", async () => {
    const { titles: found, landmarkNotFound } = await searchAmong(others, "cà phê gần chợ bà chiểu");
    expect(found[0]).toBe("Bên người hỏi");
    expect(landmarkNotFound?.words).toStrictEqual(["cho", "ba", "chieu"]);
  });

  test.each([
    ["called otherwise, of the same kind", "Ga Sài Gòn", "TRAIN_STATION", "cà phê gần nhà ga sài gòn"],
    [
      "called like a kind and what it offers",
      "Bệnh viện Ung Bướu",
      "HOSPITAL",
      "cà phê gần bệnh viện ung bướu",
    ],
    [
      "called with the word of another kind",
      "Bến xe Miền Đông",
      "BUS_STATION",
      "ca phe gan ben xe mien dong",
    ],
  ])("may be %s", async (_, title, type, query) => {
    const landmark = placeAt(6_000, title, { type });
    const places = [landmark, cafeBy(landmark, 50, "Xa"), cafeAt(100, "Bên người hỏi")];
    expect((await titles(places, query))[0]).toBe("Xa");
  });

  test("is no name of what is looked for near it", async () => {
    const church = placeAt(2_000, "Nhà thờ Thị Nghè", { type: "CHURCH" });
    const found = await titles([church, cafeAt(100, "Bên người hỏi")], "cà phê gần cầu thị nghè");
    expect(found).toStrictEqual(["Bên người hỏi"]);
  });

  test("stands behind a chain, with the words of a wish in its name", async () => {
    const hospital = placeAt(4_000, "Bệnh viện Nhân dân Gia Định", { type: "HOSPITAL" });
    const namesake = placeAt(3_000, "Bệnh viện Nhân dân", { type: "HOSPITAL" });
    const chain = [cafeAt(300, "Highlands Coffee"), cafeBy(hospital, 200, "Highlands Coffee")];
    const query = "highlands coffee benh vien nhan dan gia dinh";
    const { places: found } = await searchAmong([hospital, namesake, ...chain], query);
    expect(found[0]?.place.title).toBe("Highlands Coffee");
    expect(found[0]?.distanceMeters).toBeGreaterThan(3_900);
  });

  test("behind a chain may be a street whose name begins like a kind", async () => {
    const street = [1, 2, 3, 4].map((at) => onStreet(4_000 + at, `${at} Hồ Tùng Mậu, Quận 1`, "Nhà"));
    const chain = [cafeAt(300, "Highlands Coffee"), cafeBy(street[0]!, 60, "Highlands Coffee")];
    const { places: found } = await searchAmong([...street, ...chain], "highlands ho tung mau");
    expect(found[0]?.place.title).toBe("Highlands Coffee");
    expect(found[0]?.distanceMeters).toBeGreaterThan(3_900);
  });

  test("beside a kind may be such a street, also where a place of that name stands elsewhere", async () => {
    const street = [1, 2, 3, 4].map((at) => onStreet(4_000 + at, `${at} Hồ Tùng Mậu, Quận 1`, "Nhà"));
    const lake = placeAt(6_000, "Công viên Hồ Tùng Mậu", { type: "LAKE" });
    const cafes = [cafeBy(street[0]!, 60, "Trên phố"), cafeBy(lake, 60, "Bên hồ")];
    expect((await titles([...street, lake, ...cafes], "cà phê hồ tùng mậu"))[0]).toBe("Trên phố");
  });

  test.each(["katinat chợ tân định", "katinat gần chợ tân định"])(
    "beside a chain without a branch is where its kind is looked for: %s",
    async (query) => {
      const market = placeAt(5_000, "Chợ Tân Định", { type: "MARKET" });
      const places = [
        market,
        cafeBy(market, 200, "Xa"),
        cafeAt(100, "Bên người hỏi"),
        placeAt(300, "Catinat"),
      ];
      expect((await titles(places, query))[0]).toBe("Xa");
    },
  );

  test("behind a chain that nobody has leaves the nearest branches", async () => {
    const chain = [cafeAt(300, "Highlands Coffee"), cafeAt(900, "Highlands Coffee Pasteur")];
    const parks = [placeAt(200, "Công viên Hòa Bình", { type: "PARK" })];
    const found = await titles([...chain, ...parks], "highlands công viên ngọc thạch tuyên quang");
    expect(found.slice(0, 2)).toStrictEqual(["Highlands Coffee", "Highlands Coffee Pasteur"]);
  });

  test("with its whole name comes before a nearer place whose name goes on", async () => {
    const church = placeAt(4_000, "Nhà thờ Đức Bà", { type: "CHURCH" });
    const longer = placeAt(2_000, "Nhà thờ Đức Bà Hòa Giải", { type: "CHURCH" });
    const places = [church, longer, cafeBy(church, 100, "Trước"), cafeBy(longer, 100, "Sau")];
    expect((await titles(places, "cà phê gần nhà thờ đức bà"))[0]).toBe("Trước");
  });

  test("may be the nearest of a kind: nothing round the corner comes first, nor without it", async () => {
    const airport = placeAt(9_000, "Tân Sơn Nhất", { type: "AIRPORT" });
    const places = [airport, cafeAt(50, "Góc phố"), cafeBy(airport, 300, "Bầu Trời")];
    expect((await titles(places, "cà phê gần sân bay"))[0]).toBe("Bầu Trời");
    const { places: found } = await searchAmong(places, "ca phe gan san bay");
    expect(found.map(({ place }) => place.title)).toStrictEqual(["Bầu Trời", "Góc phố"]);
  });

  test("of a kind that only another city has is not found", async () => {
    const airport = placeAt(600_000, "Nội Bài", { type: "AIRPORT" });
    const places = [airport, cafeAt(50, "Góc phố"), cafeBy(airport, 300, "Bầu Trời")];
    const { titles: found, landmarkNotFound } = await searchAmong(places, "cà phê gần sân bay");
    expect(found[0]).toBe("Góc phố");
    expect(landmarkNotFound?.words).toStrictEqual(["san", "bay"]);
  });

  test.each(["cà phê gần chợ bà chiểuu", "cà phêe gần chợ bà chiểu"])(
    "is found with a typo, in three rounds at most: %s",
    async (query) => {
      const found = await searchAmong([market, ...others], query);
      expect(found.titles[0]).toBe("Xa");
      expect(found.reading?.landmark?.words).toStrictEqual(["cho", "ba", "chieu"]);
      expect(found.rounds.length).toBeLessThanOrEqual(3);
    },
  );

  test("takes at most one round more", async () => {
    const { rounds } = await searchAmong([market, ...others], "cà phê gần chợ bà chiểu");
    expect(rounds.length).toBeLessThanOrEqual(2);
  });

  const onLeLoi = [1, 2, 3, 4, 5].map((number) => onStreet(5_000 + 60 * number, `${number} Lê Lợi, Quận 1`));

  test.each(["cà phê gần lê lợi", "cà phê đường lê lợi", "cà phê ở phố lê lợi", "cà phê lê lợi"])(
    "may be a street, from whose nearest house distances count: %s",
    async (query) => {
      const places = [
        ...onLeLoi,
        cafeBy(onLeLoi[2]!, 90, "Gần giữa đường"),
        cafeBy(onLeLoi[0]!, 20, "Đầu đường"),
        cafeAt(100, "Bên người hỏi"),
      ];
      expect((await titles(places, query))[0]).toBe("Đầu đường");
    },
  );

  test("may be the nearer of two streets with one name", async () => {
    const elsewhere = [1, 2, 3, 4].map((at) => onStreet(17_000 + 40 * at, `${at} Lê Lợi, Đông Anh`));
    const there = [...elsewhere, cafeBy(elsewhere[0]!, 1, "Xa")];
    const places = [...there, ...onLeLoi, cafeBy(onLeLoi[0]!, 20, "Đầu đường")];
    expect((await titles(places, "cà phê lê lợi"))[0]).toBe("Đầu đường");
  });

  test.each(["ca phe le lio", "ca phe duong le loii", "ca phe gan le loj"])(
    "may be a street with a typo: %s",
    async (query) => {
      const places = [...onLeLoi, cafeBy(onLeLoi[0]!, 20, "Đầu đường"), cafeAt(100, "Bên người hỏi")];
      expect((await titles(places, query))[0]).toBe("Đầu đường");
    },
  );

  test("may be a street with a typo beside a wish for opening hours, though its words are those of names", async () => {
    const near = cafeBy(onLeLoi[0]!, 20, "Đầu đường");
    const places = [...onLeLoi, near, cafeAt(100, "Bên người hỏi"), placeAt(3_000, "Lài", { type: "SHOP" })];
    const now = Temporal.Instant.from("2026-11-18T12:00:00+07:00");
    expect((await titles(places, "ca phe dang mo cua gan le lai", { now }))[0]).toBe("Đầu đường");
  });

  test("with a typo that nothing says to be a place is no street of that name", async () => {
    const places = [...onLeLoi, placeAt(200, "Lê Lợn", { type: "SHOP" })];
    expect((await titles(places, "le lon"))[0]).toBe("Lê Lợn");
  });

  test("beside a kind, of which a place has the name, is that place, found in one round", async () => {
    const school = placeAt(7_000, "Trường Tiểu học Lê Lợi", { type: "PRIMARY_SCHOOL" });
    const inStreet = onStreet(5_060, "9 Lê Lợi, Quận 1", "Trường Tiểu học Hòa Bình");
    // Among few places every word is a common one.
    const others = Array.from({ length: 100 }, (_, at) => cafeAt(8_000 + at, `Quán ${at}`));
    for (const query of ["trường tiểu học lê lợi", "le loi primary school"]) {
      const places = [...onLeLoi, { ...inStreet, type: "PRIMARY_SCHOOL" }, school, ...others];
      const { titles: found, rounds } = await searchAmong(places, query);
      expect(found[0]).toBe("Trường Tiểu học Lê Lợi");
      expect(rounds).toHaveLength(1);
    }
  });

  test("that is a street lists first what has its address", async () => {
    const places = [
      ...onLeLoi,
      cafeBy(onLeLoi[0]!, 5, "Sát đường"),
      placeAt(5_130, "Trong đường", { type: "COFFEE", location: { address: { full: "2B Lê Lợi, Quận 1" } } }),
    ];
    expect((await titles(places, "cà phê lê lợi")).slice(0, 2)).toStrictEqual(["Trong đường", "Sát đường"]);
  });

  test("is no chain, of which there are several", async () => {
    const banks = [1, 2, 3, 4, 5].map((number) => placeAt(3_000 * number, "BIDV", { type: "BANK" }));
    const places = [
      ...banks,
      placeAt(100, "Máy rút tiền 1", { type: "ATM" }),
      placeAt(3_010, "Máy rút tiền 2", { type: "ATM" }),
    ];
    expect((await titles(places, "bidv có cây atm"))[0]).toBe("Máy rút tiền 1");
  });

  test("may have many namesakes where a word says that it is one: the nearest is meant", async () => {
    const branches = [1, 2, 3, 4, 5].map((number) =>
      placeAt(3_000 * number, "Vincom", { type: "SHOPPING_MALL" }),
    );
    const places = [...branches, cafeBy(branches[0]!, 30, "Bên Vincom"), cafeAt(100, "Bên người hỏi")];
    expect((await titles(places, "cà phê gần vincom"))[0]).toBe("Bên Vincom");
  });
});

describe("an address", () => {
  test("is the house itself, then the nearest numbers of its street", async () => {
    const places = [
      onStreet(100, "90 Nguyễn Huệ, Quận 1", "90"),
      onStreet(200, "14 Nguyễn Huệ, Quận 1", "14"),
      onStreet(300, "12 Nguyễn Huệ, Quận 1", "12"),
      onStreet(50, "12 Lê Lợi, Quận 1", "other"),
    ];
    expect(await titles(places, "12 nguyễn huệ")).toStrictEqual(["12", "14", "90"]);
  });

  test.each(["12 nguyễn hue", "12 nguyenn hue", "12 đường nguyen huee"])(
    "with a typo or a mark left out in its street is found: %s",
    async (query) => {
      expect((await titles([onStreet(300, "12 Nguyễn Huệ", "Nhà")], query))[0]).toBe("Nhà");
    },
  );

  test("is found where the region has no such house", async () => {
    const places = [onStreet(300_000, "12 Quillon", "Cửa hàng 8"), onStreet(500, "3 Lê Lợi", "Phở Hòa")];
    expect((await titles(places, "12 đường Quillon"))[0]).toBe("Cửa hàng 8");
  });

  test("comes after a place that bears it as its name", async () => {
    const places = [onStreet(100, "7 Eleven, Quận 1", "Nhà"), placeAt(400, "7-Eleven")];
    expect((await titles(places, "7 eleven"))[0]).toBe("7-Eleven");
  });
});

test("a name with all words is found where a nearer place has them only in its address", async () => {
  const places = [placeAt(300_000, "Quillon Grand Tower"), onStreet(500, "Quillon Tower", "Cửa hàng 8")];
  expect(await titles(places, "quillon tower")).toContain("Quillon Grand Tower");
});

describe("who asks for a kind at a landmark", () => {
  const palace = placeAt(400, "Dinh Độc Lập", { type: "TOURIST_ATTRACTION" });
  const restaurant = placeAt(600, "Quán Ngon", { type: "RESTAURANT" });

  test("gets the kind, and not the landmark", async () => {
    expect((await titles([palace, restaurant], "nhà hàng nào gần dinh độc lập"))[0]).toBe("Quán Ngon");
  });

  test("gets a related kind there where the dataset has few of the kind", async () => {
    const market = placeAt(6_000, "Chợ Đồng Xuân", { type: "MARKET" });
    const bank = buildPlace({ title: "BIDV", type: "BANK", location: pointAt(market.location, 100, 0) });
    const atm = placeAt(1_000, "ATM ANZ", { type: "BANK" });
    expect((await titles([market, bank, atm], "atm gần chợ đồng xuân"))[0]).toBe("BIDV");
  });

  test("gets a related kind there where sources file the kind loosely: hotels beside guest houses", async () => {
    const station = placeAt(6_000, "Ga Sài Gòn", { type: "TRAIN_STATION" });
    const hotel = buildPlace({ title: "Mai", type: "HOTEL", location: pointAt(station.location, 100, 0) });
    const guestHouses = [1, 2, 3, 4].map((at) => placeAt(at * 100, `Hoa ${at}`, { type: "GUEST_HOUSE" }));
    expect((await titles([station, hotel, ...guestHouses], "nhà nghỉ gần ga sài gòn"))[0]).toBe("Mai");
  });

  test("gets the kind, and not whatever lies in the street", async () => {
    const street = [235, 237, 239].map((number) =>
      onStreet(number, `${number} Đồng Khởi`, `Ngân hàng ${number}`),
    );
    const italian = placeAt(500, "Namo", { type: "ITALIAN_RESTAURANT" });
    expect((await titles([...street, italian], "đường đồng khởi có nhà hàng ý không"))[0]).toBe("Namo");
  });
});
