import { describe, expect, test } from "vitest";
import {
  isInOneName,
  readAddressText,
  readBeginningText,
  readBranchText,
  readKindText,
  readNameText,
  WHOLE_NAME,
  type ReadText,
} from "../../../src/search/match.ts";
import type { AddressReading } from "../../../src/search/reading/address.ts";
import { readQuery } from "../../../src/search/reading/read-query.ts";
import type { Reading } from "../../../src/search/reading/reading.ts";
import { readQueryWords } from "../../../src/search/reading/tokens.ts";
import { readVocabulary } from "../../../src/search/vocabulary/read-vocabulary.ts";
import type { PlaceFacts } from "../../support/build-place.ts";
import { buildCandidate } from "../../support/memory-index.ts";

/** How well places match one reading of a query: as a kind, an address, a branch of a chain, or half typed. */

const vocabulary = readVocabulary();
const CENTRE = { latitude: 10.776, longitude: 106.7 };

function readingOf(query: string, isMeant: (reading: Reading) => boolean): Reading {
  const reading = readQuery(query, vocabulary, { near: CENTRE }).readings.find(isMeant);
  if (!reading) throw new Error(`"${query}" has no such reading`);
  return reading;
}

function kindText(query: string): ReadText {
  const { kinds, name } = readingOf(query, (reading) => reading.kinds.length > 0);
  return readKindText(kinds, name);
}

const named = (title: string, facts: PlaceFacts = {}) => buildCandidate({ title, ...facts });
const on = (full: string, facts: PlaceFacts = {}) =>
  buildCandidate({ ...facts, location: { address: { full } } });

const NO_WORDS = readQueryWords("");

describe("as a kind", () => {
  test("a place of another type whose name says nothing does not match", () => {
    expect(kindText("cafe")(named("Highlands", { type: "BANK" }))).toBeUndefined();
  });

  test("a place of the type matches wholly, but not as a name", () => {
    expect(kindText("cafe")(named("Highlands", { type: "COFFEE" }))).toStrictEqual({
      quality: WHOLE_NAME,
      isWholeName: false,
      isComplete: true,
      likeness: 1,
    });
  });

  test("a place of a narrower type matches as well", () => {
    expect(kindText("nhà hàng")(named("Lệ", { type: "PHO" }))?.quality).toBe(WHOLE_NAME);
  });

  test("a place that only its name says to be one comes a little later", () => {
    const quality = kindText("cafe")(named("Cà Phê Sách", { type: "BOOK_STORE" }))?.quality ?? 0;
    expect(quality).toBeLessThan(WHOLE_NAME);
    expect(quality).toBeGreaterThan(0.9);
  });

  test("a place that has the words for its name is one, whatever its type", () => {
    expect(kindText("cà phê")(named("Cà Phê", { type: "PLACE" }))?.quality).toBe(WHOLE_NAME);
  });

  test("other marks in the name say something else", () => {
    const readText = kindText("chùa");
    expect(readText(named("Phòng khám chữa bệnh", { type: "CLINIC" }))).toBeUndefined();
    expect(readText(named("Chùa Bà", { type: "PLACE" }))).toBeDefined();
    expect(readText(named("Chua Ba", { type: "PLACE" })), "a name without marks").toBeDefined();
    expect(readText(named("Nhà chùa Bà", { type: "PLACE" })), "in the middle of the name").toBeDefined();
    expect(readText(named("Chuang Tea", { type: "PLACE" })), "part of a word").toBeUndefined();
  });

  test("of two kinds the first counts more", () => {
    const kinds = ["cafe", "nhà thuốc"].flatMap(
      (query) => readingOf(query, (reading) => reading.kinds.length > 0).kinds,
    );
    const [first, second] = kinds.map(({ codes }) => codes[0]!);
    const qualityOf = (type: string) => readKindText(kinds, NO_WORDS)(named("Ba", { type }))?.quality;
    expect(qualityOf(first!)).toBe(WHOLE_NAME);
    expect(qualityOf(second!)).toBeCloseTo(0.94, 10);
  });

  test("a product is likelier where the name says it", () => {
    const readText = kindText("bánh tráng trộn");
    const eatery = readText(named("Cô Ba", { type: "EATERY" }))?.quality ?? 0;
    expect(readText(named("Bánh Tráng Trộn Cô Ba", { type: "EATERY" }))?.quality).toBe(WHOLE_NAME);
    expect(eatery).toBeLessThan(WHOLE_NAME - 0.03);
    expect(eatery).toBeGreaterThan(0.9);
  });

  test("other words must be in the name or the address, each missing one costs", () => {
    const { kinds } = readingOf("cafe", (reading) => reading.kinds.length > 0);
    const readText = readKindText(kinds, readQueryWords("hoa sen"));
    const inStreet = (full: string) => on(full, { type: "COFFEE" });
    const [inAll, inHalf, inNone] = [inStreet("1 Hoa Sen"), inStreet("1 Hoa Lan"), inStreet("1 Lê Lợi")];
    const [whole, part, nothing] = [inAll, inHalf, inNone].map((place) => readText(place));
    expect(whole).toMatchObject({ isComplete: true, isWholeName: false });
    expect(part).toMatchObject({ isComplete: false });
    expect(whole!.quality).toBeGreaterThan(part!.quality);
    expect(part!.quality).toBeGreaterThan(nothing!.quality);
    expect(whole!.quality, "half a name is rather meant").toBeLessThan(0.86);
  });
});

describe("as an address", () => {
  const address = (street: string, more: Partial<AddressReading> = {}): AddressReading => ({
    alleys: [],
    street: readQueryWords(street),
    ...more,
  });
  const quality = (reading: AddressReading, full: string, name = NO_WORDS): number =>
    readAddressText(reading, name)(on(full))?.quality ?? 0;

  test("a place of another street does not match", () => {
    expect(
      readAddressText(address("nguyen trai", { number: "12" }), NO_WORDS)(on("12 Lê Lợi")),
    ).toBeUndefined();
  });

  test("the house comes first, then the nearest numbers, and the same number in an alley before both neighbours", () => {
    const reading = address("nguyen trai", { number: "12" });
    const streets = ["12 Nguyễn Trãi", "12/5 Nguyễn Trãi", "14 Nguyễn Trãi", "40 Nguyễn Trãi", "Nguyễn Trãi"];
    const qualities = streets.map((full) => quality(reading, full));
    expect(qualities[0]).toBe(WHOLE_NAME);
    expect(qualities[1]).toBeCloseTo(0.8 + 0.2 * 0.8, 10);
    expect(qualities).toStrictEqual(qualities.toSorted((a, b) => b - a));
    expect(new Set(qualities).size).toBe(streets.length);
  });

  test("ten numbers away, half of the credit of a neighbour is left", () => {
    const reading = address("nguyen trai", { number: "12" });
    const above = (full: string) => quality(reading, full) - quality(reading, "Nguyễn Trãi");
    expect(above("22 Nguyễn Trãi")).toBeCloseTo(above("2 Nguyễn Trãi"), 10);
    expect(above("22 Nguyễn Trãi")).toBeCloseTo(0.2 * 0.6 * 0.5, 10);
  });

  test("only the house itself is complete", () => {
    const readText = readAddressText(address("nguyen trai", { number: "12" }), NO_WORDS);
    expect(readText(on("12 Nguyễn Trãi"))).toMatchObject({
      isComplete: true,
      isWholeName: false,
      likeness: 1,
    });
    expect(readText(on("12/5 Nguyễn Trãi"))?.isComplete).toBe(false);
  });

  test("a street without a number is complete, and no better than a name that holds it", () => {
    const text = readAddressText(address("nguyen trai"), NO_WORDS)(on("40 Nguyễn Trãi"));
    expect(text?.isComplete).toBe(true);
    expect(text?.quality).toBeLessThan(0.86);
  });

  test("an alley without a house number is enough", () => {
    const readText = readAddressText(address("pham tuan tai", { alleys: ["33"] }), NO_WORDS);
    expect(readText(on("5 ngõ 33 Phạm Tuấn Tài"))?.isComplete).toBe(true);
    expect(readText(on("5 ngõ 34 Phạm Tuấn Tài"))?.isComplete).toBe(false);
  });

  test("the house in the alley comes before its neighbours there", () => {
    const reading = address("pham tuan tai", { number: "5", alleys: ["33"] });
    expect(quality(reading, "Số 5 ngõ 33 Phạm Tuấn Tài")).toBe(WHOLE_NAME);
    expect(quality(reading, "33/5 Phạm Tuấn Tài"), "the same written with a slash").toBe(WHOLE_NAME);
    expect(quality(reading, "7 ngõ 33 Phạm Tuấn Tài")).toBeGreaterThan(quality(reading, "7 Phạm Tuấn Tài"));
  });

  test("numbers after the street are not its houses", () => {
    const reading = address("nguyen trai", { number: "5" });
    expect(quality(reading, "12 Nguyễn Trãi, Quận 5")).toBeLessThan(WHOLE_NAME);
  });

  test("a street with a typo comes after the street without", () => {
    const reading = address("nguyen trai", { number: "12" });
    const text = readAddressText(reading, NO_WORDS)(on("12 Nguyễn Trai Một"));
    expect(text).toMatchObject({ isComplete: true });
    const mistyped = readAddressText(
      address("nguyen trau", { number: "12" }),
      NO_WORDS,
    )(on("12 Nguyễn Trãi"));
    expect(mistyped).toMatchObject({ isComplete: false });
    expect(mistyped!.quality).toBeCloseTo(0.9, 10);
    expect(quality(address("le lai"), "12 Lê Duẩn"), "more than a letter is another street").toBe(0);
  });

  test("where the right street comes later in the address, it counts and not the similar one", () => {
    expect(quality(address("nguyen trai"), "Nguyễn Trau, hẻm 2 Nguyễn Trãi")).toBeGreaterThan(
      quality(address("nguyen trai"), "Nguyễn Trau"),
    );
    expect(
      readAddressText(address("nguyen trai"), NO_WORDS)(on("1 Nguyễn Tri, Nguyễn Trãi"))?.isComplete,
    ).toBe(true);
  });

  test("a name beside the address must be there too", () => {
    const reading = address("nguyen trai", { number: "12" });
    const readText = readAddressText(reading, readQueryWords("pho hoa"));
    const place = (title: string) => on("12 Nguyễn Trãi", { title });
    expect(readText(place("Phở Hòa"))?.quality).toBe(WHOLE_NAME);
    expect(readText(place("Phở Lệ"))?.quality, "three of six letters").toBe(0.5);
  });
});

describe("as a name", () => {
  const read = (query: string, title: string) => readNameText(readQueryWords(query))(named(title));

  test("any name that begins with the query is as good, but for other accents", () => {
    const begun = { quality: 0.88, isWholeName: false, isBegun: true, isComplete: true, likeness: 0 };
    expect(read("highlands coff", "Highlands Coffee Nguyễn Huệ")).toStrictEqual(begun);
    expect(read("highlands coff", "Highlands Coffee")).toStrictEqual(begun);
    expect(read("phở h", "Phố Hiến")!.quality).toBeLessThan(0.88);
  });

  test("the likeness is the share of letters that need no change", () => {
    expect(read("highlands cofee", "Highlands Coffee")!.likeness).toBeCloseTo(14 / 15, 10);
    expect(read("coffee highlandz", "Highlands Coffee")!.likeness).toBeLessThan(0.5);
  });
});

describe("as a name near the caller", () => {
  const readText = readBranchText(readQueryWords("highlands coffee"));

  test("any branch of the chain is as good as the bare name", () => {
    expect(readText(named("Highlands Coffee"))).toMatchObject({ quality: WHOLE_NAME, isWholeName: true });
    expect(readText(named("Highlands Coffee Nguyễn Huệ"))).toMatchObject({
      quality: WHOLE_NAME,
      isWholeName: false,
      isComplete: true,
    });
  });

  test("a name that lacks a word is no branch", () => {
    const text = readText(named("Highlands Tea"));
    expect(text).toStrictEqual(readNameText(readQueryWords("highlands coffee"))(named("Highlands Tea")));
    expect(text!.quality).toBeLessThan(0.7);
  });

  test("an unrelated name does not match", () => {
    expect(readText(named("Bưu điện"))).toBeUndefined();
  });
});

describe("half typed", () => {
  const readText = readBeginningText(readQueryWords("cong ca"));
  const quality = (title: string, facts: PlaceFacts = {}): number =>
    readText(named(title, facts))?.quality ?? 0;

  test("from the likeliest: the name begins so, with other spaces, another name does, later words do", () => {
    const qualities = [
      quality("Cộng Cà Phê"),
      quality("Côngca Trà"),
      quality("Quán Nhỏ", { alternate_names: ["Cộng Cà Phê"] }),
      quality("Quán Cộng Cà Phê"),
      quality("Cong Chao"),
    ];
    expect(qualities.slice(0, 4)).toStrictEqual([1, 0.97, 0.95, 0.93]);
    expect(qualities[4]).toBeLessThan(0.93);
  });

  test("all words but the last must be whole words of the names", () => {
    expect(quality("Quán Công Cảnh")).toBe(0.93);
    expect(quality("Quán Côngty Cà")).toBeLessThan(0.93);
  });

  test("a place whose title has no letters has only its other names", () => {
    expect(quality("!!!", { alternate_names: ["Cộng Cà Phê"] })).toBe(0.95);
  });

  test("an unrelated name does not match", () => {
    expect(readText(named("Bưu điện"))).toBeUndefined();
  });
});

test("words are in one name if they stand there in a row, the last perhaps half typed", () => {
  const place = named("Cộng Cà Phê", { alternate_names: ["Cong Coffee"] });
  const isIn = (query: string) => isInOneName(readQueryWords(query).words, place);
  expect(isIn("ca ph")).toBe(true);
  expect(isIn("cong coff")).toBe(true);
  expect(isIn("cong phe")).toBe(false);
  expect(isIn("ong ca")).toBe(false);
  expect(isIn("phe cong"), "in two names").toBe(false);
  expect(isIn("cong"), "a single word says too little").toBe(false);
});
