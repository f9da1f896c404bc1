import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CommandError } from "../../../../src/cli/errors.ts";
import { openSources } from "../../../../indexer/sources/open-sources.ts";
import { measureLongestTurnMs } from "../../../support/cpu-time.ts";
import { noteTaker } from "../text-input.ts";
import { buildPbf } from "./osm/build-pbf.ts";

const folder = mkdtempSync(join(tmpdir(), "hereabouts-giving-way-"));
afterAll(() => rmSync(folder, { recursive: true }));

const NEVER = new AbortController().signal;

async function* readFile(name: string, signal = NEVER): AsyncGenerator<unknown> {
  const stdin = Readable.from([]);
  const [source] = await openSources([join(folder, name)], { signal, stdin });
  yield* source!.read(source!.input, noteTaker().context);
}

/** Resolves to the number of items. How a broken file ends is told elsewhere. */
async function countItems(name: string): Promise<number> {
  let items = 0;
  try {
    for await (const _ of readFile(name)) items += 1;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
  }
  return items;
}

/** Four times what is asked for (50 ms), since a part of the time goes to what V8 does beside. */
const MOST_MS = 200;

const PLACE = '{"title":"A","source":"t","source_id":"1","location":{"latitude":10,"longitude":106}}';
const MANY = 400_000;

/** Each keeps a reader of lines, rows or nodes busy for half a second: without giving way it is beyond the bound. Those of JSON give way as they get their input. */
const FILES: Readonly<Record<string, () => string | Buffer>> = {
  "empty-lines.jsonl": () => `${PLACE}\n${"\n".repeat(MANY)}`,
  "empty-lines.jsonl.gz": () => gzipSync(`${PLACE}\n${"\n".repeat(MANY)}`),
  "no-json.jsonl": () => `${PLACE}\n${"x\n".repeat(MANY / 4)}`,
  "record-of-empty-lines.jsonl": () => `${PLACE}\n{\n${"\n".repeat(MANY)}}\n`,
  "empty-lines.csv": () => `title,latitude,longitude,source,source_id\nA,10,106,t,1\n${"\n".repeat(MANY)}`,
  "open-quote.csv": () => `title,latitude,longitude,source,source_id\nA,10,106,t,1\n"${"\n".repeat(MANY)}`,
  "empty-lines.geojsonl": () =>
    `{"type":"Feature","properties":{"amenity":"cafe"},"geometry":{"type":"Point","coordinates":[1,2]}}\n${"\n".repeat(MANY)}`,
  "empty-records.geojsonseq": () =>
    `\u001E{"type":"Feature","properties":{"amenity":"cafe"},"geometry":{"type":"Point","coordinates":[1,2]}}\n${"\u001E\n".repeat(MANY)}`,
  "blanks.json": () => `{"elements":[${" ".repeat(40 * MANY)}{"type":"node","id":1,"lat":1,"lon":2}]}`,
  "other-list.json": () =>
    `{"version":0.6,"osm3s":{"copyright":"x"},"elements":[{"type":"node","id":1,"lat":1,"lon":2}],"x":[${"1,".repeat(4 * MANY)}1]}`,
  "many-elements.json": () => `{"version":0.6,"elements":[${"{},".repeat(MANY)}{}]}`,
  "nodes.osm.pbf": () => {
    const tags = { amenity: "cafe", name: "Cà phê" };
    return buildPbf({
      nodes: Array.from({ length: 30_000 }, (_, id) => ({ id: id + 1, lat: 10, lon: 106, tags })),
    });
  },
};

// The first table of a process builds the words of its columns, in one turn of a quarter of a second.
beforeAll(async () => {
  writeFileSync(join(folder, "first.csv"), "title,latitude,longitude\nA,10,106\n");
  await countItems("first.csv");
});

describe("a reader gives way to other events, whatever the file holds:", () => {
  test.each(Object.entries(FILES))("%s", async (name, build) => {
    writeFileSync(join(folder, name), build());
    let items = 0;
    const longest = await measureLongestTurnMs(async () => {
      items = await countItems(name);
    });
    expect(items).toBeGreaterThan(0);
    expect(longest).toBeLessThan(MOST_MS);
  });

  test("rows of a Parquet file", async () => {
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    const path = join(folder, "rows.parquet").replaceAll("'", "''");
    await connection.run(`COPY (SELECT
      range::VARCHAR AS fsq_place_id, 'Quán' AS name, 10.5::DOUBLE AS latitude, 106.5::DOUBLE AS longitude,
      repeat('x', 2000) AS address, '' AS locality, '' AS region, '' AS country, '' AS postcode, '' AS tel, '' AS website,
      ['x'] AS fsq_category_ids, ['x'] AS fsq_category_labels, '' AS date_refreshed, '' AS date_closed
      FROM range(20000)) TO '${path}' (FORMAT parquet)`);
    connection.closeSync();
    let rows = 0;
    const longest = await measureLongestTurnMs(async () => {
      rows = await countItems("rows.parquet");
    });
    expect(rows).toBe(20_000);
    expect(longest).toBeLessThan(MOST_MS);
  });
});

test("a reader of a packed file ends when it is aborted, though all of that has been read", async () => {
  const name = "aborted.jsonl.gz";
  writeFileSync(join(folder, name), gzipSync(`${PLACE}\n${"\n".repeat(8 * MANY)}`));
  const controller = new AbortController();
  let isAborted = false;
  const reading = async (): Promise<void> => {
    for await (const _ of readFile(name, controller.signal))
      setTimeout(() => {
        isAborted = true;
        controller.abort(new Error("enough"));
      });
  };
  await expect(reading()).rejects.toThrow("enough");
  expect(isAborted).toBe(true);
});
