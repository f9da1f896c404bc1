import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isTypeCode } from "../../../../src/place/document/type-codes.ts";
import { createLexicon } from "../../../../src/search/lexicon.ts";
import { needFeatures, needLikelihoods, readNeed } from "../../../../src/search/reading/needs.ts";
import { readQuery } from "../../../../src/search/reading/read-query.ts";
import { toTokens } from "../../../../src/search/reading/tokens.ts";
import { loadVocabulary } from "../../../../src/search/vocabulary/read-vocabulary.ts";

const vocabulary = loadVocabulary();

const kindsOf = (text: string): readonly (string | undefined)[] =>
  readQuery(text, vocabulary).readings.flatMap(({ kinds, need }) =>
    need === undefined ? [] : kinds.map(({ codes }) => codes[0]),
  );

test.each([
  ["hết sạch tiền mặt rồi", "ATM"],
  ["can rut it tien xai gap", "ATM"],
  ["I ran out of money and need to withdraw some", "ATM"],
  ["làm vợ giận, chắc phải mua bó bông xin lỗi", "FLORIST"],
  ["khát khô cổ", "JUICE_BAR"],
  ["toothache", "DENTIST"],
])("words that name no kind may need one: %s", (text, kind) => {
  expect(kindsOf(text)).toContain(kind);
});

test.each([
  "nguyễn thị minh khai",
  "the sach rau",
  "highlands coffee nguyễn du không xa lắm",
  "Đường số 5 Phường Thủ Đức",
])("a name, a chain or an address needs nothing: %s", (text) => {
  expect(kindsOf(text)).toStrictEqual([]);
});

test("the area and the landmark of a sentence say nothing about what it needs", () => {
  const [near, anywhere] = readQuery("hết sạch tiền mặt rồi, gần chợ bến thành", vocabulary).readings.filter(
    ({ need }) => need !== undefined,
  );
  expect(near?.landmark?.joined).toBe("chobenthanh");
  expect(anywhere?.landmark).toBeUndefined();
  expect(near?.kinds[0]?.codes).toContain("ATM");
});

test.each([
  ["the taxi driver won't take my card and I've no dong left", "ATM"],
  ["cần 4 tấm hình thẻ nền trắng làm hồ sơ", "PHOTO_STUDIO"],
])("beside a kind that it names, a sentence may surely need another: %s", (text, kind) => {
  expect(kindsOf(text)).toContain(kind);
});

test.each(["quán ăn có chỗ đậu xe", "tìm giúp quán cà phê nào yên tĩnh để học bài"])(
  "a sentence that names the kind that it needs has no other need: %s",
  (text) => {
    expect(kindsOf(text)).toStrictEqual([]);
  },
);

test("a word of needs is not taken apart, although the dataset has words that make it up", () => {
  const lexicon = createLexicon({
    inNames: { to: 90, o: 90, th: 20, a: 90, che: 300, tooth: 2, ache: 2 },
    inAddresses: {},
  });
  const { plain } = readQuery("toothache", vocabulary, { lexicon });
  expect(plain.name.words).toStrictEqual(["toothache"]);
});

test("a sentence may need a narrower kind than it names, and shorter words do not", () => {
  expect(kindsOf("we don't eat meat, where should we have dinner")).toContain("VEGETARIAN_RESTAURANT");
  expect(kindsOf("truong tieu hc duc iang")).toStrictEqual([]);
});

test("features are words, pairs of neighbours, and words that were typed with marks", () => {
  const tokens = toTokens("hết tiền mat");
  const [first, second] = tokens.map(({ marked }) => marked);
  const all = ["het", "tien", "mat", "het tien", "tien mat", first, second];
  expect(needFeatures(tokens)).toStrictEqual(all);
});

test("likelihoods add up to 1 with the types that no word speaks for, and the likeliest comes first", () => {
  const found = needLikelihoods(["a", "b"], (word) => (word === "a" ? [["ATM", 2]] : [["BANK", 4]]));
  expect(found.map(([code]) => code)).toStrictEqual(["BANK", "ATM"]);
  expect(found.reduce((sum, [, share]) => sum + share, 0)).toBeLessThan(1);
});

describe("of a kind that a dataset lacks", () => {
  const needIn = (text: string, held: readonly string[]) =>
    readNeed(toTokens(text), {
      vocabulary,
      countTypes: (types) => types.filter((type) => held.includes(type)).length,
    })?.kinds.map(({ codes: [code] }) => code);

  test("a kind of its branch stands in: who is hungry is glad of a café where there is nothing else", () => {
    expect(needIn("đói meo rồi tìm gì bỏ bụng", ["RESTAURANT", "COFFEE"])).toContain("RESTAURANT");
    expect(needIn("đói meo rồi tìm gì bỏ bụng", ["COFFEE", "PARK"])).toStrictEqual(["COFFEE"]);
  });

  test("any related kind does", () => {
    expect(needIn("hết sạch tiền mặt rồi", ["BANK"])).toStrictEqual(["BANK"]);
  });

  test("without one the others are as much likelier: fruit is sold on markets too", () => {
    const need = readNeed(toTokens("fancy some fresh mangoes and dragon fruit"), {
      vocabulary,
      countTypes: (types) => Number(types.includes("MARKET")),
    });
    expect(need?.kinds.map(({ codes: [code] }) => code)).toStrictEqual(["MARKET"]);
    expect(need?.likelihood).toBeGreaterThan(0.5);
  });

  test("nothing is needed where the dataset has no such kind either", () => {
    expect(needIn("hết sạch tiền mặt rồi", ["PARK"])).toBeUndefined();
  });
});

test("words that say too little need nothing", () => {
  expect(readNeed(toTokens("brmbl fnord quux zzyzx"), { vocabulary, countTypes: () => 1 })).toBeUndefined();
});

test("every sentence of needs.tsv has types in use, a language and a text, and occurs once", () => {
  const rows = readFileSync("tools/fit/needs.tsv", "utf8").trimEnd().split("\n").slice(1);
  const wrong = rows.filter((row) => {
    const [types = "", language = "", text = "", ...others] = row.split("\t");
    const isWhole = types.split("|").every(isTypeCode) && /^(?:vi|en)$/u.test(language) && text !== "";
    return !isWhole || others.length > 0;
  });
  expect(wrong).toStrictEqual([]);
  expect(new Set(rows).size).toBe(rows.length);
});

test("needs.csv is sorted by the words, as the search in it requires, and names types in use", () => {
  const lines = readFileSync("src/search/vocabulary/needs.csv", "utf8").trimEnd().split("\n");
  const types = (lines[1] ?? "").split(" ").slice(1);
  expect(types.filter((type) => !isTypeCode(type.slice(3)))).toStrictEqual([]);
  const letters = new Set(types.map((type) => type.slice(0, 2)));
  expect(letters.size).toBe(types.length);
  const rows = lines.slice(3);
  const words = rows.map((row) => row.slice(0, row.indexOf(",")));
  expect(words).toStrictEqual(words.toSorted((a, b) => (a < b ? -1 : 1)));
  const used = new Set(rows.flatMap((row) => row.slice(row.indexOf(",") + 1).match(/[a-z]+/gu) ?? []));
  expect([...used].filter((one) => !letters.has(one))).toStrictEqual([]);
});
