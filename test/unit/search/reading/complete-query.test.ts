import { NO_PAIRS } from "../../../../src/meilisearch/word-pairs.ts";
import { expect, test } from "vitest";
import { createDensity, type Census } from "../../../../src/meilisearch/place-index.ts";
import { cellsOf } from "../../../../src/place/geometry/cells.ts";
import { completeQuery, type Completion } from "../../../../src/search/reading/complete-query.ts";
import { loadVocabulary } from "../../../../src/search/vocabulary/read-vocabulary.ts";

const SAIGON = { latitude: 10.776, longitude: 106.7 };
const HANOI = { latitude: 21.03, longitude: 105.85 };

/** Places of a few kinds in both cities, and in no other. */
const CENSUS: Census = {
  isWhole: true,
  places: 2_000,
  density: createDensity(
    Object.fromEntries([SAIGON, HANOI].flatMap(cellsOf).map((cell) => [cell, 1_000] as const)),
  ),
  types: new Map([
    ["COFFEE", 400],
    ["RESTAURANT", 300],
    ["PHO", 100],
    ["PHARMACY", 80],
    ["HOSPITAL", 20],
  ]),
  timezones: ["Asia/Ho_Chi_Minh"],
  words: { inNames: {}, inAddresses: {}, pairs: NO_PAIRS },
};

const complete = (text: string, near = SAIGON, census: Census | null = CENSUS): readonly Completion[] =>
  completeQuery(text, { vocabulary: loadVocabulary(), near, census: census ?? undefined, limit: 5 });

const kindsOf = (text: string): unknown[] => complete(text).map(({ kind }) => kind);
const areasOf = (text: string, near = SAIGON): unknown[] =>
  complete(text, near).flatMap(({ area }) => area?.name ?? []);

test.each(["", "  ", "?!", "c", "qqqq", "quán cà phê tôi", "highlands coffee q"])(
  "%j becomes no kind and no area",
  (text) => {
    expect(complete(text)).toEqual([]);
  },
);

test.each([
  ["quan ca ph", "COFFEE"],
  ["quán cà ph", "COFFEE"],
  ["tìm quán ca", "COFFEE"],
  ["quancaphe", "COFFEE"],
  ["coff", "COFFEE"],
  ["nha thu", "PHARMACY"],
  ["薬", "PHARMACY"],
])("%s becomes the kind %s", (text, kind) => {
  expect(kindsOf(text)[0]).toBe(kind);
});

test("marks that were typed count; the tone mark of the last word may be missing still", () => {
  expect(kindsOf("phở")).toContain("PHO");
  expect(kindsOf("phơ")).toContain("PHO");
  expect(kindsOf("phố")).not.toContain("PHO");
});

test("the kind with more places comes first, and one without places not at all", () => {
  expect(kindsOf("quan").slice(0, 2)).toEqual(["RESTAURANT", "COFFEE"]);
  expect(kindsOf("sân gol")).toEqual([]);
});

test("a designation, half typed or whole, becomes the areas near the caller, nearest first", () => {
  expect(areasOf("qu").slice(0, 2)).toContain("Quận 1");
  expect(areasOf("district").slice(0, 2)).toContain("Quận 1");
  expect(areasOf("quận bình")).toEqual(["Quận Bình Thạnh", "Quận Bình Tân"]);
  expect(areasOf("quan", HANOI)).toContain("Quận Hoàn Kiếm");
});

test("an area that was typed whole comes first, also by its short names", () => {
  expect(areasOf("q1")[0]).toBe("Quận 1");
  expect(areasOf("sài gòn")[0]).toBe("Thành phố Hồ Chí Minh");
});

test.each([
  ["Bến Thành", SAIGON, ["Phường Bến Thành"]],
  ["ben th", SAIGON, ["Phường Bến Thành"]],
  ["Thảo Điền", SAIGON, ["Thảo Điền"]],
  ["ha dong", HANOI, ["Quận Hà Đông"]],
  ["phường hà đông", HANOI, ["Phường Hà Đông"]],
  ["long bien", HANOI, ["Quận Long Biên"]],
])("%s is one suggestion, where areas of that name lie one over the other", (text, near, areas) => {
  expect(complete(text, near, null).map(({ area }) => area?.name)).toEqual(areas);
});

test("of today's ward and the former one of that name, today's is suggested", () => {
  expect(complete("bến thành")[0]?.area).toMatchObject({ valid: "new" });
});

test("wards of one number in several districts stay apart", () => {
  const parents = complete("phường 3", SAIGON, null).map(({ parent }) => parent?.name);
  expect(new Set(parents).size).toBe(5);
});

test("areas elsewhere are suggested only where the dataset has places", () => {
  expect(areasOf("hoàn kiếm")).toContain("Quận Hoàn Kiếm");
  expect(areasOf("cao bằng")).toEqual([]);
  expect(complete("cao bằng", SAIGON, null)).toEqual([]);
});

test("a kind keeps the words that were typed before the area", () => {
  const [first] = complete("cafe wifi ở quận 3");
  expect(first).toMatchObject({ kind: "COFFEE", typedBefore: "cafe wifi", area: { name: "Quận 3" } });
  expect(complete("nha thuoc binh th")[0]).toMatchObject({
    kind: "PHARMACY",
    area: { name: "Quận Bình Thạnh" },
  });
});

test("never more than asked for", () => {
  const vocabulary = loadVocabulary();
  for (const text of ["ca", "quan", "cafe qu"]) {
    expect(completeQuery(text, { vocabulary, near: SAIGON, census: CENSUS, limit: 2 })).toHaveLength(2);
  }
});
