import { describe, expect, test } from "vitest";
import { readOverpass } from "../../../../../indexer/sources/osm/overpass.ts";
import { readAll } from "../../text-input.ts";

const overpass = (elements: unknown[], remark?: string) => JSON.stringify({ version: 0.6, elements, remark });

const CAFE = {
  type: "node",
  id: 12,
  lat: 21.01,
  lon: 105.85,
  tags: { amenity: "cafe", name: "Cà Phê Giảng" },
};

describe("readOverpass", () => {
  test("a response that Overpass reports as incomplete ends the import", async () => {
    const content = overpass([CAFE], 'runtime error: Query timed out in "query" at line 3 after 25 seconds.');
    await expect(readAll(readOverpass, content)).rejects.toThrow(
      "test-file is incomplete, Overpass says: runtime error",
    );
  });

  test.each([
    ["no coordinates (ask Overpass for `out center`)", { type: "way", id: 1, tags: { name: "x" } }],
    ["no name", { ...CAFE, tags: { amenity: "cafe" } }],
    ["no name", { ...CAFE, tags: undefined }],
    ["not a node, way or relation", { type: "count", id: 0, tags: { total: "7" } }],
    ["not a node, way or relation", null],
  ])("an element is skipped with the reason: %s", async (skipped, element) => {
    expect(await readAll(readOverpass, overpass([element]))).toEqual([
      { position: { file: "test-file", part: "element", number: 1 }, skipped },
    ]);
  });

  test("nodes, ways and relations become places under their ids", async () => {
    const center = { lat: 21.02, lon: 105.84 };
    const way = { type: "way", id: 7, center, nodes: [1, 2], tags: { shop: "books", name: "Tràng Tiền" } };
    const relation = { type: "relation", id: 8, center, tags: { leisure: "park", name: "Thống Nhất" } };
    expect(await readAll(readOverpass, overpass([CAFE, way, relation]))).toMatchObject([
      {
        draft: {
          source: "osm",
          source_id: "node/12",
          type: "COFFEE",
          location: { latitude: 21.01, longitude: 105.85 },
        },
      },
      { draft: { source_id: "way/7", type: "BOOKSTORE", location: { latitude: 21.02, longitude: 105.84 } } },
      { position: { number: 3 }, draft: { source_id: "relation/8", type: "PARK" } },
    ]);
  });
});
