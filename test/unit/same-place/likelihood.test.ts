import { describe, expect, test } from "vitest";
import {
  compareRecord,
  confidencesOf,
  MATCH_FEATURES,
  MATCH_WEIGHTS,
  overlapOf,
  prepareRecord,
  readStreet,
  reasonsOf,
  scoreOf,
  type AskedRecord,
  type MatchFeatures,
} from "../../../src/same-place/likelihood.ts";
import matchWeights from "../../../src/same-place/match-weights.json" with { type: "json" };
import { buildPlace, type PlaceFacts } from "../../support/build-place.ts";
import { pointAt } from "../../support/points.ts";

const AT = { latitude: 21.0278, longitude: 105.8342 };

const PLACE = buildPlace({
  title: "Bún chả Hương Liên",
  alternate_names: ["Obama Bun Cha"],
  type: "RESTAURANT",
  contacts: { phone: "+84 24 3943 4106", website: "https://huonglien.example/" },
  location: {
    ...AT,
    address: {
      full: "24 Lê Văn Hưu, Hai Bà Trưng, Hà Nội",
      street: "24 Lê Văn Hưu",
      ward: "Hai Bà Trưng",
      city: "Hà Nội",
    },
  },
});

const record = (more: Partial<AskedRecord>): AskedRecord => ({
  name: "",
  address: "",
  phone: "",
  website: "",
  ...more,
});

/** Every word is known to be rare. */
const rare = (): number => 0.8;

const compare = (more: Partial<AskedRecord>, facts: PlaceFacts = {}): MatchFeatures =>
  compareRecord(prepareRecord(record(more)), { ...PLACE, ...(facts as object) }, rare);

const confidenceOf = (more: Partial<AskedRecord>): number => confidencesOf([scoreOf(compare(more))])[0] ?? 0;

const reasons = (more: Partial<AskedRecord>): string[] => reasonsOf(record(more), compare(more));

describe("the confidence", () => {
  test.each([
    ["another name at the same point", { name: "Ngân hàng Sông Hồng", location: AT }],
    ["nothing but the point", { location: AT }],
    ["the same name ten kilometres away", { name: "Bún chả Hương Liên", location: pointAt(AT, 10_000, 90) }],
    ["another house of the street", { address: "118 Lê Văn Hưu" }],
    ["a word of the name", { name: "Hương" }],
  ])("is low for %s", (_, more) => {
    expect(confidenceOf(more)).toBeLessThan(0.8);
  });

  test.each([
    ["the same name nearby", { name: "Bún chả Hương Liên", location: pointAt(AT, 40, 90) }],
    ["the name without marks", { name: "bun cha huong lien", location: pointAt(AT, 40, 90) }],
    ["the name with a typo", { name: "bun cha huonh lien", location: pointAt(AT, 20, 90) }],
    ["its other name", { name: "Obama bun cha", location: pointAt(AT, 20, 90) }],
    ["the same name and address", { name: "Bún chả Hương Liên", address: "24 Lê Văn Hưu, Q. Hai Bà Trưng" }],
    ["the same name and phone", { name: "Hương Liên", phone: "024 3943.4106" }],
  ])("is high for %s", (_, more) => {
    expect(confidenceOf(more)).toBeGreaterThanOrEqual(0.8);
  });

  test("is low for another branch, which has another number", () => {
    const branch = { title: "Bún chả Hương Liên 1" };
    const asked = { name: "Bún chả Hương Liên 2", location: pointAt(AT, 20, 90) };
    expect(confidencesOf([scoreOf(compare(asked, branch))])[0]).toBeLessThan(0.8);
  });

  test("is less the further away the point is", () => {
    const [near = 0, far = 0] = [10, 400].map((meters) =>
      confidenceOf({ name: "bun cha huong lien", location: pointAt(AT, meters, 0) }),
    );
    expect(near).toBeGreaterThan(far);
  });

  test("is shared by places that are equally like the record", () => {
    const [one = 0, other = 0] = confidencesOf([6, 6]);
    expect(one).toBe(other);
    expect(one).toBeLessThan(0.5);
    expect(confidencesOf([6])[0]).toBeGreaterThan(0.99);
  });

  test("is a number from 0 to 1 for any scores", () => {
    expect(confidencesOf([])).toEqual([]);
    for (const one of confidencesOf([1_000, -1_000, 0])) {
      expect(one).toBeGreaterThanOrEqual(0);
      expect(one).toBeLessThanOrEqual(1);
    }
  });
});

describe("the reasons", () => {
  test.each([
    ["name_same", { name: "BUN CHA HUONG LIEN" }],
    ["name_similar", { name: "bun cha huonh lien" }],
    ["name_differs", { name: "Ngân hàng Sông Hồng" }],
    ["phone_same", { phone: "0912 000 111; (024) 39434106" }],
    ["phone_differs", { phone: "0912 000 111" }],
    ["website_same", { website: "www.huonglien.example" }],
    ["address_same", { address: "Số 24 đường Lê Văn Hưu, P. Hai Bà Trưng" }],
    ["street_same", { address: "Lê Văn Hưu" }],
    ["address_differs", { address: "24 Trần Hưng Đạo" }],
    ["near", { location: pointAt(AT, 100, 0) }],
    ["far", { location: pointAt(AT, 3_000, 0) }],
  ])("say %s", (reason, more) => {
    expect(reasons(more)).toContain(reason);
  });

  test("say nothing about what the record lacks", () => {
    expect(reasons({ phone: "024 3943 4106" })).toEqual(["phone_same"]);
  });
});

test("a service number that many branches share says nothing", () => {
  expect(compare({ phone: "1900 1234" }, { contacts: { phone: "1900 1234", website: "" } })).toMatchObject({
    phone_same: 0,
    phone_differs: 0,
  });
});

test("a street named after a date has no house number", () => {
  expect(readStreet("3 Tháng 2, Quận 10")).toMatchObject({ houses: [] });
  expect(readStreet("Tầng 3, 12A/4 đường Lê Lợi, P. Bến Thành, Q.1")).toEqual({
    houses: ["12a/4"],
    streetWords: ["le", "loi"],
    line: "12a 4 le loi",
    areaWords: expect.arrayContaining(["ben"]) as unknown,
  });
});

test("rare words that two names share count more than common ones", () => {
  const rarity = (word: string): number => (word === "quan" ? 0 : 0.9);
  const [common, telling] = [
    overlapOf(["quan", "moc"], ["quan", "sen"], rarity),
    overlapOf(["quan", "moc"], ["moc", "sen"], rarity),
  ];
  expect(telling).toBeGreaterThan(common);
  expect(overlapOf([], [], rarity)).toBe(0);
});

test("every feature has a weight of its sign", () => {
  const wrong = MATCH_FEATURES.filter((name) => {
    const { sign } = matchWeights[name];
    return (
      (sign === "positive" && MATCH_WEIGHTS[name] < 0) || (sign === "negative" && MATCH_WEIGHTS[name] > 0)
    );
  });
  expect(wrong).toEqual([]);
});
