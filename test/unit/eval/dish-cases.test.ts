import { describe, expect, test } from "vitest";
import { findDishes } from "../../../tools/eval/dish-cases.ts";
import { makeCases } from "../../../tools/eval/make-cases.ts";
import { createDataset, toTruePlace } from "../../../tools/eval/dataset.ts";
import { scoreAnswer } from "../../../tools/eval/score.ts";
import { type PlaceFacts, buildPlace } from "../../support/build-place.ts";

/** A thousandth of a degree is 111 m. */
const place = (title: string, thousandths: number, facts: PlaceFacts = {}) =>
  buildPlace({ title, ...facts, location: { latitude: 21 + thousandths / 1000, longitude: 105.85 } });

const datasetOf = (places: readonly ReturnType<typeof place>[]) => createDataset(places.map(toTruePlace));
const make = (places: readonly ReturnType<typeof place>[]) =>
  makeCases(datasetOf(places), { kinds: ["dish"], seed: 1, count: 50 });

describe("dishes", () => {
  test("are what people eat and names say, with their marks", () => {
    const places = [
      place("Quán lẩu dê Hương Sơn", 0),
      place("LẨU DÊ 304", 1),
      place("Lau de Minh", 2),
      place("Gelato Ý", 3, { business_status: "closed_permanently" }),
      place("Sofa Minh Anh", 4),
    ];
    const found = findDishes(datasetOf(places));
    expect(found.map(({ dish }) => dish)).toEqual(["lẩu dê"]);
    expect(found[0]?.places.map(({ title }) => title).toSorted()).toEqual([
      "LẨU DÊ 304",
      "Quán lẩu dê Hương Sơn",
    ]);
  });

  test("are typed as they are written, or without marks", () => {
    const typed = make([place("Lẩu dê Hương Sơn", 0)]).map(({ query }) => query);
    expect(new Set(typed)).toEqual(new Set(["lẩu dê", "lau de"]));
  });

  test("want the nearest three places whose names say them", () => {
    const places = [1, 3, 5, 7, 9].map((at) => place(`Lẩu dê số ${at}`, at));
    for (const { expected, centre } of make(places)) {
      const nearest = places.toSorted(
        (a, b) =>
          Math.hypot(a.location.latitude - centre.latitude) -
          Math.hypot(b.location.latitude - centre.latitude),
      );
      expect(expected.wanted?.count).toBe(3);
      expect(expected.dataIds).toEqual(nearest.slice(0, 3).map(({ data_id }) => data_id));
    }
  });

  test("want fewer places where fewer are near", () => {
    const [near, far] = [place("Lẩu dê Hương Sơn", 0), place("Lẩu dê 304", 500)];
    for (const { expected } of make([near, far])) {
      expect(expected.wanted?.count).toBe(1);
      expect([[near.data_id], [far.data_id]]).toContainEqual(expected.dataIds);
    }
  });

  test("take two records of one place as one", () => {
    const twice = [place("Lẩu dê 304", 0), place("Lẩu Dê 304", 0)];
    const [asked] = make([...twice, place("Lẩu dê Minh", 4)]);
    expect(asked?.expected.wanted?.count).toBe(2);
    expect(asked?.expected.dataIds).toHaveLength(3);
  });

  test("are right as far as the first results are among those", () => {
    const [one, other, restaurant] = [place("Lẩu dê 304", 0), place("Lẩu dê Minh", 4), place("Nhà hàng", 1)];
    const dataset = datasetOf([one, other, restaurant]);
    const [asked] = make([one, other, restaurant]);
    const score = (...answer: readonly { data_id: string }[]) =>
      scoreAnswer(
        asked!,
        answer.map(({ data_id }) => data_id),
        dataset,
      ).share;
    expect(score(other, one)).toBe(1);
    expect(score(restaurant, one, other)).toBe(0.5);
  });
});
