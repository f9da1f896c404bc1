import { describe, expect, test } from "vitest";
import type { PlaceCandidate } from "../../../src/meilisearch/place-index.ts";
import type { PlaceDocument } from "../../../src/place/place-document.ts";
import {
  findByTypes,
  findByWords,
  findAlike,
  findMistyped,
  findNamed,
} from "../../../src/search/find-candidates.ts";
import { findNearest } from "../../../src/search/find-nearest.ts";
import { createScope, PAGE_POOL } from "../../../src/search/plan.ts";
import { readTypedQuery } from "../../../src/search/read-query.ts";
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
  const request = { query: "", centre: CENTRE, limit: 20, offset: 0 };
  const signal = AbortSignal.timeout(10_000);
  const scope = createScope({ index, request, census: await index.readCensus(), pool: PAGE_POOL, signal });
  return { scope, index };
}

const titlesOf = (places: readonly PlaceCandidate[]): string[] => places.map(({ title }) => title);

describe("places of a category", () => {
  test("are the nearest where there are enough", async () => {
    const { scope, index } = await scopeOver(many(200, (i) => placeAt(i * 10, `Quán ${i}`, "COFFEE")));
    const found = await findByTypes(["COFFEE"], readTypedQuery("cafe"), scope);
    expect(index.rounds.length).toBeLessThanOrEqual(2);
    const nearest = Array.from({ length: 20 }, (_, i) => `Quán ${i}`);
    expect(titlesOf(found)).toEqual(expect.arrayContaining(nearest));
  });

  test("are looked for further away where there are few", async () => {
    const far = placeAt(400_000, "Quán xa", "COFFEE");
    const { scope, index } = await scopeOver([...many(20, (i) => placeAt(i, `Shop ${i}`)), far]);
    expect(titlesOf(await findByTypes(["COFFEE"], readTypedQuery("cafe"), scope))).toContain("Quán xa");
    expect(index.rounds.length).toBeLessThanOrEqual(3);
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
    const found = await findByWords(readTypedQuery("pho bat dan"), scope);
    expect(new Set(titlesOf(found.places))).toStrictEqual(new Set(["Phở Bát Đàn"]));
    expect(found.bearers).toStrictEqual([]);
  });

  test("that have the words in their names are told from those that have them in their address", async () => {
    const inStreet = many(30, (i) =>
      buildPlace({
        title: `Shop ${i}`,
        rating: 5,
        reviews: 900,
        location: { ...pointAt(CENTRE, i * 50, i), address: { full: "9 Nguyễn Huệ" } },
      }),
    );
    const { scope } = await scopeOver([...inStreet, placeAt(9_000, "Tiệm sách Nguyễn Huệ")]);
    const { places, bearers } = await findByWords(readTypedQuery("nguyen hue"), scope);
    expect(titlesOf(places)).not.toContain("Tiệm sách Nguyễn Huệ");
    expect(bearers).toMatchObject([{ mayBeFew: true }]);
    expect(titlesOf((await findNearest(bearers, scope)).places)).toContain("Tiệm sách Nguyễn Huệ");
  });

  test("are found when they only begin so", async () => {
    const { scope } = await scopeOver([placeAt(100, "Highlands Coffee"), placeAt(200, "Bún chả")]);
    const found = await findByWords(readTypedQuery("highlands cof"), scope);
    expect(titlesOf(found.places)).toStrictEqual(["Highlands Coffee"]);
  });

  test("are found near by when they hold all but one", async () => {
    const { scope } = await scopeOver([placeAt(100, "Highlands Coffee"), placeAt(200, "Bún chả")]);
    const found = await findAlike(readTypedQuery("xyzzy highlands coffee"), scope, []);
    expect(titlesOf(found.places)).toStrictEqual(["Highlands Coffee"]);
  });

  test("of one word are not asked for without it", async () => {
    const { scope, index } = await scopeOver([placeAt(100, "Highlands Coffee")]);
    await findByWords(readTypedQuery("highlandz"), scope);
    await findAlike(readTypedQuery("highlandz"), scope, []);
    await findMistyped(readTypedQuery("highlandz"), scope);
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
    const { scope } = await scopeOver([...prominentAndFar, placeAt(3_000, "Highlands Coffee Q7")]);
    const { places, bearers } = await findByWords(readTypedQuery("highlands coffee"), scope);
    expect(titlesOf(places)).not.toContain("Highlands Coffee Q7");
    const nearest = await findNearest(bearers, scope);
    expect(titlesOf(nearest.places)).toContain("Highlands Coffee Q7");
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
  const alike = await findAlike(query, scope, []);
  const mistyped = await findMistyped(query, scope);
  expect(titlesOf([...alike.places, ...mistyped.places])).toContain(title);
});

test("names that are a typo away are known to be all there, or not to be", async () => {
  const few = await scopeOver([placeAt(500, "Phở Hòa")]);
  const crowd = await scopeOver(many(100, (i) => placeAt(i * 500, "Phở Hòa")));
  const query = readTypedQuery("phở hoqa");
  const [ofFew, ofCrowd] = [await findAlike(query, few.scope, []), await findAlike(query, crowd.scope, [])];
  expect(ofFew.complete).toHaveLength(1);
  expect(ofCrowd.complete).toHaveLength(0);
});

test("however many there are, no lookup brings more than a pool holds", async () => {
  const crowd = many(1_500, (i) => placeAt((i % 50) * 2, `Cà phê Đông ${i}`, "COFFEE"));
  const { scope, index } = await scopeOver(crowd);
  const query = readTypedQuery("ca phe dong");
  await findByTypes(["COFFEE"], query, scope);
  const { bearers, others } = await findByWords(query, scope);
  await findNearest([...bearers, ...others], scope);
  await findNamed(query.words, scope);
  await findAlike(query, scope, others);
  await findMistyped(query, scope);
  const limits = index.rounds.flat().map(({ limit }) => limit);
  expect(Math.max(...limits)).toBe(PAGE_POOL.most);
});

test("a title without letters has no words to look for, and nothing is asked", async () => {
  const { scope, index } = await scopeOver([placeAt(100, "☕")]);
  expect(await findNamed([], scope)).toEqual([]);
  expect(index.rounds).toEqual([]);
});
