import { describe, expect, test } from "vitest";
import { CommandError } from "../../../../../src/cli/errors.ts";
import {
  readWhosOnFirst,
  readWhosOnFirstFeatures,
} from "../../../../../indexer/sources/whosonfirst/whosonfirst.ts";
import { noteTaker, readAll, textInput } from "../../text-input.ts";

const feature = (
  changes: object = {},
  geometry: unknown = { type: "Point", coordinates: [106.7, 10.77] },
) => ({
  id: 1_108_800_001,
  type: "Feature",
  properties: {
    "addr:full": "12 Bến Cũ, Hồ Chí Minh",
    "addr:housenumber": "12",
    "addr:street": "Bến Cũ",
    "edtf:cessation": "uuuu",
    "edtf:deprecated": "",
    "mz:is_current": -1,
    "name:eng_x_preferred": ["Old Quay Noodles"],
    "name:vie_x_variant": ["Phở Bến Cũ", "Quán Bến Cũ"],
    "name:vie_x_abbreviation": ["PBC"],
    "sg:categories": [{ type: "Food & Drink", category: "Restaurant", subcategory: "Vietnamese" }],
    "sg:city": "Hồ Chí Minh",
    "sg:phone": "+84 28 5550 2200",
    "sg:website": "www.bencu.example",
    "wof:country": "VN",
    "wof:id": 1_108_800_001,
    "wof:name": "Phở Bến Cũ",
    "wof:placetype": "venue",
    "wof:superseded_by": [],
    ...changes,
  },
  geometry,
});

const read = (value: unknown) => readAll(readWhosOnFirstFeatures, JSON.stringify(value));

test("every field of a venue is used", async () => {
  const { context, notes } = noteTaker();
  const input = textInput(JSON.stringify(feature(), undefined, 2));
  expect(await Array.fromAsync(readWhosOnFirstFeatures(input, context))).toMatchObject([
    {
      position: { part: "line", number: 1 },
      draft: {
        source: "whosonfirst",
        source_id: "1108800001",
        title: "Phở Bến Cũ",
        alternate_names: ["Old Quay Noodles", "Quán Bến Cũ"],
        type: "VIETNAMESE_RESTAURANT",
        contacts: { phone: "+84 28 5550 2200", website: "www.bencu.example" },
        location: {
          latitude: 10.77,
          longitude: 106.7,
          country_code: "VN",
          address: { full: "12 Bến Cũ, Hồ Chí Minh", street: "12 Bến Cũ", city: "Hồ Chí Minh" },
        },
        business_status: "operational",
      },
    },
  ]);
  expect(notes).toEqual([]);
});

describe("a record is skipped", () => {
  test.each([
    ["of a town", { "wof:placetype": "locality" }, "not a venue"],
    ["that another one replaced", { "wof:superseded_by": [7] }, "superseded by another record"],
    ["that is deprecated", { "edtf:deprecated": "2018-05-01" }, "deprecated"],
  ])("%s", async (_, changes, skipped) => {
    expect(await read(feature(changes))).toMatchObject([{ skipped }]);
  });
});

describe("a venue is rejected", () => {
  test.each([
    ["without a name", feature({ "wof:name": " " }), "wof:name"],
    ["without an id", feature({ "wof:id": "7" }), "wof:id"],
    ["without a point", feature({}, null), "geometry"],
    ["without properties", { type: "Feature", properties: [] }, "properties"],
  ])("%s", async (_, value, field) => {
    expect(await read(value)).toMatchObject([{ rejected: { field } }]);
  });
});

test.each([
  ["is not current", { "mz:is_current": 0 }],
  ["has ceased", { "edtf:cessation": "2019" }],
])("a venue that %s is closed for good", async (_, changes) => {
  expect(await read(feature(changes))).toMatchObject([{ draft: { business_status: "closed_permanently" } }]);
});

describe("the type of a venue", () => {
  test.each([
    [[{ type: "Food & Drink", category: "Restaurant", subcategory: "Peruvian" }], "RESTAURANT"],
    [[{ type: "Public Place", category: "Education", subcategory: "Library" }], "LIBRARY"],
    [[{ type: "Services", category: "Unheard-of", subcategory: "" }], "COMPANY"],
    [[{ type: "x" }], "PLACE"],
    ["Restaurant", "PLACE"],
    [undefined, "PLACE"],
  ])("of %j is %s", async (categories, type) => {
    const venue = feature({ "sg:categories": categories, "wof:name": "Bến Cũ" });
    expect(await read(venue)).toMatchObject([{ draft: { type } }]);
  });
});

test("a collection is read, and one that breaks off ends the import", async () => {
  const text = JSON.stringify({ type: "FeatureCollection", features: [feature(), feature()] });
  expect(await readAll(readWhosOnFirst, text)).toMatchObject([
    { position: { part: "element", number: 1 } },
    { position: { part: "element", number: 2 } },
  ]);
  await expect(readAll(readWhosOnFirst, text.slice(0, -40))).rejects.toThrow(CommandError);
});
