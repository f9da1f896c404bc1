import { describe, expect, test } from "vitest";
import { readGeojson } from "../../../../indexer/sources/osm/geojson.ts";
import { toTags } from "../../../../indexer/sources/osm/osm-element.ts";
import { readAll } from "../text-input.ts";

const geojson = (...features: unknown[]) => JSON.stringify({ type: "FeatureCollection", features });

const POINT = { type: "Point", coordinates: [139.7, 35.68] };

const idOf = async (feature: object) => {
  const [item] = await readAll(readGeojson, geojson({ type: "Feature", geometry: POINT, ...feature }));
  return item && "draft" in item ? item.draft.source_id : undefined;
};

describe("readGeojson", () => {
  test.each([
    ["no coordinates", { geometry: null, properties: { name: "x" } }],
    ["no name", { geometry: POINT, properties: {} }],
    ["no name", { geometry: POINT, properties: null }],
    ["no coordinates", null],
  ])("a feature is skipped with the reason: %s", async (skipped, feature) => {
    expect(await readAll(readGeojson, geojson(feature))).toMatchObject([{ skipped }]);
  });

  test.each([
    ["@id of overpass-turbo", { properties: { "@id": "way/1997", name: "松屋" }, id: "way/1" }, "way/1997"],
    ["id of osmtogeojson", { properties: { name: "松屋" }, id: "relation/5" }, "relation/5"],
    [
      "the two columns of OSMnx",
      { properties: { element_type: "node", osmid: 33, name: "松屋" } },
      "node/33",
    ],
  ])("the id is the %s", async (_, feature, id) => {
    expect(await idOf(feature)).toBe(id);
  });

  test("features without an id get a stable id from name and point", async () => {
    const properties = { name: "Tully's Coffee" };
    const id = await idOf({ properties });
    expect(id).toMatch(/^hash\/[0-9a-f]{16}$/);
    expect(await idOf({ properties })).toBe(id);
    expect(await idOf({ properties: { name: "Doutor" } })).not.toBe(id);
    expect(await idOf({ properties, geometry: { type: "Point", coordinates: [139.7, 35.69] } })).not.toBe(id);
  });

  test("tags stand among the properties or under tags; the nulls of OSMnx are no tags", async () => {
    const properties = {
      amenity: null,
      shop: null,
      name: "Doutor",
      tags: { amenity: "cafe", "name:en": "Doutor Coffee" },
    };
    expect(await readAll(readGeojson, geojson({ geometry: POINT, properties }))).toMatchObject([
      { draft: { title: "Doutor", type: "COFFEE", alternate_names: ["Doutor Coffee"] } },
    ]);
  });

  test("numbers and truth values are tags as well; nulls, lists and objects are none", () => {
    expect(toTags({ name: 24, wheelchair: true, fee: false, shop: null, phone: ["1"], tags: {} })).toEqual({
      name: "24",
      wheelchair: "true",
      fee: "false",
    });
    expect(toTags(null)).toEqual({});
  });

  test("a feature with nothing but a name is a place", async () => {
    expect(
      await readAll(readGeojson, geojson({ geometry: POINT, properties: { name: "喫茶店" } })),
    ).toMatchObject([
      { draft: { title: "喫茶店", type: "PLACE", location: { latitude: 35.68, longitude: 139.7 } } },
    ]);
  });
});
