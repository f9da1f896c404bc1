import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { importPlaces } from "../../../indexer/import/import-places.ts";
import { createTally } from "../../../indexer/clean/import-tally.ts";
import { closeSources, openSources } from "../../../indexer/sources/open-sources.ts";
import { openPlaceIndex } from "../../../src/partitions/open-place-index.ts";
import { oneEngine, type Topology } from "../../../src/partitions/topology.ts";
import { startIndexBuild } from "../../../indexer/index/start-build.ts";
import { buildPlace } from "../../support/build-place.ts";
import { findDeadPort } from "../../support/dead-servers.ts";
import { createTestIndex, testTopology } from "../../support/test-index.ts";

const folder = mkdtempSync(join(tmpdir(), "hereabouts-import-"));
afterAll(() => rmSync(folder, { recursive: true }));

const dataIdOf = (id: number): string => `0x1:0x${id.toString(16)}`;

let engine: Topology;
beforeEach(async () => {
  const live = await createTestIndex([buildPlace({ data_id: dataIdOf(1), title: "Old" })]);
  engine = testTopology(live.prefix);
  return () => live[Symbol.asyncDispose]();
});

const record = (id: number, title = `Quán số ${id}`): string =>
  JSON.stringify({ title, data_id: dataIdOf(id), location: { latitude: 10.7 + id / 1e5, longitude: 106.7 } });

function write(name: string, ...lines: string[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.join("\n"));
  return path;
}

interface RunOptions {
  readonly signal?: AbortSignal;
  readonly url?: string;
  readonly onSay?: (text: string) => void;
}

/** Imports the files; resolves to the number of places and what was counted. */
async function run(
  paths: string[],
  { signal = new AbortController().signal, url, onSay = () => {} }: RunOptions = {},
) {
  const tally = createTally();
  const sources = await openSources(paths, { signal, stdin: Readable.from([]) });
  try {
    const places = await importPlaces(sources, {
      index: url === undefined ? engine : oneEngine({ ...engine.engines[0]!, url }, engine.prefix),
      tally,
      maxRejectsPercent: 1,
      today: Temporal.PlainDate.from("2026-11-20"),
      interruption: { signal, finishUndisturbed: () => {} },
      progress: { begin: (_: string, text: string) => onSay(text), say: onSay, stop: () => {} },
    });
    return { places, tally };
  } finally {
    closeSources(sources);
  }
}

/** The titles that the live index has for some ids. */
async function liveTitles(...ids: number[]): Promise<(string | undefined)[]> {
  const index = openPlaceIndex(engine);
  const titles: (string | undefined)[] = [];
  for (const id of ids) titles.push((await index.getPlace(dataIdOf(id)))?.title);
  await index.close();
  return titles;
}

/** How many imports have an index in the engine, live or not. */
async function countIndexes(): Promise<number> {
  const { url, key } = engine.engines[0]!;
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${url}/indexes?limit=10000`, { headers });
  const { results } = (await response.json()) as { results: { uid: string }[] };
  return results.filter(({ uid }) => uid.startsWith(`${engine.prefix}_`) && !uid.endsWith("_map")).length;
}

const lines = (count: number): string[] => Array.from({ length: count }, (_, index) => record(index + 1));

describe("the live index is unchanged and nothing else remains", () => {
  test.each([
    ["the file is cut off", [record(1, "New"), record(2).slice(0, -3)], "ends in the middle of line 2"],
    ["too many records are wrong", [record(1, "New"), "x", "y", "z", ""], "3 of 4 records were rejected"],
    ["no record is left", [record(1, "New").replace("New", "  "), ""], "1 of 1 records were rejected"],
    [
      "an OSM file is cut off",
      ['{"version":0.6,"elements":[{"type":"node","id":1,"lat":1,"lon":2,"tags":{"name":"New"}},'],
      "cut off",
    ],
    [
      "everything is skipped",
      ['{"version":0.6,"elements":[{"type":"node","id":1,"lat":1,"lon":2}]}'],
      "it holds no places",
    ],
  ])("when %s", async (_, content, message) => {
    await expect(run([write("new", ...content)])).rejects.toThrow(message);
    expect(await liveTitles(1)).toEqual(["Old"]);
    expect(await countIndexes()).toBe(1);
  });

  test("when the import is stopped while it waits for the engine", async () => {
    const controller = new AbortController();
    const onSay = () => controller.abort(new Error("stopped"));
    await expect(run([write("new", ...lines(1_000))], { signal: controller.signal, onSay })).rejects.toThrow(
      "stopped",
    );
    expect(await liveTitles(1, 2)).toEqual(["Old", undefined]);
    expect(await countIndexes()).toBe(1);
  });
});

describe("importPlaces", () => {
  test("a missing engine is reported", async () => {
    const url = `http://127.0.0.1:${await findDeadPort()}`;
    await expect(run([write("new", record(1))], { url })).rejects.toThrow(
      `ECONNREFUSED ${new URL(url).host}`,
    );
  });

  test("the files together become the dataset, and the live index becomes the previous one", async () => {
    await run([write("first", record(1), record(2))]);
    const { places } = await run([write("a", record(2, "Second")), write("b", record(3))]);
    expect(places).toBe(2);
    expect(await liveTitles(1, 2, 3)).toEqual([undefined, "Second", "Quán số 3"]);
    expect(await countIndexes()).toBe(2);
  });

  test("the engine has loaded its dictionaries before the swap, which takes it seconds", async () => {
    const sent: string[] = [];
    const line = createServer((request, response) => {
      void (async () => {
        const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
        const body = Buffer.concat(chunks);
        if (request.method === "POST") sent.push(`${request.url} ${body.toString()}`);
        const { method = "GET", headers } = request;
        const answer = await fetch(engine.engines[0]!.url + request.url, {
          method,
          headers: {
            authorization: headers.authorization ?? "",
            "content-type": headers["content-type"] ?? "",
          },
          ...(body.length > 0 && { body }),
        });
        response.writeHead(answer.status, { "content-type": "application/json" });
        response.end(await answer.text());
      })();
    }).listen(0, "127.0.0.1");
    await once(line, "listening");
    try {
      const url = `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
      await run([write("few.jsonl", ...lines(3))], { url });
    } finally {
      line.close();
    }
    const warmUp = sent.findIndex((request) => /search .*咖啡カフェ카페/.test(request));
    const swap = sent.findIndex((request) => /_map\/documents.*"_map"/.test(request));
    expect(warmUp).toBeGreaterThan(-1);
    expect(warmUp).toBeLessThan(swap);
  });

  test("of two records of a place the later one counts, in any file", async () => {
    const { places, tally } = await run([
      write("a", record(1, "Early"), record(2)),
      write("b", record(1, "Late")),
    ]);
    expect({ places, written: tally.written }).toEqual({ places: 2, written: 3 });
    expect(await liveTitles(1)).toEqual(["Late"]);
  });

  test("leftovers of a killed import do not get into the next one", async () => {
    const killed = await startIndexBuild(engine);
    await killed.add([buildPlace({ data_id: dataIdOf(9), title: "Left over" })]);
    const { places } = await run([write("new", record(1))]);
    expect(places).toBe(1);
    expect(await liveTitles(1, 9)).toEqual(["Quán số 1", undefined]);
  });

  test("thousands of places in several formats are imported completely", async () => {
    const osm = {
      type: "way",
      id: 7,
      center: { lat: 21.0, lon: 105.84 },
      tags: { amenity: "hospital", name: "Bệnh viện Bạch Mai" },
    };
    const overpass = write("osm.json", JSON.stringify({ version: 0.6, elements: [osm] }));
    const feature = {
      type: "Feature",
      id: "node/8",
      properties: { name: "松屋" },
      geometry: { type: "Point", coordinates: [139.7, 35.68] },
    };
    const geojson = write("osm.geojson", JSON.stringify({ type: "FeatureCollection", features: [feature] }));
    const { places, tally } = await run([write("native", ...lines(3_000)), overpass, geojson]);
    expect(places).toBe(3_002);
    expect(tally).toMatchObject({ read: 3_002, written: 3_002 });
  });
});

describe("a place without a data_id in its record", () => {
  const moving = (longitude: number): string =>
    JSON.stringify({
      title: "Xe Bánh Mì",
      source: "ours",
      source_id: "7",
      location: { latitude: 10.7, longitude },
    });

  /** The only place of the live index, as a search finds it. */
  async function readOnlyPlace() {
    const index = openPlaceIndex(engine);
    const lookup = { filter: {}, limit: 10 };
    const signal = AbortSignal.timeout(5_000);
    const [answer] = await index.findPlaces([lookup], signal);
    const found = answer?.places.slice(-1) ?? [];
    const summaries = await index.readSummaries(found, signal);
    await index.close();
    return [...summaries.values()][0];
  }

  test("keeps the id that callers have when it moves", async () => {
    await run([write("before.jsonl", moving(106.7))]);
    const before = await readOnlyPlace();
    await run([write("after.jsonl", moving(106.71))]);
    const after = await readOnlyPlace();
    expect(after?.location.longitude).toBe(106.71);
    expect(after?.data_id).toBe(before?.data_id);
  });
});

test("of two imports at once the earlier one fails and the later one goes live", async () => {
  const first = await startIndexBuild(engine);
  await first.add([buildPlace({ data_id: dataIdOf(8) })]);
  const second = await startIndexBuild(engine);
  await second.add([buildPlace({ data_id: dataIdOf(9), title: "Later" })]);
  await expect(first.finish()).rejects.toThrow("Another import began meanwhile");
  await first.discard();
  await second.finish();
  await second.swap();
  expect(await liveTitles(8, 9)).toEqual([undefined, "Later"]);
});
