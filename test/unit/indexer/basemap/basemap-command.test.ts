import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { toRow } from "../../../../indexer/basemap/tile-grid.ts";
import { makeBasemap, type BasemapProgress } from "../../../../indexer/basemap/make-basemap.ts";
import { runIndexer } from "../../../../indexer/main.ts";
import { Interrupted } from "../../../../src/cli/errors.ts";
import { buildLine, writeBasemap } from "../../../support/basemap.ts";
import { runInProcess, type Ended } from "../../../support/run-in-process.ts";
import { buildPbf, type PbfContent } from "../sources/osm/build-pbf.ts";
import { openArchive, readTile } from "./read-tiles.ts";

const folder = mkdtempSync(join(tmpdir(), "basemap-"));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;

/** Draws an extract. Returns how the command ended and the path of the map. */
async function draw(bytes: Buffer, ...options: string[]): Promise<Ended & { output: string }> {
  const work = join(folder, String((count += 1)));
  const input = `${work}.osm.pbf`;
  const output = `${work}.pmtiles`;
  writeFileSync(input, bytes);
  const ended = await runInProcess(runIndexer, ["basemap", input, "--output", output, ...options], {});
  return { ...ended, output };
}

/** The corners of a square of some kilometre near Bến Thành, and its middle. */
const NODES: PbfContent["nodes"] = [
  { id: 1, lat: 10.77, lon: 106.69 },
  { id: 2, lat: 10.77, lon: 106.699 },
  { id: 3, lat: 10.78, lon: 106.699 },
  { id: 4, lat: 10.78, lon: 106.69 },
  { id: 5, lat: 10.775, lon: 106.695, tags: { place: "suburb", name: "Bến Thành" } },
  { id: 6, lat: 10.774, lon: 106.694 },
  { id: 7, lat: 10.774, lon: 106.696 },
  { id: 8, lat: 10.776, lon: 106.696 },
];

/** The tile of zoom 14 around it. */
const [Z, X, Y] = [14, 13_047, 7_698] as const;

/** The size of a tile on the screen. */
const PIXELS = 512;

/** The tags of what is drawn in the tile, by layer. */
async function tagsIn(output: string, z: number = Z, x: number = X, y: number = Y) {
  const layers = await readTile(openArchive(output), z, x, y);
  return (
    layers &&
    Object.fromEntries(
      Object.entries(layers).map(([name, features]) => [name, features.map(({ tags }) => tags)]),
    )
  );
}

describe("fails with a sentence, and leaves no file", () => {
  const leftovers = (output: string): string[] =>
    readdirSync(folder).filter((name) => join(folder, name).startsWith(output) || name.startsWith("."));

  test.each([
    ["that is not an extract", Buffer.from("nothing of the kind"), /is not an \.osm\.pbf at byte 0/],
    ["that is cut off", buildPbf({ nodes: NODES }).subarray(0, -9), /is cut off at byte \d+/],
    [
      "with nothing to draw",
      buildPbf({ nodes: NODES.slice(0, 4) }),
      /Nothing in this file is drawn on a map/,
    ],
    ["whose nodes are not sorted", buildPbf({ nodes: NODES.toReversed() }), /run osmium sort/],
  ])("for a file %s", async (_what, bytes, message) => {
    const { exitCode, stderr, output } = await draw(bytes);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(leftovers(output)).toEqual([]);
  });

  test("for a file that does not exist, and for a folder that does not", async () => {
    const missing = await runInProcess(
      runIndexer,
      ["basemap", join(folder, "no.osm.pbf"), "-o", join(folder, "x.pmtiles")],
      {},
    );
    expect([missing.exitCode, missing.stderr]).toEqual([1, expect.stringMatching(/there is no such file/)]);
    const path = join(folder, "some.osm.pbf");
    writeFileSync(path, buildPbf({ nodes: NODES }));
    const nowhere = await runInProcess(
      runIndexer,
      ["basemap", path, "-o", join(folder, "no", "x.pmtiles")],
      {},
    );
    expect([nowhere.exitCode, nowhere.stderr]).toEqual([1, expect.stringMatching(/there is no directory/)]);
  });

  test("without --output", async () => {
    const { exitCode, stderr } = await runInProcess(runIndexer, ["basemap", "x.osm.pbf"], {});
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/required option.*--output/)]);
  });

  test("a failed run leaves an older map as it was", async () => {
    const path = join(folder, "older.pmtiles");
    const input = join(folder, "broken.osm.pbf");
    writeFileSync(path, "older");
    writeFileSync(input, "broken");
    await runInProcess(runIndexer, ["basemap", input, "-o", path], {});
    expect(readFileSync(path, "utf8")).toBe("older");
  });
});

test("Ctrl-C while it reads leaves nothing behind, and an older map as it was", async () => {
  const place = join(folder, "interrupted");
  mkdirSync(place);
  const output = join(place, "map.pmtiles");
  writeFileSync(output, "older");
  const controller = new AbortController();
  async function* read() {
    yield [buildLine("roads", { kind: "highway" }, [106.69, 10.77], [106.7, 10.78])];
    expect(readdirSync(place).length).toBeGreaterThan(1);
    controller.abort(new Interrupted(130));
    yield [];
  }
  const progress: BasemapProgress = { phase: "reading", share: 0, features: 0, tiles: 0 };
  const making = makeBasemap({ attribution: "", read }, { output, signal: controller.signal, progress });
  await expect(making).rejects.toThrow(Interrupted);
  expect(readdirSync(place)).toEqual(["map.pmtiles"]);
  expect(readFileSync(output, "utf8")).toBe("older");
});

describe("draws", () => {
  test("streets with their names, areas, buildings and the names of places, each in its layer", async () => {
    const { exitCode, stderr, output } = await draw(
      buildPbf({
        nodes: NODES,
        ways: [
          {
            id: 1,
            refs: [1, 2],
            tags: { highway: "primary", name: "Lê Lợi", "name:en": "Le Loi Boulevard" },
          },
          { id: 2, refs: [2, 3, 4], tags: { highway: "residential" } },
          { id: 3, refs: [1, 2, 3, 4, 1], tags: { leisure: "park", name: "Công viên" } },
          { id: 4, refs: [6, 7, 8, 6], tags: { building: "yes", name: "Chợ" } },
          { id: 5, refs: [6, 7, 8, 6], tags: { amenity: "cafe" } },
        ],
      }),
    );
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringMatching(/Wrote .*: [\d.]+ kB, \d+ tiles of 5 features/),
    ]);
    expect(await tagsIn(output)).toEqual({
      landuse: [{ kind: "park" }],
      buildings: [{ kind: "building" }],
      roads: [
        { kind: "major_road", kind_detail: "primary", name: "Lê Lợi", "name:en": "Le Loi Boulevard" },
        { kind: "minor_road", kind_detail: "residential" },
      ],
      places: [{ kind: "neighbourhood", kind_detail: "suburb", name: "Bến Thành", min_zoom: 11 }],
    });
  });

  test("main roads far away, and the rest closer", async () => {
    const { output } = await draw(
      buildPbf({
        nodes: NODES,
        ways: [
          { id: 1, refs: [1, 2], tags: { highway: "motorway" } },
          { id: 2, refs: [2, 3], tags: { highway: "residential" } },
          { id: 3, refs: [6, 7, 8, 6], tags: { building: "yes" } },
        ],
      }),
    );
    const kindsAt = async (z: number): Promise<string[]> => {
      const layers = (await tagsIn(output, z, X >> (14 - z), Y >> (14 - z))) ?? {};
      return Object.values(layers)
        .flat()
        .map(({ kind }) => String(kind))
        .toSorted();
    };
    expect(await kindsAt(3)).toEqual([]);
    expect(await kindsAt(9)).toEqual(["highway"]);
    expect(await kindsAt(12)).toEqual(["highway", "neighbourhood"]);
    expect(await kindsAt(13)).toEqual(["building", "highway", "minor_road", "neighbourhood"]);
    expect(await kindsAt(14)).toEqual(["building", "highway", "minor_road", "neighbourhood"]);
  });

  test("the names of small streets close up only, where they are written, and further away all of them as one line", async () => {
    const { output } = await draw(
      buildPbf({
        nodes: NODES,
        ways: [
          { id: 1, refs: [1, 2], tags: { highway: "residential", name: "Hẻm Một" } },
          { id: 2, refs: [2, 3], tags: { highway: "residential", name: "Hẻm Hai" } },
          { id: 3, refs: [3, 4], tags: { highway: "primary", name: "Lê Lợi" } },
        ],
      }),
    );
    const namesAt = async (z: number): Promise<unknown[]> =>
      ((await tagsIn(output, z, X >> (14 - z), Y >> (14 - z)))?.["roads"] ?? []).map(({ name }) => name);
    expect(await namesAt(13)).toEqual([undefined, "Lê Lợi"]);
    expect(await namesAt(14)).toEqual(["Hẻm Một", "Hẻm Hai", "Lê Lợi"]);
  });

  test("a street where it is, to the pixel, with fewer points further away", async () => {
    // A metre and a half from bend to bend.
    const bends = Array.from({ length: 400 }, (_, at): [number, number] => [
      106.69 + at * 1.3e-5,
      10.775 + (at % 2) * 5e-6,
    ]);
    const output = join(folder, "bends.pmtiles");
    await writeBasemap(output, [buildLine("roads", { kind: "highway" }, ...bends)]);
    const archive = openArchive(output);
    const pointsAt = async (z: number): Promise<number> => {
      const side = 2 ** (14 - z);
      const tile = await readTile(archive, z, Math.floor(X / side), Math.floor(Y / side));
      const [line = []] = tile?.["roads"]?.[0]?.shares ?? [];
      const middle = (10.775 + 2.5e-6) * 1e7;
      for (const { y } of line)
        expect(Math.abs(Math.floor(Y / side) + y - toRow(middle, z)) * PIXELS).toBeLessThan(1);
      return line.length;
    };
    const counts = [await pointsAt(14), await pointsAt(13), await pointsAt(10)];
    expect(counts).toEqual(counts.toSorted((one, other) => other - one));
    expect(counts[0]).toBeGreaterThan(100);
    expect(counts[1]).toBeLessThan(20);
  });

  test("a lake of several ways with an island, and not one that the extract cuts", async () => {
    const { output } = await draw(
      buildPbf({
        nodes: NODES,
        ways: [
          { id: 1, refs: [1, 2, 3] },
          { id: 2, refs: [1, 4, 3] },
          { id: 3, refs: [6, 7, 8, 6] },
        ],
        relations: [
          {
            id: 1,
            members: [
              { type: "way", ref: 1, role: "outer" },
              { type: "way", ref: 2, role: "outer" },
              { type: "way", ref: 3, role: "inner" },
            ],
            tags: { type: "multipolygon", natural: "water" },
          },
          {
            id: 2,
            members: [
              { type: "way", ref: 1, role: "outer" },
              { type: "way", ref: 99, role: "outer" },
            ],
            tags: { type: "multipolygon", natural: "wood" },
          },
        ],
      }),
    );
    const layers = (await readTile(openArchive(output), Z, X, Y)) ?? {};
    expect(Object.keys(layers)).toEqual(["water", "places"]);
    const [lake] = layers["water"] ?? [];
    expect(lake?.tags).toEqual({ kind: "water" });
    // The shore and the island, both closed.
    expect(lake?.geometry.map((ring) => ring.length)).toEqual([5, 4]);
  });

  test("the border of a country, from the ways of its relation", async () => {
    const { output } = await draw(
      buildPbf({
        nodes: NODES,
        ways: [{ id: 1, refs: [1, 2] }],
        relations: [
          {
            id: 1,
            members: [{ type: "way", ref: 1 }],
            tags: { type: "boundary", boundary: "administrative", admin_level: "2" },
          },
        ],
      }),
    );
    expect((await tagsIn(output))?.["boundaries"]).toEqual([{ kind: "country", kind_detail: 2 }]);
  });

  test("no metro, no brook in a pipe, and no way without its nodes", async () => {
    const { stderr } = await draw(
      buildPbf({
        nodes: NODES.slice(0, 4),
        ways: [
          { id: 1, refs: [1, 2], tags: { railway: "subway", tunnel: "yes" } },
          { id: 2, refs: [1, 2], tags: { waterway: "stream", tunnel: "culvert" } },
          { id: 3, refs: [98, 99], tags: { highway: "primary" } },
          { id: 4, refs: [1, 2, 3], tags: { building: "yes" } },
        ],
      }),
    );
    expect(stderr).toMatch(/Nothing in this file is drawn/);
  });

  test("a long road and a large wood in all the tiles that they cross, and in no others", async () => {
    const { output } = await draw(
      buildPbf({
        nodes: [
          { id: 1, lat: 10.1, lon: 106.1 },
          { id: 2, lat: 10.9, lon: 106.9 },
          { id: 3, lat: 10.1, lon: 106.9 },
        ],
        ways: [
          { id: 1, refs: [1, 2], tags: { highway: "trunk" } },
          { id: 2, refs: [1, 3, 2, 1], tags: { natural: "wood" } },
        ],
      }),
    );
    const layersAt = async (lat: number, lng: number): Promise<string[]> => {
      const x = Math.floor((lng / 360 + 0.5) * 2 ** Z);
      const sine = Math.sin((lat * Math.PI) / 180);
      const y = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** Z);
      return Object.keys((await readTile(openArchive(output), Z, x, y)) ?? {});
    };
    for (const degrees of [0.1, 0.3, 0.5, 0.7, 0.89])
      expect(await layersAt(10 + degrees, 106 + degrees)).toEqual(["landuse", "roads"]);
    // Deep in the wood, and far outside.
    expect(await layersAt(10.3, 106.7)).toEqual(["landuse"]);
    expect(await layersAt(10.7, 106.3)).toEqual([]);
  });
});

test("the map credits OpenStreetMap, or whom the command names", async () => {
  const bytes = buildPbf({ nodes: NODES });
  const credited = async (...options: string[]) =>
    openArchive((await draw(bytes, ...options)).output).getMetadata();
  expect(await credited()).toMatchObject({ attribution: "© OpenStreetMap contributors" });
  expect(await credited("--attribution", "City of Huế")).toMatchObject({ attribution: "City of Huế" });
});
