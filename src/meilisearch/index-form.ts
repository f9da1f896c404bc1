import type { Settings } from "meilisearch";
import { PLACE_DOCUMENT_VERSION } from "../place/place-document.ts";
import { hash } from "node:crypto";

/** Raise it whenever the settings or the form of indexed places change. */
const INDEX_FORM = 3;

/** What an index says it is made of; the server refuses one of another version. */
export const INDEX_VERSION = `${PLACE_DOCUMENT_VERSION}.${INDEX_FORM}`;

/** The fields a lookup may read words in. */
export const WORD_FIELDS = ["folded_names", "folded_rest"];
export const JOINED_NAME_FIELDS = ["joined_names"];
export const JOINED_TAIL_FIELDS = ["joined_tails"];

/** More places, and more cells, than any gazetteer has: counts are always whole. */
const MAX_COUNT = 100_000_000;

export const INDEX_SETTINGS: Settings = {
  searchableAttributes: [...WORD_FIELDS, ...JOINED_NAME_FIELDS, ...JOINED_TAIL_FIELDS],
  filterableAttributes: [
    // Compared for equality only, which is cheaper to index than ranges.
    {
      attributePatterns: [
        "cells",
        "type",
        "words",
        "joined_names",
        "name_words",
        "name_beginnings",
        "word_beginnings",
        "timezone",
        "open_slots",
        "special_dates",
      ],
      features: { facetSearch: false, filter: { equality: true, comparison: false } },
    },
    {
      attributePatterns: ["rating", "max_price"],
      features: { facetSearch: false, filter: { equality: false, comparison: true } },
    },
  ],
  // The engine unpacks whatever may be shown of a hit, asked for or not: with all members a hit takes 35 µs, with this one 14.
  displayedAttributes: ["card"],
  sortableAttributes: [],
  // What else makes an answer good (whole names, likeness, marks, distance) is weighed in the service, over all candidates at once.
  rankingRules: ["words", "typo", "prominence_level:desc"],
  // The order of words is the service's business as well; without word pairs the index is smaller and faster to build.
  proximityPrecision: "byAttribute",
  typoTolerance: {
    // Four of five Vietnamese syllables have four letters or fewer; the engine's own 5 and 9 leave them no typo.
    minWordSizeForTypos: { oneTypo: 3, twoTypos: 6 },
    // A house number that is off by one is another house.
    disableOnNumbers: true,
  },
  faceting: { maxValuesPerFacet: MAX_COUNT },
  pagination: { maxTotalHits: MAX_COUNT },
  searchCutoffMs: 500,
};

/** 64 bits: a change that goes unseen once in 2^64 is no concern. */
const HEX_DIGITS = 16;

/** What tells two versions of an indexed place apart: all that is stored, and the form it is stored in. */
export function contentHash(summary: string, detail: string): string {
  return hash("sha1", `${INDEX_VERSION}\n${summary}\n${detail}`).slice(0, HEX_DIGITS);
}
