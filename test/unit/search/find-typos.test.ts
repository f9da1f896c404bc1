import { describe, expect, test } from "vitest";
import type { PlaceLookup } from "../../../src/meilisearch/place-index.ts";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import { findAreas } from "../../../src/search/reading/area-spans.ts";
import { toTokens } from "../../../src/search/reading/tokens.ts";
import { loadVocabulary } from "../../../src/search/vocabulary/read-vocabulary.ts";
import { CENTRE, placeAt, searchAmong } from "../../support/memory-search.ts";

/** Names with typos, words too many and words left out. The words of the dataset correct most typos; the engine looks for the rest. */

const FAR_METERS = 300_000;
const titles = async (...what: Parameters<typeof searchAmong>): Promise<readonly string[]> =>
  (await searchAmong(...what)).titles;

/** A lookup of names with typos by the engine itself. */
const isByTypo = ({ joinedName }: PlaceLookup): boolean => joinedName !== undefined;
const asksForTypos = async (places: readonly PlaceDocument[], query: string): Promise<boolean> =>
  (await searchAmong(places, query)).rounds.flat().some(isByTypo);

describe("a mistyped name", () => {
  test("round the corner comes before a far one that begins with its letters", async () => {
    const places = [placeAt(600, "Bột chiên Dì Tư"), placeAt(FAR_METERS, "Bột chiên Dì Uyên")];
    expect(await titles(places, "bot chien di u")).toStrictEqual(["Bột chiên Dì Tư", "Bột chiên Dì Uyên"]);
    expect((await titles(places, "bot chien di uyen"))[0]).toBe("Bột chiên Dì Uyên");
  });

  test.each([
    ["phở hóa", "Phở Hòa"],
    ["pho hoq", "Phở Hòa"],
    ["bho hoa", "Phở Hòa"],
    ["xho hoa", "Phở Hòa"],
    ["phohoa pasteurr", "Phở Hòa Pasteur"],
    ["dinh doc lpa", "Dinh Độc Lập"],
    ["benh vien cho rya", "Bệnh viện Chợ Rẫy"],
    ["quilon towwer", "Quillon Tower"],
    ["qu1llon towerr", "Quillon Tower"],
    ["chowj beens thanhf", "Chợ Bến Thành"],
  ])("%j finds %j", async (typed, title) => {
    const places = [placeAt(500, title), placeAt(100, "Bánh mì Huynh Hoa"), placeAt(300, "Nhà sách Trẻ")];
    expect((await titles(places, typed))[0]).toBe(title);
  });

  test("is no beginning of another name when a word of it is also a filler", async () => {
    const places = [placeAt(200, "The Coffee Bean & Tea Leaf"), placeAt(3_000, "The Coffee House")];
    expect((await titles(places, "the coffe house"))[0]).toBe("The Coffee House");
  });

  test("finds the nearest of however many places that have it", async () => {
    const far = Array.from({ length: 100 }, (_, i) => placeAt(30_000 + i * 200, "Phở Hòa"));
    const { places } = await searchAmong([...far, placeAt(9_000, "Phở Hòa")], "pho hoqa");
    expect(places[0]?.distanceMeters).toBeCloseTo(9_000, 3);
  });

  test("finds a far place where none near by is like it", async () => {
    const places = [placeAt(FAR_METERS, "Quillon Tower"), placeAt(500, "Phở Hòa")];
    expect((await titles(places, "quilon towwer"))[0]).toBe("Quillon Tower");
  });

  test("finds the nearest of equal names, however well known the others are", async () => {
    const famous = placeAt(1_150, "Phở Hòa Pasteur", { rating: 4.9, reviews: 9_000 });
    const { places } = await searchAmong([famous, placeAt(1_000, "Phở Hòa Pasteur")], "pho hoqa pasteur");
    expect(places[0]?.distanceMeters).toBeCloseTo(1_000, 3);
  });

  test("finds the near place that is like it before the far one", async () => {
    const places = [placeAt(FAR_METERS, "Quillon Tower"), placeAt(500, "Quillon Towers")];
    expect((await titles(places, "quilon towers"))[0]).toBe("Quillon Towers");
  });

  test("is not looked for where a name has all words in another order, and they are rare", async () => {
    const others = Array.from({ length: 60 }, (_, at) => placeAt(9_000 + 100 * at, `Tín Phát ${at}`));
    const places = [...others, placeAt(8_000, "Manila Kwon"), placeAt(500, "Manula Kwon")];
    const { titles: found, rounds } = await searchAmong(places, "kwon manila");
    expect(found[0]).toBe("Manila Kwon");
    expect(rounds).toHaveLength(1);
    const common = await searchAmong(places, "phat tin");
    expect(common.rounds.length).toBeGreaterThan(1);
  });

  test("is not looked for where a street of these words lies in the area beside it", async () => {
    const [ward] = findAreas(toTokens("phường đức nhuận"), loadVocabulary(), CENTRE);
    const location = { address: { full: "12 Hoàng Văn Thụ" } };
    const place = placeAt(5_000, "Nhà", { areas: [ward!.id], location });
    const { titles: found, rounds } = await searchAmong([place], "hoàng văn thụ phường đức nhuận");
    expect(found).toStrictEqual(["Nhà"]);
    expect(rounds.flat().some(({ joinedName }) => joinedName !== undefined)).toBe(false);
  });

  test("finds a place whose title has no letters by its other names", async () => {
    const crowd = Array.from({ length: 100 }, (_, i) =>
      placeAt(i * 500, "☕", { alternate_names: ["Phở Hòa"] }),
    );
    const { titles: found, rounds } = await searchAmong(crowd, "pho hoqa");
    expect(found[0]).toBe("☕");
    const words = rounds.flat().flatMap(({ filter: { nameWords } }) => (nameWords ? [nameWords] : []));
    expect(words.every((one) => one.length > 0)).toBe(true);
  });
});

test("where nothing has what a sentence says, its name with a typo or without a word is found", async () => {
  const places = [placeAt(500, "Vietcombank"), placeAt(100, "Bánh mì Huynh Hoa")];
  expect(await titles(places, "vietcombank branch near lotte center")).toStrictEqual(["Vietcombank"]);
});

describe("the engine looks for typos only where nothing has what was typed:", () => {
  const cafe = placeAt(100, "Trứng", { type: "COFFEE" });

  test.each<[string, readonly PlaceDocument[], string]>([
    ["a name that a place has", [placeAt(100, "Phở Hòa")], "phở hòa"],
    ["a name that begins so", [placeAt(100, "Highlands Coffee")], "highlands cof"],
    ["a kind", [cafe], "cà phê"],
    ["a kind that no place has", [placeAt(100, "Phở Hòa")], "sân golf"],
    ["a point", [cafe], "10.776, 106.7"],
    ["a sentence of filler", [cafe], "tôi muốn tìm quán cà phê nào đó"],
    ["a typo that the words of the dataset correct", [placeAt(100, "Phở Hòa")], "pho hoqa"],
    ["one in a name far away", [placeAt(FAR_METERS, "Quillon Tower")], "quilon tower"],
  ])("not for %s", async (_, places, query) => {
    expect(await asksForTypos(places, query)).toBe(false);
  });

  test.each<[string, readonly PlaceDocument[], string]>([
    ["a name without its spaces", [placeAt(100, "Phở Hòa")], "phohoqa"],
    ["a kind beside a name with a typo", [placeAt(100, "Dinh Độc Lập")], "dinh doc lpa"],
    [
      "far places that have the words of the dataset in other names and streets",
      [placeAt(FAR_METERS, "Shynh House Tô Hiến Thành"), placeAt(1_000, "Thiên Thanh House")],
      "hten thanh house",
    ],
  ])("but for %s", async (_, places, query) => {
    expect(await asksForTypos(places, query)).toBe(true);
  });

  test("an abbreviation in full says no more than it does as it was typed", async () => {
    const places = [placeAt(1_300, "MN Mickey"), placeAt(3_400, "Mầm non Mickey")];
    expect(await titles(places, "MN Mickey")).toStrictEqual(["MN Mickey", "Mầm non Mickey"]);
  });

  test("where an abbreviation stands for a name, none", async () => {
    const places = [placeAt(500, "Nhà thuốc Quillon Mai"), placeAt(600, "Nội thất Quillon")];
    expect((await titles(places, "nt quillon mai"))[0]).toBe("Nhà thuốc Quillon Mai");
    expect(await asksForTypos(places, "nt quillon mai")).toBe(false);
  });
});

describe("a kind beside words that no place has", () => {
  const seafood = placeAt(900, "Hải sản Năm Sao", { type: "SEAFOOD_RESTAURANT" });

  test("finds the kind rather than names with letters like those of the words", async () => {
    const bakery = placeAt(300, "Bakery", { type: "BAKERY" });
    expect((await titles([bakery, seafood], "hải sản bờ kè"))[0]).toBe("Hải sản Năm Sao");
  });

  test("finds the kind where the words are no name, and another kind is like one", async () => {
    const repair = placeAt(300, "Nhà dầu nhớt Minh", { type: "CAR_REPAIR" });
    const bar = placeAt(900, "Bar 9", { type: "BAR" });
    expect(await titles([repair, bar], "nhậu ở đâu")).toStrictEqual(["Bar 9"]);
  });
});

describe("a kind with the bare name of an area may be a name with a typo", () => {
  const muoi = placeAt(1_400, "Cà phê Muối Anh Sơn", { type: "COFFEE" });
  const cafes = [placeAt(300, "Trứng", { type: "COFFEE" }), placeAt(500, "Phin", { type: "COFFEE" })];

  test("where the area has no such place", async () => {
    expect((await titles([muoi, ...cafes], "ca phe muoi an son"))[0]).toBe("Cà phê Muối Anh Sơn");
  });

  test("where the area is mistyped, too", async () => {
    const centre = placeAt(700, "Trung tâm Y tế Quận Bình Thạnh", { type: "HEALTH_STATION" });
    expect((await titles([centre, ...cafes], "trung tam y te quan bin thanh"))[0]).toBe(centre.title);
  });

  test("but not where a word says that it is an area", async () => {
    expect(await asksForTypos([muoi, ...cafes], "cà phê quận hoàn kiếm")).toBe(false);
  });
});

describe("a name in which every word is mistyped", () => {
  test("is found by words one typo away, however short", async () => {
    const places = [placeAt(400, "Cơm tấm Út Hằng"), placeAt(50, "Bún chả Ốc")];
    expect((await titles(places, "ocm tma utt hang"))[0]).toBe("Cơm tấm Út Hằng");
  });

  test("is found where its letters may be abbreviations without their spaces", async () => {
    const places = [placeAt(400, "Khách sạn Đông Gia"), placeAt(50, "CK Hà"), placeAt(60, "HC Ha")];
    expect((await titles(places, "ckhahc san dong gia"))[0]).toBe("Khách sạn Đông Gia");
  });
});

describe("a name with a word", () => {
  const highlands = [placeAt(100, "Highlands Coffee"), placeAt(50, "Bún chả")];

  test.each(["xyzzy highlands coffee", "highlands xyzzy coffee", "highlands coffee xyzzy"])(
    "too many is found: %s",
    async (query) => {
      expect((await titles(highlands, query))[0]).toBe("Highlands Coffee");
    },
  );

  test("left out is found", async () => {
    const places = [placeAt(100, "Nhà thờ Đức Bà Sài Gòn"), placeAt(50, "Bún chả")];
    expect((await titles(places, "nhà thờ bà sài gòn"))[0]).toBe("Nhà thờ Đức Bà Sài Gòn");
  });

  test("alone is not looked up without it", async () => {
    const { rounds } = await searchAmong(highlands, "highlandz");
    const sets = rounds.flat().flatMap(({ filter: { wordSets = [] } }) => wordSets);
    expect(sets.every((set) => set.length > 0)).toBe(true);
  });
});

test("words that are joined are taken apart where the dataset has them", async () => {
  const places = [
    placeAt(100, "Bệnh viện Bạch Mai", { type: "HOSPITAL" }),
    placeAt(200, "Bệnh viện Chợ Rẫy", { type: "HOSPITAL" }),
    placeAt(300, "Trường Bạch Mai"),
  ];
  expect((await titles(places, "bvbachmai"))[0]).toBe("Bệnh viện Bạch Mai");
});

test("a street that has what was typed is not taken for one a letter away, in which a branch lies", async () => {
  const inStreet = (meters: number, title: string, street: string, number: number): PlaceDocument =>
    placeAt(meters, title, {
      location: { address: { street: `${number} ${street}`, full: `${number} ${street}` } },
    });
  const houses = [1, 2, 3, 4, 5].map((number) =>
    inStreet(100 + number, `Tiệm ${number}`, "Nguyễn Huệ", number),
  );
  const branches = [
    inStreet(2_000, "Quillon Coffee", "Nguyễn Hữu Cảnh", 7),
    inStreet(900, "Quillon Coffee", "Pasteur", 9),
    inStreet(3_000, "Quillon Coffee", "Hai Bà Trưng", 9),
  ];
  const { places } = await searchAmong([...houses, ...branches], "quillon coffee nguyễn huệ");
  expect(places[0]?.distanceMeters).toBeCloseTo(900, 0);
});
