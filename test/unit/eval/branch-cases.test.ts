import { describe, expect, test } from "vitest";
import { makeCases } from "../../../tools/eval/make-cases.ts";
import { findChains } from "../../../tools/eval/branch-cases.ts";
import { createDataset, toTruePlace } from "../../../tools/eval/dataset.ts";
import { distanceMeters } from "../../../src/place/geometry/coordinates.ts";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import { type PlaceFacts, buildPlace } from "../../support/build-place.ts";

const place = (title: string, hundredths: number, facts: PlaceFacts = {}): PlaceDocument =>
  buildPlace({
    title,
    type: "COFFEE",
    ...facts,
    location: { latitude: 21 + hundredths / 100, longitude: 105.85, ...facts.location },
  });

const datasetOf = (places: readonly PlaceDocument[]) => createDataset(places.map(toTruePlace));

const chainsOf = (places: readonly PlaceDocument[]): string[] =>
  findChains(datasetOf(places)).map(({ name }) => name);

const titled = (...titles: readonly string[]): PlaceDocument[] => titles.map((title, at) => place(title, at));

describe("chains", () => {
  test("are the first words that three names share, however these go on", () => {
    expect(chainsOf(titled("Urban Station Huế", "Urban Station Hàng Bè", "Urban Station"))).toEqual([
      "urban station",
    ]);
    expect(chainsOf(titled("Urban Station Huế", "Urban Station Hàng Bè"))).toEqual([]);
  });

  test("may all have the same name", () => {
    expect(chainsOf(titled("Urban Station", "Urban Station", "Urban Station"))).toEqual(["urban station"]);
  });

  test("are no first words of a kind, no areas and no streets", () => {
    expect(chainsOf(titled("Cà phê Mộc", "Cà phê Lam", "Cà phê Ngõ"))).toEqual([]);
    expect(chainsOf(titled("Hà Nội Xưa", "Hà Nội Nay", "Hà Nội Đêm"))).toEqual([]);
    const onStreet = place("Mộc", 4, { location: { address: { street: "12 Urban Station" } } });
    expect(chainsOf([...titled("Urban Station A", "Urban Station B", "Urban Station C"), onStreet])).toEqual(
      [],
    );
  });

  test("are no words of which the last is one of many, unless a place has no other name", () => {
    const others = ["Cà phê Lam", "Cà phê Mộc", "Cà phê Ngõ", "Cà phê Xưa"];
    const names = ["Cà phê Zaza Một", "Cà phê Zaza Hai", "Cà phê Zaza Ba", ...others];
    expect(chainsOf(titled(...names.slice(0, 5)))).toEqual(["ca phe zaza"]);
    expect(chainsOf(titled(...names))).toEqual([]);
    expect(chainsOf(titled(...names, "Cà phê Zaza"))).toEqual(["ca phe zaza"]);
  });

  test("are written with the same marks, or without", () => {
    expect(chainsOf(titled("Zozo Đồng Một", "Zozo Đồng Hai", "Zozo Dong Ba"))).toEqual(["zozo dong"]);
    expect(chainsOf(titled("Zozo Đồng Một", "Zozo Đống Hai", "Zozo Đông Ba"))).toEqual([]);
  });

  test("have branches of mostly one kind", () => {
    const types = ["COFFEE", "BANK", "HOTEL"];
    const mixed = types.map((type, at) => place(`Urban Station ${at}`, at, { type }));
    expect(chainsOf(mixed)).toEqual([]);
  });
});

describe("a case of a chain", () => {
  const branches = [
    place("Urban Station", 0),
    place("Urban Station Hàng Bè", 5),
    place("Urban Station Huế", 10),
    place("Urban Station", 5, { business_status: "closed_permanently" }),
  ];
  const other = place("Hàng nước", 5);
  const cases = makeCases(datasetOf([...branches, other]), { kinds: ["branch"], seed: 1, count: 50 });

  test("is the shared beginning, and right is the nearest open branch", () => {
    const open = branches.slice(0, 3);
    for (const { query, centre, expected } of cases) {
      expect(query.toLowerCase()).toBe("urban station");
      const nearest = open.toSorted(
        (a, b) => distanceMeters(centre, a.location) - distanceMeters(centre, b.location),
      );
      expect(expected.dataIds[0]).toBe(nearest[0]!.data_id);
      expect(expected.nearestFive).toEqual(nearest.map(({ data_id }) => data_id));
    }
    expect(new Set(cases.map(({ expected }) => expected.dataIds[0])).size).toBeGreaterThan(1);
  });

  test("comes five times at most, and stays in one half", () => {
    expect(cases).toHaveLength(5);
    expect(new Set(cases.map(({ part }) => part)).size).toBe(1);
  });
});

describe("a case of a chain with its kind", () => {
  const branches = [
    place("Zozo", 0, { type: "BANK" }),
    place("Zozo Hàng Bè", 5, { type: "BANK" }),
    place("Zozo Huế", 10, { type: "BANK" }),
  ];
  const named = place("Ngân hàng Zozo", 20, { type: "BANK" });
  const atm = place("Zozo", 30, { type: "ATM" });
  const kinds = { kinds: ["branch-kind"], seed: 1, count: 50 } as const;
  const cases = makeCases(datasetOf([...branches, named, atm]), kinds);

  test("has the kind before the name, and right is the nearest of the kind, whether its name says so or not", () => {
    const right = [...branches, named];
    expect(cases).toHaveLength(5);
    for (const { query, centre, expected } of cases) {
      expect(["ngân hàng zozo", "ngan hang zozo"]).toContain(query.toLowerCase());
      const nearest = right.toSorted(
        (a, b) => distanceMeters(centre, a.location) - distanceMeters(centre, b.location),
      );
      expect(expected.dataIds[0]).toBe(nearest[0]!.data_id);
      expect(expected.dataIds).not.toContain(atm.data_id);
    }
  });

  test("is made of no chain whose name has the kind already", () => {
    const said = branches.map((one, at) => place(`Zozo Hàng ${at}`, 5 * at, { type: one.type }));
    expect(makeCases(datasetOf(said), kinds)).toEqual([]);
  });
});

describe("a case of a chain and a place", () => {
  const branches = [0, 0.5, 5, 10, 15].map((at) => place("Zozo", at, { type: "BANK" }));
  const market = place("Chợ Hôm", 0.4, { type: "MARKET" });
  const kinds = { kinds: ["chain-place"], seed: 1, count: 50 } as const;

  test("has the name of the place behind the chain, and right is the branch nearest to it", () => {
    const cases = makeCases(datasetOf([...branches, market]), kinds);
    expect(cases).toHaveLength(1);
    expect(["zozo chợ hôm", "zozo cho hom"]).toContain(cases[0]!.query.toLowerCase());
    expect(cases[0]!.expected.dataIds).toEqual([branches[1]!.data_id]);
  });

  test("needs five branches, one of them near, and a place that has its name alone", () => {
    expect(makeCases(datasetOf([...branches.slice(1), market]), kinds)).toEqual([]);
    expect(makeCases(datasetOf([...branches, place("Chợ Hôm", 30, { type: "MARKET" })]), kinds)).toEqual([]);
    expect(makeCases(datasetOf([...branches, market, place("Chợ Hôm", 20)]), kinds)).toEqual([]);
  });
});
