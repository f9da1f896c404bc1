import { describe, expect, test } from "vitest";
import { createLexicon, NO_LEXICON, type Lexicon } from "../../../../src/search/lexicon.ts";
import { readQuery } from "../../../../src/search/reading/read-query.ts";
import { correctSpelling } from "../../../../src/search/reading/spelling.ts";
import { toTokens } from "../../../../src/search/reading/tokens.ts";
import { loadVocabulary } from "../../../../src/search/vocabulary/read-vocabulary.ts";

const vocabulary = loadVocabulary();
const SAIGON = { latitude: 10.776, longitude: 106.7 };

/** The words of a small dataset. */
const lexicon = createLexicon({
  inNames: {
    nha: 900,
    hang: 400,
    tap: 9,
    ha: 50,
    ho: 50,
    no: 5,
    be: 5,
    bach: 9,
    mai: 40,
    bv: 30,
    benh: 200,
    vien: 200,
    highlands: 60,
    starbucks: 40,
  },
  inAddresses: { nguyen: 500, hue: 80 },
});

const correct = (text: string, known: Lexicon = lexicon) => {
  const found = correctSpelling(toTokens(text), { vocabulary, near: SAIGON, lexicon: known });
  return found && [found.tokens.map(({ word }) => word).join(" "), found.isSure ? "surely" : "perhaps"];
};

describe("a word that no place has was surely mistyped where another spelling is", () => {
  test.each([
    ["part of a kind", "nha thuco gan day", "nha thuoc gan day"],
    ["part of an area", "nha thuoc quab 3", "nha thuoc quan 3"],
    ["a short part of an area", "nha thuoc quan bnh thanh", "nha thuoc quan binh thanh"],
    ["part of a wish", "ca phe mo uca bay gio", "ca phe mo cua bay gio"],
    ["a short word such as gần", "ca phe gna highlands", "ca phe gan highlands"],
    ["a short word of a chain", "pizza hutt quan 1", "pizza hut quan 1"],
    ["a short word of an area", "quan tna binh", "quan tan binh"],
    ["a chain", "higlands quan 1", "highlands quan 1"],
    ["a chain that is no half-typed word", "starbuck quan 1", "starbucks quan 1"],
    ["what Telex makes of it", "nhaf hangf chay", "nha hang chay"],
    ["each of two words", "nha thuco quab 3", "nha thuoc quan 3"],
    ["a particle, which says nothing", "highlands co wifi khogn", "highlands co wifi khong"],
  ])("%s", (_, typed, meant) => {
    expect(correct(typed)).toStrictEqual([meant, "surely"]);
  });
});

test("however much the corrected words say, they may also be one name", () => {
  const words = createLexicon({
    inNames: { cong: 90, vien: 90, bo: 40, ke: 40, nguyen: 90, thien: 20, thuat: 20 },
    inAddresses: { nguyen: 500, thien: 90, thuat: 90 },
  });
  const { readings } = readQuery("cong vien bo ke nguyen thgen thuat", vocabulary, {
    near: SAIGON,
    lexicon: words,
  });
  const corrected = readings.filter(({ respelled }) => respelled).map(({ name }) => name.words.join(" "));
  expect(corrected).toContain("cong vien bo ke nguyen thien thuat");
});

test("a word is left as it was typed where nearly all names have another that is as near", () => {
  const withSang = (sang: number) =>
    createLexicon({ inNames: { tran: 90, quang: 60, khai: 50, sang }, inAddresses: {} });
  expect(correct("tran qang khai", withSang(45))).toStrictEqual(["tran sang khai", "surely"]);
  expect(correct("tran qang khai", withSang(4))).toBeUndefined();
});

test("a particle has its marks beside words that have theirs", () => {
  const particle = (text: string) =>
    correctSpelling(toTokens(text), { vocabulary, near: SAIGON, lexicon })?.tokens.at(-1);
  expect(particle("nhà thuốc gần đây khogn")).toStrictEqual(toTokens("đây không").at(-1));
  expect(particle("nha thuoc gan day khogn")).toStrictEqual(toTokens("day khong").at(-1));
});

test("beside a word that no place has, the others are as they were meant", () => {
  const words = { inNames: { nha: 900, nhat: 5, thuoc: 300, tap: 9, ha: 50 }, inAddresses: {} };
  expect(correct("tap ha", createLexicon(words))).toStrictEqual(["tap hoa", "perhaps"]);
  expect(correct("nha thuco tap ha", createLexicon(words))).toStrictEqual(["nha thuoc tap ha", "surely"]);
});

test("a long word one letter from a chain is that chain, and not several words without their spaces", () => {
  const words = createLexicon({ inNames: { viet: 90, co: 90, bank: 90, vietcombank: 9 }, inAddresses: {} });
  expect(words.takeApart("vietcobank")).toStrictEqual(["viet", "co", "bank"]);
  expect(correct("vietcobank quan 3", words)).toStrictEqual(["vietcombank quan 3", "surely"]);
});

describe("how much doubt there is", () => {
  const doubt = (text: string, known: Lexicon): number | undefined =>
    correctSpelling(toTokens(text), { vocabulary, near: SAIGON, lexicon: known })?.doubt;
  const words = createLexicon({ inNames: { vang: 10, sang: 30, thuoc: 5, thuc: 95 }, inAddresses: {} });

  test("is the share of the names that have other words as near", () => {
    expect(doubt("ca phe fang", words)).toBeCloseTo(0.25);
  });

  test("is none where a phrase needs the word", () => {
    expect(doubt("nha thuzc", words)).toBe(0);
  });

  test("adds up over the words", () => {
    expect(doubt("fang nha thuoc fang", words)).toBeCloseTo(0.5);
  });

  test("is a whole word for a query of one word, and before the words of the dataset are counted", () => {
    expect(doubt("pharmcy", words)).toBe(1);
    expect(doubt("nha thuzc", NO_LEXICON)).toBe(1);
  });
});

describe("it was only perhaps mistyped", () => {
  test.each([
    [
      "where places have the word, and the others make a kind with another",
      "tap ha dang mo",
      "tap hoa dang mo",
    ],
    ["where the query is one word: it may be a name", "pharmcy", "pharmacy"],
  ])("%s", (_, typed, meant) => {
    expect(correct(typed)).toStrictEqual([meant, "perhaps"]);
  });

  test("before the words of the dataset are counted", () => {
    expect(correct("nha thuoc quab 3", NO_LEXICON)).toStrictEqual(["nha thuoc quan 3", "perhaps"]);
  });
});

describe("it is left as it was typed", () => {
  test.each([
    ["where no other spelling says more", "quan com xyzzy"],
    ["where everything is understood", "nhà thuốc quận 3"],
    ["a word of names that makes no kind", "highlands ha"],
    ["a known word with its marks", "tạp hà đang mở"],
    ["a short word alone", "gno"],
    ["a beginning of a word that names have", "quan highl"],
    ["words without their spaces", "bvbachmai"],
    ["a word of what people need, which a kind is one letter away from", "somewhere to crash tonight"],
    ["a number", "quan 3a1"],
    ["a word for a kind in another language", "farmacia quan 1"],
    ["a short form", "pho bt"],
    ["the short name of a city", "coffee tphcm"],
    ["a word of English that Telex makes another of", "let me know how to get to the highlands"],
    ["a text of more unknown words than anybody mistypes", "quab nhax thuor canq 3"],
    ["", ""],
  ])("%s", (_, typed) => {
    expect(correct(typed)).toBeUndefined();
  });
});
