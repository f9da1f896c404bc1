import { describe, expect, test } from "vitest";
import type { EvalCase, Kind } from "../../../tools/eval/cases.ts";
import { makeCases } from "../../../tools/eval/make-cases.ts";
import { createDataset, toTruePlace } from "../../../tools/eval/dataset.ts";
import { type PlaceFacts, buildPlace } from "../../support/build-place.ts";

const AT = { latitude: 21.03, longitude: 105.85 };
const place = (title: string, facts: PlaceFacts = {}) =>
  buildPlace({ title, ...facts, location: { ...AT, ...facts.location } });

const make = (kind: Kind, places: readonly ReturnType<typeof place>[]): EvalCase[] =>
  makeCases(createDataset(places.map(toTruePlace)), { kinds: [kind], seed: 1, count: 50 });
const typed = (kind: Kind, ...places: readonly ReturnType<typeof place>[]): string[] =>
  make(kind, places).map(({ query }) => query);

describe("an abbreviated and joined name", () => {
  test("is the abbreviation and the rest without spaces", () => {
    expect(typed("joined-short", place("Bệnh viện Bạch Mai"))).toEqual(["bvbachmai"]);
    expect(typed("joined-short", place("BV Bạch Mai"))).toEqual(["bvbachmai"]);
    expect(typed("joined-short", place("Bệnh viện Đa khoa Đống Đa"))).toEqual(["bvdkdongda"]);
  });

  test("leaves out the word for school before an abbreviation that says so", () => {
    expect(typed("joined-short", place("Trường THPT Chu Văn An"))).toEqual(["thptchuvanan"]);
  });

  test("needs words that have an abbreviation, and a rest of one to four words", () => {
    const names = ["Phở Thìn Bờ Hồ", "Bệnh viện", "Đại học Tài nguyên và Môi trường Hà Nội"];
    expect(typed("joined-short", ...names.map((name) => place(name)))).toEqual([]);
  });

  test("means every place that is typed so", () => {
    const places = [place("Trường THPT Chu Văn An"), place("Trung học phổ thông Chu Văn An")];
    for (const { expected } of make("joined-short", places))
      expect(expected.dataIds.toSorted()).toEqual(places.map(({ data_id }) => data_id).toSorted());
  });
});

describe("a name with its kind in English", () => {
  const hospital = place("Bệnh viện Bạch Mai", { type: "HOSPITAL" });

  test("has the English label behind the rest of the name", () => {
    expect(typed("english-name", hospital)).toEqual(["bach mai hospital"]);
  });

  test("needs the word for its kind in the name, and a rest that is a name", () => {
    const others = [
      place("Bạch Mai", { type: "HOSPITAL" }),
      place("Bệnh viện E", { type: "HOSPITAL" }),
      place("Bệnh viện tại Giải Phóng", { type: "HOSPITAL" }),
      place("Phở Thìn Lò Đúc", { type: "PHO" }),
    ];
    expect(typed("english-name", ...others)).toEqual([]);
  });

  test("is also the place that has this name itself", () => {
    const english = place("Bach Mai Hospital", { type: "HOSPITAL" });
    const other = place("Bach Mai Hospital", { type: "HOSPITAL", location: { latitude: 21.5 } });
    expect(make("english-name", [hospital, english, other])).toEqual([]);
    const named = { ...hospital, alternate_names: ["Bach Mai Hospital"] };
    const [asked] = make("english-name", [named, english]);
    expect(asked?.expected.dataIds.toSorted()).toEqual([named.data_id, english.data_id].toSorted());
  });
});

describe("a name like an address", () => {
  const street = place("Quán", { location: { address: { street: "12 Hàng Bài" } } });
  const named = place("29 Hàng Bài");

  test("is a number and a street of the dataset, as written and with one typo", () => {
    const cases = make("house-name", [street, named]);
    expect(cases.map(({ form }) => form)).toEqual(["as written", "1 typo"]);
    expect(cases[0]?.query).toBe("29 Hàng Bài");
    expect(cases[1]?.query).toMatch(/^29 /);
    for (const { expected } of cases) expect(expected.dataIds).toEqual([named.data_id]);
  });

  test("is no other name that begins with a number", () => {
    expect(typed("house-name", street, place("7 Eleven"), place("29 Hàng Bài Hotel"))).toEqual([]);
  });
});

test("each name has its half, whatever else is in the dataset", () => {
  const names = ["Bạch Mai", "Việt Đức", "Đống Đa", "Hữu Nghị", "Tim Hà Nội", "Thanh Nhàn"];
  const places = names.map((name) => place(`Bệnh viện ${name}`));
  const partsOf = (cases: readonly EvalCase[]) => new Map(cases.map(({ query, part }) => [query, part]));
  const all = partsOf(make("joined-short", places));
  expect(new Set(all.values())).toEqual(new Set(["tuning", "held aside"]));
  for (const [query, part] of partsOf(make("joined-short", places.slice(2))))
    expect(all.get(query)).toBe(part);
});
