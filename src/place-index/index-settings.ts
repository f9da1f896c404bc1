import type { Settings } from "meilisearch";

/** Raise it whenever settings or engine members change: the server refuses an index of another version. */
export const INDEX_VERSION = 1;

/** The fields a lookup may read words in. */
export const NAME_FIELDS = ["title", "alternate_names", "_type_words", "location.address.full"];
export const JOINED_NAME_FIELDS = ["_joined_names"];

export const INDEX_SETTINGS: Settings = {
  searchableAttributes: [...NAME_FIELDS, ...JOINED_NAME_FIELDS],
  filterableAttributes: [
    // Compared for equality only, which is cheaper to index than ranges.
    {
      attributePatterns: ["_cells", "type", "source"],
      features: { facetSearch: false, filter: { equality: true, comparison: false } },
    },
  ],
  sortableAttributes: ["_geo"],
  rankingRules: ["words", "typo", "proximity", "attribute", "sort", "exactness", "_prominence:desc"],
  typoTolerance: {
    // Four of five Vietnamese syllables have four letters or fewer; the engine's own 5 and 9 leave them no typo.
    minWordSizeForTypos: { oneTypo: 4, twoTypos: 8 },
    // A house number that is off by one is another house.
    disableOnNumbers: true,
  },
  // The service ranks and pages; the engine never counts further than this.
  pagination: { maxTotalHits: 1000 },
  searchCutoffMs: 500,
};
