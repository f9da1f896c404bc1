import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tileIdToZxy, zxyToTileId } from "pmtiles";
import { afterAll, expect, test } from "vitest";
import { createPmtilesWriter } from "../../../../indexer/basemap/pmtiles-writer.ts";
import { createAtomicFile } from "../../../../src/cli/atomic-file.ts";
import { createRandom } from "../../../support/random.ts";
import { openArchive } from "./read-tiles.ts";

const folder = mkdtempSync(join(tmpdir(), "pmtiles-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Tile = readonly [z: number, x: number, y: number, content: string];

const INFO = {
  minZoom: 0,
  maxZoom: 10,
  west: 102,
  south: 8,
  east: 110,
  north: 24,
  metadata: { attribution: "Us" },
};

function writeArchive(name: string, tiles: readonly Tile[]): string {
  const path = join(folder, name);
  const writer = createPmtilesWriter(`${path}.tiles`);
  const file = createAtomicFile(path);
  for (const [z, x, y, content] of tiles) writer.add(z, x, y, Buffer.from(content));
  writer.write(file, INFO);
  file.finish();
  writer.close();
  return path;
}

async function readText(path: string, z: number, x: number, y: number): Promise<string | undefined> {
  const found = await openArchive(path).getZxy(z, x, y);
  return found && Buffer.from(found.data).toString();
}

test("a tile that was never added is not found, next to those that were", async () => {
  const path = writeArchive("few", [
    [2, 3, 1, "east"],
    [0, 0, 0, "world"],
    [2, 0, 1, "west"],
  ]);
  expect(await readText(path, 0, 0, 0)).toBe("world");
  expect(await readText(path, 2, 0, 1)).toBe("west");
  expect(await readText(path, 2, 3, 1)).toBe("east");
  expect(await readText(path, 2, 1, 1)).toBeUndefined();
  expect(await readText(path, 1, 0, 0)).toBeUndefined();
});

test("the header says where the map is, and the metadata whom to credit", async () => {
  const archive = openArchive(writeArchive("header", [[0, 0, 0, "world"]]));
  expect(await archive.getHeader()).toMatchObject({
    specVersion: 3,
    clustered: true,
    tileType: 1,
    minZoom: 0,
    maxZoom: 10,
    minLon: 102,
    minLat: 8,
    maxLon: 110,
    maxLat: 24,
    numAddressedTiles: 1,
  });
  expect(await archive.getMetadata()).toEqual({ attribution: "Us" });
});

test("equal tiles are stored once, also when they do not follow each other", async () => {
  const path = writeArchive("equal", [
    [1, 0, 0, "sea"],
    [1, 0, 1, "sea"],
    [1, 1, 0, "sea"],
    [1, 1, 1, "land"],
    [0, 0, 0, "sea"],
  ]);
  const header = await openArchive(path).getHeader();
  expect([header.numAddressedTiles, header.numTileEntries, header.numTileContents]).toEqual([5, 3, 2]);
  for (const [z, x, y] of [
    [0, 0, 0],
    [1, 0, 0],
    [1, 0, 1],
    [1, 1, 0],
  ] as const)
    expect(await readText(path, z, x, y)).toBe("sea");
  expect(await readText(path, 1, 1, 1)).toBe("land");
});

test("with more tiles than the root directory can list, each is still found", async () => {
  // Random lengths and gaps: such a directory packs badly, and needs fewer tiles to be too large.
  const random = createRandom("leaves");
  const noise = Buffer.from(Array.from({ length: 500 }, () => random.below(128))).toString();
  let id = 1;
  const tiles = Array.from({ length: 10_000 }, (): Tile => {
    id += 2 + random.below(200);
    const [z, x, y] = tileIdToZxy(id);
    return [z, x, y, noise.slice(0, random.below(500))];
  });
  const path = writeArchive("many", tiles);
  const archive = openArchive(path);
  const header = await archive.getHeader();
  expect(header.leafDirectoryLength).toBeGreaterThan(0);
  expect(header.rootDirectoryOffset + header.rootDirectoryLength).toBeLessThanOrEqual(16_384);
  for (const index of [0, 1, 4_095, 4_096, 4_097, 7_345, 9_999]) {
    const [z = 0, x = 0, y = 0, content] = tiles[index] ?? [];
    const found = await archive.getZxy(z, x, y);
    expect(found?.data.byteLength).toBe(content?.length);
    const [nextZ, nextX, nextY] = tileIdToZxy(zxyToTileId(z, x, y) + 1);
    expect(await archive.getZxy(nextZ, nextX, nextY)).toBeUndefined();
  }
});
