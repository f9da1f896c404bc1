import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { words, fold } from "../../../../src/place/text/fold.ts";
import { readQuery } from "../../../../src/search/reading/read-query.ts";
import { readVocabulary } from "../../../../src/search/vocabulary/read-vocabulary.ts";
import type { Area } from "../../../../src/place/areas.ts";
import { readArea } from "../../../../src/search/reading/parts.ts";
import { findAreas, type AreaSpan } from "../../../../src/search/reading/area-spans.ts";
import { toTokens } from "../../../../src/search/reading/tokens.ts";
import { toSummary } from "./summary.ts";

const vocabulary = readVocabulary();
const CALLERS: Readonly<Record<string, { latitude: number; longitude: number }>> = {
  HN: { latitude: 21.03, longitude: 105.85 },
  SG: { latitude: 10.776, longitude: 106.7 },
};

const readAll = (text: string, caller = "SG"): string[] =>
  readQuery(text, vocabulary, { near: CALLERS[caller]! }).readings.map(toSummary);

const readTable = (file: string): string[][] =>
  readFileSync(new URL(file, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#") && !line.startsWith("caller;"))
    .map((line) => line.split(";"));

describe("words that may be a name all the same", () => {
  const namesOf = (text: string): string[] =>
    readQuery(text, vocabulary, { near: CALLERS["HN"]! }).names.map(
      ({ name, area }) => `${name.words.join(" ")} @${area?.name ?? ""}`,
    );

  test.each([
    [
      "the words of a kind and a wish before an area",
      "Ca Phe Family quan long bien",
      ["ca phe family @Quận Long Biên"],
    ],
    [
      "the words before a marked district and its city",
      "The Coffee House quận hoàn kiếm, hn",
      ["the coffee house @Quận Hoàn Kiếm"],
    ],
    ["an unmarked area before another", "Cà Phê Long Biên hn", ["ca phe long bien @Thành phố Hà Nội"]],
    ["a kind with generic words", "the coffee house gần đây", ["the coffee house @"]],
    ["the long form of an abbreviation", "nt long tâm gần đây", ["nha thuoc long tam @"]],
    ["both long forms of one", "nh phố", ["nha hang pho @", "ngan hang pho @"]],
    ["no long form of what stands at the end", "trường học th", []],
    ["not a kind alone, with a word for in", "thư viện tại hà nội", []],
    ["not what the first reading says", "WinMart quận cầu giấy", []],
  ])("%s", (_, text, names) => {
    expect(namesOf(text)).toStrictEqual(names);
  });
});

describe("what people type", () => {
  test.each(readTable("phrases.csv"))("%s: %s", (caller, text, readings) => {
    expect(readAll(text!, caller).join(" | ")).toBe(readings);
  });

  test.each(readTable("more-phrases.csv"))("%s: %s", (caller, text, readings) => {
    expect(readAll(text!, caller).join(" | ")).toBe(readings);
  });
});

describe("every query", () => {
  test("keeps all its words as a name in one of at most three readings", () => {
    const word = fc.constantFrom(
      ..."quán cà phê quận 3 gần đây ngon rẻ 12/3 ngõ đường phố huế hà nội q1 24h open now near the chợ lớn bt".split(
        " ",
      ),
    );
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.array(word, { maxLength: 12 }).map((parts) => parts.join(" ")),
    );
    fc.assert(
      fc.property(text, (query) => {
        const { readings } = readQuery(query, vocabulary, { near: CALLERS["HN"]! });
        expect(readings.length).toBeLessThanOrEqual(3);
        const typed = words(fold(query.slice(0, 60))).slice(0, 16);
        const names = readings.map(({ name }) => name.words.join(" "));
        expect(names.some((name) => name === typed.join(" ") || name.length >= 100)).toBe(true);
      }),
    );
  });

  test("has no reading but the plain one when no word is understood", () => {
    expect(readAll("bitexco")).toEqual(['"bitexco"']);
    expect(readAll("")).toEqual([""]);
    expect(readAll("!?")).toEqual([""]);
  });

  test("is read without a caller too", () => {
    const { readings } = readQuery("cà phê quận 3", vocabulary);
    expect(readings.map(toSummary)).toContain("COFFEE [ca phe] @Quận 3");
  });
});

describe("marks", () => {
  test.each([
    ["phở", "PHO [pho]"],
    ["chợ gần đây", "MARKET [cho] near"],
    ["cho tôi chợ gần đây", "MARKET [cho] near"],
    ["nha thuoc", "PHARMACY [nha thuoc]"],
    ["nhà thuóc", "PHARMACY [nha thuoc]"],
  ])("%s is %s", (text, expected) => {
    expect(readAll(text)[0]).toBe(expected);
  });

  test.each([
    ["phố", "PHO"],
    ["bán", "BAR"],
    ["cho", "filler"],
    ["lăng", "LAKE"],
  ])("%s is no %s", (text, kind) => {
    expect(readAll(text).join()).not.toContain(kind === "filler" ? "near" : kind);
  });
});

describe("names that hold words of kinds, wishes and areas", () => {
  test.each([
    "Bệnh viện Quận 1",
    "Trường THPT Nguyễn Du",
    "Chợ Bến Thành",
    "Đà Nẵng Quán",
    "Sài Gòn Coffee",
    "Ngon",
    "Rẻ Quán",
    "24h Mart",
    "7 Eleven",
    "Quán Ngon 138",
    "Bảo tàng Hồ Chí Minh",
  ])("%s is a name first", (text) => {
    expect(readAll(text)[0]).toBe(`"${fold(text)}"`);
  });
});

describe("an area", () => {
  test.each([
    ["q1", "@Quận 1"],
    ["q.1", "@Quận 1"],
    ["quan 1", "@Quận 1"],
    ["d1", "@Quận 1"],
    ["district 1", "@Quận 1"],
    ["p.bến nghé", "@Phường Bến Nghé"],
    ["p bến nghé q1", "@Phường Bến Nghé < Quận 1"],
    ["q gò vấp", "@Quận Gò Vấp"],
    ["qgv", "@Quận Gò Vấp"],
    ["tphcm", "@Thành phố Hồ Chí Minh"],
    ["tp. hcm", "@Thành phố Hồ Chí Minh"],
    ["saigon", "@Thành phố Hồ Chí Minh"],
    ["hanoi", "@Thành phố Hà Nội"],
    ["quận 9", "@Quận 9"],
  ])("%s is %s", (text, area) => {
    expect(readAll(text)[0]).toBe(area);
  });

  test("is found by its words alone, the caller's own city first", () => {
    const namesOf = (text: string, caller: string): string[] =>
      findAreas(toTokens(text), vocabulary, CALLERS[caller]).map(({ id }) => id);
    expect(namesOf("hoàn kiếm", "HN").length).toBeGreaterThan(0);
    expect(namesOf("tân bình", "SG")[0]).toMatch(/^d/);
    expect(namesOf("cà phê", "SG")).toEqual([]);
  });

  test("is found by initials in the caller's own city only", () => {
    expect(readAll("cafe bt", "SG")[0]).toBe("COFFEE [cafe] @Quận Bình Thạnh");
    expect(readAll("cafe hbt", "HN")[0]).toBe("COFFEE [cafe] @Quận Hai Bà Trưng");
    expect(readAll("cafe hbt", "SG")[0]).toBe('"cafe hbt"');
  });

  test("lies in the one beside it by law before one that only lies within its bounds", () => {
    const bounds = { south: 10, west: 106, north: 11, east: 107 };
    const area = (id: string, level: Area["level"], parent?: string, latitude = 10.5): Area => ({
      id,
      level,
      valid: "old",
      name: id,
      centre: { latitude, longitude: 106.5 },
      bounds,
      ...(parent !== undefined && { parent }),
    });
    const span = (start: number, ...areas: Area[]): AreaSpan => ({
      start,
      end: start + 1,
      areas,
      certainty: "marked",
    });
    const district = span(1, area("district", "district"));
    const [within, belonging] = [area("within", "ward"), area("belonging", "ward", "district", 12)];
    const idOf = (...wards: Area[]) =>
      readArea([span(0, ...wards), district], toTokens("p4 q3"), undefined)?.areas[0]?.id;
    expect(idOf(within, belonging)).toBe("belonging");
    expect(idOf(area("outside", "ward", "other", 12), within)).toBe("within");
  });

  test("is the ward of the district that stands beside it", () => {
    const wardOf = (text: string): string | undefined =>
      readQuery(text, vocabulary, { near: CALLERS["SG"]! }).readings[0]?.area?.areas[0]?.parent;
    expect(wardOf("p4 q3")).not.toBe(wardOf("p4 q5"));
  });
});
