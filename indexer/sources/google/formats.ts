import type { Format } from "../source.ts";
import { problemOfGosomHeader, readGosomCsv, readGosomLines, readGosomList } from "./gosom.ts";
import { readSerpapiAnswers, readSerpapiList } from "./serpapi.ts";

/** Members that only these sources have, early enough in a record to be in every head. */
const SERPAPI_MEMBERS = ["gps_coordinates", "local_results", "place_results", "search_metadata"];
const GOSOM_MEMBERS = ["longtitude", "review_rating", "complete_address", "open_hours"];

/** What scrapers of Google Maps write. */
export const GOOGLE_FORMATS: readonly Format[] = [
  {
    name: "serpapi list",
    option: "serpapi",
    description: "a JSON list of answers or places of SerpApi's google_maps",
    looksLike: ({ document }) => SERPAPI_MEMBERS.some((name) => document.has(`[].${name}`)),
    read: readSerpapiList,
  },
  {
    name: "serpapi",
    option: "serpapi",
    description: "answers of SerpApi's google_maps, as they came or one a line",
    looksLike: ({ lines }) => lines.some((line) => SERPAPI_MEMBERS.some((name) => line.has(name))),
    couldBe: ({ document }) => document.size > 0,
    read: readSerpapiAnswers,
  },
  {
    name: "gosom csv",
    option: "gosom",
    description: "the CSV of gosom/google-maps-scraper",
    looksLike: ({ columns }) => GOSOM_MEMBERS.some((name) => columns.includes(name)),
    couldBe: ({ columns }) => columns.length > 0,
    problemOf: ({ columns }) => problemOfGosomHeader(columns),
    read: readGosomCsv,
  },
  {
    name: "gosom list",
    option: "gosom",
    description: "the JSON list of gosom/google-maps-scraper",
    looksLike: ({ document }) => GOSOM_MEMBERS.some((name) => document.has(`[].${name}`)),
    read: readGosomList,
  },
  {
    name: "gosom lines",
    option: "gosom",
    description: "the JSON lines of gosom/google-maps-scraper",
    looksLike: ({ lines }) => lines.some((line) => GOSOM_MEMBERS.some((name) => line.has(name))),
    couldBe: ({ document }) => document.size > 0,
    read: readGosomLines,
  },
];
