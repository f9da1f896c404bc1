import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlaceIndex, PlaceLookup } from "../../../src/meilisearch/place-index.ts";
import { cellsOf } from "../../../src/place/geometry/cells.ts";
import { openSlotsOf } from "../../../src/place/time/open-slots.ts";
import type { OpeningHours } from "../../../src/place/document/place-document.ts";
import { fold, joinWords } from "../../../src/place/text/fold.ts";
import { buildPlace } from "../../support/build-place.ts";
import { createMemoryIndex } from "../../support/memory-index.ts";
import { createTestIndex, type TestIndex } from "../../support/test-index.ts";

const SAIGON = { latitude: 10.7769, longitude: 106.7009 };
const HANOI = { latitude: 21.0285, longitude: 105.8542 };

const openFrom = (start: number, end: number): OpeningHours => ({
  week: Array.from({ length: 7 }, (): [number, number][] => [[start, end]]),
  special_days: [],
});
const MORNINGS = openFrom(360, 660);
const EVENINGS = openFrom(1_080, 1_320);

/** The better known come first: no two are known equally. */
const PLACES = [
  buildPlace({
    title: "Phở Hòa",
    alternate_names: ["Pho Hoa Noodle"],
    type: "PHO",
    areas: ["w1", "p1"],
    rating: 4.6,
    reviews: 5_000,
    pricing: { min: 50_000, max: 90_000 },
    location: { ...SAIGON, address: { full: "260C Pasteur, Quận 3" } },
    opening_hours: MORNINGS,
  }),
  buildPlace({
    title: "Cà Phê Hòa Bình",
    type: "COFFEE",
    rating: 4.1,
    reviews: 700,
    pricing: { min: 20_000, max: 40_000 },
    location: { ...SAIGON, address: { full: "12 Lê Lợi" } },
    opening_hours: EVENINGS,
  }),
  buildPlace({
    title: "Bún Chả Hàng Mây",
    type: "RESTAURANT",
    areas: ["w2", "d1"],
    rating: 3.9,
    reviews: 90,
    location: { ...HANOI, address: { full: "1 Hàng Mây" } },
    opening_hours: {
      ...EVENINGS,
      special_days: [{ date: "2026-11-20", ranges: [[480, 720]] }],
    },
  }),
  buildPlace({ title: "Hiệu Sách Cũ", type: "BOOKS", location: HANOI }),
];
const [PHO, CAFE, BUN, BOOKS] = PLACES.map(({ title }) => title);
const ALL = [PHO, CAFE, BUN, BOOKS];

const cellOf = (place: (typeof PLACES)[number] | undefined): string[] =>
  place ? cellsOf(place.location).slice(-1) : [];
const MORNING_SLOTS = openSlotsOf(PLACES[0]!);
const patience = (): AbortSignal => AbortSignal.timeout(20_000);
const joined = (name: string): string => joinWords(fold(name));

let engine: TestIndex;
beforeAll(async () => {
  engine = await createTestIndex(PLACES);
});
afterAll(() => engine[Symbol.asyncDispose]());

const INDEXES: [string, () => PlaceIndex][] = [
  ["the engine", () => engine.index],
  ["the index in memory that unit tests use", () => createMemoryIndex(PLACES)],
];

const LOOKUPS: [string, Omit<PlaceLookup, "limit">, (string | undefined)[]][] = [
  ["without a condition: every place, the best known first", { filter: {} }, ALL],
  ["one of some cells", { filter: { cells: cellOf(PLACES[2]) } }, [BUN, BOOKS]],
  [
    "cells and other cells at once",
    { filter: { cells: cellOf(PLACES[0]), within: [cellOf(PLACES[2])] } },
    [],
  ],
  [
    "one of each of several lists of cells",
    { filter: { within: [cellOf(PLACES[2]), [...cellOf(PLACES[0]), ...cellOf(PLACES[2])]] } },
    [BUN, BOOKS],
  ],
  ["one of some types", { filter: { types: ["COFFEE", "BOOKS"] } }, [CAFE, BOOKS]],
  ["in one of some areas", { filter: { areas: ["w1", "d1"] } }, [PHO, BUN]],
  ["no type at all", { filter: { types: [] } }, []],
  ["a whole name, also one of the others", { filter: { names: [joined("Pho Hoa Noodle")] } }, [PHO]],
  ["all of some words in the names", { filter: { nameWords: ["hoa", "binh"] } }, [CAFE]],
  ["words of the address are not words of the name", { filter: { nameWords: ["pasteur"] } }, []],
  ["all words of one set or another", { filter: { wordSets: [["hoa", "pasteur"], ["sach"]] } }, [PHO, BOOKS]],
  [
    "a name, or words of the name, or words anywhere",
    { filter: { names: [joined("Phở Hòa")], nameWords: ["hoa", "binh"], wordSets: [["hang", "may"]] } },
    [PHO, CAFE, BUN],
  ],
  ["words and a type: both must hold", { filter: { nameWords: ["hoa"], types: ["COFFEE"] } }, [CAFE]],
  [
    "words and none of some types",
    { filter: { nameWords: ["hoa"], noneOf: [{ types: ["COFFEE"] }] } },
    [PHO],
  ],
  ["the first letters of a name", { filter: { nameBeginning: "caph" } }, [CAFE]],
  ["the first letter of a name", { filter: { nameBeginning: "c" } }, [CAFE]],
  ["all letters of a short name, and no longer name", { filter: { nameBeginning: "phohoa" } }, [PHO]],
  ["the first letters of a word of a name", { filter: { wordBeginning: "ho" } }, [PHO, CAFE]],
  ["a part of the week", { filter: { openSlots: MORNING_SLOTS.slice(0, 1) } }, [PHO]],
  [
    "a part of the week, or a date with hours of its own",
    { filter: { openSlots: MORNING_SLOTS.slice(0, 1), specialDates: ["2026-11-20"] } },
    [PHO, BUN],
  ],
  ["a rating", { filter: { minRating: 4.1 } }, [PHO, CAFE]],
  ["a rating of nothing, which all have", { filter: { minRating: 0 } }, ALL],
  ["a price, which must be known", { filter: { maxPrice: 40_000 } }, [CAFE]],
  ["a price of nothing, which nobody has", { filter: { maxPrice: 0 } }, []],
  ["a name with a typo", { filter: {}, joinedName: joined("Cà Phê Hòa Bihn") }, [CAFE]],
  ["a name half typed", { filter: {}, joinedName: "phohoano" }, [PHO]],
  ["a name and a condition", { filter: { types: ["COFFEE"] }, joinedName: joined("Cà Phê") }, [CAFE]],
];

/** Without a condition the engine counts its manifest as well; with text its count is an estimate. */
const hasCondition = ([, { filter, ...text }]: (typeof LOOKUPS)[number]): boolean =>
  Object.keys(filter).length > 0 && Object.keys(text).length === 0;

describe.each(INDEXES)("%s finds by", (_, open) => {
  test.each(LOOKUPS)("%s", async (_what, lookup, expected) => {
    const [found] = await open().findPlaces([{ ...lookup, limit: 20 }], patience());
    expect(found?.places.map(({ title }) => title)).toStrictEqual(expected);
  });
  test.each(LOOKUPS.filter(hasCondition))("%s, and counts them", async (_what, lookup, expected) => {
    const [found] = await open().findPlaces([{ ...lookup, limit: 0 }], patience());
    expect(found?.total).toBe(expected.length);
  });

  test("a limit, and returns the total", async () => {
    const [some, none] = await open().findPlaces(
      [
        { filter: { minRating: 0 }, limit: 1 },
        { filter: { types: ["PHO", "COFFEE"] }, limit: 0 },
      ],
      patience(),
    );
    expect(some?.places.map(({ title }) => title)).toStrictEqual([PHO]);
    expect([some?.total, none?.total, none?.places]).toStrictEqual([4, 2, []]);
  });
});
