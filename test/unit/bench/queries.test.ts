import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DatasetSample } from "../../../tools/bench/dataset.ts";
import {
  REALISTIC_MIX,
  SEARCH_KINDS,
  SENTENCE_KINDS,
  drawKind,
  makeSearch,
} from "../../../tools/bench/requests.ts";
import { createRandom, seedOf } from "../../support/random.ts";
import { firstSixtyPercent, withOneTypo, withoutMarks } from "../../../tools/bench/typed-text.ts";
import { createZipf, listWorkloads } from "../../../tools/bench/workloads.ts";
import { distanceMeters } from "../../../src/place/geometry/coordinates.ts";
import { editDistance } from "../../../src/place/text/edit-distance.ts";

const PHO = {
  dataId: "0x1:0x2",
  title: "Phở Hòa Đặc Biệt",
  type: "PHO",
  street: "260C Pasteur",
  latitude: 10.7868,
  longitude: 106.6896,
};

const sample: DatasetSample = { places: [PHO], chains: ["Cộng Cà Phê"] };

describe("texts as people type them", () => {
  test("an empty text and a single letter bear no typo", () => {
    expect(withOneTypo("", createRandom(1))).toBe("");
    expect(withOneTypo("a", createRandom(1))).toBe("a");
  });

  test("one typo is one edit, and never of the first letter", () => {
    const names = fc.stringMatching(/^[a-z]{2,8}( [a-z]{1,8}){0,3}$/);
    fc.assert(
      fc.property(names, fc.nat(), (name, seed) => {
        const typed = withOneTypo(name, createRandom(seed));
        expect(editDistance(typed, name).whole).toBe(1);
        expect(typed[0]).toBe(name[0]);
      }),
    );
  });

  test.each([
    ["Phở Hòa", "pho hoa"],
    ["Đặng Văn Ngữ", "dang van ngu"],
    ["Pizza 4P's", "pizza 4p's"],
  ])("%s without marks is %s", (text, expected) => {
    expect(withoutMarks(text)).toBe(expected);
    expect(withoutMarks(text.normalize("NFD"))).toBe(expected);
  });

  test.each([
    ["A", "A"],
    ["Phở Hòa Đặc Biệt", "Phở Hòa Đặ"],
    ["Phở 24", "Phở"],
  ])("the first 60 %% of %s are %s", (text, expected) => {
    expect(firstSixtyPercent(text)).toBe(expected);
  });
});

describe("searches", () => {
  test("the shares of the mix make a whole, and every kind has one", () => {
    expect(REALISTIC_MIX.reduce((sum, { share }) => sum + share, 0)).toBe(100);
    expect(REALISTIC_MIX.map(({ kind }) => kind).toSorted()).toEqual([...SEARCH_KINDS].toSorted());
  });

  test("kinds are drawn by their shares", () => {
    const random = createRandom(1);
    const drawn = Array.from({ length: 20_000 }, () => drawKind(REALISTIC_MIX, random));
    for (const { kind, share } of REALISTIC_MIX) {
      const found = drawn.filter((other) => other === kind).length / drawn.length;
      expect(found).toBeCloseTo(share / 100, 1);
    }
  });

  test.each([...SEARCH_KINDS, ...SENTENCE_KINDS])(
    "%s: a text, and a caller at the distance the kind has",
    (kind) => {
      const random = createRandom(seedOf(kind));
      for (let round = 0; round < 100; round += 1) {
        const { text, centre } = makeSearch(kind, sample, random);
        const meters = distanceMeters(centre, PHO);
        expect(text).not.toBe("");
        expect(meters < 3_010 || (kind === "far_exact" && Math.abs(meters - 300_000) < 3_000)).toBe(true);
      }
    },
  );

  test.each([
    [21.03, "hà nội"],
    [16.07, "đà nẵng"],
    [10.78, "tphcm"],
  ])("in an area name the city of the place: at latitude %d %s", (latitude, city) => {
    const there = { ...sample, places: sample.places.map((place) => ({ ...place, latitude })) };
    for (const kind of ["name_area", "kind_area"] as const)
      expect(makeSearch(kind, there, createRandom(1)).text.endsWith(` ${city}`)).toBe(true);
  });

  test("a category word comes with its type", () => {
    const { text, type } = makeSearch("category", sample, createRandom(1));
    expect(type).toBe("PHO");
    expect(withoutMarks(text)).toMatch(/pho/);
  });
});

describe("workloads", () => {
  const requestsOf = (name: string, seed: number) => {
    const workload = listWorkloads(sample).find((other) => other.name === name)!;
    const random = createRandom(seed);
    return Array.from({ length: 2_000 }, () => JSON.stringify(workload.make(random)));
  };

  test("the same seed makes the same requests, another seed makes others", () => {
    expect(requestsOf("mix, cold", 1)).toEqual(requestsOf("mix, cold", 1));
    expect(requestsOf("mix, cold", 1)).not.toEqual(requestsOf("mix, cold", 2));
  });

  test("the cold mix hardly repeats itself, the Zipf mix does", () => {
    expect(new Set(requestsOf("mix, cold", 1)).size).toBeGreaterThan(1_980);
    expect(new Set(requestsOf("mix, Zipf", 1)).size).toBeLessThan(1_500);
  });

  test.each([
    ["1 letter", "p"],
    ["4 letters", "pho"],
    ["8 letters", "pho hoa"],
  ])("after %s %s is typed", (name, typed) => {
    expect(requestsOf(name, 1)[0]).toContain(`"text":"${typed}"`);
  });
});

const DRAWS = 100_000;

function countRanks(size: number, exponent: number): number[] {
  const draw = createZipf(size, exponent);
  const random = createRandom(1);
  const counts = Array.from({ length: size }, () => 0);
  for (let index = 0; index < DRAWS; index += 1) counts[draw(random)]! += 1;
  return counts;
}

test("the second rank comes half as often as the first, the tenth a tenth as often", () => {
  const counts = countRanks(100, 1);
  expect(counts[1]! / counts[0]!).toBeCloseTo(1 / 2, 1);
  expect(counts[9]! / counts[0]!).toBeCloseTo(1 / 10, 1);
});

test("with the exponent 0 all ranks are alike", () => {
  for (const count of countRanks(10, 0)) expect(count / DRAWS).toBeCloseTo(0.1, 1);
});

test("the smallest and the largest chance give the first and the last rank", () => {
  const draw = createZipf(7, 1);
  const always = (fraction: number) => draw({ ...createRandom(1), fraction: () => fraction });
  expect(always(0)).toBe(0);
  expect(always(1 - 2 ** -32)).toBe(6);
});
