import { describe, expect, test } from "vitest";
import { toEngineQuery } from "../../../src/meilisearch/lookup-query.ts";

describe("a lookup in the engine's words", () => {
  test("of nothing but a limit asks for any place and has no condition", () => {
    expect(toEngineQuery({ filter: {}, limit: 7 })).toMatchObject({ filter: [], limit: 7 });
  });

  test("joins alternatives by OR and conditions by AND", () => {
    const { filter } = toEngineQuery({
      filter: { cells: ["8a", "8b"], types: ["COFFEE"], wordSets: [["pho", "hoa"], ["pho"]] },
      limit: 1,
    });
    expect(filter).toEqual([
      'cells IN ["8a", "8b"]',
      'type IN ["COFFEE"]',
      '(words = "pho" AND words = "hoa") OR (words = "pho")',
    ]);
  });

  test("takes a name itself for all of its words", () => {
    const { filter } = toEngineQuery({ filter: { names: ["phohoa"], nameWords: ["pho", "hoa"] }, limit: 1 });
    expect(filter).toEqual(['joined_names IN ["phohoa"] OR (name_words = "pho" AND name_words = "hoa")']);
  });

  test("keeps a limit of zero apart from no limit", () => {
    expect(toEngineQuery({ filter: { minRating: 0, maxPrice: 0 }, limit: 1 }).filter).toEqual([
      "rating >= 0",
      "max_price <= 0",
    ]);
  });

  test("lets special dates open what the week does not", () => {
    const { filter } = toEngineQuery({
      filter: { openSlots: ["ab3"], specialDates: ["2026-11-20"] },
      limit: 1,
    });
    expect(filter).toEqual(['open_slots IN ["ab3"] OR special_dates IN ["2026-11-20"]']);
  });

  test("wants one of the names and words, whichever", () => {
    const filter = { names: ["phohoa"], nameWords: ["pho", "hoa"], wordSets: [["pho"]] };
    expect(toEngineQuery({ filter, limit: 1 }).filter).toEqual([
      'joined_names IN ["phohoa"] OR (name_words = "pho" AND name_words = "hoa") OR (words = "pho")',
    ]);
  });

  test("reads only the ranking fields of a place, and never makes the engine sort by distance", () => {
    const query = toEngineQuery({ filter: {}, limit: 1 });
    expect(query.attributesToRetrieve).toEqual(["ranking_fields"]);
    expect(query).not.toHaveProperty("sort");
  });
});
