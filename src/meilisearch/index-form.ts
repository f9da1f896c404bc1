import type { Settings } from "meilisearch";
import { cellsOf, shortCell } from "../place/geometry/cells.ts";
import { dataIdIdentity } from "../place/document/data-id.ts";
import { fileCustom } from "../place/document/own-fields.ts";
import { isCoordinates } from "../place/geometry/coordinates.ts";
import { busySlotsOf } from "../place/time/busyness.ts";
import { openSlotsOf } from "../place/time/open-slots.ts";
import { PLACE_DOCUMENT_VERSION, type PlaceDocument } from "../place/document/place-document.ts";
import { prominence, prominenceLevel, shownProminence } from "../place/document/prominence.ts";
import { firstLetters, fold, joinWords, words } from "../place/text/fold.ts";
import { fileRestWords, typeLabels } from "../place/document/rest-words.ts";
import { contactKeys } from "../same-place/contacts.ts";
import { LONE_REQUEST_MS } from "../telemetry/request-cost.ts";
import { contentHash, packPlace, toPlaceDocument, type PackedPlace } from "./packed-place.ts";
import { NAME_BEGINNINGS, type PlaceCandidate } from "./place-index.ts";

/**
 * The form of the index, shared by the indexer, which writes it, and the server, which reads it: version, settings of the
 * engine, and the document of a place. The manifest and redirects are in manifest.ts.
 */

/**
 * Raise it with every change of what the index holds: the settings, the fields of a document, or a formula whose result is
 * stored (folding, prominence, cells, open slots, beginnings). A test of this file fails when it was forgotten.
 */
const INDEX_FORM = 23;

/** The version that an index carries. The server refuses an index of another version. */
export const INDEX_VERSION = `${PLACE_DOCUMENT_VERSION}.${INDEX_FORM}`;

/** The field in which the engine finds names with typos. Whole words are found by filters. */
export const SEARCHED_FIELDS = ["joined_names"];

/** What ranking reads (`toCandidate`). Names and labels are stored once, for search and for ranking. */
export const RANKED_FIELDS = ["title", "folded_names", "folded_rest", "ranking_fields"] as const;

/** More places, and more cells, than any dataset has, so counts are always complete. */
const MAX_COUNT = 100_000_000;

/** The fields by whose values places are filtered. Compared for equality only, which is cheaper to index than ranges are. */
const FILED_FIELDS: readonly string[] = [
  "cells",
  "type",
  "areas",
  "rest_words",
  "joined_names",
  "name_words",
  "name_beginnings",
  "timezone",
  "open_slots",
  "special_dates",
  "busy_slots",
  "custom_values",
  "contact_keys",
];

export const INDEX_SETTINGS: Settings = {
  searchableAttributes: [...SEARCHED_FIELDS],
  filterableAttributes: [
    {
      attributePatterns: [...FILED_FIELDS],
      features: { facetSearch: false, filter: { equality: true, comparison: false } },
    },
    {
      attributePatterns: ["rating", "max_price"],
      features: { facetSearch: false, filter: { equality: false, comparison: true } },
    },
    {
      attributePatterns: ["custom_numbers.*"],
      features: { facetSearch: false, filter: { equality: false, comparison: true } },
    },
    // For rectangles too large for cells.
    "_geo",
  ],
  // The engine unpacks every displayed field of a hit, requested or not: 35 µs a hit with all fields, 14 with a short text.
  displayedAttributes: [...RANKED_FIELDS, "import_order"],
  // Sorting by `_geo` needs the R-tree of all places, which every write keeps up; no request reads it (`exact-list.ts`).
  // In the order in which the engine returns them, which `index check` compares.
  sortableAttributes: ["_geo", "id", "prominence", "rating", "reviews"],
  // The server ranks by everything else (whole names, likeness, marks, distance), over all candidates at once.
  rankingRules: ["sort", "words", "typo", "prominence_level:desc"],
  // The server ranks by the order of words too; without word pairs the index is smaller and faster to build.
  proximityPrecision: "byAttribute",
  typoTolerance: {
    // Four of five Vietnamese syllables have at most four letters; the defaults of 5 and 9 allow no typo in them.
    minWordSizeForTypos: { oneTypo: 3, twoTypos: 6 },
    // A house number that is off by one is another house.
    disableOnNumbers: true,
  },
  faceting: { maxValuesPerFacet: MAX_COUNT },
  pagination: { maxTotalHits: MAX_COUNT },
  // A lookup that is cut short returns places that are not the nearest, and does not say so: no request waits longer than this.
  searchCutoffMs: LONE_REQUEST_MS,
};

/**
 * The settings of an index while it is being filled: nothing to filter or sort by. The engine files the values of all places at once at
 * the end, in full pages: with half the work and two thirds of the disk of filing request by request (docs/decisions/0030).
 */
export const toFillingSettings = (settings: Settings): Settings => ({
  ...settings,
  filterableAttributes: [],
  sortableAttributes: [],
  rankingRules: [],
});

/**
 * A place as the engine stores it: the fields it is found by, in a form that needs no work during a search, and the rest as
 * texts that the engine returns without parsing. That halves the time of a large response and the work of an import.
 */
export interface IndexedPlace extends PackedPlace {
  /** What else ranking reads (`toCandidate`), in one short text, since the engine takes time for every field it returns. */
  readonly ranking_fields: string;
  /** Only in an index that is divided among several engines: the place's position in the import (`withImportOrder`). */
  readonly import_order?: number;
  /** Title and other names, folded. */
  readonly folded_names: readonly string[];
  /** The labels of the type and the address, folded. */
  readonly folded_rest: string;
  /** The names folded and without spaces: finds names with missing or wrong spaces, and allows typos in short syllables. */
  readonly joined_names: readonly string[];
  /** The folded words of the names, and values for those of type and address that no name has (`fileRestWords`). */
  readonly name_words: readonly string[];
  readonly rest_words: readonly string[];
  /** As many first letters of the names as `NAME_BEGINNINGS` says. */
  readonly name_beginnings: readonly string[];
  /** Short names of the cells (`shortCell`). */
  readonly cells: readonly string[];
  /** `prominenceLevel`, where it is not 0: the engine uses it to choose when more places match than a lookup may return. */
  readonly prominence_level?: number;
  /** `shownProminence`: lists by prominence are sorted by it. Also 0, since the engine does not sort places without the field by id. */
  readonly prominence: number;
  /** Absent when no price is known. */
  readonly max_price?: number;
  /** Each absent where it would be empty. */
  readonly open_slots?: readonly string[];
  readonly special_dates?: readonly string[];
  readonly busy_slots?: readonly string[];
  /** Of the declared fields of the data team (`fileCustom`). */
  readonly custom_values?: readonly string[];
  readonly custom_numbers?: Readonly<Record<string, number>>;
  /** By which a record with the same phone or website finds the place (`contactKeys`). */
  readonly contact_keys?: readonly string[];
  /** Epoch seconds; not part of the content. */
  readonly indexed_at: number;
  /** Shows whether a place changed, without reading it (`contentHashOf`). */
  readonly content_hash: string;
  /** Hash of the record of which an import or a sync made the place; absent where something else did. */
  readonly draft_hash?: string;
}

/** Distinct non-empty values. For the few words of a name or an address a set would take longer. */
const distinct = (values: readonly string[]): string[] =>
  values.length > MANY
    ? [...new Set(values)].filter((value) => value !== "")
    : values.filter((value, index) => value !== "" && values.indexOf(value) === index);

const MANY = 20;

/** The first letters of the texts, as many as each of `lengths` says. */
const beginningsOf = (texts: readonly string[], lengths: readonly number[]): string[] =>
  distinct(texts.flatMap((text) => lengths.map((length) => firstLetters(text, length))));

/** The content hash of a place, without the work of building its whole index document. */
export const contentHashOf = (place: PlaceDocument): string => contentHash(place, INDEX_VERSION);

/** Tells one version of a place from another: of the place as it will be read, which a caller may compare with what it has. */
export const versionOf = (place: PlaceDocument): string =>
  contentHashOf(toPlaceDocument(packPlace(place, INDEX_VERSION)));

const joinNonEmpty = (one: string, other: string): string =>
  one === "" || other === "" ? one + other : `${one} ${other}`;

const MS_PER_SECOND = 1_000;

/** Title and other names, folded. */
export const foldedNamesOf = ({ title, alternate_names, names }: PlaceDocument): string[] =>
  distinct([title, ...alternate_names, ...Object.values(names ?? {})].map(fold));

/** The index document of a place. `nowMs`: epoch milliseconds. */
export function toIndexedPlace(
  place: PlaceDocument & Pick<IndexedPlace, "draft_hash">,
  nowMs = Date.now(),
): IndexedPlace {
  const foldedNames = foldedNamesOf(place);
  const custom = fileCustom(place.custom);
  // Own fields that are searched are found like words of the address.
  const address = fold([place.location.address.full, ...custom.texts].join(" "));
  const joinedNames = distinct(foldedNames.map(joinWords));
  const nameWords = distinct(foldedNames.flatMap(words));
  // A place without a name is found by its kind only, never by words.
  const isNameless = place.title === "";
  const level = prominenceLevel(prominence(place));
  return {
    ranking_fields: toRankingFields(place, isNameless ? address : ""),
    folded_names: foldedNames,
    folded_rest: isNameless ? "" : joinNonEmpty(typeLabels(place.type), address),
    joined_names: joinedNames,
    name_words: nameWords,
    rest_words: fileRestWords({ type: place.type, address, nameWords, isNameless }),
    name_beginnings: beginningsOf(joinedNames, NAME_BEGINNINGS),
    cells: cellsOf(place.location).map(shortCell),
    ...(level > 0 && { prominence_level: level }),
    prominence: shownProminence(prominence(place)),
    ...(place.pricing.max > 0 && { max_price: place.pricing.max }),
    ...ifAny("open_slots", openSlotsOf(place)),
    ...ifAny(
      "special_dates",
      (place.opening_hours?.special_days ?? []).map(({ date }) => date),
    ),
    ...ifAny("busy_slots", busySlotsOf(place)),
    ...ifAny("custom_values", custom.values),
    ...(Object.keys(custom.numbers).length > 0 && { custom_numbers: custom.numbers }),
    ...ifAny("contact_keys", contactKeys(place.contacts)),
    ...packPlace(place, INDEX_VERSION),
    ...(place.draft_hash !== undefined && { draft_hash: place.draft_hash }),
    indexed_at: Math.floor(nowMs / MS_PER_SECOND),
  };
}

/** The field with these values; nothing without any. */
const ifAny = <K extends string>(
  field: K,
  values: readonly string[],
): { readonly [key in K]?: readonly string[] } =>
  values.length > 0 ? ({ [field]: values } as { readonly [key in K]: readonly string[] }) : {};

/** No folded text, code or number contains it. */
const FIELD_SEPARATOR = "\t";

/** `namelessAddress`: the address of a place without a name, which has no words to be found by. */
function toRankingFields(place: PlaceDocument, namelessAddress: string): string {
  const { latitude, longitude } = place.location;
  return [
    dataIdIdentity(place.data_id),
    place.type,
    latitude,
    longitude,
    // Most places of open data have none of these.
    ...[prominence(place), place.rating, place.reviews].map((value) => (value === 0 ? "" : value)),
    namelessAddress,
  ]
    .join(FIELD_SEPARATOR)
    .trimEnd();
}

/**
 * The JSON of an indexed place with its position in the import. Of places that match equally, one engine returns those first that it
 * got first; the results of several engines are merged in the same order.
 */
export const withImportOrder = (document: string, order: number): string =>
  `{"import_order":${order},${document.slice(1)}`;

export type RankedPlace = Pick<IndexedPlace, "ranking_fields"> &
  Partial<Pick<IndexedPlace, (typeof RANKED_FIELDS)[number]>>;

/**
 * Reads what ranking needs as `toIndexedPlace` wrote it, or what was asked of it. Numbers of a text that was written by something else are
 * NaN (`isCandidate`).
 */
export function toCandidate(place: RankedPlace): PlaceCandidate {
  // Read one by one: for hundreds of places a search, a list of the rest and one of its numbers take time.
  const fields = place.ranking_fields.split(FIELD_SEPARATOR);
  const [id = "", type = ""] = fields;
  const numberAt = (position: number): number => Number(fields[position] ?? 0);
  return {
    id,
    title: place.title ?? "",
    foldedNames: place.folded_names ?? [],
    foldedRest:
      place.title === "" ? joinNonEmpty(typeLabels(type), fields[7] ?? "") : (place.folded_rest ?? ""),
    type,
    location: { latitude: numberAt(2), longitude: numberAt(3) },
    prominence: numberAt(4),
    rating: numberAt(5),
    reviews: numberAt(6),
  };
}

/** Whether a candidate was read from what `toIndexedPlace` wrote. */
export const isCandidate = ({ id, location, prominence, rating, reviews }: PlaceCandidate): boolean =>
  id.startsWith("0x") && isCoordinates(location) && Number.isFinite(prominence + rating + reviews);
