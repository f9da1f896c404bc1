import { describe, expect, test } from "vitest";
import { NO_LEXICON } from "../../../src/search/lexicon.ts";
import { compareWith, relatedKinds } from "../../../src/search/match.ts";
import type { Words } from "../../../src/search/match-words.ts";
import type { Match } from "../../../src/search/score.ts";
import type { AddressReading } from "../../../src/search/reading/reading.ts";
import { readQuery } from "../../../src/search/reading/read-query.ts";
import { toReading, type KindReading, type Reading } from "../../../src/search/reading/reading.ts";
import { readQueryWords } from "../../../src/search/reading/tokens.ts";
import { sumOf, WEIGHTS } from "../../../src/search/score.ts";
import { loadVocabulary } from "../../../src/search/vocabulary/read-vocabulary.ts";
import type { PlaceFacts } from "../../support/build-place.ts";
import { addressMeaningIn } from "../../../src/search/vocabulary/vocabulary.ts";
import { buildCandidate } from "../../support/memory-index.ts";

/** How a place matches a kind or an address: each feature of the weights that says so. */

const KNOWN: Words = {
  lexicon: NO_LEXICON,
  light: new Set(),
  places: 1_000,
  countTypes: () => 1,
  addressMeaning: addressMeaningIn(loadVocabulary()),
};

function kindsOf(query: string): readonly KindReading[] {
  const { readings } = readQuery(query, loadVocabulary());
  return readings.find(({ kinds }) => kinds.length > 0)?.kinds ?? [];
}

const named = (title: string, facts: PlaceFacts = {}) => buildCandidate({ title, ...facts });
const on = (full: string, facts: PlaceFacts = {}) =>
  buildCandidate({ ...facts, location: { address: { full } } });

/** Compares places with a reading of kinds, and words beside them. */
const asKinds = (kinds: readonly KindReading[], parts: Partial<Reading> = {}) =>
  compareWith(toReading("kind", { kinds, ...parts }), KNOWN);
const asKind = (query: string, parts?: Partial<Reading>) => asKinds(kindsOf(query), parts);

/** The features that are not 0. */
const partsOf = (match: Match | undefined): string[] | undefined =>
  match &&
  Object.entries(match.features)
    .filter(([, value]) => value !== 0)
    .map(([name]) => name);

describe("a product that names say without its kind", () => {
  test.each(["The Root Board Game Coffee", "The Root Boardgame Cafe"])(
    "is said by a place of the kind: %s",
    (title) => {
      const compare = asKind("board game cafe");
      expect(partsOf(compare(named(title, { type: "COFFEE" })))).not.toContain("dish_unsaid");
    },
  );

  test("with other marks the word is another one", () => {
    const compare = asKind("cat cafe");
    expect(partsOf(compare(named("Ichi Cat Coffee", { type: "COFFEE" })))).not.toContain("dish_unsaid");
    expect(partsOf(compare(named("Cà phê Cát", { type: "COFFEE" })))).toContain("dish_unsaid");
  });

  test("a title without marks says no word that has some", () => {
    const compare = asKind("cà phê trứng");
    expect(partsOf(compare(named("Tiệm Trứng", { type: "COFFEE" })))).not.toContain("dish_unsaid");
    expect(partsOf(compare(named("Aha Cafe - Quang Trung", { type: "COFFEE" })))).toContain("dish_unsaid");
  });

  test("is not said by places of other kinds", () => {
    expect(asKind("cat cafe")(named("Cat Shop", { type: "PET_STORE" }))).toBeUndefined();
  });
});

test("related kinds cost less where the dataset has none of the kind itself", () => {
  const bank = named("HSBC", { type: "BANK" });
  const reading = toReading("kind", { kinds: kindsOf("cây atm") });
  const relatedWhere = (count: number) =>
    compareWith(reading, { ...KNOWN, countTypes: () => count })(bank)?.features.kind_related;
  expect(relatedWhere(1)).toBe(1);
  expect(relatedWhere(0)).toBeLessThan(1);
});

describe("a name beside a kind that is no part of it", () => {
  const { readings } = readQuery("nhà thuốc long châu", loadVocabulary());
  const besideKind = readings.find(({ besideKinds }) => besideKinds !== undefined)!;
  const compare = compareWith(besideKind, KNOWN);

  test.each([
    ["of the kind", named("Hồng Châu", { type: "PHARMACY" })],
    ["of an unknown kind", named("Hồng Châu", { type: "PLACE" })],
    ["whose name says the kind", named("Nhà thuốc Hồng Châu", { type: "BOOKSTORE" })],
  ])("may be mistyped for a place %s", (_, place) => {
    expect(compare(place)).toBeDefined();
  });

  test("misses less in a place of a kind near it: people say kinds less exactly than data does", () => {
    const ofDrinks = readQuery("trà sữa phúc long", loadVocabulary()).readings;
    const beside = compareWith(
      ofDrinks.find((one) => one.besideKinds !== undefined)!,
      KNOWN,
    );
    const missingOf = (type: string) => beside(named("Phúc Long", { type }))?.features.missing ?? 0;
    expect(missingOf("COFFEE")).toBeGreaterThan(0);
    expect(missingOf("COFFEE")).toBeLessThan(missingOf("BOOKSTORE") - 0.1);
  });

  test("is none that it is only like, or whose street it is, of a place of another kind", () => {
    expect(compare(named("Hồng Châu", { type: "BOOKSTORE" }))).toBeUndefined();
    expect(compare(on("12 Long Châu, Quận 1", { title: "Fahasa", type: "BOOKSTORE" }))).toBeUndefined();
  });

  test("may be the very name of a place of another kind", () => {
    expect(compare(named("Long Châu", { type: "BOOKSTORE" }))).toMatchObject({ isWholeName: true });
    expect(compare(named("Sách Long Châu", { type: "BOOKSTORE" }))).toBeDefined();
  });
});

describe("a place of a kind", () => {
  test("is of its type, or of a narrower one", () => {
    expect(asKind("cafe")(named("Highlands", { type: "COFFEE" }))).toMatchObject({
      isComplete: true,
      isWholeName: false,
    });
    expect(partsOf(asKind("cafe")(named("Highlands", { type: "COFFEE" })))).toStrictEqual(["kind"]);
    expect(partsOf(asKind("nhà hàng")(named("Lệ", { type: "PHO" })))).toStrictEqual(["kind"]);
  });

  test("is none of another type whose name says nothing", () => {
    expect(asKind("cafe")(named("Highlands", { type: "BANK" }))).toBeUndefined();
    expect(asKind("phở")(named("Lệ", { type: "BANK" })), "nor of a broader one").toBeUndefined();
  });

  test("may have only the name of it", () => {
    expect(partsOf(asKind("cafe")(named("Cà Phê Sách", { type: "BOOKSTORE" })))).toStrictEqual([
      "kind",
      "kind_said",
      "kind_of_other_type",
    ]);
    expect(partsOf(asKind("cafe")(named("Cà Phê Sách", { type: "PLACE" })))).toStrictEqual([
      "kind",
      "kind_said",
    ]);
  });

  test("is none whose name says its own kind, and of the other only a word", () => {
    const compare = asKind("lẩu thái");
    expect(compare(named("Trường tiểu học Đông Thái", { type: "PRIMARY_SCHOOL" }))).toBeUndefined();
    expect(compare(named("Thái Express", { type: "BOOKSTORE" })), "that does not say it").toBeDefined();
    expect(compare(named("Nhà sách Lẩu Thái", { type: "BOOKSTORE" })), "that says it whole").toBeDefined();
  });

  test("may be called nothing else", () => {
    expect(
      partsOf(asKind("cơm văn phòng")(named("Cơm Văn Phòng", { type: "RICE_RESTAURANT" }))),
    ).toStrictEqual(["kind", "kind_whole_name"]);
    expect(asKind("cà phê")(named("Cà Phê", { type: "COFFEE" }))?.isWholeName).toBe(true);
    expect(asKind("cà phê")(named("Cà Phê", { type: "PLACE" }))?.isWholeName).toBe(true);
    const trung = named("Cà Phê Trung", { type: "COFFEE" });
    expect(asKind("cà phê trứng")(trung)?.isWholeName, "a dish typed with its marks").toBe(false);
    expect(asKind("ca phe trung")(trung)?.isWholeName).toBe(true);
  });

  test("called as all of its type are has no name of its own", () => {
    const station = named("Gas Station", { type: "GAS_STATION" });
    expect(partsOf(asKind("gas station")(station))).toStrictEqual(["kind"]);
    expect(partsOf(asKind("bánh cuốn")(named("Bánh Cuốn", { type: "BANH_CUON" })))).toStrictEqual(["kind"]);
  });

  test("with other marks in its name is another kind", () => {
    const compare = asKind("chùa");
    expect(compare(named("Phòng khám chữa bệnh", { type: "CLINIC" }))).toBeUndefined();
    expect(compare(named("Chùa Bà", { type: "PLACE" }))).toBeDefined();
    expect(compare(named("Chua Ba", { type: "PLACE" })), "a name without marks").toBeDefined();
    expect(compare(named("Nhà chùa Bà", { type: "PLACE" })), "in the middle of the name").toBeDefined();
    expect(compare(named("Chuang Tea", { type: "PLACE" })), "part of a word").toBeUndefined();
  });

  test("is of the second of two", () => {
    const kinds = [...kindsOf("cafe"), ...kindsOf("nhà thuốc")];
    const compare = asKinds(kinds);
    expect(partsOf(compare(named("Ba", { type: "COFFEE" })))).toStrictEqual(["kind", "missing"]);
    expect(partsOf(compare(named("Ba", { type: "PHARMACY" })))).toContain("kind_second");
  });

  test("has of the words of several kinds those of its own", () => {
    const ofKinds = (type: string, ...words: string[]): number =>
      asKinds(words.flatMap(kindsOf))(named("Ba", { type }))?.features.kind ?? 0;
    const [cafe, park] = [ofKinds("COFFEE", "cafe"), ofKinds("PARK", "công viên")];
    expect(ofKinds("COFFEE", "cafe", "công viên")).toBeCloseTo(cafe, 10);
    expect(ofKinds("PARK", "cafe", "công viên")).toBeCloseTo(park, 10);
    const compare = asKinds([...kindsOf("cafe"), ...kindsOf("công viên")]);
    const both = compare(named("Cà Phê Công Viên", { type: "COFFEE" }));
    expect(both?.features.kind, "its type and its name").toBeCloseTo(cafe + park, 10);
    expect(partsOf(both), "it is of both kinds").not.toContain("missing");
    expect(compare(named("Ba", { type: "COFFEE" }))?.features.missing, "of one").toBeGreaterThan(0);
  });

  test("lacks nothing of a word for a street or an alley that nobody needs to have", () => {
    const missing = (unread: string): number =>
      asKind("cafe", { unread: [unread] })(named("Ba", { type: "COFFEE" }))?.features.missing ?? 0;
    expect(missing("hem")).toBe(0);
    expect(missing("bien")).toBeGreaterThan(0);
  });

  test("lacks less of what a sentence leaves unread than of what a few words do", () => {
    const missing = (filler: string[]): number =>
      asKind("cafe", { unread: ["bien"], filler })(named("Ba", { type: "COFFEE" }))?.features.missing ?? 0;
    expect(missing([])).toBeGreaterThan(0);
    expect(missing(["nao"])).toBeLessThan(missing([]));
    expect(missing(["nao"])).toBeGreaterThan(0);
  });

  test("may offer a product that its name does not say", () => {
    const compare = asKind("bánh tráng trộn");
    expect(partsOf(compare(named("Bánh Tráng Trộn Cô Ba", { type: "EATERY" })))).toStrictEqual(["kind"]);
    expect(partsOf(compare(named("Cô Ba", { type: "EATERY" })))).toStrictEqual(["kind", "dish_unsaid"]);
  });

  test("whose name says a dish in part offers it rather than another", () => {
    const unsaid = (query: string, title: string): number | undefined =>
      asKind(query)(named(title, { type: "NOODLE_RESTAURANT" }))?.features.dish_unsaid;
    expect(unsaid("bánh canh cua", "Bánh Canh Cua Hoàng Ty")).toBe(0);
    expect(unsaid("bánh canh cua", "Hoàng Ty")).toBe(1);
    const inPart = unsaid("bánh canh cua", "Bánh Canh Hoàng Ty");
    expect(inPart).toBeGreaterThan(0);
    expect(inPart).toBeLessThan(1);
  });

  test("of a related kind is none of the kind, and not complete", () => {
    const compare = asKind("siêu thị");
    expect(compare(named("Hoa", { type: "CONVENIENCE_STORE" }))).toMatchObject({
      isComplete: false,
      features: { kind_related: 1 },
    });
    expect(compare(named("Hoa", { type: "TOILET" }))).toBeUndefined();
  });

  test("of a related kind counts less against it where sources file the kinds as one another", () => {
    const relatedTo = (kind: string, type: "HOTEL" | "CONVENIENCE_STORE"): number =>
      asKind(kind)(named("Hoa", { type }))?.features.kind_related ?? 0;
    expect(relatedTo("nhà nghỉ", "HOTEL")).toBeGreaterThan(0);
    expect(relatedTo("nhà nghỉ", "HOTEL")).toBeLessThan(relatedTo("siêu thị", "CONVENIENCE_STORE"));
  });
});

test("related kinds are none of the kind itself", () => {
  const kinds = kindsOf("nhà nghỉ");
  const related = relatedKinds(kinds);
  expect(related).toContain("HOTEL");
  expect(related.filter((code) => kinds.some(({ codes }) => codes.includes(code)))).toStrictEqual([]);
});

describe("words beside a kind", () => {
  const cafeOn = (full: string, title = "Quán") => on(full, { title, type: "COFFEE" });

  test("stand in the name or the address, and each that is missing costs", () => {
    const compare = asKind("cafe", { name: readQueryWords("hoa sen") });
    const [inName, inAddress, inHalf] = [
      cafeOn("1 Lê Lợi", "Hoa Sen"),
      cafeOn("1 Hoa Sen"),
      cafeOn("1 Hoa Lan"),
    ].map(compare);
    expect(partsOf(inName), "its type says the kind").toStrictEqual(["begins", "kind_by_type"]);
    expect(inAddress).toMatchObject({ isComplete: true, isWholeName: false });
    expect(inAddress?.features.elsewhere).toBeGreaterThan(0);
    expect(inHalf).toMatchObject({ isComplete: false });
    expect(inHalf?.features.missing).toBeGreaterThan(0);
    expect(inHalf?.features.missing).toBeLessThan(compare(cafeOn("1 Lê Lợi"))?.features.missing ?? 1);
  });

  test("that were not understood need not be there", () => {
    const compare = asKind("cafe", { unread: ["hoa", "sen"] });
    const [having, lacking] = [cafeOn("1 Lê Lợi", "Hoa Sen"), cafeOn("1 Lê Lợi")].map(compare);
    expect(having?.features.missing).toBe(0);
    expect(lacking?.features.missing).toBeGreaterThan(0);
  });
});

describe("a place at an address", () => {
  const address = (street: string, more: Partial<AddressReading> = {}): AddressReading => ({
    alleys: [],
    street: readQueryWords(street),
    ...more,
  });
  const at = (reading: AddressReading, full: string, name = "", title = "Nhà"): Match | undefined =>
    compareWith(
      toReading("address", { address: reading, name: readQueryWords(name) }),
      KNOWN,
    )(on(full, { title }));
  const otherHouse = (reading: AddressReading, full: string): number | undefined =>
    at(reading, full)?.features.other_house;
  const house = address("nguyen trai", { number: "12" });

  test("is none of another street", () => {
    expect(at(house, "12 Lê Lợi")).toBeUndefined();
    expect(at(address("le lai"), "12 Lê Duẩn"), "nor more than a letter away").toBeUndefined();
  });

  test("is the house, which alone is complete", () => {
    expect(at(house, "12 Nguyễn Trãi")).toMatchObject({ isComplete: true, isWholeName: false });
    expect(partsOf(at(house, "12 Nguyễn Trãi"))).toStrictEqual(["address"]);
    expect(at(house, "12/5 Nguyễn Trãi")?.isComplete).toBe(false);
    expect(at(house, "14 Nguyễn Trãi")?.isComplete).toBe(false);
  });

  test("with two numbers is the one that has both, rather than one of them", () => {
    const both = address("nguyen trai", { number: "12", lastNumber: "14" });
    expect(otherHouse(both, "12-14 Nguyễn Trãi")).toBe(0);
    expect(otherHouse(both, "12 Nguyễn Trãi")).toBeCloseTo(0.2, 10);
    expect(otherHouse(house, "12-14 Nguyễn Trãi")).toBeCloseTo(0.2, 10);
  });

  test("is known by its number before a word of two, and where a ward is called like the street", () => {
    expect(otherHouse(address("1", { number: "2916" }), "2916 Quốc lộ 1, Xã 1")).toBe(0);
    expect(otherHouse(address("khanh hoi", { number: "2" }), "Chợ Khánh Hội, 2 Khánh Hội")).toBe(0);
  });

  test("is the same number in an alley before a neighbour, the nearer the better, and one without a number last", () => {
    const streets = ["12 Nguyễn Trãi", "12/5 Nguyễn Trãi", "14 Nguyễn Trãi", "40 Nguyễn Trãi", "Nguyễn Trãi"];
    const others = streets.map((full) => otherHouse(house, full)!);
    expect(others).toStrictEqual(others.toSorted((a, b) => a - b));
    expect(new Set(others).size).toBe(streets.length);
    expect(others[0]).toBe(0);
    expect(others.at(-1)).toBe(1);
  });

  test("ten numbers away has half of the credit of a neighbour", () => {
    expect(otherHouse(house, "22 Nguyễn Trãi")).toBeCloseTo(0.7, 10);
    expect(otherHouse(house, "2 Nguyễn Trãi")).toBeCloseTo(0.7, 10);
  });

  test("of a street without a number is complete", () => {
    expect(at(address("nguyen trai"), "40 Nguyễn Trãi")).toMatchObject({
      isComplete: true,
      features: { other_house: 0 },
    });
  });

  test("is found by its alley", () => {
    const alley = address("pham tuan tai", { alleys: ["33"] });
    expect(at(alley, "5 ngõ 33 Phạm Tuấn Tài")?.isComplete).toBe(true);
    expect(at(alley, "5 ngõ 34 Phạm Tuấn Tài")?.isComplete).toBe(false);
    const inAlley = address("pham tuan tai", { number: "5", alleys: ["33"] });
    expect(otherHouse(inAlley, "Số 5 ngõ 33 Phạm Tuấn Tài")).toBe(0);
    expect(otherHouse(inAlley, "33/5 Phạm Tuấn Tài"), "the same written with a slash").toBe(0);
    expect(otherHouse(inAlley, "7 ngõ 33 Phạm Tuấn Tài")!).toBeLessThan(
      otherHouse(inAlley, "7 Phạm Tuấn Tài")!,
    );
  });

  test("has no number of a house that stands in an alley with it, or beside a ward of its name", () => {
    const number = address("tay son", { number: "169" });
    expect(otherHouse(number, "169 Tây Sơn")).toBe(0);
    expect(otherHouse(number, "ngõ 169 Tây Sơn")).toBeGreaterThan(0);
    expect(otherHouse(number, "169 phố Tuệ Tĩnh, phường Tây Sơn")).toBeGreaterThan(0);
  });

  test("has no number behind its street", () => {
    expect(otherHouse(address("nguyen trai", { number: "5" }), "12 Nguyễn Trãi, Quận 5")).toBeGreaterThan(0);
  });

  test("of a street with a typo is not complete", () => {
    expect(at(house, "12 Nguyễn Trai Một")).toMatchObject({ isComplete: true, features: { mistyped: 0 } });
    expect(at(address("nguyen trau", { number: "12" }), "12 Nguyễn Trãi")).toMatchObject({
      isComplete: false,
      features: { mistyped: 1 },
    });
  });

  test("where the street stands later in the address, is of that and not of the similar one", () => {
    expect(at(address("nguyen trai"), "1 Nguyễn Tri, Nguyễn Trãi")?.isComplete).toBe(true);
    expect(at(address("nguyen trai"), "Nguyễn Trau, hẻm 2 Nguyễn Trãi")?.features.mistyped).toBe(0);
    expect(at(address("nguyen trai"), "Nguyễn Trau")?.features.mistyped).toBe(1);
  });

  test("must have the name beside the address", () => {
    expect(at(house, "12 Nguyễn Trãi", "pho hoa", "Phở Hòa")?.isComplete).toBe(true);
    expect(at(house, "12 Nguyễn Trãi", "pho hoa", "Phở Lệ")).toMatchObject({
      isComplete: false,
      features: { missing: 0.5 },
    });
  });
});

test("an area and a point say nothing of a place that lies there", () => {
  for (const form of ["area", "point"] as const)
    expect(compareWith(toReading(form, {}), KNOWN)(named("Ba"))).toStrictEqual({
      features: {},
      isComplete: true,
      isWholeName: false,
    });
});

describe("where a reading looks", () => {
  const area = {
    areas: [],
    name: "",
    level: "ward",
    centre: { latitude: 0, longitude: 0 },
    within: [],
  } as const;
  const cafe = named("Highlands", { type: "COFFEE" });
  const featuresOf = (parts: Partial<Reading>) => asKind("cafe", parts)(cafe)?.features;
  const landmark = { ...readQueryWords("chợ lớn"), kinds: [], beside: readQueryWords("") };

  test("is an area, which says as much as its words do, and less where its name is weak", () => {
    const within = (words: string[], isWeak: boolean) => featuresOf({ area: { ...area, words, isWeak } });
    expect(within(["quan", "3"], false)).toMatchObject({ area_weak: 0 });
    expect(within(["quan", "3"], false)?.area).toBeGreaterThan(within(["quan"], false)?.area ?? 0);
    expect(within(["quan"], true)).toMatchObject({ area_weak: 1 });
  });

  test("is around a landmark, which may have been said to be one", () => {
    expect(featuresOf({ landmark: { ...landmark, relation: "near" } })?.landmark_said).toBeGreaterThan(0);
    expect(featuresOf({ landmark: { ...landmark, relation: "none" } })).toMatchObject({ landmark_unsaid: 1 });
    expect(featuresOf({})).not.toHaveProperty("landmark_said");
    expect(featuresOf({})).not.toHaveProperty("landmark_unsaid");
  });
});

test("words taken for filler inside of a name are counted", () => {
  const dropped = (count: number) =>
    compareWith(
      toReading("name", { name: readQueryWords("chua cot"), dropped: count }),
      KNOWN,
    )(named("Chùa Một Cột"))?.features.dropped ?? 0;
  expect(dropped(2)).toBe(2);
  expect(dropped(0)).toBe(0);
});

describe("with the weights as they are", () => {
  const score = (match: Match | undefined): number => (match ? sumOf(match.features, WEIGHTS) : -Infinity);

  test.each([
    ["the type before the name alone", "cafe", ["Trung", "COFFEE"], ["Cà Phê Sách", "BOOKSTORE"]],
    [
      "a name that says the dish before one that does not",
      "bánh tráng trộn",
      ["Bánh Tráng Trộn Ba", "EATERY"],
      ["Ba", "EATERY"],
    ],
    ["the kind before a related one", "nhà nghỉ", ["Hoa", "GUEST_HOUSE"], ["Hoa", "HOTEL"]],
    [
      "the whole name before the kind",
      "bánh tráng trộn",
      ["Bánh Tráng Trộn", "EATERY"],
      ["Bánh Tráng Trộn Ba", "EATERY"],
    ],
  ])("%s", (_, query, [title, type], [otherTitle, otherType]) => {
    const compare = asKind(query);
    const [better, worse] = [named(title!, { type: type! }), named(otherTitle!, { type: otherType! })];
    expect(score(compare(better))).toBeGreaterThan(score(compare(worse)));
    expect(compare(worse)).toBeDefined();
  });
});
