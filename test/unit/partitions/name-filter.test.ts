import { describe, expect, test } from "vitest";
import { toIndexedPlace, type IndexedPlace } from "../../../src/meilisearch/index-form.ts";
import type { PlaceFilter } from "../../../src/meilisearch/place-index.ts";
import {
  askNames,
  buildNames,
  hashesOfPlace,
  NAME_FIELDS,
  openNames,
  withAdded,
} from "../../../src/partitions/name-filter.ts";
import { cellsOf } from "../../../src/place/geometry/cells.ts";
import { buildPlace } from "../../support/build-place.ts";

const SAIGON = { latitude: 10.7769, longitude: 106.7009 };
const HANOI = { latitude: 21.0285, longitude: 105.8542 };

const PHO = toIndexedPlace(
  buildPlace({
    title: "Phở Hòa Pasteur",
    type: "PHO",
    areas: ["w1"],
    location: { address: { full: "260C Pasteur, Quận 3" }, ...SAIGON },
  }),
);
const KFC = toIndexedPlace(buildPlace({ title: "KFC", type: "RESTAURANT" }));

/** As the engine counts the values of each field. */
function facetsOf(places: readonly IndexedPlace[]): Record<string, Record<string, number>> {
  const valuesOf = (field: (typeof NAME_FIELDS)[number]): string[] =>
    places.flatMap((place) => [place[field] ?? []].flat());
  return Object.fromEntries(
    NAME_FIELDS.map((field) => [field, Object.fromEntries(valuesOf(field).map((value) => [value, 1]))]),
  );
}

const names = openNames(buildNames(facetsOf([PHO, KFC])))!;

describe("a partition is not asked", () => {
  test.each<[string, PlaceFilter]>([
    ["for another name", { names: ["banhmi"] }],
    ["for a word of a name that only an address has", { nameWords: ["quan"] }],
    ["for words of which it lacks one", { wordSets: [["pho", "gan"]] }],
    ["where neither the name nor the words are", { names: ["phogan"], wordSets: [["pho", "gan"]] }],
    ["for another beginning of six letters", { nameBeginning: "phobat" }],
    ["for a beginning of four letters whose first two are another", { nameBeginning: "bunc" }],
    ["for another area", { areas: ["w2"] }],
    ["for another type", { types: ["COFFEE"] }],
    ["for cells where it has no place", { cells: cellsOf(HANOI) }],
    ["for a circle where it has no place", { within: [cellsOf(HANOI)], types: ["PHO"] }],
    ["for the right name of another type", { names: ["kfc"], types: ["COFFEE"] }],
    ["where no alternative is", { anyOf: [{ types: ["COFFEE"] }, { names: ["phobo"] }] }],
  ])("%s", (_, filter) => {
    expect(askNames(filter)(names)).toBe(false);
  });
});

describe("a partition is asked", () => {
  test.each<[string, PlaceFilter]>([
    ["without a condition", {}],
    ["for a name", { names: ["banhmi", "kfc"] }],
    ["for words of a name", { nameWords: ["hoa", "pasteur"] }],
    ["for words of names and addresses", { wordSets: [["bo"], ["pho", "quan"]] }],
    ["for words instead of the name", { names: ["phobo"], nameWords: ["pho"] }],
    ["for a beginning of six letters", { nameBeginning: "phohoa" }],
    ["for a beginning of four letters", { nameBeginning: "phoh" }],
    ["for a whole short name as a beginning", { nameBeginning: "kfc" }],
    ["for one letter", { nameBeginning: "k" }],
    ["for cells of which one has a place", { cells: [...cellsOf(HANOI), ...cellsOf(SAIGON).slice(-1)] }],
    ["for an area and a type", { areas: ["w1"], types: ["PHO"] }],
    ["for one of two alternatives", { anyOf: [{ types: ["COFFEE"] }, { names: ["kfc"] }] }],
    ["for what only the engine knows", { minRating: 5, openSlots: ["1"], wordBeginning: "zz" }],
  ])("%s", (_, filter) => {
    expect(askNames(filter)(names)).toBe(true);
  });

  test("for what was added since", () => {
    const added = toIndexedPlace(buildPlace({ title: "Bún Chả" }));
    const filter = { names: ["buncha"], nameWords: ["bun"], nameBeginning: "buncha" };
    expect(askNames(filter)(names)).toBe(false);
    const both = withAdded(names, hashesOfPlace(added));
    expect(askNames(filter)(both)).toBe(true);
  });
});

test("an empty partition holds nothing", () => {
  expect(askNames({ names: ["kfc"] })(openNames(buildNames({}))!)).toBe(false);
});

test("a filter of another form is not read", () => {
  expect(openNames({ ...buildNames({}), form: 1 })).toBeUndefined();
  expect(openNames({ tokens: 0, bits: "" })).toBeUndefined();
});

test("no token is missed, less than one in a hundred others is mistaken for one, at ten bits each", () => {
  const values = Array.from({ length: 20_000 }, (_, number) => `name${number}`);
  const stored = buildNames({ joined_names: Object.fromEntries(values.map((value) => [value, 1])) });
  const { mayHold } = openNames(stored)!;
  const hashOf = (name: string): number => hashesOfPlace({ ...EMPTY, joined_names: [name] })[0]!;
  expect(values.filter((value) => !mayHold(hashOf(value)))).toEqual([]);
  const others = values.filter((value) => mayHold(hashOf(`other ${value}`)));
  expect(others.length / values.length).toBeLessThan(0.01);
  expect(Buffer.from(stored.bits, "base64").length).toBeLessThanOrEqual((20_000 * 10) / 8 + 1);
});

const EMPTY = {
  ...KFC,
  joined_names: [],
  name_words: [],
  rest_words: [],
  name_beginnings: [],
  areas: [],
  cells: [],
};
