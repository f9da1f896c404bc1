import { describe, expect, test } from "vitest";
import { prominence, toIndexedPlace, toPlaceDocument } from "../../../src/meilisearch/indexed-place.ts";
import { buildPlace } from "../../support/build-place.ts";

describe("an indexed place", () => {
  const place = buildPlace({
    data_id: "0x31752f:0xabc",
    title: "Cộng Cà Phê",
    alternate_names: ["Cong Caphe", "Cộng"],
    type: "COFFEE",
    location: { address: { full: "12 Lê Lợi, Phường Bến Thành" } },
    pricing: { min: 30_000, max: 80_000 },
    description: "Vintage",
  });
  const indexed = toIndexedPlace(place);

  test("is kept under the identity half of its data id", () => {
    expect(indexed.id).toBe("0xabc");
  });

  test("is found by its names without marks and without spaces, each once", () => {
    expect(indexed.folded_names).toEqual(["cong ca phe", "cong caphe", "cong"]);
    expect(indexed.joined_names).toEqual(["congcaphe", "cong"]);
    expect(indexed.joined_tails).toEqual(["ongcaphe", "ong"]);
  });

  test("is filed under every word of its names, its type and its address", () => {
    expect(indexed.words).toEqual(
      expect.arrayContaining(["cong", "caphe", "coffee", "12", "le", "loi", "ben", "thanh"]),
    );
  });

  test("is filed under the beginnings of the words of its names only", () => {
    expect(indexed.word_beginnings).toEqual(expect.arrayContaining(["c", "co", "con", "ca", "p", "phe"]));
    expect(indexed.word_beginnings).not.toContain("l");
  });

  test("is filed under the first letters of its names", () => {
    expect(indexed.name_beginnings).toEqual(["c", "co", "con", "cong", "congc", "congca"]);
  });

  test("lies in one cell of each size", () => {
    expect(indexed.cells).toHaveLength(6);
  });

  test("gives back the very document it was made from", () => {
    expect(toPlaceDocument(indexed)).toEqual(place);
  });

  test("has no highest price where none is known", () => {
    expect(toIndexedPlace(buildPlace()).max_price).toBeUndefined();
    expect(indexed.max_price).toBe(80_000);
  });

  test("of a name without letters has no word, and is indexed all the same", () => {
    expect(toIndexedPlace(buildPlace({ title: "🍜" }))).toMatchObject({
      folded_names: [],
      joined_names: [],
      name_beginnings: [],
      word_beginnings: [],
    });
  });
});

describe("prominence", () => {
  test("of a place nobody has rated is nothing", () => {
    expect(prominence({ rating: 0, reviews: 0 })).toBe(0);
  });

  test("of two perfect reviews is less than that of many good ones", () => {
    expect(prominence({ rating: 5, reviews: 2 })).toBeLessThan(prominence({ rating: 4.4, reviews: 300 }));
  });

  test("of a badly rated place is less than that of a well rated one with as many reviews", () => {
    expect(prominence({ rating: 2, reviews: 100 })).toBeLessThan(prominence({ rating: 4.5, reviews: 100 }));
  });
});
