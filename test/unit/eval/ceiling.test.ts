import { describe, expect, test } from "vitest";
import type { EvalCase, Kind } from "../../../tools/eval/cases.ts";
import { findCeiling } from "../../../tools/eval/ceiling.ts";
import { createDataset, toTruePlace } from "../../../tools/eval/dataset.ts";
import { buildPlace } from "../../support/build-place.ts";

const CENTRE = { latitude: 21, longitude: 105 };

/** About 111 m of latitude for each thousandth of a degree. */
const place = (title: string, thousandths: number, reviews = 0) =>
  toTruePlace(
    buildPlace({
      title,
      reviews,
      rating: reviews > 0 ? 4 : 0,
      location: { ...CENTRE, latitude: 21 + thousandths / 1000 },
    }),
  );

const asked = (kind: Kind, query: string, name: string): EvalCase => ({
  kind,
  query,
  centre: CENTRE,
  expected: { dataIds: [], name },
});

describe("the ceiling", () => {
  const dataset = createDataset([
    place("Mai Lan", 1),
    place("Mai Anh", 2),
    place("Mai Anh", 2),
    place("Mai Anh", 2),
    place("Mi Lan", 3),
  ]);

  test("ranks names that begin as typed by distance, and by how many are near", () => {
    expect(findCeiling([asked("first-60", "mai", "mai anh")], dataset)).toEqual({
      byDistance: [2],
      byLikelihood: [1],
    });
  });

  test("knows that a name with fewer typos is likelier", () => {
    const cases = [asked("typo-1", "maii lan", "mai lan"), asked("typo-1", "mii lan", "mai lan")];
    expect(findCeiling(cases, dataset)?.byDistance).toEqual([1, 1]);
  });

  test("ignores names that cannot be meant", () => {
    expect(findCeiling([asked("word-missing", "anh", "mai lan")], dataset)?.byDistance).toEqual([undefined]);
  });

  test("of autocomplete ends after four names", () => {
    const many = createDataset([1, 2, 3, 4, 5].map((at) => place(`Mai ${"abcde"[at - 1]}`, at)));
    const cases = ["mai d", "mai e"].map((name) => asked("autocomplete", "m", name));
    expect(findCeiling(cases, many)?.byDistance).toEqual([4, undefined]);
  });

  test("counts a nearer branch that adds its street to the name of a chain", () => {
    const chain = createDataset([place("Mai Anh Huế", 1), place("Mai Anh Lào", 3), place("Mai Anh", 2)]);
    const whole = asked("autocomplete", "mai", "mai anh");
    const cases = [whole, { ...whole, expected: { ...whole.expected, isChain: true as const } }];
    expect(findCeiling(cases, chain)?.byDistance).toEqual([2, 1]);
  });

  test("weighs places by reviews if requested", () => {
    const reviewed = createDataset([place("Mai Lan", 1, 10), place("Mai Anh", 2, 1000)]);
    const cases = [asked("autocomplete-known", "mai", "mai anh")];
    expect(findCeiling(cases, reviewed)).toEqual({ byDistance: [2], byLikelihood: [1] });
  });

  test("is left out where a perfect ranking makes no mistake", () => {
    expect(findCeiling([asked("exact", "Mai Anh", "mai anh")], dataset)).toBeUndefined();
  });
});
