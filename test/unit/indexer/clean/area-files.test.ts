import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { readAreaFiles } from "../../../../indexer/clean/area-files.ts";
import { fillAreas } from "../../../../indexer/clean/areas.ts";
import { readTeamVocabulary } from "../../../../indexer/clean/team-vocabulary.ts";
import { buildDraft } from "../build-draft.ts";

const folder = mkdtempSync(join(tmpdir(), "area-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** A square of degrees around a point. */
function square(longitude: number, latitude: number, half: number) {
  const [west, south, east, north] = [longitude - half, latitude - half, longitude + half, latitude + half];
  const ring = [west, south, east, south, east, north, west, north, west, south];
  const corners = Array.from({ length: 5 }, (_, index) => ring.slice(2 * index, 2 * index + 2));
  return { type: "Polygon", coordinates: [corners] };
}

const feature = (properties: object, geometry: object | null = square(11.5, 48.1, 1)) => ({
  type: "Feature",
  properties,
  geometry,
});

const collection = (...features: readonly object[]): string =>
  JSON.stringify({ type: "FeatureCollection", features });

const BAVARIA = feature({ subtype: "region", names: { primary: "Bayern", common: { en: "Bavaria" } } });
const MUNICH = feature({ admin_level: "6", name: "München", "name:vi": "Munich" }, square(11.6, 48.15, 0.2));
const POINT = { latitude: 48.14, longitude: 11.58 };

describe("an area file is refused, with the file, the feature and the field,", () => {
  test.each<[string, object, string]>([
    ["without a name", feature({ level: "ward" }), "feature 2: name is missing"],
    ["without a level", feature({ name: "Mitte" }), "feature 2: level is missing"],
    [
      "with an unknown level",
      feature({ name: "Mitte", level: "tribe" }),
      'feature 2: level "tribe" is none of',
    ],
    ["with an unknown admin_level", feature({ name: "Mitte", admin_level: 12 }), "feature 2: admin_level 12"],
    [
      "with a line",
      feature({ name: "Mitte", level: "ward" }, { type: "LineString", coordinates: [] }),
      "feature 2: geometry",
    ],
    ["in metres", feature({ name: "Mitte", level: "ward" }, square(500_000, 5_000_000, 1)), "in degrees"],
  ])("if it has a feature %s", (_, wrong, message) => {
    const path = write("wrong.geojson", collection(BAVARIA, wrong));
    expect(() => readAreaFiles([path])).toThrow(message);
    expect(() => readAreaFiles([path])).toThrow(path);
  });

  test("if it is not GeoJSON, truncated or missing", () => {
    expect(() => readAreaFiles([write("other.json", "{}")])).toThrow("is not GeoJSON");
    expect(() => readAreaFiles([write("cut.geojson", '{"type":\n')])).toThrow("cut.geojson:1: not JSON");
    expect(() => readAreaFiles([join(folder, "none.geojson")])).toThrow("could not be read");
  });
});

describe("the areas of a file", () => {
  const country = feature({ subtype: "country", names: { primary: "Deutschland" } });
  const { find, areas, nameRows } = readAreaFiles([
    write("de.geojson", collection(country, BAVARIA, MUNICH)),
  ]);

  test("are found by coordinates, the narrow before the wide, without countries", () => {
    expect(find(POINT).map(({ name, level }) => [name, level])).toEqual([
      ["Munich", "district"],
      ["Bayern", "province"],
    ]);
    expect(find({ latitude: 52.5, longitude: 13.4 })).toEqual([]);
  });

  test("have a parent area, alternate names and a box", () => {
    const [bavaria, munich] = areas;
    expect(munich).toMatchObject({ parent: bavaria?.id, valid: "both", bounds: { west: 11.4 } });
    expect(nameRows).toEqual([`area,${bavaria?.id},und,Bavaria`, `area,${munich?.id},und,München`]);
  });

  test("of one name in two provinces are two", () => {
    const ward = (province: string, longitude: number) =>
      feature({ name: "Phường Bình Minh", province }, square(longitude, 21, 0.1));
    const path = write("namesakes.geojson", collection(ward("Hà Nội", 105.8), ward("Hưng Yên", 106)));
    expect(readAreaFiles([path]).areas).toHaveLength(2);
  });

  test("have the same ids whatever the order and the form of the file", () => {
    const lines = [MUNICH, BAVARIA].map((value) => JSON.stringify(value)).join("\n");
    const again = readAreaFiles([write("de.geojsonl.gz", gzipSync(lines))]);
    expect(new Set(again.areas.map(({ id }) => id))).toEqual(new Set(areas.map(({ id }) => id)));
  });

  test("fill in the city of a place where its address has none", () => {
    const context = {
      findTeamAreas: find,
      note: () => undefined,
      today: Temporal.PlainDate.from("2026-11-20"),
    };
    const draft = buildDraft({ location: { ...POINT, country_code: "DE" } });
    expect(fillAreas(draft, context)).toMatchObject({
      areas: find(POINT).map(({ id }) => id),
      location: { address: { city: "Munich", full: "" } },
    });
  });
});

test.each<[string, object, string]>([
  ["NAME_2 of GADM", { NAME_1: "Bavaria", NAME_2: "Dachau" }, "district"],
  ["a Vietnamese ward", { name: "Phường Ba Đình", admin_level: 6 }, "ward"],
  ["a Vietnamese district", { name: "Quận 3" }, "district"],
])("the level of %s is read", (_, properties, level) => {
  const path = write("level.geojson", collection(feature(properties)));
  expect(readAreaFiles([path]).areas).toMatchObject([{ level }]);
});

describe("a vocabulary file", () => {
  test.each([
    ["with an unknown role", "kid,PHO,vi,phở", "words.csv:2: role"],
    ["with an unknown kind", "kind,NOODLES,vi,phở", 'words.csv:2: meaning "NOODLES"'],
    ["without words", "kind,PHO,vi,", "words.csv:2: words is empty"],
    ["with an unknown area", "area,q99,vi,quận 99", 'words.csv:2: meaning "q99" is the id of no area'],
  ])("is refused %s, with the line and the column", (_, row, message) => {
    const path = write("words.csv", `role,meaning,language,words\n${row}\n`);
    expect(() => readTeamVocabulary({ vocabulary: [path] })).toThrow(message);
  });

  test("is stored with the names of the areas, which it may use", () => {
    const areas = [write("by.geojson", collection(BAVARIA))];
    const id = readAreaFiles(areas).areas[0]?.id ?? "";
    const path = write("good.csv", `\uFEFFrole,meaning,language,words\narea,${id},vi,bang Bayern\n`);
    const read = readTeamVocabulary({ areas, vocabulary: [path] });
    expect(read?.stored.areas).toHaveLength(1);
    expect(read?.stored.words.split("\n").slice(1)).toEqual([
      `area,${id},vi,bang Bayern`,
      `area,${id},und,Bavaria`,
    ]);
    expect(read?.files.map(({ name }) => name)).toEqual([...areas, path]);
  });

  test("is undefined without a file", () => {
    expect(readTeamVocabulary({})).toBeUndefined();
  });
});
