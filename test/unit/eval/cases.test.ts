import { describe, expect, test } from "vitest";
import { type EvalCase, KINDS, type Kind, mistype } from "../../../tools/eval/cases.ts";
import { makeCases } from "../../../tools/eval/make-cases.ts";
import { createDataset, toTruePlace } from "../../../tools/eval/dataset.ts";
import { distanceMeters } from "../../../src/place/geometry/coordinates.ts";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import { type PlaceFacts, buildPlace } from "../../support/build-place.ts";
import { fc } from "@fast-check/vitest";
import { createRandom } from "../../support/random.ts";
import { editDistance } from "../../../src/place/text/edit-distance.ts";
import { fold } from "../../../src/place/text/fold.ts";

const AT = { latitude: 21.03, longitude: 105.85 };

const place = (title: string, facts: PlaceFacts = {}): PlaceDocument =>
  buildPlace({ title, ...facts, location: { ...AT, ...facts.location } });

const datasetOf = (places: readonly PlaceDocument[]) => createDataset(places.map(toTruePlace));

const make = (places: readonly PlaceDocument[], kind: Kind, count = 50): EvalCase[] =>
  makeCases(datasetOf(places), { kinds: [kind], seed: 1, count });

const queries = (cases: readonly EvalCase[]): string[] => cases.map(({ query }) => query);

const HANOI = [place("Cà phê Giảng"), place("Phở Thìn Lò Đúc"), place("Hồ Gươm"), place("Bệnh viện E")];

describe("cases", () => {
  test("are the same for the same seed, in any order of the file", () => {
    const datasets = [datasetOf(HANOI), datasetOf(HANOI.toReversed())];
    const [one, other] = datasets.map((dataset) => makeCases(dataset, { kinds: KINDS, seed: 7, count: 9 }));
    expect(one).toEqual(other);
    expect(one).not.toEqual(makeCases(datasets[0]!, { kinds: KINDS, seed: 8, count: 9 }));
  });

  test("are centred within 3 km, far ones at 300 km", () => {
    const metersOf = (kind: Kind): number[] =>
      make(HANOI, kind).map(({ centre }) => distanceMeters(centre, AT));
    expect(Math.max(...metersOf("exact"))).toBeLessThan(3_010);
    expect(Math.min(...metersOf("far"))).toBeGreaterThan(298_000);
  });

  test.each<[Kind, string[]]>([
    ["exact", ["Phở Thìn Lò Đúc"]],
    ["no-marks", ["pho thin lo duc"]],
    ["joined", ["phothinloduc"]],
    ["first-60", ["pho thin"]],
    ["word-missing", ["thin lo duc", "pho lo duc", "pho thin duc", "pho thin lo"]],
    ["swapped", ["thin pho lo duc", "pho lo thin duc", "pho thin duc lo"]],
    ["telex", ["phowr thinf lof dducs"]],
  ])("%s types the name in its way", (kind, ways) => {
    const [query] = queries(make([place("Phở Thìn Lò Đúc")], kind));
    expect(ways).toContain(query);
  });

  test("abbreviate a word of the name that people abbreviate", () => {
    const places = [place("Bệnh viện Bạch Mai"), place("Phở Thìn Lò Đúc")];
    expect(queries(make(places, "short-form"))).toEqual(["bv bạch mai"]);
  });

  test("mistype one letter of a query whose result stays the same", () => {
    const cafes = Array.from({ length: 12 }, (_, at) =>
      place(`Quán ${"abcdefghijkl"[at]}`, {
        type: "COFFEE",
        location: { ...AT, latitude: AT.latitude + at / 10_000 },
      }),
    );
    const asked = make(cafes, "mistyped").filter(({ form }) => form === "kind and phrase");
    expect(asked.length).toBeGreaterThan(10);
    const right = new Set(queries(make(cafes, "phrase", 500)).map((query) => fold(query)));
    for (const { query, expected } of asked) {
      expect(Math.min(...[...right].map((one) => editDistance(query, one).whole))).toBeLessThanOrEqual(1);
      expect(expected.wanted?.type).toBe("COFFEE");
    }
  });

  test("type the name character by character for autocomplete", () => {
    expect(queries(make([place("Hồ Gươm")], "autocomplete"))).toEqual([
      "h", "ho", "ho", "ho g", "ho gu", "ho guo", "ho guom",
    ]); // prettier-ignore
  });

  test("leave out names that are categories, and closed places", () => {
    const places = [
      place("Nhà thuốc"),
      place("Cafe"),
      place("Cũ", { business_status: "closed_permanently" }),
    ];
    expect(make(places, "exact")).toEqual([]);
  });

  test("leave out parts of a name that are another name", () => {
    const places = [place("Phở Thìn Bờ Hồ"), place("Phở Thìn Bờ"), place("Phở Thìn Hồ"), place("Phở Bờ Hồ")];
    const asked = make(places, "word-missing").filter(({ expected }) => expected.name === "pho thin bo ho");
    expect(queries(asked)).toEqual(queries(asked).filter((query) => query === "thin bo ho"));
  });

  test("mistype short names only for the kinds that allow it", () => {
    expect(make([place("Moc")], "typo-1")).toEqual([]);
    expect(make([place("Moc")], "typo-1-any")).toHaveLength(1);
    expect(make([place("Giang Nam")], "typo-2")).toEqual([]);
  });

  test("accept the nearest place with the name, also as an alternate name", () => {
    const near = place("Highlands Tràng Tiền", { alternate_names: ["Highlands Coffee"] });
    const far = place("Highlands Coffee", { location: { latitude: 21.2 } });
    const { expected, centre } = make([far, near], "exact").find(({ query }) => query === far.title)!;
    const nearest = [near, far].toSorted(
      (a, b) => distanceMeters(centre, a.location) - distanceMeters(centre, b.location),
    );
    expect(expected.dataIds).toEqual([nearest[0]!.data_id]);
  });

  test("have five branches or more for a chain", () => {
    const branches = Array.from({ length: 5 }, (_, number) =>
      place("Circle K", { location: { latitude: 21 + number / 100 } }),
    );
    expect(make(branches.slice(1), "chain")).toEqual([]);
    const [asked] = make(branches, "chain", 1);
    expect(asked?.expected.nearestFive?.toSorted()).toEqual(
      branches.map(({ data_id }) => data_id).toSorted(),
    );
  });

  test("have thirty places or more for a category, including its subtypes", () => {
    const shops = Array.from({ length: 30 }, () => place("Quán", { type: "PHO" }));
    expect(make(shops.slice(1), "category")).toEqual([]);
    const asked = make(shops, "category").find(({ query }) => query === "Nhà hàng");
    expect(asked?.expected.types).toContain("PHO");
  });

  test("accept every place in the house for an address, with or without the word for street", () => {
    const at = (street: string): PlaceDocument => place("Quán", { location: { address: { street } } });
    const [one, other, elsewhere] = [at("12 Phố Huế"), at("12 Huế"), at("14 Huế")];
    const houses = [[one!.data_id, other!.data_id].toSorted(), [elsewhere!.data_id]];
    for (const { expected } of make([one!, other!], "address").concat(
      make([one!, other!, elsewhere!], "address"),
    ))
      expect(houses).toContainEqual(expected.dataIds.toSorted());
  });

  test("want places of the kind within 250 m of a house, for a kind and a street", () => {
    const house = (number: number, north: number): PlaceDocument =>
      place(`Nhà ${number}`, {
        type: "SHOP",
        location: {
          latitude: 21 + north / 111_195,
          longitude: 105.85,
          address: { street: `${number} Hàng Bài` },
        },
      });
    const cafe = (north: number): PlaceDocument =>
      place(`Quán ${north}`, {
        type: "COFFEE",
        location: { latitude: 21 + north / 111_195, longitude: 105.85, address: { street: "" } },
      });
    // A kind needs thirty places.
    const far = Array.from({ length: 28 }, (_, at) => cafe(5_000 + 10 * at));
    const [beside, around] = [cafe(40), cafe(440)];
    const cases = make([house(1, 0), house(2, 100), house(3, 200), beside, around, ...far], "kind-street");
    expect(cases.length).toBeGreaterThan(0);
    for (const { query, expected } of cases) {
      expect(query.toLowerCase()).toMatch(/ (?:hàng bài|hang bai)$/);
      expect(new Set(expected.dataIds)).toEqual(new Set([beside.data_id, around.data_id]));
      expect(expected.wanted?.count).toBe(2);
    }
  });

  test("need three addresses of a street, and a kind of thirty places", () => {
    const house = (number: number): PlaceDocument =>
      place(`Nhà ${number}`, { location: { address: { street: `${number} Hàng Bài` } } });
    const houses = [house(1), house(2)];
    const cafes = Array.from({ length: 30 }, (_, at) =>
      place(`Quán ${at}`, { type: "COFFEE", location: { address: { street: "" } } }),
    );
    expect(make([...houses, ...cafes], "kind-street")).toEqual([]);
    expect(make([...houses, house(3), ...cafes.slice(1)], "kind-street")).toEqual([]);
  });
});

describe("mistyping", () => {
  test("makes exactly the requested number of edits", () => {
    const isExact = fc.property(fc.string(), fc.constantFrom(1, 2), (seed, typos) => {
      const typed = mistype("ca phe giang 39", typos, createRandom(seed));
      return editDistance(typed ?? "", "ca phe giang 39").whole === typos;
    });
    fc.assert(isExact);
  });

  test("does not change digits and spaces", () => {
    const isLeft = fc.property(fc.string(), (seed) => {
      const typed = mistype("quan 161 vo van tan", 2, createRandom(seed)) ?? "";
      return typed.includes(" 161 ") && typed.split(" ").length === 5;
    });
    fc.assert(isLeft);
  });

  test.each([["161"], ["김밥천국"]])("does without %j, which has no Latin letters", (name) => {
    expect(mistype(name, 1, createRandom("any"))).toBeUndefined();
  });
});
