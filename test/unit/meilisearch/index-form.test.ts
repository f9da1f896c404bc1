import { describe, expect, test } from "vitest";
import { hash } from "node:crypto";
import { toJsonSchema } from "@valibot/to-json-schema";
import {
  contentHashOf,
  INDEX_SETTINGS,
  INDEX_VERSION,
  toCandidate,
  toIndexedPlace,
} from "../../../src/meilisearch/index-form.ts";
import { toPlaceDocument } from "../../../src/meilisearch/packed-place.ts";
import { toManifestDocument, toRedirectDocument } from "../../../src/meilisearch/manifest.ts";
import { toVocabularyDocument } from "../../../src/meilisearch/stored-vocabulary.ts";
import { prominence } from "../../../src/place/document/prominence.ts";
import { NEVER_BY_WORDS } from "../../../src/place/document/rest-words.ts";
import { placeDocumentSchema, POSITION_ESTIMATES } from "../../../src/place/document/place-document.ts";
import abbreviations from "../../../src/place/text/abbreviations.json" with { type: "json" };
import { fold } from "../../../src/place/text/fold.ts";
import { TYPE_CODES } from "../../../src/place/document/type-codes.ts";
import { buildPlace } from "../../support/build-place.ts";

describe("an indexed place", () => {
  const place = buildPlace({
    data_id: "0x31752f:0xabc",
    title: "Cộng Cà Phê",
    alternate_names: ["Cong Caphe", "Cộng"],
    type: "COFFEE",
    location: { address: { full: "12 Lê Lợi, Phường Bến Thành" } },
    pricing: { min: 30_000, max: 80_000 },
    description: "Vintage",
  });
  const indexed = toIndexedPlace(place);

  test("is kept under the identity half of its data id", () => {
    expect(indexed.id).toBe("0xabc");
  });

  test("is found by its names without marks and without spaces, each once", () => {
    expect(indexed.folded_names).toEqual(["cong ca phe", "cong caphe", "cong"]);
    expect(indexed.joined_names).toEqual(["congcaphe", "cong"]);
  });

  test("is filed under every word of its names, and once under each other word of its address", () => {
    expect(indexed.name_words).toEqual(["cong", "ca", "phe", "caphe"]);
    expect(indexed.rest_words).toEqual(expect.arrayContaining(["12", "le", "loi", "phuong", "ben", "thanh"]));
    expect(indexed.rest_words.filter((word) => indexed.name_words.includes(word))).toEqual([]);
  });

  test("has no rating, no level of prominence and no time zone where they are as usual", () => {
    for (const field of ["rating", "reviews", "prominence_level", "timezone"])
      expect(toIndexedPlace(buildPlace())).not.toHaveProperty(field);
  });

  test("is filed under the first one, two and six letters of its names", () => {
    expect(indexed.name_beginnings).toEqual(["c", "co", "congca", "cong"]);
  });

  test("lies in one cell of each size", () => {
    expect(indexed.cells).toHaveLength(6);
  });

  test("is filed under its areas", () => {
    expect(toIndexedPlace(buildPlace({ areas: ["w26740", "p79"] })).areas).toEqual(["w26740", "p79"]);
  });

  test("gives back the very document it was made from", () => {
    expect(toPlaceDocument(indexed)).toEqual(place);
  });

  test.each(POSITION_ESTIMATES)("keeps that its point was estimated from the %s", (from) => {
    const estimated = buildPlace({
      location: { estimated_from: from },
      business_status: "closed_temporarily",
    });
    expect(toPlaceDocument(toIndexedPlace(estimated))).toEqual(estimated);
  });

  test("has the same content hash at another time", () => {
    expect(toIndexedPlace(place, 0).content_hash).toBe(toIndexedPlace(place, NOON_MS).content_hash);
    expect(toIndexedPlace(place, NOON_MS).indexed_at).toBe(NOON_MS / 1_000);
  });

  test("has no highest price where none is known", () => {
    expect(toIndexedPlace(buildPlace()).max_price).toBeUndefined();
    expect(indexed.max_price).toBe(80_000);
  });

  test("without a name is filed under its type alone, so that only a search for its kind finds it", () => {
    const toilet = buildPlace({ title: "", type: "TOILET", location: { address: { full: "12 Lê Lợi" } } });
    expect(toIndexedPlace(toilet)).toMatchObject({
      type: "TOILET",
      folded_names: [],
      folded_rest: "",
      rest_words: [NEVER_BY_WORDS],
    });
  });

  test("without a name is ranked by its type and its address all the same", () => {
    const toilet = buildPlace({ title: "", type: "TOILET", location: { address: { full: "12 Lê Lợi" } } });
    expect(toCandidate(toIndexedPlace(toilet)).foldedRest).toMatch(/ toilet 12 le loi$/);
  });

  test("is ranked by what it holds, and by zeros where it has nothing", () => {
    expect(toCandidate(indexed)).toEqual({
      id: "0xabc",
      title: "Cộng Cà Phê",
      foldedNames: ["cong ca phe", "cong caphe", "cong"],
      foldedRest: indexed.folded_rest,
      type: "COFFEE",
      location: { latitude: place.location.latitude, longitude: place.location.longitude },
      prominence: prominence(place),
      rating: 0,
      reviews: 0,
    });
  });

  test("has no empty fields", () => {
    for (const field of ["open_slots", "special_dates", "busy_slots"])
      expect(toIndexedPlace(buildPlace())).not.toHaveProperty(field);
  });

  test("of a name without letters has no word, and is indexed all the same", () => {
    expect(toIndexedPlace(buildPlace({ title: "🍜" }))).toMatchObject({
      folded_names: [],
      joined_names: [],
      name_beginnings: [],
    });
  });
});

/** Names with marks, other scripts and signs, all parts of an address, prices, hours past midnight and a special day. */
const RICH_PLACE = buildPlace({
  data_id: "0x31752f38f9ed6bb7:0xa1b2c3d4e5f60718",
  source: "osm",
  source_id: "node/5030121722",
  title: "Phở Đường Tàu – 4P's ﬁn 24/7",
  alternate_names: ["カフェ 松屋", "Straße", "صيدلية", "𠮷野家"],
  type: "COFFEE",
  rating: 4.3,
  reviews: 128,
  pricing: { min: 30_000, max: 80_000 },
  location: {
    latitude: 10.801671,
    longitude: 106.61744,
    timezone: "Asia/Ho_Chi_Minh",
    address: { full: "12/3 Nguyễn Huệ, Bến Nghé, Quận 1", street: "12/3 Nguyễn Huệ", ward: "Bến Nghé" },
  },
  opening_hours: {
    week: [
      [
        [420, 690],
        [780, 1320],
      ],
      [],
      [[0, 1440]],
      [[1080, 1565]],
      [],
      [],
      [[427, 1313]],
    ],
    special_days: [{ date: "2026-02-17", ranges: [] }],
  },
  description: "Vintage",
  names: { ja: "フォー", "zh-hant": "河粉" },
  custom: { floor: 3, vegan: true, beans: ["arabica", "robusta"] },
  confirmed_on: "2026-01-31",
  popular_times: [
    [{ hour: 8, occupancy_percent: 65 }],
    [],
    [],
    [],
    [],
    [],
    [{ hour: 23, occupancy_percent: 100 }],
  ],
});

/** The moment at which it is indexed. */
const NOON_MS = Date.UTC(2026, 10, 20, 12);

/** Letters that fold in ways of their own, which no label has. */
const SPECIAL_LETTERS = "Ðình Đức, Hauptstr. Straße, ラーメン, مطعم الى, ร้านอาหารไทย, Pizza 4P's";

/** The first digits tell changes apart. */
const fingerprint = (value: unknown): string => hash("sha1", JSON.stringify(value)).slice(0, 12);

/**
 * What an index of each version holds. When this test fails, the form of the index or a stored formula has changed: raise
 * `INDEX_FORM` (or `PLACE_DOCUMENT_VERSION`) and put the new version and its fingerprints here.
 */
const FORM = {
  version: "1.23",
  settings: "ef680a3779fb",
  placeDocument: "a6987be48da6",
  indexedPlace: "a4e476749781",
  foldedWords: "ec47ee9decaf",
  otherDocuments: "7b5105197725",
};

test("the form of the index and its formulas change only with its version", () => {
  const labels = Object.values(TYPE_CODES).flatMap(({ vi, en }) => [vi, en]);
  const candidate = toCandidate(toIndexedPlace(RICH_PLACE));
  expect({
    version: INDEX_VERSION,
    settings: fingerprint(INDEX_SETTINGS),
    placeDocument: fingerprint(toJsonSchema(placeDocumentSchema, { errorMode: "ignore" })),
    indexedPlace: fingerprint([toIndexedPlace(RICH_PLACE, NOON_MS), candidate, contentHashOf(RICH_PLACE)]),
    foldedWords: fingerprint(fold([...Object.keys(abbreviations), ...labels, SPECIAL_LETTERS].join(", "))),
    otherDocuments: fingerprint([
      toManifestDocument({ version: INDEX_VERSION, built_at: "2026-11-20T00:00:00.000Z" }),
      toRedirectDocument({ from: "0x1:0x2", to: "0x3:0x4" }),
      toVocabularyDocument({ areas: [], words: "" }),
    ]),
  }).toStrictEqual(FORM);
});
