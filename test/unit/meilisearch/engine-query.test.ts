import * as fc from "fast-check";
import { expect, test } from "vitest";
import { toEngineQuery } from "../../../src/meilisearch/lookup-query.ts";

// What its conditions find is shown by test/integration/place-index/lookups.test.ts.
test("a lookup reads only what ranking needs of a place, and never makes the engine sort by distance", () => {
  const query = toEngineQuery({ filter: {}, limit: 7 });
  expect(query).toMatchObject({
    limit: 7,
    attributesToRetrieve: ["title", "folded_names", "folded_rest", "ranking_fields"],
  });
  expect(query).not.toHaveProperty("sort");
});

test.each([
  { what: "everything", filter: {} },
  { what: "everything but some types", filter: { noneOf: [{ types: ["HOTEL"] }] } },
  { what: "one of several", filter: { anyOf: [{ types: ["CAFE"] }, { noneOf: [{ types: ["HOTEL"] }] }] } },
])("a lookup of $what finds nothing that describes the index", ({ filter }) => {
  expect(toEngineQuery({ filter, limit: 7 }).filter).toContain("type EXISTS");
});

test("a lookup of what only places have needs no other condition", () => {
  expect(toEngineQuery({ filter: { types: ["CAFE"] }, limit: 7 }).filter).toStrictEqual(['type IN ["CAFE"]']);
});

/** The condition for words that no type has, as a function of the words of a place. */
function toTest(wordSets: readonly (readonly string[])[]): (words: ReadonlySet<string>) => boolean {
  const [filter] = toEngineQuery({ filter: { wordSets }, limit: 7 }).filter as string[];
  const test = filter!
    .replaceAll(/\(name_words = "(\w+)" OR rest_words IN \["\1"\]\)/g, 'words.has("$1")')
    .replaceAll(" AND ", "&&")
    .replaceAll(" OR ", "||");
  // oxlint-disable-next-line typescript/no-implied-eval -- the filter is made of these two operators and words
  return new Function("words", `return ${test}`) as (words: ReadonlySet<string>) => boolean;
}

const anyWords = fc.array(fc.constantFrom("qzaa", "qzbb", "qzcc", "qzdd", "qzee"), {
  minLength: 1,
  maxLength: 5,
});

test("sets of words are joined to a condition that says the same", () => {
  fc.assert(
    fc.property(fc.array(anyWords, { minLength: 1, maxLength: 6 }), anyWords, (sets, words) => {
      const place = new Set(words);
      const isMet = sets.some((set) => set.every((word) => place.has(word)));
      expect(toTest(sets)(place)).toBe(isMet);
    }),
  );
});

const TWELVE = Array.from({ length: 12 }, (_, i) => `x${i}`);

test.each([
  {
    what: "leave out one of twelve words",
    filter: { wordSets: TWELVE.map((left) => TWELVE.filter((word) => word !== left)) },
  },
  {
    what: "replace one of twelve words of names",
    filter: { anyOf: TWELVE.map((_, at) => ({ nameWords: TWELVE.with(at, `y${at}`) })) },
  },
])("sets that $what take less than half of the conditions", ({ filter }) => {
  const [condition] = toEngineQuery({ filter, limit: 7 }).filter as string[];
  expect(condition!.match(/name_words/g)!.length).toBeLessThan((12 * 11) / 2);
});
