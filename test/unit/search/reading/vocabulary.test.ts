import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseAreas, readAreas } from "../../../../src/place/geometry/areas.ts";
import { fold, joinWords, words } from "../../../../src/place/text/fold.ts";
import { isTypeCode } from "../../../../src/place/document/type-codes.ts";
import {
  parseVocabulary,
  readVocabulary,
  searchBorrowed,
} from "../../../../src/search/vocabulary/read-vocabulary.ts";
import { readQuery } from "../../../../src/search/reading/read-query.ts";
import { READING } from "../../../../src/search/numbers.ts";
import { toSummary } from "./summary.ts";

describe("a vocabulary file", () => {
  test("is rows of words with what they mean", () => {
    const csv = "# comment\nrole,meaning,language,words\nkind,COFFEE,vi,cf; cà fê\nnear,,en,near me\n";
    expect(parseVocabulary(csv, "own.csv")).toEqual([
      { role: "kind", meaning: "COFFEE", language: "vi", words: ["cf", "cà fê"] },
      { role: "near", meaning: "", language: "en", words: ["near me"] },
    ]);
  });

  test.each([
    ["kind,COFEE,vi,cf", 'own.csv:1: meaning "COFEE" is no kind'],
    ["feature,has_wify,vi,wifi", 'own.csv:1: meaning "has_wify" is no feature'],
    ["wish,soon,vi,sắp mở", 'own.csv:1: meaning "soon" is no wish'],
    ["sort,COFFEE,vi,cf", "own.csv:1: role is none of near,"],
    ["kind,COFFEE,,cf", "own.csv:1: language is empty"],
    ["kind,COFFEE,vi,", "own.csv:1: words is empty"],
  ])("%s fails", (line, message) => {
    expect(() => parseVocabulary(line, "own.csv")).toThrow(message);
  });

  test("of a data team adds words, and fails at an area that nobody knows", () => {
    const extra = parseVocabulary("kind,COFFEE,vi,tiệm nước đen\narea,n20,vi,làng tây\n", "own.csv");
    const { readings } = readQuery("tiệm nước đen làng tây", readVocabulary(extra));
    expect(readings.map(toSummary)[0]).toBe("COFFEE [tiem nuoc den] @Thảo Điền");
    expect(() => readVocabulary(parseVocabulary("area,x1,vi,đâu đó", "own.csv"))).toThrow('"x1"');
  });
});

describe("an area file", () => {
  const ROW = "n1,neighbourhood,both,Phố cổ,,21.03,105.85,21.02,105.84,21.04,105.86";

  test("is rows of areas with centre and bounds", () => {
    expect(parseAreas(ROW, "areas.csv")).toEqual([
      {
        id: "n1",
        level: "neighbourhood",
        valid: "both",
        name: "Phố cổ",
        centre: { latitude: 21.03, longitude: 105.85 },
        bounds: { south: 21.02, west: 105.84, north: 21.04, east: 105.86 },
      },
    ]);
  });

  test.each([
    [ROW.replace("neighbourhood", "street"), "areas.csv:1: level is none of province,"],
    [ROW.replace("21.03", "north"), "areas.csv:1: lat is no number"],
    ["n1,ward", "areas.csv:1: valid"],
  ])("%s fails", (line, message) => {
    expect(() => parseAreas(line, "areas.csv")).toThrow(message);
  });
});

describe.each(["vietnam.csv", "neighbourhoods.csv"])("the project's %s", (name) => {
  test("has the form of an area file, which the server does not check again", () => {
    const csv = readFileSync(`src/place/geometry/areas/${name}`, "utf8");
    const plain = readAreas(csv).map(({ id, level, valid, name: areaName, parent, centre, bounds }) => ({
      id,
      level,
      valid,
      name: areaName,
      centre,
      bounds,
      ...(parent !== undefined && { parent }),
    }));
    expect(plain).toEqual(parseAreas(csv, name));
  });
});

describe("the words of OpenStreetMap's editors", () => {
  const csv = readFileSync("src/search/vocabulary/osm-kinds.csv", "utf8");
  const rows = csv.split("\n").slice(2, -1);
  const borrowed = searchBorrowed(csv);

  test("are folded, sorted and name known types", () => {
    const letters = rows.map((row) => row.split(",")[0] ?? "");
    expect(letters).toEqual(letters.map((word) => joinWords(fold(word))).toSorted());
    const types = rows.flatMap((row) => row.split(",")[1]?.split(" ") ?? []);
    expect(types.filter((type) => !isTypeCode(type))).toEqual([]);
  });

  test("are all found, with the types below theirs, and no others are", () => {
    expect(rows.filter((row) => !borrowed(row.split(",")[0] ?? ""))).toEqual([]);
    expect(borrowed("ambulatorium")).toEqual(expect.arrayContaining(["HOSPITAL", "NURSING_HOME"]));
    for (const letters of ["", "0", "ambulatoriu", "ambulatoriums", "letters", "\u{10ffff}"])
      expect(borrowed(letters)).toBeUndefined();
  });
});

test("every district of Vietnam before the reform and every ward after it is known", () => {
  const areas = [...readVocabulary().areas.values()];
  const count = (level: string, valid: string): number =>
    areas.filter((area) => area.level === level && area.valid === valid).length;
  expect(count("province", "old")).toBe(63);
  expect(count("province", "new")).toBe(34);
  expect(count("district", "old")).toBe(696);
  expect(count("ward", "new")).toBe(3319);
});

test("no words that say where a place is are longer than those that are read together", () => {
  const rows = ["vi", "en"].flatMap((language) => {
    const file = `src/search/vocabulary/${language}.csv`;
    return parseVocabulary(readFileSync(file, "utf8"), file);
  });
  const phrases = rows
    .filter(({ role }) => role === "landmark" || role === "before_area")
    .flatMap((row) => row.words);
  expect(phrases.length).toBeGreaterThan(50);
  expect(phrases.filter((one) => words(fold(one)).length > READING.wordsOfRelation)).toStrictEqual([]);
});
