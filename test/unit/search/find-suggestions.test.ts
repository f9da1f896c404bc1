import { describe, expect, test } from "vitest";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import { createLexicon } from "../../../src/search/lexicon.ts";
import { beginningWants } from "../../../src/search/intents.ts";
import { readQueryWords } from "../../../src/search/reading/tokens.ts";
import { CENTRE, placeAt, searchAmong } from "../../support/memory-search.ts";

const suggest = async (places: readonly PlaceDocument[], query: string, limit = 4) =>
  (await searchAmong(places, query, { operation: "suggest", limit })).titles;

const CHAIN = [
  placeAt(2_000, "Highlands Coffee - Nguyễn Huệ"),
  placeAt(300, "Highlands Coffee (Bitexco)"),
  placeAt(1_000, "Highlands Coffee | Lê Lợi"),
  placeAt(700, "Highlands Coffee"),
];
const OTHERS = [placeAt(1_500, "Highway Grill"), placeAt(1_600, "High School")];

describe("suggestions", () => {
  test("name each chain once, by its nearest branch, before its other branches", async () => {
    const found = await suggest([...CHAIN, ...OTHERS], "high");
    expect(found[0]).toBe("Highlands Coffee (Bitexco)");
    expect(new Set(found.slice(1, 3))).toStrictEqual(new Set(["Highway Grill", "High School"]));
    expect(found[3]).toBe("Highlands Coffee");
  });

  test("name the branches of a chain one by one when more than its first letters are typed", async () => {
    expect(await suggest([...CHAIN, ...OTHERS], "highlands coffee")).toStrictEqual([
      "Highlands Coffee (Bitexco)",
      "Highlands Coffee",
      "Highlands Coffee | Lê Lợi",
      "Highlands Coffee - Nguyễn Huệ",
    ]);
  });

  test.each(["highlnads", "higlands cof", "hihglands coffee"])(
    "show the nearest branch first for %s, which has a typo",
    async (typed) => {
      expect((await suggest([...CHAIN, ...OTHERS], typed))[0]).toBe("Highlands Coffee (Bitexco)");
    },
  );

  test("put whole words before longer ones", async () => {
    const places = [placeAt(300, "Highway Grill"), placeAt(500, "High School")];
    expect(await suggest(places, "high")).toStrictEqual(["High School", "Highway Grill"]);
  });

  test("of a word typed with marks have these marks first", async () => {
    const places = [placeAt(100, "Phòng khám thú y"), placeAt(900, "Phở Hòa"), placeAt(950, "Phô Mai")];
    expect((await suggest(places, "phở"))[0]).toBe("Phở Hòa");
  });

  test("are places of the kind where no name begins with the word for it", async () => {
    const places = [placeAt(100, "Long Châu", { type: "PHARMACY" }), placeAt(200, "Bún chả")];
    expect(await suggest(places, "nhà thuốc")).toStrictEqual(["Long Châu"]);
  });

  test("keep names apart that only begin alike, and show a name once", async () => {
    const places = [placeAt(100, "Phở Hòa"), placeAt(200, "Phở Hòa Pasteur"), placeAt(300, "Pho Hoa")];
    expect(await suggest(places, "pho")).toStrictEqual(["Phở Hòa", "Phở Hòa Pasteur"]);
  });

  test("are as few as were asked for", async () => {
    const places = Array.from({ length: 30 }, (_, i) =>
      placeAt(i * 50, `Phở ${String.fromCharCode(97 + (i % 26))}${i}`),
    );
    expect(await suggest(places, "p", 4)).toHaveLength(4);
    expect(await suggest(places, "p", 10)).toHaveLength(10);
  });

  test.each(["t", "tr", "trà", "tra s", "trasua", "trà sữa tok", "sữa"])("complete %j", async (typed) => {
    const places = [placeAt(600, "Trà Sữa Toko"), placeAt(100, "Bún chả"), placeAt(200, "Phở Lệ")];
    expect((await suggest(places, typed))[0]).toBe("Trà Sữa Toko");
  });

  test.each(["", "🍜"])("of %j are none, and nothing is asked", async (typed) => {
    const { titles, rounds } = await searchAmong(CHAIN, typed, { operation: "suggest" });
    expect(titles).toStrictEqual([]);
    expect(rounds).toStrictEqual([]);
  });

  test.each(["h", "hi"])("of %j are only names that begin so, in one round", async (typed) => {
    const { rounds } = await searchAmong([...CHAIN, ...OTHERS], typed, { operation: "suggest" });
    expect(rounds).toHaveLength(1);
    expect(
      rounds.flat().every(({ filter: { nameBeginning, wordBeginning } }) => nameBeginning ?? wordBeginning),
    ).toBe(true);
  });
});

describe("the lookups of a beginning", () => {
  const lexicon = createLexicon({ inNames: { highlands: 90, coffee: 900, house: 40 }, inAddresses: {} });
  const wantsOf = (typed: string) =>
    beginningWants(
      readQueryWords(typed),
      { lexicon, light: new Set(), centre: CENTRE, wanted: 10, countTypes: () => 0, places: 1_000 },
      { centre: CENTRE },
    );

  test("are the nearest and the best known names that begin so, and names with a later word", () => {
    expect(wantsOf("highl").map(({ filter, order }) => [order, Object.keys(filter)])).toStrictEqual([
      ["distance", ["nameBeginning"]],
      ["prominence", ["nameBeginning"]],
      ["distance", ["wordBeginning"]],
    ]);
  });

  test("of one letter are no later words, which are most of the places", () => {
    expect(wantsOf("h").map(({ filter }) => filter)).toStrictEqual([
      { nameBeginning: "h" },
      { nameBeginning: "h" },
    ]);
  });

  test("hold the words before the last one, and only the first letters of that", () => {
    expect(wantsOf("highlands coff")[0]?.filter).toStrictEqual({
      nameBeginning: "highla",
      nameWords: ["highlands"],
      wordBeginning: "cof",
    });
  });

  test("are expected to match as few places as have the rarest of the words", () => {
    expect(wantsOf("highlands coff").map(({ expected }) => expected)).toContain(90);
    expect(wantsOf("coff")[0]?.expected).toBe(900);
  });

  test("of nothing are none", () => {
    expect(wantsOf("")).toStrictEqual([]);
  });
});
