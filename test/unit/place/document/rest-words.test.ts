import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseAreas } from "../../../../src/place/geometry/areas.ts";
import table from "../../../../src/place/document/address-phrases.json" with { type: "json" };
import {
  filedUnder,
  fileRestWords,
  typeLabels,
  type RestOfPlace,
} from "../../../../src/place/document/rest-words.ts";
import { fold, words } from "../../../../src/place/text/fold.ts";
import { TYPE_CODES } from "../../../../src/place/document/type-codes.ts";

/** Whether a word finds a place, as the engine's filter says it. */
function isFound(word: string, { type, values }: { type: string; values: readonly string[] }): boolean {
  const filed = filedUnder(word);
  return (
    filed.values.some((value) => values.includes(value)) ||
    (filed.types.includes(type) && !values.includes("_"))
  );
}

const file = (facts: Partial<RestOfPlace> & { text?: string }): string[] =>
  fileRestWords({
    type: "COFFEE",
    address: fold(facts.text ?? ""),
    nameWords: [],
    isNameless: false,
    ...facts,
  });

const ADDRESSES = [
  "86/61/21 Nguyễn An Ninh, Q.1, Phường Bến Thành, TP.HCM, Thành phố Hồ Chí Minh",
  "12 Lê Lợi, Phường Bến Nghé, Quận 1, Thành phố Hồ Chí Minh 700000, Việt Nam",
  "Hà Nội",
  "Thành phố Hồ",
  "Minh, Hồ Chí",
  "Quảng Nam, Quảng Ninh, Nam Định",
  "1 Chome, Tokyo",
  "",
];

/** Words of the labels of many types. */
const SHARED = ["quan", "cua", "hang", "store", "shop", "restaurant", "nha", "tiem", "phong"];

describe("the words of type and address", () => {
  test.each(Object.keys(TYPE_CODES).concat("UNKNOWN"))("find a place of type %s, and no others", (type) => {
    for (const text of ADDRESSES) {
      const values = file({ type, text });
      const own = new Set([...words(fold(text)), ...words(typeLabels(type))]);
      const others = ["thanh", "pho", "ho", "minh", "viet", "nam", "ha", "coffee", "xyz", ...SHARED];
      for (const word of [...own, ...others])
        expect([word, isFound(word, { type, values })]).toEqual([word, own.has(word)]);
    }
  });

  test("do not find a place without a name", () => {
    const values = file({ isNameless: true, text: "12 Lê Lợi, Việt Nam" });
    for (const word of ["coffee", "loi", "viet"])
      expect(isFound(word, { type: "COFFEE", values })).toBe(false);
  });

  test("are not filed where a name has them", () => {
    expect(file({ text: "12 Lê Lợi, Việt Nam", nameWords: ["le", "viet", "nam", "shop", "quan"] })).toEqual([
      "12",
      "loi",
    ]);
  });

  test("are few: one value for the city, one for the country, and one for the kind unless a name says it", () => {
    const text = "12 Lê Lợi, Thành phố Hồ Chí Minh, Việt Nam";
    expect(file({ text })).toHaveLength(6);
    expect(file({ text, nameWords: ["quan", "shop"] })).toHaveLength(5);
  });
});

test("no two phrases, and no two sets of words that kinds share, have the same value", () => {
  const sharedWordsOf = (type: string): string => {
    const shared = words(typeLabels(type)).filter((word) => filedUnder(word).types.length === 0);
    return [...new Set(shared)].toSorted().join(" ");
  };
  const types = Object.keys(TYPE_CODES).filter((type) => sharedWordsOf(type) !== "");
  const values = new Set(types.flatMap((type) => file({ type })));
  expect(values.size).toBe(new Set(types.map(sharedWordsOf)).size);
  const ofPhrases = table.flatMap((phrase) => file({ type: "UNKNOWN", text: phrase }));
  expect(ofPhrases.filter((value) => values.has(value))).toEqual([]);
});

test("phrases have different values, and every province of Vietnam with several words has one", () => {
  const codes = new Set(table.flatMap((phrase) => filedUnder(words(fold(phrase))[0]!).values.slice(1)));
  expect(codes.size).toBe(table.length);
  const known = new Set(table.map(fold));
  const areas = parseAreas(readFileSync("src/place/geometry/areas/vietnam.csv", "utf8"), "vietnam.csv");
  const names = areas
    .filter(({ level }) => level === "province")
    .map(({ name }) => fold(name.replace(/^(?:Tỉnh|Thành phố) /, "")));
  expect(names.filter((name) => name.includes(" ") && !known.has(name))).toEqual([]);
});
