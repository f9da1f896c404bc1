import { describe, expect, test } from "vitest";
import type { LookupResult, PlaceCandidate } from "../../../src/meilisearch/place-index.ts";
import type { PlaceDocument } from "../../../src/place/place-document.ts";
import type { TypeCode } from "../../../src/place/type-codes.ts";
import { findNearest } from "../../../src/search/nearest.ts";
import {
  isWhole,
  placesOf,
  planAlike,
  planAlikeNearer,
  planMoreNamesakes,
  planMoreOfName,
  planName,
  planNamesakes,
  planKinds,
  planTypos,
} from "../../../src/search/plan.ts";
import { createSearchContext, PAGE_POOL, type SearchContext } from "../../../src/search/search-context.ts";
import { readQueryWords, type TypedWords } from "../../../src/search/reading/tokens.ts";
import { buildPlace } from "../../support/build-place.ts";
import { createMemoryIndex } from "../../support/memory-index.ts";
import { pointAt } from "../../support/points.ts";

const CENTRE = { latitude: 10.776, longitude: 106.7 };

const placeAt = (meters: number, title: string, type = "PLACE"): PlaceDocument =>
  buildPlace({ title, type, location: pointAt(CENTRE, meters, meters) });

const many = (count: number, make: (index: number) => PlaceDocument): PlaceDocument[] =>
  Array.from({ length: count }, (_, index) => make(index));

async function contextOver(places: readonly PlaceDocument[]) {
  const index = createMemoryIndex(places);
  const request = { query: "", centre: CENTRE, limit: 20, offset: 0 };
  const context = createSearchContext({
    findPlaces: (lookups) => index.findPlaces(lookups, AbortSignal.timeout(10_000)),
    request,
    census: await index.readCensus(),
    pool: PAGE_POOL,
  });
  return { context, index };
}

const titlesOf = (places: readonly PlaceCandidate[]): string[] => places.map(({ title }) => title);

async function nearestTitles(plan: Parameters<typeof findNearest>[0], context: SearchContext) {
  const { places, along } = await findNearest(plan, context);
  return titlesOf([...places, ...placesOf(along)]);
}

const titlesOfTypes = (types: readonly TypeCode[], query: string, context: SearchContext) =>
  nearestTitles(
    planKinds(
      [
        {
          codes: types,
          words: readQueryWords(query).words,
          inNames: [{ words: readQueryWords(query).words, marked: [] }],
          isMistyped: false,
        },
      ],
      readQueryWords(""),
      context,
    ),
    context,
  );

/** The first round of a name, and what it says is left to look for. */
async function lookUpName(text: string, context: SearchContext) {
  const query = readQueryWords(text);
  const results = await context.lookUp(planName(query, context));
  return { titles: titlesOf(placesOf(results)), ...planMoreOfName(query, results, context) };
}

const lookUpAlike = (query: TypedWords, context: SearchContext): Promise<LookupResult[]> =>
  context.lookUp(planAlike(query, context));

describe("places of a type", () => {
  test("are the nearest where there are enough", async () => {
    const { context, index } = await contextOver(many(200, (i) => placeAt(i * 10, `Quán ${i}`, "COFFEE")));
    const found = await titlesOfTypes(["COFFEE"], "cafe", context);
    expect(index.rounds.length).toBeLessThanOrEqual(2);
    const nearest = Array.from({ length: 20 }, (_, i) => `Quán ${i}`);
    expect(found).toEqual(expect.arrayContaining(nearest));
  });

  test("are looked for further away where there are few", async () => {
    const far = placeAt(400_000, "Quán xa", "COFFEE");
    const { context, index } = await contextOver([...many(20, (i) => placeAt(i, `Shop ${i}`)), far]);
    expect(await titlesOfTypes(["COFFEE"], "cafe", context)).toContain("Quán xa");
    expect(index.rounds.length).toBeLessThanOrEqual(3);
  });

  test("come with neighbours whose name is the query", async () => {
    const { context } = await contextOver([placeAt(10, "Cafe", "RESTAURANT"), placeAt(20, "Quán", "COFFEE")]);
    expect(await titlesOfTypes(["COFFEE"], "cafe", context)).toContain("Cafe");
  });
});

describe("places by words", () => {
  test("are found anywhere when they hold every word", async () => {
    const { context } = await contextOver([
      placeAt(10, "Phở Lệ"),
      placeAt(900_000, "Phở Bát Đàn"),
      placeAt(20, "Bún chả"),
    ]);
    const { titles, named } = await lookUpName("pho bat dan", context);
    expect(new Set(titles)).toStrictEqual(new Set(["Phở Bát Đàn"]));
    expect(named).toStrictEqual([]);
  });

  test("with the words in the name are distinguished from those with them in the address", async () => {
    const inStreet = many(30, (i) =>
      buildPlace({
        title: `Shop ${i}`,
        rating: 5,
        reviews: 900,
        location: { ...pointAt(CENTRE, i * 50, i), address: { full: "9 Nguyễn Huệ" } },
      }),
    );
    const { context } = await contextOver([...inStreet, placeAt(9_000, "Tiệm sách Nguyễn Huệ")]);
    const { titles, named } = await lookUpName("nguyen hue", context);
    expect(titles).toContain("Shop 0");
    expect(named).toMatchObject([{ mayBeFew: true }]);
    expect(await nearestTitles({ wanted: named }, context)).toContain("Tiệm sách Nguyễn Huệ");
  });

  test("are found when they only begin so", async () => {
    const { context } = await contextOver([placeAt(100, "Highlands Coffee"), placeAt(200, "Bún chả")]);
    const { titles } = await lookUpName("highlands cof", context);
    expect(new Set(titles)).toStrictEqual(new Set(["Highlands Coffee"]));
  });

  test("are found near by when they hold all but one", async () => {
    const { context } = await contextOver([placeAt(100, "Highlands Coffee"), placeAt(200, "Bún chả")]);
    const found = await lookUpAlike(readQueryWords("xyzzy highlands coffee"), context);
    expect(titlesOf(placesOf(found))).toStrictEqual(["Highlands Coffee"]);
  });

  test("of one word are not searched without it", async () => {
    const { context, index } = await contextOver([placeAt(100, "Highlands Coffee")]);
    await lookUpName("highlandz", context);
    await lookUpAlike(readQueryWords("highlandz"), context);
    await context.lookUp(planTypos(readQueryWords("highlandz"), context));
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
    const { context } = await contextOver([...prominentAndFar, placeAt(3_000, "Highlands Coffee Q7")]);
    const { titles, named } = await lookUpName("highlands coffee", context);
    expect(titles).not.toContain("Highlands Coffee Q7");
    expect(await nearestTitles({ wanted: named }, context)).toContain("Highlands Coffee Q7");
    const words = ["highlands", "coffee"];
    const namesakes = await context.lookUp(planNamesakes(words, context));
    expect(titlesOf(placesOf(namesakes))).not.toContain("Highlands Coffee Q7");
    const wanted = planMoreNamesakes(words, namesakes, { context, elsewhere: { nameWords: words } });
    expect(await nearestTitles({ wanted }, context)).toContain("Highlands Coffee Q7");
  });
});

test.each([
  ["phở hóa", "Phở Hòa"],
  ["pho hoq", "Phở Hòa"],
  ["bho hoa", "Phở Hòa"],
  ["xho hoa", "Phở Hòa"],
  ["phohoa pasteurr", "Phở Hòa Pasteur"],
])("mistyped as %j, %j is found", async (typed, title) => {
  const { context } = await contextOver([placeAt(500, title), placeAt(100, "Bánh mì Huynh Hoa")]);
  const query = readQueryWords(typed);
  const results = [
    ...(await lookUpAlike(query, context)),
    ...(await context.lookUp(planTypos(query, context))),
  ];
  expect(titlesOf(placesOf(results))).toContain(title);
});

test("a lookup of similar names reports whether it is complete", async () => {
  const few = await contextOver([placeAt(500, "Phở Hòa")]);
  const crowd = await contextOver(many(100, (i) => placeAt(i * 500, "Phở Hòa")));
  const query = readQueryWords("phở hoqa");
  const [ofFew] = await lookUpAlike(query, few.context);
  const [ofCrowd] = await lookUpAlike(query, crowd.context);
  expect(ofFew?.places).toHaveLength(1);
  expect(ofFew && isWhole(ofFew)).toBe(true);
  expect(ofCrowd && isWhole(ofCrowd)).toBe(false);
});

test("however many there are, no lookup brings more than a pool holds", async () => {
  const crowd = many(1_500, (i) => placeAt((i % 50) * 2, `Cà phê Đông ${i}`, "COFFEE"));
  const { context, index } = await contextOver(crowd);
  const query = readQueryWords("ca phe dong");
  await titlesOfTypes(["COFFEE"], "ca phe dong", context);
  const { named, others } = await lookUpName("ca phe dong", context);
  await findNearest({ wanted: [...named, ...others] }, context);
  const namesakes = await context.lookUp(planNamesakes(query.words, context));
  const elsewhere = { nameWords: query.words };
  await findNearest({ wanted: planMoreNamesakes(query.words, namesakes, { context, elsewhere }) }, context);
  await lookUpAlike(query, context);
  await findNearest(planAlikeNearer(query, others, context), context);
  await context.lookUp(planTypos(query, context));
  const limits = index.rounds.flat().map(({ limit }) => limit);
  expect(Math.max(...limits)).toBe(PAGE_POOL.most);
});

test("lookups that forgive a word or a typo use the first dozen words of a query", async () => {
  const { context } = await contextOver([]);
  const typed = Array.from({ length: 16 }, (_, index) => `w${index}`);
  const query = readQueryWords(typed.join(" "));
  const [, allButOne] = planAlike(query, context);
  expect(allButOne?.filter.wordSets).toHaveLength(12);
  expect(new Set(allButOne?.filter.wordSets?.flat())).toEqual(new Set(typed.slice(0, 12)));
  expect(planTypos(query, context).at(-1)?.words).toBe(typed.slice(0, 12).join(" "));
});
