import { describe, expect, test } from "vitest";
import { MAX_SORTED_PLACES, type PlaceCandidate } from "../../../src/place-index/place-index.ts";
import type { PlaceDocument } from "../../../src/place/place-document.ts";
import {
  findByTypes,
  findByWords,
  findAlike,
  findMistyped,
  findNamed,
  type Scope,
} from "../../../src/search/find-candidates.ts";
import { ringsAround } from "../../../src/search/rings.ts";
import { readTypedQuery } from "../../../src/search/typed-query.ts";
import { buildPlace } from "../../support/build-place.ts";
import { createMemoryIndex } from "../../support/memory-index.ts";
import { pointAt } from "../../support/points.ts";

const CENTRE = { latitude: 10.776, longitude: 106.7 };

const placeAt = (meters: number, title: string, type = "PLACE"): PlaceDocument =>
  buildPlace({ title, type, location: pointAt(CENTRE, meters, meters) });

const many = (count: number, make: (index: number) => PlaceDocument): PlaceDocument[] =>
  Array.from({ length: count }, (_, index) => make(index));

async function scopeOver(places: readonly PlaceDocument[]) {
  const index = createMemoryIndex(places);
  const { density } = await index.readCensus();
  const ask: Scope["ask"] = (lookups) => index.findPlaces(lookups, AbortSignal.timeout(1_000));
  const scope: Scope = {
    centre: CENTRE,
    rings: ringsAround(CENTRE, density),
    perLookup: 50,
    perWideLookup: 100,
    ask,
  };
  return { scope, index };
}

const titlesOf = (places: readonly PlaceCandidate[]): string[] => places.map(({ title }) => title);

describe("places of a category", () => {
  test("are found with one round of questions where there are enough", async () => {
    const { scope, index } = await scopeOver(many(200, (i) => placeAt(i * 10, `Quán ${i}`, "COFFEE")));
    const found = await findByTypes(["COFFEE"], readTypedQuery("cafe"), scope);
    expect(index.rounds).toHaveLength(1);
    const nearest = Array.from({ length: 50 }, (_, i) => `Quán ${i}`);
    expect(titlesOf(found)).toEqual(expect.arrayContaining(nearest));
  });

  test("are looked for further away where there are few", async () => {
    const far = placeAt(400_000, "Quán xa", "COFFEE");
    const { scope, index } = await scopeOver([...many(20, (i) => placeAt(i, `Shop ${i}`)), far]);
    expect(titlesOf(await findByTypes(["COFFEE"], readTypedQuery("cafe"), scope))).toContain("Quán xa");
    expect(index.rounds).toHaveLength(2);
  });

  test("come with the neighbours that bear the word as their name", async () => {
    const { scope } = await scopeOver([placeAt(10, "Cafe", "RESTAURANT"), placeAt(20, "Quán", "COFFEE")]);
    expect(titlesOf(await findByTypes(["COFFEE"], readTypedQuery("cafe"), scope))).toContain("Cafe");
  });
});

describe("places by words", () => {
  test("are found anywhere when they hold every word", async () => {
    const { scope } = await scopeOver([
      placeAt(10, "Phở Lệ"),
      placeAt(900_000, "Phở Bát Đàn"),
      placeAt(20, "Bún chả"),
    ]);
    expect(titlesOf(await findByWords(readTypedQuery("pho bat dan"), scope))).toContain("Phở Bát Đàn");
  });

  test("are found near by when they hold all but one", async () => {
    const { scope } = await scopeOver([placeAt(100, "Highlands Coffee"), placeAt(200, "Bún chả")]);
    const found = await findByWords(readTypedQuery("xyzzy highlands coffee"), scope);
    expect(titlesOf(found)).toStrictEqual(["Highlands Coffee"]);
  });

  test("of one word are not asked for without it", async () => {
    const { scope, index } = await scopeOver([placeAt(100, "Highlands Coffee")]);
    await findByWords(readTypedQuery("highlands"), scope);
    const emptySets = index.rounds.flat().flatMap(({ filter }) => filter.wordSets ?? []);
    expect(emptySets.every((set) => set.length > 0)).toBe(true);
  });

  test("are the nearest of them where more hold the words than one answer takes", async () => {
    const prominentAndFar = many(120, (i) =>
      buildPlace({
        title: `Highlands Coffee ${i}`,
        rating: 5,
        reviews: 1_000,
        location: pointAt(CENTRE, 30_000 + i * 100, i),
      }),
    );
    const { scope, index } = await scopeOver([...prominentAndFar, placeAt(3_000, "Highlands Coffee Q7")]);
    expect(titlesOf(await findByWords(readTypedQuery("highlands coffee"), scope))).toContain(
      "Highlands Coffee Q7",
    );
    expect(index.rounds).toHaveLength(2);
    expect(titlesOf(await findNamed(["highlands", "coffee"], scope))).toContain("Highlands Coffee Q7");
  });
});

test.each([
  ["phở hóa", "Phở Hòa"],
  ["pho hoq", "Phở Hòa"],
  ["bho hoa", "Phở Hòa"],
  ["xho hoa", "Phở Hòa"],
  ["phohoa pasteurr", "Phở Hòa Pasteur"],
])("mistyped as %j, %j is found", async (typed, title) => {
  const { scope } = await scopeOver([placeAt(500, title), placeAt(100, "Bánh mì Huynh Hoa")]);
  const query = readTypedQuery(typed);
  const found = [...(await findAlike(query, scope)), ...(await findMistyped(query, scope))];
  expect(titlesOf(found)).toContain(title);
});

test("the engine is never made to sort a crowd by distance", async () => {
  const crowd = many(1_500, (i) => placeAt((i % 50) * 2, `Cà phê Đông ${i}`, "COFFEE"));
  const { scope, index } = await scopeOver(crowd);
  const query = readTypedQuery("ca phe dong");
  await findByTypes(["COFFEE"], query, scope);
  await findByWords(query, scope);
  await findNamed(query.words, scope);
  await findAlike(query, scope);
  await findMistyped(query, scope);
  const asked = index.rounds.flat();
  const sorted = asked.filter(({ nearestTo }) => nearestTo !== undefined);
  const answers = await index.findPlaces(
    sorted.map(({ filter }) => ({ filter, limit: 1 })),
    AbortSignal.timeout(1_000),
  );
  expect(answers.every(({ total }) => total <= MAX_SORTED_PLACES)).toBe(true);
  expect(asked.every(({ limit }) => limit > 0 && limit <= 100)).toBe(true);
});

test("a title without letters has no words to look for, and nothing is asked", async () => {
  const { scope, index } = await scopeOver([placeAt(100, "☕")]);
  expect(await findNamed([], scope)).toEqual([]);
  expect(index.rounds).toEqual([]);
});
