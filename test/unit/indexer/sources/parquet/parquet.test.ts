import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeSources, openSources } from "../../../../../indexer/sources/open-sources.ts";
import { parseBoundingBox, type SourceFilter } from "../../../../../indexer/sources/source.ts";
import { noteTaker, textInput } from "../../text-input.ts";

const folder = mkdtempSync(join(tmpdir(), "hereabouts-parquet-"));
let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:")).connect();
});
afterAll(() => {
  connection.closeSync();
  rmSync(folder, { recursive: true });
});

const pathOf = (name: string) => join(folder, name);

/** Writes what a SELECT gives into a Parquet file. */
async function write(name: string, select: string, options = ""): Promise<string> {
  const path = pathOf(name).replaceAll("'", "''");
  await connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet ${options})`);
  return pathOf(name);
}

const GEOPARQUET = `, KV_METADATA {geo: '{"version":"1.1.0","primary_column":"geometry","columns":{"geometry":{"encoding":"WKB","geometry_types":["Point"]}}}'}`;

const littleEndian = (number: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(number);
  return bytes.toString("hex");
};

const wkb = (longitude: number, latitude: number) =>
  `from_hex('0101000000${littleEndian(longitude)}${littleEndian(latitude)}')`;

interface Row {
  readonly id: string;
  readonly longitude: number;
  readonly latitude: number;
  readonly confidence?: number;
}

/** A row with the columns of Overture's places; the names of its lists and structs are the schema's. */
const overtureRow = ({ id, longitude, latitude, confidence = 0.9 }: Row) => `SELECT
  '${id}' AS id,
  ${wkb(longitude, latitude)} AS geometry,
  {'xmin': ${longitude}::FLOAT, 'xmax': ${longitude}::FLOAT, 'ymin': ${latitude}::FLOAT, 'ymax': ${latitude}::FLOAT} AS bbox,
  3 AS version,
  [{'property': '', 'dataset': 'survey', 'record_id': '${id}'}] AS sources,
  {'primary': 'Quán ${id}', 'common': MAP {'en': 'Place ${id}'}, 'rules': [{'variant': 'short', 'value': 'Q${id}'}]} AS names,
  {'primary': 'coffee_shop', 'alternate': ['cafe']} AS categories,
  {'primary': 'coffee_shop', 'hierarchy': ['food_and_drink', 'beverage_shop', 'coffee_shop'], 'alternates': NULL::VARCHAR[]} AS taxonomy,
  ${confidence}::DOUBLE AS confidence,
  ['https://${id}.example'] AS websites,
  NULL::VARCHAR[] AS socials,
  ['+84 24 5550 0001'] AS phones,
  {'names': NULL::STRUCT("primary" VARCHAR), 'wikidata': NULL::VARCHAR} AS brand,
  [{'freeform': '1 Phố Mây', 'locality': 'Hà Nội', 'region': 'VN-HN', 'country': 'VN'}] AS addresses,
  'open' AS operating_status`;

const HANOI = { id: "hanoi", longitude: 105.85, latitude: 21.03 };
const SAIGON = { id: "saigon", longitude: 106.7, latitude: 10.78, confidence: 0.6 };
const SUVA = { id: "suva", longitude: 178.44, latitude: -18.14 };

const overture = (...rows: Row[]) => rows.map(overtureRow).join(" UNION ALL ");

const foursquareRow = (latitude: string) => `SELECT
  '4b0588f0' AS fsq_place_id, 'Cà Phê Mưa' AS name, ${latitude}::DOUBLE AS latitude, 105.85::DOUBLE AS longitude,
  '14 Ngõ Trạm' AS address, 'Hà Nội' AS locality, NULL::VARCHAR AS region, 'VN' AS country,
  DATE '2020-02-03' AS date_created, DATE '2024-05-06' AS date_closed, '024 5550 9999' AS tel,
  110123456789012345::BIGINT AS facebook_id, NULL::VARCHAR AS website,
  ['5032'] AS fsq_category_ids, ['Dining and Drinking > Bakery'] AS fsq_category_labels,
  ${wkb(105.85, 21.03)} AS geom, DATE '2026-10-01' AS dt`;

interface ReadOptions extends SourceFilter {
  readonly format?: string;
}

async function read(path: string, { format, ...filter }: ReadOptions = {}) {
  const signal = new AbortController().signal;
  const { context, notes } = noteTaker();
  const sources = await openSources([path], { format, filter, signal, stdin: Readable.from([]) });
  const items = [];
  for (const source of sources) items.push(...(await Array.fromAsync(source.read(source.input, context))));
  closeSources(sources);
  return { items, notes, sources };
}

const idsOf = async (path: string, options: ReadOptions) =>
  (await read(path, options)).items.map((item) => ("draft" in item ? item.draft.source_id : item));

describe("a Parquet file is refused", () => {
  test("with other columns: the message lists the missing and the existing ones", async () => {
    const path = await write("other.parquet", "SELECT 1 AS id, 'x' AS names, 2.5 AS price");
    await expect(read(path)).rejects.toThrow(
      `${path} is Parquet with other columns: not Overture places, because it lacks names (here of type VARCHAR), geometry; ` +
        "not Foursquare OS Places, because it lacks fsq_place_id, name, latitude, longitude. It has id, names, price.",
    );
  });

  test("in a directory it is left out, and the others are read", async () => {
    const directory = mkdtempSync(join(folder, "mixed-"));
    const other = await write(join(relative(folder, directory), "other.parquet"), "SELECT 1 AS price");
    await write(join(relative(folder, directory), "places.parquet"), overture(HANOI));
    const ignored: string[] = [];
    const sources = await openSources([directory], {
      signal: new AbortController().signal,
      stdin: Readable.from([]),
      onIgnored: (paths) => ignored.push(...paths),
    });
    closeSources(sources);
    expect(ignored).toEqual([other]);
    expect(sources.map(({ input }) => input.name)).toEqual([join(directory, "places.parquet")]);
  });

  test("from Overture with --format foursquare", async () => {
    const path = await write("asked.parquet", overture(HANOI));
    await expect(read(path, { format: "foursquare" })).rejects.toThrow(
      "not Foursquare OS Places, because it lacks",
    );
    expect((await read(path, { format: "overture" })).items).toHaveLength(1);
  });

  test("that is cut off", async () => {
    const path = await write("cut.parquet", overture(HANOI, SAIGON));
    truncateSync(path, statSync(path).size - 20);
    await expect(read(path)).rejects.toThrow(`${path} cannot be read as Parquet`);
  });

  test("with only the magic bytes", async () => {
    writeFileSync(pathOf("fake.parquet"), "PAR1 and nothing else");
    await expect(read(pathOf("fake.parquet"))).rejects.toThrow("cannot be read as Parquet");
  });

  test("with broken pages, after the rows before them", async () => {
    const path = await write("broken.parquet", overture(HANOI), ", COMPRESSION uncompressed");
    const { buffer } = new Uint8Array(64).fill(0xff);
    const { open } = await import("node:fs/promises");
    const file = await open(path, "r+");
    await file.write(new Uint8Array(buffer), 0, 64, 4);
    await file.close();
    await expect(read(path)).rejects.toThrow(path);
  });
});

describe("--where", () => {
  const select = overture(HANOI, SAIGON, SUVA);

  test.each([
    ["a number", "confidence > 0.8", ["hanoi", "suva"]],
    ["a list of structs", "addresses[1].country = 'VN' AND id <> 'suva'", ["hanoi", "saigon"]],
    ["a comment at its end", "id = 'suva' -- the islands", ["suva"]],
    ["one of two", "id = 'suva' OR id = 'hanoi'", ["hanoi", "suva"]],
    ["nothing", "false", []],
  ])("excludes rows by %s", async (_, where, ids) => {
    expect(await idsOf(await write("where.parquet", select), { where })).toEqual(ids);
  });

  test.each([
    ["a column that is not there", "confidense > 0.8", 'Referenced column "confidense" not found'],
    ["no condition", "confidence >", "Parser Error: syntax error"],
    ["two statements", "true); SELECT (1", "more than one statement"],
    ["a value that does not fit", "confidence > 'high'", "Could not convert string 'high' to DOUBLE"],
    ["another file", "id IN (SELECT content FROM read_text('/etc/hostname'))", "Permission Error"],
  ])("with %s reports DuckDB's message", async (_, where, message) => {
    const path = await write("where.parquet", select);
    await expect(read(path, { where })).rejects.toThrow(message);
    await expect(read(path, { where })).rejects.toThrow(`Cannot read ${path} with --where "${where}"`);
  });

  test("is for Parquet alone", async () => {
    writeFileSync(pathOf("x.geojson"), '{"type":"FeatureCollection","features":[]}');
    await expect(read(pathOf("x.geojson"), { where: "true" })).rejects.toThrow(
      "--where works only for Parquet",
    );
  });
});

describe("--bbox", () => {
  test.each([
    ["105,20,107,22", ["hanoi"]],
    ["105.85,21.03,105.85,21.03", ["hanoi"]],
    ["100,5,110,25", ["hanoi", "saigon"]],
    ["170,-30,-170,0", ["suva"]],
    ["0,0,1,1", []],
  ])("%s excludes places outside", async (text, ids) => {
    const path = await write("box.parquet", overture(HANOI, SAIGON, SUVA));
    expect(await idsOf(path, { bbox: parseBoundingBox(text) })).toEqual(ids);
  });

  test("works together with --where", async () => {
    const path = await write("box.parquet", overture(HANOI, SAIGON, SUVA));
    const bbox = parseBoundingBox("100,5,110,25");
    expect(await idsOf(path, { bbox, where: "confidence < 0.7 OR id = 'suva'" })).toEqual(["saigon"]);
  });

  test("works on the point itself where a file has no boxes", async () => {
    const path = await write("nobox.parquet", `SELECT * EXCLUDE (bbox) FROM (${overture(HANOI, SAIGON)})`);
    const { items } = await read(path, { bbox: parseBoundingBox("105,20,107,22") });
    expect(items).toMatchObject([{ draft: { source_id: "hanoi" } }, { skipped: "outside --bbox" }]);
  });

  test("works on latitude and longitude", async () => {
    const path = await write("fsqbox.parquet", `${foursquareRow("21.03")} UNION ALL ${foursquareRow("1")}`);
    expect((await read(path, { bbox: parseBoundingBox("105,20,107,22") })).items).toHaveLength(1);
  });
});

describe("Overture's columns", () => {
  test.each([
    ["bytes", ""],
    ["a geometry", GEOPARQUET],
  ])("become a place, its point stored as %s", async (_, options) => {
    const path = await write("overture.parquet", overture(HANOI), options);
    const { items, notes } = await read(path);
    expect(items).toMatchObject([
      {
        position: { file: path, part: "row", number: 1 },
        draft: {
          source: "overture",
          source_id: "hanoi",
          title: "Quán hanoi",
          alternate_names: ["Place hanoi", "Qhanoi"],
          type: "COFFEE",
          contacts: { phone: "+84 24 5550 0001", website: "https://hanoi.example" },
          location: { latitude: 21.03, longitude: 105.85, country_code: "VN", address: { city: "Hà Nội" } },
        },
      },
    ]);
    expect(notes).toEqual([]);
  });

  test("of an older release, without taxonomy and status, are enough", async () => {
    const path = await write(
      "old.parquet",
      `SELECT * EXCLUDE (taxonomy, operating_status, brand) FROM (${overture(HANOI)})`,
    );
    expect((await read(path)).items).toMatchObject([{ draft: { type: "COFFEE" } }]);
  });

  test("without a point or a name are rejected, each with the number of its row", async () => {
    const path = await write(
      "gaps.parquet",
      `${overture(HANOI)} UNION ALL SELECT * REPLACE (NULL AS geometry) FROM (${overture(SAIGON)})
       UNION ALL SELECT * REPLACE (NULL AS names) FROM (${overture(SUVA)})`,
    );
    expect((await read(path, { where: "id <> 'hanoi'" })).items).toMatchObject([
      { position: { number: 2 }, rejected: { field: "geometry" } },
      { position: { number: 3 }, rejected: { field: "names.primary" } },
    ]);
  });
});

describe("Foursquare's columns", () => {
  test("become a place; a long numeric id keeps its digits", async () => {
    const { items } = await read(await write("fsq.parquet", foursquareRow("21.03")));
    expect(items).toMatchObject([
      {
        draft: {
          source: "foursquare",
          source_id: "4b0588f0",
          title: "Cà Phê Mưa",
          type: "BAKERY",
          business_status: "closed_permanently",
          contacts: { phone: "024 5550 9999", website: "https://www.facebook.com/110123456789012345" },
          location: {
            latitude: 21.03,
            longitude: 105.85,
            address: { street: "14 Ngõ Trạm", city: "Hà Nội" },
          },
        },
      },
    ]);
  });

  test.each([
    ["NULL", { field: "latitude", reason: "no coordinates" }],
    ["'nan'", { field: "row", reason: "holds NaN or an infinite number" }],
  ])("with a latitude of %s are rejected", async (latitude, rejected) => {
    const { items } = await read(await write("nan.parquet", foursquareRow(latitude)));
    expect(items).toMatchObject([{ rejected }]);
  });
});

test("many rows keep the file's order, and the progress ends at the file's size", async () => {
  const path = await write(
    "many.parquet",
    `SELECT * EXCLUDE (i) REPLACE (i::VARCHAR AS id) FROM (${overtureRow(HANOI)}), range(5000) t(i)`,
    ", ROW_GROUP_SIZE 2048",
  );
  const { items, sources } = await read(path);
  expect(items.map((item) => "draft" in item && item.draft.source_id)).toEqual(
    Array.from({ length: 5000 }, (_, index) => String(index)),
  );
  expect(sources[0]?.input.bytesRead()).toBe(statSync(path).size);
});

test("cancelling a reader closes the file", async () => {
  const path = await write("given-up.parquet", overture(HANOI, SAIGON));
  const [source] = await openSources([path], {
    signal: new AbortController().signal,
    stdin: Readable.from([]),
  });
  if (!source) throw new Error("no source");
  for await (const item of source.read(source.input, noteTaker().context)) {
    expect(item).toHaveProperty("draft");
    break;
  }
  expect((await read(path)).items).toHaveLength(2);
});

test.each(["it's.parquet", "a[1].parquet", "a*b.parquet", "what?.parquet"])(
  "a file called %s is that file and no pattern",
  async (name) => {
    await write("a1.parquet", overture(SAIGON));
    const path = await write(name, overture(HANOI));
    const { context } = noteTaker();
    const { ANY_PARQUET } = await import("../../../../../indexer/sources/parquet/parquet.ts");
    const input = { ...textInput(""), name, path };
    const items = await Array.fromAsync(ANY_PARQUET.read(input, context));
    expect(items).toMatchObject([{ draft: { source_id: "hanoi" } }]);
  },
);
