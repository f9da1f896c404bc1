import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLexicon } from "../../../src/search/lexicon.ts";
import { compareName } from "../../../src/search/match-name.ts";
import type { Words } from "../../../src/search/match-words.ts";
import { readQueryWords } from "../../../src/search/reading/tokens.ts";
import { sumOf, WEIGHTS, type Match } from "../../../src/search/score.ts";
import { loadVocabulary } from "../../../src/search/vocabulary/read-vocabulary.ts";
import { addressMeaningIn } from "../../../src/search/vocabulary/vocabulary.ts";
import { buildCandidate } from "../../support/memory-index.ts";

/** How a place matches words as a name: each feature of the weights that says so. */

const lexicon = createLexicon({
  inNames: { coffee: 500, highlands: 90, house: 40, pho: 400, hoa: 60, the: 50 },
  inAddresses: { nguyen: 300, hue: 80 },
});
const KNOWN: Words = {
  lexicon,
  light: new Set(["the"]),
  places: 1_000,
  countTypes: () => 1,
  addressMeaning: addressMeaningIn(loadVocabulary()),
};

interface Named {
  readonly title: string;
  readonly alternate_names?: string[];
  readonly address?: string;
  readonly type?: string;
}

interface Asked {
  readonly unread?: readonly string[];
  readonly known?: Words;
}

function match(query: string, named: Named | string, { known = KNOWN, unread = [] }: Asked = {}) {
  const { address = "", ...place } = typeof named === "string" ? { title: named } : named;
  const candidate = buildCandidate({ type: "PLACE", ...place, location: { address: { full: address } } });
  return compareName(readQueryWords(query), known, unread)(candidate);
}

const featuresOf = (...asked: Parameters<typeof match>): Match["features"] => match(...asked)?.features ?? {};

/** The features that are not 0. */
const partsOf = (...asked: Parameters<typeof match>): string[] =>
  Object.entries(featuresOf(...asked))
    .filter(([, value]) => value !== 0)
    .map(([name]) => name);

/** What the words add to a score; nothing is further away or better known. */
const textOf = (...asked: Parameters<typeof match>): number =>
  match(...asked) ? sumOf(featuresOf(...asked), WEIGHTS) : -Infinity;

describe("a whole name", () => {
  test.each([
    ["Phở Hòa", "Phở Hòa"],
    ["pho hoa", "Phở Hòa"],
    ["phohoa", "Phở Hòa"],
    ["PHO  HOA!", "Phở Hòa"],
    ["pizza 4ps", "Pizza 4P's"],
  ])("is %j of %j", (query, title) => {
    expect(match(query, title)).toMatchObject({ isComplete: true, isWholeName: true });
    expect(partsOf(query, title)).toStrictEqual(["whole_name", "begins"]);
    expect(featuresOf(query, title).whole_name).toBe(1);
  });

  test("may be any of the names, and is no part of one", () => {
    const place = { title: "Bệnh viện Chợ Rẫy", alternate_names: ["Cho Ray Hospital", "BVCR"] };
    expect(match("bvcr", place)?.isWholeName).toBe(true);
    expect(match("cho ray", place)).toMatchObject({ isWholeName: false, isComplete: true });
    expect(partsOf("cho ray", place)).toStrictEqual(["begins"]);
  });

  test("is better than any words that are not, as far as marks are the same", () => {
    const titles = ["Pho Hoa", "Cong Ca Phe", "Bun Bo Hue 47", "Highlands Coffee Nguyen Hue"] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...titles),
        fc.string({ unit: "grapheme-ascii", maxLength: 30 }),
        (title, query) => {
          const found = match(query, title);
          fc.pre(found?.isWholeName === false);
          expect(textOf(query, title)).toBeLessThan(textOf(title, title));
        },
      ),
      { seed: 1, numRuns: 400 },
    );
  });
});

test("a word of the address is less than one of a mistyped name", () => {
  const place = { title: "Quán nước Út Nga", address: "12 Nguyễn Văn Quá, Quận 12" };
  expect(partsOf("quan nuco ut van", place)).toContain("alike");
  expect(featuresOf("quan nuco ut van", place).elsewhere).toBeGreaterThan(0.1);
  expect(featuresOf("quan nuco ut nga", place).elsewhere ?? 0).toBe(0);
});

describe("the beginning of a name", () => {
  test.each([
    ["highlands coffee", "up to the end of a word", "begins"],
    ["highlandscoffee", "with other spaces", "begins"],
    ["highlands cof", "in a word that is half typed", "begun"],
    ["high", "in the first word", "begun"],
  ])("%s: %s", (query, _, feature) => {
    const title = "Highlands Coffee Nguyễn Huệ";
    expect(match(query, title)).toMatchObject({ isComplete: true, isWholeName: false });
    expect(partsOf(query, title)).toStrictEqual([feature]);
  });

  test("counts as much as its words say: more words and rarer ones more", () => {
    const begins = (query: string): number => featuresOf(query, `${query} Tân Định`).begins ?? 0;
    expect(begins("highlands coffee")).toBeCloseTo(begins("highlands") + begins("coffee"), 10);
    expect(begins("highlands"), "rarer").toBeGreaterThan(begins("coffee"));
    expect(begins("zzzzzz"), "of no place").toBeLessThan(begins("highlands"));
    expect(begins("the"), "a function word").toBeLessThan(begins("zzzzzz"));
    expect(begins("highlandz"), "a typo says what its word says").toBeCloseTo(begins("highlands"), 10);
  });

  test("with other marks than were typed is another name", () => {
    expect(partsOf("phở h", "Phố Hiến")).toStrictEqual(["begun", "wrong_marks"]);
    expect(featuresOf("phở h", "Phố Hiến").wrong_marks).toBeGreaterThan(0.1);
  });
});

test("words divided elsewhere than those of a name begin another", () => {
  expect(partsOf("tu anh", "Tuấn Hiên")).not.toContain("begun");
  expect(partsOf("tuanh", "Tuấn Hiên"), "without spaces").toStrictEqual(["begun"]);
  expect(partsOf("high lands cof", "Highlands Coffee"), "with a space too many").toStrictEqual(["begun"]);
});

test("a word of a name is one of those that were typed with a typo, and only one", () => {
  const school = "Trường Trung học phổ thông Đại Mỗ";
  const missing = (query: string): number => featuresOf(query, school).missing ?? 0;
  expect(missing("thoong"), "with a typo").toBeLessThan(0.3);
  expect(match("pho thong hong", school)?.isNearlyComplete, "the thông that was typed").toBe(false);
  expect(match("pho thonh dai", school)?.isNearlyComplete).toBe(true);
});

describe("words inside of a name", () => {
  test("stand in a row", () => {
    expect(partsOf("coffee house", "The Coffee House")).toStrictEqual(["within", "extra"]);
  });

  test("may have others between them, in order, behind words of the type", () => {
    const title = "Trường Trung học Chuyên Hòa";
    expect(partsOf("trung hoc hoa", { title, type: "SCHOOL" })).toContain("within");
    expect(partsOf("trung hoc hoa", { title, type: "COFFEE" })).toContain("apart");
    expect(partsOf("hoa trung hoc", { title, type: "SCHOOL" })).toContain("apart");
  });

  test("are a street where an address has them in a row, and a place of this name comes first", () => {
    const [inStreet, named] = [{ title: "Circle K", address: "12 Nguyễn Huệ" }, "Sách Nguyễn Huệ"] as const;
    expect(partsOf("nguyen hue", inStreet)).toStrictEqual(["address"]);
    expect(sumOf(featuresOf("nguyen hue", inStreet), WEIGHTS)).toBeLessThan(
      sumOf(featuresOf("nguyen hue", named), WEIGHTS),
    );
    const inWard = { title: "Circle K", address: "12 Lê Lợi, Nguyễn Huệ" };
    expect(partsOf("nguyen hue", inWard), "a ward is no street").toContain("elsewhere");
    expect(partsOf("hue nguyen", inStreet)).toContain("elsewhere");
    expect(partsOf("12 nguyen hue", inStreet), "a house is an address").toContain("elsewhere");
    expect(partsOf("quan ca phe", { title: "Mộc", type: "COFFEE" }), "a label is no street").toContain(
      "elsewhere",
    );
  });

  test("stand in another order", () => {
    expect(partsOf("house coffee", "The Coffee House")).toStrictEqual(["apart", "extra"]);
  });

  test("leave a share of the name that was not typed", () => {
    expect(featuresOf("house coffee", "The Coffee House").extra).toBeCloseTo(3 / 14, 10);
    expect(featuresOf("coffee", "The Coffee House").extra).toBeCloseTo(8 / 14, 10);
    expect(featuresOf("house coffee", "Coffee House").extra).toBe(0);
  });

  test("are complete, the last one also half typed", () => {
    expect(match("house coff", "The Coffee House")).toMatchObject({ isComplete: true, isWholeName: false });
    expect(match("coff house", "The Coffee House")?.isComplete).toBe(false);
  });
});

describe("words that only the address or the kind of the place has", () => {
  const place = { title: "Highlands Coffee", address: "12 Nguyễn Huệ, Quận 1", type: "COFFEE" };

  test("are there, and say less", () => {
    const { elsewhere = 0 } = featuresOf("highlands nguyen hue", place);
    expect(elsewhere).toBeGreaterThan(0.3);
    expect(elsewhere).toBeLessThan(0.8);
    expect(featuresOf("highlands nguyen", place).elsewhere).toBeLessThan(elsewhere);
    expect(match("highlands nguyen hue", place)?.isComplete).toBe(true);
    expect(featuresOf("12 nguyen hue", place)).toMatchObject({ elsewhere: 1, extra: 1 });
    expect(featuresOf("quan highlands", place).elsewhere).toBeGreaterThan(0);
    expect(featuresOf("coffee highlands", place).elsewhere).toBe(0);
  });

  test("count less than those in the name", () => {
    expect(textOf("highlands nguyen hue", place)).toBeLessThan(
      textOf("highlands nguyen hue", { ...place, title: "Highlands Nguyễn Huệ" }),
    );
  });
});

describe("words that are missing", () => {
  test("cost the share of what they say", () => {
    const missingFrom = (query: string): number => featuresOf(query, "Highlands Pizza Bar").missing ?? 0;
    expect(missingFrom("highlands qqqqq")).toBeGreaterThan(0.2);
    expect(missingFrom("highlands qqqqq")).toBeLessThan(0.5);
    expect(missingFrom("highlands qqqqqqqq"), "a longer word").toBeGreaterThan(
      missingFrom("highlands qqqqq"),
    );
    expect(missingFrom("highlands house"), "a word of names").toBeGreaterThan(missingFrom("highlands qqqqq"));
    expect(match("highlands qqqqq", "Highlands Pizza Bar")?.isComplete).toBe(false);
  });

  test("cost the same in any order, and nothing where there are none", () => {
    const [first, last] = ["qqqqq highlands coffee", "highlands coffee qqqqq"].map((query) =>
      featuresOf(query, "Highlands Coffee"),
    );
    expect(first!.missing).toBeGreaterThan(0);
    expect(first!.missing).toBeCloseTo(last!.missing!, 10);
    expect(featuresOf("coffee highlands", "Highlands Coffee").missing).toBe(0);
  });

  test("that say nothing by themselves hardly count", () => {
    expect(featuresOf("the highlands", "Highlands Coffee").missing).toBeLessThan(0.12);
    expect(featuresOf("pho highlands", "Highlands Coffee").missing).toBeGreaterThan(0.15);
  });

  test("make no match where they are most of what was typed", () => {
    expect(match("highlands coffee", "Bưu điện")).toBeUndefined();
    expect(match("highlands qqqqqqq", "Bưu điện qqqqqqq"), "less than that").toBeDefined();
  });

  test("make no match where they are less than that, and another word is mistyped", () => {
    expect(match("coffee hoa", "Highlands Coffee")).toBeDefined();
    expect(match("cofee hoa", "Highlands Coffee")).toBeUndefined();
    expect(match("cofee highlands hoa", "Highlands Coffee"), "most is there").toBeDefined();
  });

  test("need not be there where they were not understood, and help where they are", () => {
    const without = featuresOf("highlands", "Highlands Coffee", { unread: ["hue"] });
    const having = featuresOf("highlands", "Highlands Huế", { unread: ["hue"] });
    expect(having.missing).toBe(0);
    expect(without.missing).toBeGreaterThan(0);
  });

  test("are missing beside a mistyped name, too", () => {
    const asked = { unread: ["hue"] };
    const having = featuresOf("higlhadns", { title: "Highlands", address: "12 Huế" }, asked);
    const without = featuresOf("higlhadns", "Highlands", asked);
    expect(having.alike).toBeGreaterThan(0);
    expect(without.missing).toBeGreaterThan(having.missing! + 0.15);
  });
});

describe("a typo", () => {
  test("in a word says a little less than the word", () => {
    const features = featuresOf("cofee highlands", "Highlands Coffee");
    expect(features.mistyped).toBe(1);
    expect(features.missing).toBeGreaterThan(0);
    expect(features.missing).toBeLessThan(0.15);
  });

  test("in the whole name is the share of its letters", () => {
    expect(featuresOf("highlnds coffe", "Highlands Coffee")).toMatchObject({ mistyped: 1 });
    expect(partsOf("highlnds coffe", "Highlands Coffee")).not.toContain("extra");
    expect(partsOf("highlnds coffe", "Highlands Coffee")).toContain("alike");
    expect(featuresOf("highlnds coffe", "Highlands Coffee").missing).toBeLessThanOrEqual(2 / 15);
    expect(match("highlnds coffe", "Highlands Coffee")?.isComplete).toBe(false);
  });

  test("is none in three letters", () => {
    expect(featuresOf("house hob", "Hoa Coffee House").mistyped).toBe(0);
    expect(featuresOf("hoase hoa", "Hoa Coffee House").mistyped).toBe(1);
  });
});

describe("marks", () => {
  test("that were typed count by what the words say that have others", () => {
    const ofCommon = featuresOf("phở hòa", "Phố Hòa").wrong_marks!;
    const ofRare = featuresOf("phở hòa", "Phở Hoa").wrong_marks!;
    expect(ofCommon).toBeGreaterThan(0.1);
    expect(ofRare).toBeGreaterThan(ofCommon);
    expect(ofCommon + ofRare).toBeCloseTo(1, 10);
    expect(featuresOf("phở hòa", "Phở Hòa")).not.toHaveProperty("wrong_marks");
  });

  test("do not count where none were typed, or the name has none", () => {
    expect(featuresOf("duong sach", "Đường Sách")).toStrictEqual(featuresOf("duong sach", "Dương Sách"));
    expect(featuresOf("phở hòa", "Pho Hoa")).not.toHaveProperty("wrong_marks");
  });

  test("without letters match no other marks", () => {
    expect(match("῭", "῁")?.isWholeName ?? false).toBe(false);
  });
});

/** The first of each row answers the query better than the second. */
describe("one name matches better than another", () => {
  test.each([
    ["pho hoa", "Phở Hòa", "Phở Hòa Pasteur"],
    ["pho hoa", "Phở Hòa Pasteur", "Phở Lệ"],
    ["pho hoa", "Phở Hòa Pasteur", "Phở Hòe Nhai"],
    ["highlands cofee", "Highlands Coffee", "Highway Coffin"],
    ["congcaphe", "Cộng Cà Phê", "Công Cà Phê Sách"],
    ["cong cap", "Cộng Cà Phê", "Cổng Chào"],
    ["ben thanh market", "Ben Thanh Market", "Ben Thanh Tower"],
    ["hue bo bun", "Bún Bò Huế", "Bún Chả Huế"],
    ["đường sách", "Đường Sách", "Dương Sách"],
    ["phở 24", "Phở 24", "Phố 24"],
    ["nguyen hue", "Phố đi bộ Nguyễn Huệ", "Nguyễn Hữu Huân"],
    ["phở hòa", "Pho Hoa", "Phở Hòe"],
  ])("for %j %j comes before %j", (query, better, worse) => {
    expect(textOf(query, better)).toBeGreaterThan(textOf(query, worse));
  });
});

const SHARES = ["missing", "mistyped", "elsewhere", "extra", "wrong_marks", "whole_name"];

test("of any text the shares are from 0 to 1, and it is complete or lacks something", () => {
  const anyText = fc.string({ unit: "grapheme", maxLength: 40 });
  fc.assert(
    fc.property(anyText, anyText, (query, title) => {
      const found = match(query, title === "" ? "x" : title);
      const features = Object.entries(found?.features ?? {});
      const shares = features.filter(([name]) => SHARES.includes(name));
      expect(features.filter(([, value]) => value < 0)).toStrictEqual([]);
      expect(shares.filter(([, value]) => value > 1)).toStrictEqual([]);
      expect(found?.isComplete ?? true).toBe((found?.features.missing ?? 0) < 0.02);
    }),
  );
});
