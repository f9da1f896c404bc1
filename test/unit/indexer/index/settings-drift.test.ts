import { expect, test } from "vitest";
import { INDEX_SETTINGS } from "../../../../src/meilisearch/index-form.ts";
import { findDrift } from "../../../../indexer/index/index-summary.ts";

/** As the engine answers: with its defaults beside what was set. */
const ANSWER = {
  ...INDEX_SETTINGS,
  stopWords: [],
  synonyms: {},
  distinctAttribute: null,
  dictionary: [],
  separatorTokens: [],
  nonSeparatorTokens: [],
  typoTolerance: { enabled: true, disableOnWords: [], ...INDEX_SETTINGS.typoTolerance },
  embedders: {},
};

test("settings of a new build have not drifted", () => {
  expect(findDrift(ANSWER)).toEqual([]);
});

test.each([
  ["rankingRules", { rankingRules: ["typo", "words"] }],
  ["stopWords", { stopWords: ["quán"] }],
  ["synonyms", { synonyms: { pho: ["noodles"] } }],
  ["searchCutoffMs", { searchCutoffMs: null }],
  [
    "typoTolerance.minWordSizeForTypos.oneTypo",
    { typoTolerance: { minWordSizeForTypos: { oneTypo: 5, twoTypos: 6 }, disableOnNumbers: true } },
  ],
  ["filterableAttributes", { filterableAttributes: [] }],
])("names %s when it was changed", (name, change) => {
  expect(findDrift({ ...ANSWER, ...change })).toEqual([name]);
});
