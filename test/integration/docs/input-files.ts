import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { createDemoPlaces } from "../../../indexer/demo/demo-places.ts";
import { buildKey } from "../../support/build-key.ts";
import { buildPbf } from "../../unit/indexer/sources/osm/build-pbf.ts";

/** The id that docs/keys.md gives as an example. */
const KEY_ID = "7c1m0q2zt4xa";

/** The file with that key, to import before the page is tried. */
export const KEYS_FILE = "example-key.jsonl";

/** Writes what the documents take for granted: files of the reader's own, by the names that the documents give them. */
export async function writeInputFiles(folder: string): Promise<void> {
  const write = (name: string, content: string): void => writeFileSync(join(folder, name), content);
  write("hanoi.overpass.json", buildOverpass());
  write("places.jsonl", buildLines(60, 3));
  write("more-places.jsonl", buildLines(20, 4));
  write("divisions.geojson", buildDivisions());
  write("words.csv", "role,meaning,language,words\nkind,COFFEE,vi,tiệm nước đen\n");
  write("kinds.csv", "code,parent,label vi,label en\nVOT_COFFEE,COFFEE,Cà phê vợt,Sock-filter coffee\n");
  write("fields.csv", "name,type,filter,searched\nfloor,number,yes,\n");
  write(KEYS_FILE, `${JSON.stringify({ ...buildKey({ name: "example" }).record, id: KEY_ID })}\n`);
  writeFileSync(join(folder, "vietnam.osm.pbf"), buildExtract());
  await writeParquet(folder);
}

/** A street of Hanoi. */
function buildExtract(): Buffer {
  return buildPbf({
    nodes: [
      { id: 1, lat: 21.03, lon: 105.85 },
      { id: 2, lat: 21.04, lon: 105.85 },
    ],
    ways: [{ id: 1, refs: [1, 2], tags: { highway: "primary", name: "Hàng Mây" } }],
  });
}

function buildLines(places: number, seed: number): string {
  const demoPlaces = createDemoPlaces({ places, seed, lean: true });
  const records = Array.from({ length: places }, (_, i) => ({
    ...demoPlaces.placeAt(i + 1),
    source: "survey",
  }));
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

const STREETS = ["Hàng Mây", "Hàng Gió", "Hàng Nắng"];
const NAMES = ["Cà Phê Giọt Sương", "Phở Cô Lành", "Nhà Thuốc Bình An", "Bánh Mì Chú Tám"];
const TAGS = [{ amenity: "cafe" }, { amenity: "restaurant" }, { amenity: "pharmacy" }, { shop: "bakery" }];

/** Sixty invented places of Hanoi, so that every name has several bearers. */
function buildOverpass(): string {
  const elements = Array.from({ length: 60 }, (_, i) => ({
    type: "node",
    id: i + 1,
    lat: 21.02 + (i % 8) * 0.0021,
    lon: 105.84 + Math.floor(i / 8) * 0.0023,
    tags: {
      ...TAGS[i % 4],
      name: NAMES[i % 4],
      "addr:housenumber": String(i + 1),
      "addr:street": STREETS[i % 3],
    },
  }));
  return JSON.stringify({ version: 0.6, elements });
}

/** One area, as Overture describes it. */
function buildDivisions(): string {
  const [west, south, east, north] = [105.8, 21, 105.9, 21.1];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const geometry = { type: "Polygon", coordinates: [ring] };
  const properties = { subtype: "county", names: { primary: "Phố Gió" } };
  return JSON.stringify({ type: "FeatureCollection", features: [{ type: "Feature", properties, geometry }] });
}

/** The columns without which a file is neither Overture's nor Foursquare's, and those that the conditions name. */
async function writeParquet(folder: string): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const copy = (select: string, name: string) =>
    connection.run(`COPY (${select}) TO '${join(folder, name)}' (FORMAT parquet)`);
  await copy(
    `SELECT 'survey-1' AS id, from_hex('0101000000${toHex(105.85)}${toHex(21.03)}') AS geometry,
      {'primary': 'Cà Phê Giọt Sương', 'common': MAP {'en': 'Dewdrop Coffee'}} AS names,
      0.9::DOUBLE AS confidence, [{'freeform': '1 Hàng Mây', 'country': 'VN'}] AS addresses`,
    "places.parquet",
  );
  await copy(
    `SELECT '4b0588f0' AS fsq_place_id, 'Bánh Mì Chú Tám' AS name, 21.03::DOUBLE AS latitude,
      105.85::DOUBLE AS longitude, 'VN' AS country, NULL::DATE AS date_closed`,
    "places-1.parquet",
  );
  connection.closeSync();
  instance.closeSync();
}

/** A number as eight bytes, the lowest first, in hexadecimal. */
function toHex(number: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(number);
  return bytes.toString("hex");
}
