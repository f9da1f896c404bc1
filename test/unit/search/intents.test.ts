import { describe, expect, test } from "vitest";
import { createDensity } from "../../../src/meilisearch/place-index.ts";
import { NO_PAIRS } from "../../../src/meilisearch/word-pairs.ts";
import { createLexicon } from "../../../src/search/lexicon.ts";
import { findAreas } from "../../../src/search/reading/area-spans.ts";
import { readQuery } from "../../../src/search/reading/read-query.ts";
import { toReading, type Reading } from "../../../src/search/reading/reading.ts";
import { readQueryWords, toTokens } from "../../../src/search/reading/tokens.ts";
import {
  neighbourWants,
  relatedWants,
  toIntent,
  typoWants,
  type Asked,
  type Want,
} from "../../../src/search/intents.ts";
import { firstRing, ringFor, toLookup, widen, widerRing } from "../../../src/search/candidates.ts";
import { createContexts } from "../../../src/search/search-context.ts";
import { LOOKUPS, RINGS } from "../../../src/search/numbers.ts";
import { loadVocabulary } from "../../../src/search/vocabulary/read-vocabulary.ts";
import { cellsOf } from "../../../src/place/geometry/cells.ts";
import { CENTRE, requestOf } from "../../support/memory-search.ts";
import { pointAt } from "../../support/points.ts";

/** What is looked up for a reading, and in which ring around the caller. */

const PLACES = 50_000;
const lexicon = createLexicon({
  inNames: { highlands: 90, coffee: 2_000, tower: 40, cho: 300, ben: 80, thanh: 400, dao: 7 },
  inAddresses: { nguyen: 9_000, hue: 800, le: 3_000, loi: 700, quillon: 60 },
});
const COUNTS: Readonly<Record<string, number>> = { COFFEE: 3_000, HOTEL: 200 };
const ASKED: Asked = {
  lexicon,
  light: new Set(),
  centre: CENTRE,
  wanted: 20,
  places: PLACES,
  countTypes: (types) => types.reduce((sum, type) => sum + (COUNTS[type] ?? 0), 0),
};

const read = (query: string, isMeant: (reading: Reading) => boolean): Reading =>
  readQuery(query, loadVocabulary(), { near: CENTRE, lexicon }).readings.find(isMeant)!;
const asName = (text: string): Reading => toReading("name", { name: readQueryWords(text) });
const wantsOf = (reading: Reading): readonly Want[] => toIntent(reading, ASKED).wants;
/** A want, or those that are asked together in it. */
const partsOf = ({ filter }: Want) => filter.anyOf ?? [filter];
const filtersOf = (reading: Reading) => wantsOf(reading).map(({ filter }) => filter);

describe("a name", () => {
  test("is looked up as a whole and by its words, and as the beginning of one", () => {
    expect(filtersOf(asName("highlands coffee"))).toStrictEqual([
      { names: ["highlandscoffee"], nameWords: ["highlands", "coffee"] },
      { nameBeginning: "highla", nameWords: ["highlands"], wordBeginning: "cof" },
    ]);
  });

  test("of words that many names have is looked up by itself too: the nearest names may all be longer", () => {
    expect(filtersOf(asName("cho thanh"))).toStrictEqual([
      { nameWords: ["cho", "thanh"] },
      { names: ["chothanh"] },
      { nameBeginning: "chotha", nameWords: ["cho"], wordBeginning: "tha" },
    ]);
  });

  test("is expected to have fewer places than its rarest word, and more than if its words were strangers", () => {
    const [{ expected } = { expected: 0 }] = wantsOf(asName("highlands coffee"));
    expect(expected).toBeLessThan(90);
    expect(expected).toBeGreaterThan((90 * 2_000) / PLACES);
    expect(wantsOf(asName("coffee"))[0]?.expected).toBe(2_000);
  });

  test("of words that often stand side by side is expected as often as that", () => {
    const pairs = {
      inNames: { "coffee highlands": 80, "cho thanh": 250, "ben cho": 70 },
      inAddresses: { "loi nguyen": 600 },
    };
    const withPairs = createLexicon({
      inNames: { highlands: 90, coffee: 2_000, cho: 300, ben: 80, thanh: 400, nguyen: 50 },
      inAddresses: { nguyen: 9_000, loi: 700 },
      pairs,
    });
    const expectedOf = (text: string): readonly number[] =>
      toIntent(asName(text), { ...ASKED, lexicon: withPairs }).wants.map(({ expected }) => expected);
    expect(expectedOf("highlands coffee")[0]).toBe(80);
    expect(expectedOf("coffee highlands")[0], "in any order").toBe(80);
    expect(expectedOf("ben cho thanh")[0], "of 70 with the first pair").toBe(Math.round((70 * 250) / 300));
    expect(expectedOf("ben coffee")[0], "no pair that many have").toBe(
      toIntent(asName("ben coffee"), ASKED).wants[0]!.expected,
    );
    expect(expectedOf("nguyen loi"), "in addresses").toContain(600);
  });

  test("without its spaces is expected as often as names begin with such words", () => {
    const [beginning] = toIntent(asName("chothanhz"), {
      ...ASKED,
      lexicon: createLexicon({
        inNames: { cho: 3_000, thanh: 4_000 },
        inAddresses: {},
        pairs: { inNames: { "cho thanh": 2_500 }, inAddresses: {} },
      }),
    }).wants.slice(-1);
    expect(beginning).toMatchObject({ filter: { nameBeginning: "chotha" }, expected: 2_500 });
  });

  test("with words of addresses is looked up there too", () => {
    expect(filtersOf(asName("highlands hue"))).toContainEqual({ wordSets: [["highlands", "hue"]] });
    expect(filtersOf(asName("highlands coffee"))).not.toContainEqual(
      expect.objectContaining({ wordSets: expect.anything() as unknown }),
    );
  });

  test("with a word that no place has makes only the lookup of the whole name", () => {
    expect(filtersOf(asName("highlands zzzzzz"))).toStrictEqual([{ names: ["highlandszzzzzz"] }]);
  });

  test("with a typo is looked up by the word that it may be", () => {
    expect(filtersOf(asName("highlnds tower"))[0]?.nameWords).toStrictEqual([
      ["highlnds", "highlands"],
      "tower",
    ]);
  });

  test("of no words makes no lookup", () => {
    expect(wantsOf(asName(""))).toStrictEqual([]);
  });
});

describe("a kind", () => {
  const cafe = read("cà phê", ({ form }) => form === "kind");

  test("is looked up by its type, and in the names of other types", () => {
    const [ofType, ofName] = filtersOf(cafe);
    expect(ofType).toStrictEqual({ types: ["COFFEE"] });
    expect(ofName).toMatchObject({ noneOf: [{ types: ["COFFEE"] }] });
    expect(ofName?.anyOf).toContainEqual({ names: ["caphe"] });
  });

  test("that is common has fewer places by name", () => {
    const [ofType, ofName] = wantsOf(cafe);
    expect(ofName!.limit).toBeLessThan(ofType!.limit);
  });

  test("that no place is filed as is looked up in names alone", () => {
    const golf = read("sân golf", ({ form }) => form === "kind");
    expect(filtersOf(golf).some(({ types }) => types !== undefined)).toBe(false);
    expect(filtersOf(golf).length).toBeGreaterThan(0);
  });

  test("with a word that no place has makes no lookup", () => {
    expect(wantsOf({ ...cafe, name: readQueryWords("zzzzzz") })).toStrictEqual([]);
  });

  test("with other words is looked up where they are, as rare as they are", () => {
    const wants = wantsOf({ ...cafe, name: readQueryWords("quillon") });
    expect(wants.every(({ filter }) => filter.wordSets !== undefined)).toBe(true);
    expect(wants[0]?.expected).toBe(60);
  });

  test("of which there are few has related ones, if the dataset has any", () => {
    const guestHouse = read("nhà nghỉ", ({ form }) => form === "kind");
    const where = { centre: CENTRE };
    expect(relatedWants(guestHouse, ASKED, where)[0]?.filter.types).toContain("HOTEL");
    expect(relatedWants(guestHouse, { ...ASKED, countTypes: () => 0 }, where)).toStrictEqual([]);
  });
});

describe("an area", () => {
  const [district] = findAreas(toTokens("quận 12"), loadVocabulary(), CENTRE);
  const inArea = read("cà phê quận 12", ({ form, area }) => form === "kind" && area !== undefined);

  test("restricts the lookups, and is their centre for a caller outside", () => {
    const { wants, centre } = toIntent(inArea, ASKED);
    expect(wants.every(({ where }) => where.areas?.includes(district!.id))).toBe(true);
    expect(centre).toStrictEqual(inArea.area?.centre);
  });

  test("leaves a caller inside the centre", () => {
    const inside = inArea.area!.centre;
    expect(toIntent(inArea, { ...ASKED, centre: inside }).centre).toStrictEqual(inside);
  });

  test("alone means what is best known there, but no toilets", () => {
    const [want] = wantsOf(read("quận 12", ({ form }) => form === "area"));
    expect(want?.order).toBe("prominence");
    expect(want?.filter.noneOf?.[0]?.types).toContain("TOILET");
  });
});

describe("a landmark", () => {
  const near = read("cà phê gần chợ bến thành", ({ landmark }) => landmark !== undefined);

  test("is found first: by its name, and as a street", () => {
    const { anchor = [] } = toIntent(near, ASKED);
    expect(anchor.flatMap(partsOf)).toStrictEqual([
      { names: ["chobenthanh"], nameWords: ["cho", "ben", "thanh"] },
      { names: ["choben", "marketben"] },
      { wordSets: [["cho", "ben", "thanh"]] },
    ]);
  });

  test("may end before words that follow it: as the name of a place, and as a street", () => {
    const street = read("cà phê gần lê lợi quá đông", ({ landmark }) => landmark !== undefined);
    expect(toIntent(street, ASKED).anchor?.flatMap(partsOf)).toContainEqual({ wordSets: [["le", "loi"]] });
    expect(toIntent(street, ASKED).anchor?.flatMap(partsOf)).toContainEqual({
      names: expect.arrayContaining(["leloi"]) as string[],
    });
  });

  test("ends with its kind in English", () => {
    const market = read("cafe near ben thanh market", ({ landmark }) => landmark !== undefined);
    const parts = toIntent(market, ASKED).anchor?.flatMap(partsOf) ?? [];
    expect(parts.flatMap(({ names = [] }) => names)).toStrictEqual(["benthanhmarket"]);
  });

  test("that few places may be is looked up in one way only, as a name and as a street", () => {
    const { anchor = [] } = toIntent(near, ASKED);
    expect(anchor.map(({ limit }) => limit)).toStrictEqual([LOOKUPS.housesOfStreet]);
  });

  test("once found is the centre, and nothing is looked for any more", () => {
    const at = pointAt(CENTRE, 3_000, 0);
    const intent = toIntent(near, ASKED, { centre: at });
    expect(intent.anchor).toBeUndefined();
    expect(intent.centre).toStrictEqual(at);
    expect(intent.wants.every(({ where }) => where.centre === at)).toBe(true);
  });
});

describe("an address", () => {
  const house = read("12 nguyễn huệ", ({ form }) => form === "address");

  test("is looked up as the house", () => {
    expect(filtersOf(house)).toStrictEqual([{ wordSets: [["12", "nguyen", "hue"]] }]);
  });

  test("has its neighbours in the same street, around the house where it was found", () => {
    const at = pointAt(CENTRE, 3_000, 0);
    const [here] = neighbourWants(house, ASKED, { centre: CENTRE });
    const [there] = neighbourWants(house, ASKED, { centre: CENTRE }, at);
    expect(here).toMatchObject({ filter: { wordSets: [["nguyen", "hue"]] }, where: { centre: CENTRE } });
    expect(there).toMatchObject({ where: { centre: at }, within: LOOKUPS.mostSorted });
  });

  test("without a number is the street, which has no neighbours besides", () => {
    const { number: _, ...address } = house.address!;
    const street = { ...house, address };
    expect(filtersOf(street)).toStrictEqual([{ wordSets: [["nguyen", "hue"]] }]);
    expect(neighbourWants(street, ASKED, { centre: CENTRE })).toStrictEqual([]);
  });

  test("of a street that no address has makes no lookup", () => {
    const address = { ...house.address!, street: readQueryWords("zzzzzz") };
    expect(wantsOf({ ...house, address })).toStrictEqual([]);
  });
});

test("a point is the centre of any places but toilets, the nearest first", () => {
  const point = { latitude: 10.5, longitude: 106.5 };
  const { centre, wants } = toIntent(toReading("point", { point }), ASKED);
  expect(centre).toStrictEqual(point);
  expect(wants).toMatchObject([{ order: "distance" }]);
  expect(wants[0]?.filter.noneOf?.[0]?.types).toContain("TOILET");
});

describe("what may be mistyped", () => {
  const where = { centre: CENTRE };
  const typosOf = (text: string) => typoWants(asName(text), ASKED, where);

  test("is no name with typos where it is longer than any name", () => {
    const isByLetters = (text: string): boolean =>
      typosOf(text).some(({ joinedName }) => joinedName !== undefined);
    expect(isByLetters("tower ".repeat(12))).toBe(true);
    expect(isByLetters("tower ".repeat(13))).toBe(false);
  });

  test("is looked up as a name with typos, with similar words, and without one of them", () => {
    const filters = typosOf("highlnds zzzzz tower").map(({ filter }) => filter);
    expect(typosOf("highlnds tower")[0]).toMatchObject({ joinedName: "highlndstower", within: RINGS.region });
    expect(filters.flatMap(({ wordSets = [] }) => wordSets)).toStrictEqual([
      [["highlnds", "highlands"], "tower"],
    ]);
  });

  test("is looked up by each other word that one of its words may be", () => {
    const filters = typosOf("tho cho dao").flatMap(partsOf);
    expect(filters).toContainEqual({ anyOf: [{ nameWords: [["cho"], "cho", "dao"] }] });
  });

  test("never without its only word", () => {
    expect(typosOf("zzzzzz").map(({ filter }) => filter)).toStrictEqual([{}]);
  });

  test("is no more than a dozen words", () => {
    const sets = typosOf(Array.from({ length: 16 }, () => "dao").join(" ")).flatMap(
      ({ filter: { wordSets = [] } }) => wordSets,
    );
    expect(sets).toHaveLength(12);
    expect(sets.every((set) => set.length === 11)).toBe(true);
  });
});

describe("the ring of a lookup", () => {
  const spots = Array.from({ length: 400 }, (_, i) => pointAt(CENTRE, 60 * i, 37 * i));
  const density = createDensity(
    Object.fromEntries(
      [...Map.groupBy(spots.flatMap(cellsOf), (cell) => cell)].map(([cell, all]) => [cell, 125 * all.length]),
    ),
  );
  const census = {
    isWhole: true,
    places: PLACES,
    density,
    types: new Map<string, number>(),
    timezones: [],
    words: { inNames: {}, inAddresses: {}, pairs: NO_PAIRS },
  };
  const context = createContexts(async () => [], requestOf("cafe"), census)({});
  const want = (more: Partial<Want>): Want => ({
    filter: { types: ["COFFEE"] },
    expected: 10_000,
    limit: 20,
    order: "distance",
    where: { centre: CENTRE },
    ...more,
  });

  test("is everywhere for few matches, and narrow for many", () => {
    const { everywhere } = context.rings;
    expect(ringFor(want({ expected: 200 }), context)).toBe(everywhere);
    expect(ringFor(want({ expected: 40_000 }), context).places).toBeLessThan(everywhere.places);
  });

  test("is wider the rarer the matches, and in an area", () => {
    const placesOf = (more: Partial<Want>): number => ringFor(want(more), context).places;
    expect(placesOf({ expected: 1_000 })).toBeGreaterThan(placesOf({ expected: 40_000 }));
    expect(placesOf({ where: { centre: CENTRE, areas: ["d1"] } })).toBeGreaterThanOrEqual(placesOf({}));
  });

  test("has at first no more places than the engine sorts where thousands of addresses may have the words", () => {
    const ofStreet = want({ filter: { wordSets: [["nguyen", "hue"]] }, expected: 4_000 });
    expect(firstRing(ofStreet, context)).toBe(context.rings.holding(LOOKUPS.mostSorted));
    expect(ringFor(ofStreet, context).places).toBeGreaterThan(LOOKUPS.mostSorted);
    for (const other of [want({ expected: 4_000 }), { ...ofStreet, expected: 900 }])
      expect(firstRing(other, context)).toBe(ringFor(other, context));
  });

  test("is everywhere for the best known, unless a ring is said", () => {
    expect(ringFor(want({ order: "prominence" }), context)).toBe(context.rings.everywhere);
    const { cells } = ringFor(want({ order: "prominence", within: RINGS.region }), context);
    expect(cells).toStrictEqual(context.rings.holding(RINGS.region).cells);
  });

  test("that a round had no room to read whole is followed by no wider one, which begins with the same places", () => {
    const many = want({ expected: 40_000, limit: 400 });
    const [intent, ring] = [toIntent(asName("highlands"), ASKED), ringFor(many, context)];
    const answer = { intent, want: many, ring, context, result: { places: [], total: 300 } };
    expect(widen({ ...answer, isBounded: true })).toStrictEqual([]);
    expect(widen({ ...answer, isBounded: false })).toHaveLength(1);
  });

  test("that held too few is followed by a wider one, the last by none", () => {
    const many = want({ expected: 40_000 });
    const first = ringFor(many, context);
    const second = widerRing(many, first, 1, context);
    expect(second!.places).toBeGreaterThan(first.places);
    expect(widerRing(many, context.rings.everywhere, 1, context)).toBeUndefined();
    expect(widerRing(want({ expected: 700 }), first, 1, context), "few in all").toBe(
      context.rings.everywhere,
    );
    expect(widerRing(want({ order: "prominence" }), first, 0, context)).toBeUndefined();
  });

  test("that held too few of a thousand is followed by one in which the engine sorts them without reading all positions", () => {
    const first = context.rings.holding(500);
    const rare = widerRing(want({ expected: 1_017 }), first, 3, context)!;
    expect((1_017 * rare.places) / context.places).toBeLessThan(LOOKUPS.mostSorted);
    expect(rare.places).toBeGreaterThan(first.places);
    // Many may match, and what the ring held stands for 400, or for a few times as many.
    const guessed = widerRing(want({ expected: 20_000 }), first, 3, context)!;
    expect(guessed.cells).toBeDefined();
  });

  test("that held none is followed by the whole index, also where as many match as are dear to sort: all may be far away", () => {
    const first = context.rings.holding(500);
    for (const expected of [900, 1_017, 20_000])
      expect(widerRing(want({ expected }), first, 0, context)).toBe(context.rings.everywhere);
  });

  test("is part of the lookup, sorted from the centre", () => {
    const ring = ringFor(want({ expected: 40_000 }), context);
    expect(toLookup(want({}), ring, context)).toMatchObject({
      filter: { types: ["COFFEE"], cells: ring.cells },
      limit: 20,
      order: { by: "distance", from: CENTRE },
    });
    expect(toLookup(want({ order: "prominence", joinedName: "kfc" }), ring, context)).not.toHaveProperty(
      "order",
    );
  });
});
