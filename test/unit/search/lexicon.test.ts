import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editDistance } from "../../../src/place/text/edit-distance.ts";
import { createLexicon, NO_LEXICON } from "../../../src/search/lexicon.ts";

const lexicon = createLexicon({
  inNames: {
    bach: 30,
    benh: 80,
    bun: 400,
    chu: 40,
    coffee: 900,
    highlands: 200,
    highway: 3,
    hoa: 60,
    hong: 10,
    mai: 50,
    nguyen: 300,
    pho: 500,
    quyen: 20,
    quyet: 5,
    rong: 15,
    van: 70,
    an: 60,
    vien: 90,
    vietcombank: 100,
    once: 1,
  },
  inAddresses: { hue: 50, nguyen: 7, "12a": 4, "12": 900, q_1: 3 },
});

describe("a word", () => {
  test("stands in so many names and addresses", () => {
    expect(lexicon.inNames("nguyen")).toBe(300);
    expect(lexicon.inAddresses("nguyen")).toBe(7);
    expect(lexicon.inNames("hue")).toBe(0);
    expect(lexicon.inAddresses("hue")).toBe(50);
  });

  test.each(["", "nguye", "nguyens", "zzz", "\uffff"])("%j stands in none", (word) => {
    expect(lexicon.inNames(word) + lexicon.inAddresses(word)).toBe(0);
  });

  test.each(["12", "12a", "k300", "宇田川町21"])("with a digit may be of some addresses: %s", (number) => {
    expect(lexicon.inNames(number)).toBe(0);
    expect(lexicon.inAddresses(number)).toBeGreaterThan(0);
  });
});

describe("the beginning of words", () => {
  test("counts every place that may be meant", () => {
    expect(lexicon.beginningIn("high")).toBe(203);
    expect(lexicon.beginningIn("highl")).toBe(200);
    expect(lexicon.beginningIn("pho"), "a whole word begins with itself").toBe(500);
    expect(lexicon.beginningIn("zz")).toBe(0);
  });

  test("counts all words where nothing was typed", () => {
    expect(createLexicon({ inNames: { a: 1, b: 2 }, inAddresses: { c: 4 } }).beginningIn("")).toBe(3);
  });
});

describe("a word that no name has may be a typo of", () => {
  test.each([
    ["a letter left out", "cofee", "coffee"],
    ["a letter too many", "cofffee", "coffee"],
    ["another letter", "coffea", "coffee"],
    ["two letters swapped", "ocffee", "coffee"],
    ["two letters swapped at the end", "nguyne", "nguyen"],
    ["another first letter", "nghlands", "highlands"],
    ["two typos in a long word", "vietcmbnk", "vietcombank"],
    ["a swap and another letter", "hihglamds", "highlands"],
  ])("%s: %s", (_, typed, meant) => {
    expect(lexicon.alike(typed)[0]).toBe(meant);
  });

  test("two typos only where there are eight letters, and none has one", () => {
    expect(lexicon.alike("hghland"), "seven letters").toStrictEqual([]);
    expect(lexicon.alike("highwands")).toStrictEqual(["highlands"]);
    expect(lexicon.alike("highwayy"), "one with one typo is nearer").toStrictEqual(["highway"]);
  });

  test("a word typed in Telex with the keyboard switched off", () => {
    expect(lexicon.alike("hoongf")).toStrictEqual(["hong"]);
    expect(lexicon.alike("bachj")).toStrictEqual(["bach"]);
  });

  test("a word of a street, where no name has one like it", () => {
    const streets = createLexicon({ inNames: { pho: 5 }, inAddresses: { nguyen: 7 } });
    expect(streets.alike("nguyenn")).toStrictEqual(["nguyen"]);
  });

  test.each([
    ["three letters", "phi"],
    ["a number", "12an"],
    ["nothing like it", "zzzzzz"],
  ])("nothing with %s", (_, typed) => {
    expect(lexicon.alike(typed)).toStrictEqual([]);
  });

  test("the common word before the rare one", () => {
    expect(lexicon.alike("quyeh").slice(0, 2)).toStrictEqual(["quyen", "quyet"]);
  });

  test("the same first letter before another, unless that word is far more common", () => {
    const of = (inNames: Record<string, number>) => createLexicon({ inNames, inAddresses: {} });
    expect(of({ tongs: 10, song: 100 }).alike("tong")).toStrictEqual(["tongs", "song"]);
    expect(of({ tongs: 10, song: 1_000 }).alike("tong")).toStrictEqual(["song", "tongs"]);
  });

  test("four words at most", () => {
    const many = Object.fromEntries(Array.from("abcdefgh", (letter) => [`tan${letter}`, 5]));
    expect(createLexicon({ inNames: many, inAddresses: {} }).alike("tanz")).toStrictEqual([
      "tana",
      "tanb",
      "tanc",
      "tand",
    ]);
  });

  test("exactly those that the edit distance says", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(fc.uniqueArray(letters, { maxLength: 4 }), letters, (words, typed) => {
        fc.pre(!words.includes(typed));
        const found = createLexicon({
          inNames: Object.fromEntries(words.map((word) => [word, 1])),
          inAddresses: {},
        }).alike(typed);
        const within = (edits: number) => words.filter((word) => editDistance(typed, word).whole <= edits);
        const nearest = within(1).length > 0 || typed.length < 8 ? within(1) : within(2);
        const expected = typed.length < 4 ? [] : nearest;
        expect(found.toSorted()).toStrictEqual(expected.toSorted());
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});

describe("words one typo away", () => {
  const { oneTypoAway } = createLexicon({
    inNames: { tho: 40, thao: 20, hai: 9, hi: 2, tha: 3 },
    inAddresses: {},
  });

  test("are found for a short word that names have too", () => {
    expect(oneTypoAway("tho")).toStrictEqual(["thao", "tha"]);
    expect(oneTypoAway("hi")).toStrictEqual(["hai"]);
  });

  test("are none of a number", () => {
    expect(oneTypoAway("24h")).toStrictEqual([]);
  });
});

describe("letters without spaces are taken apart into", () => {
  test.each([
    ["words of names", "nguyenvanan", ["nguyen", "van", "an"]],
    ["an abbreviation and words", "bvbachmai", ["bv", "bach", "mai"]],
    ["a longer abbreviation", "thptchuvanan", ["thpt", "chu", "van", "an"]],
    ["words and the number between them", "pho24hoa", ["pho", "24", "hoa"]],
    ["words of a shop", "highlandscoffee", ["highlands", "coffee"]],
  ])("%s", (_, letters, words) => {
    expect(lexicon.takeApart(letters)).toStrictEqual(words);
  });

  test.each([
    ["a known word alone", "coffee"],
    ["fewer than six letters", "phoan"],
    ["letters of which some are left over", "phohoax"],
    ["a word of one place, which may be a typo", "phoonce"],
    ["more letters than a name has", "pho".repeat(14)],
    ["more words than a name has", "anvanmai".repeat(3)],
  ])("nothing: %s", (_, letters) => {
    expect(lexicon.takeApart(letters)).toBeUndefined();
  });
});

test("letters of another language are no syllables by chance", () => {
  const { takeApart } = createLexicon({ inNames: { kfc: 30, ga: 90, mi: 80, ng: 20 }, inAddresses: {} });
  expect(takeApart("gaming")).toBeUndefined();
  expect(takeApart("kfcgami")).toStrictEqual(["kfc", "ga", "mi"]);
});

describe("a dataset without words", () => {
  const empty = createLexicon({ inNames: {}, inAddresses: {} });

  test("has none, and none like any", () => {
    expect(empty.inNames("pho")).toBe(0);
    expect(empty.beginningIn("")).toBe(0);
    expect(empty.alike("coffee")).toStrictEqual([]);
    expect(empty.takeApart("coffeehouse")).toBeUndefined();
  });
});

test("before the words are counted, any may be one of the dataset, and none is corrected", () => {
  expect(NO_LEXICON.inNames("qqqq") * NO_LEXICON.inAddresses("qqqq") * NO_LEXICON.beginningIn("q")).not.toBe(
    0,
  );
  expect(NO_LEXICON.alike("cofee")).toStrictEqual([]);
  expect(NO_LEXICON.takeApart("bvbachmai")).toBeUndefined();
});
