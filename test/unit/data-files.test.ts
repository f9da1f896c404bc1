import { drawnTagsSchema } from "../../indexer/basemap/drawn-tags.ts";
import { areaLevelsSchema } from "../../indexer/clean/area-files.ts";
import { mobilePrefixesSchema } from "../../indexer/clean/phone.ts";
import { namelessTypesSchema } from "../../indexer/clean/strings.ts";
import { tcvn3Schema } from "../../indexer/sources/encoding.ts";
import { columnsSchema } from "../../indexer/sources/table/columns.ts";
import { hoursWordsSchema } from "../../indexer/sources/table/hours-cell.ts";
import { titleWordsSchema } from "../../indexer/clean/type-from-title.ts";
import { globSync, readFileSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { citySchema, streetMapSchema, worldsSchema } from "../../indexer/demo/cities.ts";
import { featureProfilesSchema } from "../../indexer/demo/features.ts";
import { hoursSchema, popularTimesSchema } from "../../indexer/demo/hours.ts";
import { brandsSchema, kindsSchema } from "../../indexer/demo/kinds.ts";
import { wordsSchema } from "../../indexer/demo/phrases.ts";
import { remarksSchema } from "../../indexer/demo/reviews.ts";
import { categoryTablesSchema } from "../../indexer/sources/category-types.ts";
import { galleriesSchema } from "../../indexer/sources/google/google-draft.ts";
import { attributesSchema } from "../../indexer/sources/google/attributes.ts";
import { googleTypesSchema } from "../../indexer/sources/google/type-of-categories.ts";
import { osmFeaturesSchema } from "../../indexer/sources/osm/features.ts";
import { osmTypesSchema, refinementsSchema } from "../../indexer/sources/osm/type-of-tags.ts";
import { featuresTableSchema } from "../../src/place/document/feature-codes.ts";
import { galleryLabelsSchema, languageSchema } from "../../src/place/document/localized-texts.ts";
import { designationsSchema } from "../../src/place/geometry/areas.ts";
import { readTable } from "../../src/place/read-table.ts";
import { addressPhrasesSchema } from "../../src/place/document/rest-words.ts";
import { matchWeightsSchema } from "../../src/same-place/likelihood.ts";
import { numbersSchema } from "../../src/search/numbers.ts";
import { typesSchema } from "../../src/place/document/type-codes.ts";

type Path = readonly (string | number)[];

/** Every data file with its schema, and a fault that somebody might make: where, what, and the message that names it. */
const DATA_FILES: readonly (readonly [
  file: string,
  schema: v.GenericSchema,
  fault: { readonly at: Path; readonly value: unknown; readonly message: string },
])[] = [
  [
    "src/place/document/types.json",
    typesSchema,
    {
      at: ["PHO", "parent"],
      value: "SOUP",
      message: 'PHO: parent: "SOUP" is not a type code of src/place/document/types.json',
    },
  ],
  ...["vi", "en", "ja", "ko", "zh"].map(
    (language) =>
      [
        `src/place/document/languages/${language}.json`,
        languageSchema,
        { at: ["open_until"], value: "Open", message: "open_until: must have {time}" },
      ] as const,
  ),
  [
    "src/place/geometry/areas/designations.json",
    designationsSchema,
    { at: [2, "level"], value: "county", message: "row 3: level: " },
  ],
  [
    "src/search/numbers.json",
    numbersSchema,
    { at: ["reading", "mostWords", "why"], value: "", message: "reading: mostWords: why: is empty" },
  ],
  [
    "src/same-place/match-weights.json",
    matchWeightsSchema,
    { at: ["bias", "sign"], value: "minus", message: "bias: sign: " },
  ],
  [
    "indexer/clean/nameless-types.json",
    namelessTypesSchema,
    { at: [0], value: "TOILETS", message: 'row 1: "TOILETS" is not a type code' },
  ],
  [
    "indexer/sources/table/columns.json",
    columnsSchema,
    {
      at: ["columns", "title", "headers", 0],
      value: " name",
      message: "columns: title: headers: row 1: must be text",
    },
  ],
  [
    "indexer/sources/table/hours-words.json",
    hoursWordsSchema,
    { at: ["closed", 0], value: "", message: "closed: row 1: must be text" },
  ],
  [
    "indexer/sources/tcvn3.json",
    tcvn3Schema,
    { at: ["to"], value: "à", message: "from and to must have as many letters" },
  ],
  [
    "indexer/clean/mobile-prefixes.json",
    mobilePrefixesSchema,
    { at: ["120"], value: "070", message: "120: a prefix has two digits" },
  ],
  [
    "indexer/clean/area-levels.json",
    areaLevelsSchema,
    { at: ["words", "ward"], value: "wards", message: "words: ward: " },
  ],
  [
    "indexer/sources/google/galleries.json",
    galleriesSchema,
    { at: ["food", 0], value: "", message: "food: row 1: must be text" },
  ],
  [
    "indexer/clean/title-words.json",
    titleWordsSchema,
    { at: ["silent", 0], value: "", message: "silent: row 1: must be text" },
  ],
  [
    "src/place/document/types.json",
    typesSchema,
    { at: ["PHO", "words", 1], value: "phở  bò ", message: "PHO: words: row 2: must be text" },
  ],
  [
    "src/place/document/types.json",
    typesSchema,
    { at: ["Pho"], value: {}, message: "Pho: a type code is written in capitals" },
  ],
  [
    "src/place/document/features.json",
    featuresTableSchema,
    {
      at: ["parking", "has_ev_charging", "en"],
      value: "",
      message: "parking: has_ev_charging: en: must be text",
    },
  ],
  [
    "src/place/document/address-phrases.json",
    addressPhrasesSchema,
    { at: [1], value: "Hà Nội ", message: "row 2: must be text" },
  ],
  [
    "src/place/document/gallery-labels.json",
    galleryLabelsSchema,
    { at: ["menu", "fr"], value: "Carte", message: "menu: fr: Invalid key" },
  ],
  [
    "indexer/basemap/drawn-tags.json",
    drawnTagsSchema,
    {
      at: ["roads", "highway", "primary", "minZoom"],
      value: 15,
      message: "roads: highway: primary: minZoom: Invalid value: Expected <=14",
    },
  ],
  [
    "indexer/sources/overture/types.json",
    categoryTablesSchema,
    { at: ["categories", "CAFE"], value: ["cafe"], message: 'categories: CAFE: "CAFE" is not a type code' },
  ],
  [
    "indexer/sources/foursquare/types.json",
    categoryTablesSchema,
    { at: ["endings", "SHOP"], value: "store", message: "endings: SHOP: Invalid type: Expected Array" },
  ],
  [
    "indexer/sources/whosonfirst/types.json",
    categoryTablesSchema,
    { at: ["vague", "COMPANY", 0], value: "", message: "vague: COMPANY: row 1: must be text" },
  ],
  [
    "indexer/sources/google/types.json",
    googleTypesSchema,
    { at: ["nouns", "SHOP", 0], value: 7, message: "nouns: SHOP: row 1: Invalid type: Expected string" },
  ],
  [
    "indexer/sources/google/attributes.json",
    attributesSchema,
    {
      at: ["attributes", "has_wings"],
      value: ["wings"],
      message: 'attributes: has_wings: "has_wings" is not a feature code of src/place/document/features.json',
    },
  ],
  [
    "indexer/sources/osm/types.json",
    osmTypesSchema,
    { at: ["tags", "COFFEE", 0], value: "cafe", message: "tags: COFFEE: row 1: a tag is written key=value" },
  ],
  [
    "indexer/sources/osm/features.json",
    osmFeaturesSchema,
    { at: ["has_spa", 0], value: "spa = yes", message: "has_spa: row 1: a tag is written key=value" },
  ],
  [
    "indexer/sources/osm/refinements.json",
    refinementsSchema,
    {
      at: ["byName", 2, "type"],
      value: "LYCEUM",
      message: 'byName: row 3: type: "LYCEUM" is not a type code',
    },
  ],
  ...["ho-chi-minh", "ha-noi", "da-nang"].map(
    (name) =>
      [
        `indexer/demo/cities/${name}.json`,
        citySchema,
        {
          at: ["wards", 1, "radiusMeters"],
          value: "600",
          message: "wards: row 2: radiusMeters: Invalid type",
        },
      ] as const,
  ),
  [
    "indexer/demo/cities/ho-chi-minh-streets.json",
    streetMapSchema,
    {
      at: ["bounds", "west"],
      value: "106",
      message: 'bounds: west: Invalid type: Expected number but received "106"',
    },
  ],
  [
    "indexer/demo/cities/other-cities.json",
    v.array(citySchema),
    { at: [4, "postcode"], value: "57", message: "row 5: postcode: must be six digits" },
  ],
  [
    "indexer/demo/worlds.json",
    worldsSchema,
    { at: [0, "shares", "Paris"], value: 3, message: 'row 1: shares: Paris: "Paris" is not the localName' },
  ],
  ...["drinks", "meals", "shops", "services", "health-and-learning", "leisure-and-public"].map(
    (name) =>
      [
        `indexer/demo/kinds/${name}.json`,
        kindsSchema,
        { at: ["another"], value: { type: "SHED" }, message: 'another: type: "SHED" is not a type code' },
      ] as const,
  ),
  [
    "indexer/demo/brands.json",
    brandsSchema,
    { at: ["cafe", 0, "branch"], value: 3, message: "cafe: row 1: branch: Invalid key" },
  ],
  ["indexer/demo/words.json", wordsSchema, { at: ["owner"], value: [], message: "owner: Invalid length" }],
  [
    "indexer/demo/remarks.json",
    remarksSchema,
    { at: ["topics", "food", "bad", 0], value: "", message: "topics: food: bad: row 1: must be text" },
  ],
  [
    "indexer/demo/hours.json",
    hoursSchema,
    {
      at: ["kinds", "cafe", "weeks", 0, "sunday"],
      value: "7-22h",
      message: "kinds: cafe: weeks: row 1: sunday: must be hours",
    },
  ],
  [
    "indexer/demo/hours.json",
    hoursSchema,
    {
      at: ["kinds", "cafe", "holidays", 0],
      value: "easter",
      message: 'kinds: cafe: holidays: row 1: "easter" is not one of the holidays',
    },
  ],
  [
    "indexer/demo/popular-times.json",
    popularTimesSchema,
    { at: ["gym", "hours"], value: "012", message: "gym: hours: must be 24 digits" },
  ],
  [
    "indexer/demo/feature-profiles.json",
    featureProfilesSchema,
    { at: ["bank", "has_spa"], value: 40, message: "bank: has_spa: Invalid value: Expected <=1" },
  ],
];

test("every data file has a schema", () => {
  const files = globSync(["src/place/*.json", "indexer/**/*.json"], {
    // What npm downloads, with its checksums.
    exclude: ["**/package*.json"],
  });
  const checked = new Set(DATA_FILES.map(([file]) => file));
  expect(files.filter((file) => !checked.has(file))).toEqual([]);
});

describe.each(DATA_FILES)("%s", (file, schema, { at, value, message }) => {
  const text = readFileSync(file, "utf8");

  test("has the form of its schema", () => {
    expect(() => readTable(file, schema, JSON.parse(text))).not.toThrow();
  });

  // JSON keeps the last of two equal keys and says nothing: a line would be lost.
  test("has no key twice in one object", () => {
    expect(text.match(/"(?:[^"\\]|\\.)*"\s*:/g) ?? []).toHaveLength(countKeys(JSON.parse(text)));
  });

  test(`fails with file, row and field: ${message}`, () => {
    expect(() => readTable(file, schema, withFault(JSON.parse(text), at, value))).toThrow(
      `${file}: ${message}`,
    );
  });
});

function countKeys(content: unknown): number {
  if (typeof content !== "object" || content === null) return 0;
  const own = Array.isArray(content) ? 0 : Object.keys(content).length;
  return Object.values(content).reduce<number>((sum, part) => sum + countKeys(part), own);
}

function withFault(content: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const copy = structuredClone(content) as Record<string, unknown>;
  copy[key] = withFault(copy[key], rest, value);
  return copy;
}
