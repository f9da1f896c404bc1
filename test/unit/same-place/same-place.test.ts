import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchPlaces } from "../../../src/same-place/same-place.ts";
import { toSignature, type Commonness } from "../../../src/same-place/signature.ts";
import { buildPlace, type PlaceFacts } from "../../support/build-place.ts";

const NOTHING_COMMON: Commonness = {
  isCommonName: () => false,
  isCommonPhone: () => false,
  isCommonSite: () => false,
};

const METERS_PER_DEGREE = 111_195;

interface Facts {
  readonly title: string;
  readonly type?: string;
  readonly street?: string;
  readonly phone?: string;
  readonly website?: string;
  readonly otherNames?: string[];
  readonly source?: string;
  /** How far north of the other. */
  readonly meters?: number;
}

function toFacts({
  title,
  type = "COFFEE",
  street = "",
  phone = "",
  website = "",
  ...rest
}: Facts): PlaceFacts {
  const latitude = 10.7769 + (rest.meters ?? 0) / METERS_PER_DEGREE;
  return {
    title,
    type,
    source: rest.source ?? "city",
    alternate_names: rest.otherNames ?? [],
    contacts: { phone, website },
    location: { latitude, address: { street } },
  };
}

const match = (one: Facts, other: Facts, common: Partial<Commonness> = {}) =>
  matchPlaces(
    toSignature(buildPlace(toFacts(one))),
    toSignature(buildPlace(toFacts({ source: "survey", ...other }))),
    { ...NOTHING_COMMON, ...common },
  );

const PHONE = "+84 28 3822 1234";
const HOSPITAL: Facts = { title: "Bệnh viện Thanh Bình", type: "HOSPITAL" };

describe("two records are two places", () => {
  test.each<[string, Facts, Facts]>([
    ["of one source", { title: "Cộng Cà Phê" }, { title: "Cộng Cà Phê", source: "city" }],
    ["too far apart", { title: "Cà Phê Vợt" }, { title: "Cà Phê Vợt", meters: 160 }],
    [
      "at other house numbers",
      { title: "Chè Thái", street: "12 Hàng Bè" },
      { title: "Chè Thái", street: "14 Hàng Bè" },
    ],
    [
      "at other numbers of one alley",
      { title: "Bún Ốc", street: "12/3 Láng" },
      { title: "Bún Ốc", street: "12/5 Láng" },
    ],
    [
      "of which only one has large grounds",
      { title: "Vườn Xanh", type: "PARK" },
      { title: "Vườn Xanh", type: "PLAYGROUND", meters: 300 },
    ],
    [
      "with large grounds, names that are only similar, and not next to each other",
      { title: "Bệnh viện Nguyễn Văn Thanh Bình", type: "HOSPITAL" },
      { title: "Bệnh viện Nguyễn Vn Thanh Bình", type: "HOSPITAL", meters: 300 },
    ],
    ["further apart than any grounds", HOSPITAL, { ...HOSPITAL, meters: 510 }],
    [
      "further apart than any grounds, with one phone",
      { ...HOSPITAL, phone: PHONE },
      { ...HOSPITAL, phone: PHONE, meters: 510 },
    ],
    ["other branches by number", { title: "Trà Sen cơ sở 1" }, { title: "Trà Sen cơ sở 2" }],
    ["one with a branch number", { title: "Trà Sen" }, { title: "Trà Sen CS2" }],
    [
      "of types that nobody mixes up",
      { title: "Bạch Mai", type: "HOSPITAL" },
      { title: "Bạch Mai", type: "BUS_STOP" },
    ],
    ["a bank and its machine", { title: "Vietcombank", type: "BANK" }, { title: "Vietcombank", type: "ATM" }],
    [
      "schools of two levels",
      { title: "Trường Tiểu học Nguyễn Du", type: "PRIMARY_SCHOOL" },
      { title: "Trường THCS Nguyễn Du", type: "SECONDARY_SCHOOL" },
    ],
    [
      "kindergartens whose own names differ",
      { title: "Trường mầm non Hoa Sen", type: "KINDERGARTEN" },
      { title: "Trường mầm non Hoa Sữa", type: "KINDERGARTEN" },
    ],
    [
      "a hospital and a department of it",
      { title: "Bệnh viện Thanh Bình", type: "HOSPITAL" },
      { title: "Khoa Nhi Bệnh viện Thanh Bình", type: "HOSPITAL" },
    ],
    [
      "hospitals of one town for other illnesses",
      { title: "Bệnh viện Mắt Sông Lam", type: "HOSPITAL" },
      { title: "Bệnh viện Nhi Sông Lam", type: "HOSPITAL" },
    ],
    [
      "pharmacies that share the street's name",
      { title: "Nhà thuốc Giải Phóng", type: "PHARMACY", street: "Giải Phóng" },
      { title: "Nhà thuốc Minh Tâm Giải Phóng", type: "PHARMACY" },
    ],
    [
      "branches of a chain by street",
      { title: "Highlands - Bà Triệu" },
      { title: "Highlands - Hàng Bài", meters: 40 },
    ],
    ["short names with another letter", { title: "Cà phê Minh Anh" }, { title: "Cà phê Minh Hanh" }],
    [
      "a known place and one of no known type",
      { title: "Cà phê Lan", phone: "+84 28 3822 1234" },
      { title: "Nhà Lan", type: "PLACE", phone: "+84 28 3822 1234" },
    ],
    [
      "of one phone but not next door",
      { title: "Mây", phone: "+84 28 3822 1234" },
      { title: "Gió", phone: "+84 28 3822 1234", meters: 80 },
    ],
    ["of one hotline", { title: "Mây", phone: "1900 1234" }, { title: "Gió", phone: "1900 1234" }],
    [
      "of one page on a site of many",
      { title: "Mây", website: "https://facebook.com/may" },
      { title: "Gió", website: "https://facebook.com/may" },
    ],
    [
      "of a name that is too short without its kind",
      { title: "Cà phê Sen" },
      { title: "Sen Quán", meters: 10 },
    ],
    ["of nothing alike", { title: "Cà Phê Mộc" }, { title: "Cà Phê Sỏi" }],
    [
      "whose names have other marks and that are not next door",
      { title: "Phở Hà", type: "PHO" },
      { title: "Phở Hạ", type: "PHO", meters: 70 },
    ],
  ])("%s", (_, one, other) => {
    expect(match(one, other)).toBeUndefined();
  });

  test("branches of a chain, next to each other but not in one house", () => {
    const [one, other] = [{ title: "Circle K" }, { title: "Circle K", meters: 60 }];
    expect(match(one, other)).toBeDefined();
    expect(match(one, other, { isCommonName: () => true })).toBeUndefined();
  });

  test("with a phone that a source has for several places", () => {
    const [one, other] = [
      { title: "Mây", phone: "+84 28 3822 1234" },
      { title: "Gió", phone: "+84 28 3822 1234" },
    ];
    expect(match(one, other)).toBeDefined();
    expect(match(one, other, { isCommonPhone: () => true })).toBeUndefined();
  });
});

describe("two records are one place", () => {
  test.each<[string, Facts, Facts, string[]]>([
    ["of one name", { title: "Cộng Cà Phê" }, { title: "Cộng Cà Phê", meters: 140 }, ["name"]],
    [
      "without marks, in capitals",
      { title: "Phở Thìn", type: "PHO" },
      { title: "PHO THIN", type: "PHO" },
      ["name"],
    ],
    [
      "with the old place of the tone",
      { title: "Trà Hoà Bình" },
      { title: "Trà Hòa Bình", meters: 100 },
      ["name"],
    ],
    [
      "with another name of it",
      { title: "Bảo tàng Áo dài" },
      { title: "Ao Dai Museum", otherNames: ["Bảo tàng Áo dài"] },
      ["name"],
    ],
    ["in another order", { title: "Cộng Cà Phê" }, { title: "Cà phê Cộng", meters: 20 }, []],
    [
      "with the kind left out",
      { title: "Quán Cà phê Vợt Sài Gòn" },
      { title: "Vợt Sài Gòn", meters: 60 },
      ["name"],
    ],
    [
      "with the street in the name",
      { title: "Phở Gia Truyền", type: "PHO", street: "49 Bát Đàn" },
      { title: "Phở Gia Truyền Bát Đàn", type: "PHO" },
      ["name"],
    ],
    [
      "of which one adds a word to a name that is more than the street's",
      { title: "Nhà thuốc Minh Giải Phóng", type: "PHARMACY", street: "Giải Phóng" },
      { title: "Nhà thuốc Minh Giải Phóng Nam", type: "PHARMACY" },
      ["name"],
    ],
    [
      "with its house number in the name",
      { title: "Mộc Miên 13", street: "13 Lò Đúc" },
      { title: "Mộc Miên" },
      ["name"],
    ],
    [
      "whose numbers overlap",
      { title: "Chè Thái", street: "12-14 Hàng Bè" },
      { title: "Chè Thái", street: "14 Hàng Bè" },
      ["name"],
    ],
    [
      "with a slip in a long name",
      { title: "Nhà sách Nguyễn Văn Cừ", type: "BOOKSTORE" },
      { title: "Nhà sách Nguyễn Vn Cừ", type: "BOOKSTORE" },
      ["name"],
    ],
    [
      "of types that sources mix up",
      { title: "Góc Phố" },
      { title: "Góc Phố", type: "RESTAURANT" },
      ["name"],
    ],
    ["of a type that is not known", { title: "Góc Phố" }, { title: "Góc Phố", type: "PLACE" }, ["name"]],
    [
      "large, with points at two gates",
      { title: "Bệnh viện Thanh Bình", type: "HOSPITAL" },
      { title: "Bệnh viện Thanh Bình", type: "HOSPITAL", meters: 450 },
      ["name"],
    ],
    [
      "of one phone, written in two ways",
      { title: "Mây", phone: "+84 28 3822 1234" },
      { title: "Cloud", phone: "028 3822 1234" },
      ["phone"],
    ],
    [
      "of one site",
      { title: "Mây", website: "http://www.may.example/" },
      { title: "Cloud", website: "https://may.example" },
      ["website"],
    ],
  ])("%s", (_, one, other, evidence) => {
    const found = match(one, other);
    expect(found).toBeDefined();
    expect(found?.evidence).toEqual(expect.arrayContaining(evidence));
  });

  test("more evidence gives a higher score", () => {
    const phone = "+84 28 3822 1234";
    const scores = [
      match({ title: "Mây", phone }, { title: "Mây", phone })?.score,
      match({ title: "Mây" }, { title: "Mây" })?.score,
      match({ title: "Mây Trắng" }, { title: "Mây Trắng Bay" })?.score,
    ];
    expect(scores).toEqual(scores.toSorted((a = 0, b = 0) => b - a));
    expect(new Set(scores).size).toBe(3);
  });
});

const anyTitle = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom("Phở Thìn", "Cộng Cà Phê", "24", "Cơ sở 2"),
);
const anyFacts = fc.record({
  title: anyTitle.map((title) => `${title}x`),
  type: fc.constantFrom("COFFEE", "PHO", "PLACE", "HOSPITAL", "nonsense"),
  street: fc.oneof(fc.string(), fc.constantFrom("12 Hàng Bè", "3 Tháng 2", "Số 12A Ngõ 5")),
  phone: fc.constantFrom("", "+84 28 3822 1234"),
  meters: fc.integer({ min: -600, max: 600 }),
});

test("it does not matter which record comes first", () => {
  fc.assert(
    fc.property(anyFacts, anyFacts, (one, other) => {
      const left = toSignature(buildPlace(toFacts({ ...one, source: "city" })));
      const right = toSignature(buildPlace(toFacts({ ...other, source: "survey" })));
      const there = matchPlaces(left, right, NOTHING_COMMON);
      const back = matchPlaces(right, left, NOTHING_COMMON);
      expect(there?.score).toBe(back?.score);
      expect(there?.evidence).toEqual(back?.evidence);
    }),
  );
});
