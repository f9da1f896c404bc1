import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CommandError } from "../../../../../src/cli/errors.ts";
import { openInput } from "../../../../../indexer/sources/input.ts";
import { readOsmPbf } from "../../../../../indexer/sources/osm/pbf.ts";
import type { SourceItem } from "../../../../../indexer/sources/source.ts";
import { noteTaker, readAll } from "../../text-input.ts";
import { buildPbf, type Packing, type PbfContent } from "./build-pbf.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "osm-pbf-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(bytes: Buffer): Promise<SourceItem[]> {
  const path = join(folder, `${Math.random()}.osm.pbf`);
  await writeFile(path, bytes);
  const { input } = await openInput(path, new AbortController().signal, process.stdin);
  const items = await Array.fromAsync(readOsmPbf(input, noteTaker().context));
  expect(input.bytesRead()).toBe(bytes.length);
  return items;
}

const placesOf = (items: SourceItem[]) =>
  items.flatMap((item) =>
    "draft" in item
      ? [
          [
            item.draft.source_id,
            item.draft.title,
            item.draft.location.latitude,
            item.draft.location.longitude,
          ],
        ]
      : [],
  );

const skipsOf = (items: SourceItem[]) => items.flatMap((item) => ("skipped" in item ? [item.skipped] : []));

const corner = (id: number, lat: number, lon: number) => ({ id, lat, lon });

const EXTRACT: PbfContent = {
  nodes: [
    { id: 1, lat: 47.1401234, lon: 9.5209876, tags: { amenity: "cafe", name: "Café Rhein" } },
    corner(2, 47.1, 9.5),
    corner(3, 47.2, 9.5),
    corner(4, 47.2, 9.6),
    corner(5, 47.3, -9.7),
    { id: 6, lat: 47.3, lon: 9.7, tags: { place: "village", name: "Dorf" } },
    { id: 7, lat: 47.3, lon: 9.7, tags: { shop: "bakery" } },
    { id: 8, lat: 47.3, lon: 9.7, tags: { highway: "crossing", name: "Weg" } },
  ],
  ways: [
    { id: 9_000_000_001, refs: [2, 3, 4, 2], tags: { amenity: "school", name: "Schule" } },
    { id: 11, refs: [2, 4] },
    { id: 12, refs: [98, 99], tags: { amenity: "school", name: "Jenseits" } },
    { id: 13, refs: [2, 3], tags: { highway: "residential", name: "Gasse" } },
  ],
  relations: [
    {
      id: 20,
      members: [
        { type: "way", ref: 11 },
        { type: "node", ref: 3 },
        { type: "relation", ref: 20 },
      ],
      tags: { type: "multipolygon", leisure: "park", name: "Park" },
    },
    { id: 21, members: [{ type: "relation", ref: 20 }], tags: { leisure: "park", name: "Parks" } },
  ],
};

const PLACES = [
  ["node/1", "Café Rhein", 47.1401234, 9.5209876],
  ["node/6", "Dorf", 47.3, 9.7],
  ["way/9000000001", "Schule", 47.15, 9.55],
  ["relation/20", "Park", 47.15, 9.55],
];

describe("readOsmPbf", () => {
  test.each<Packing>(["zlib", "raw", "zstd"])(
    "nodes, ways and relations, packed as %s, have one point",
    async (packing) => {
      expect(placesOf(await read(buildPbf(EXTRACT, packing)))).toEqual(PLACES);
    },
  );

  test("elements without a name or point are left out and counted; other elements are ignored", async () => {
    expect(skipsOf(await read(buildPbf(EXTRACT)))).toEqual([
      "no name",
      "no coordinates: its nodes are not in the file",
      "no coordinates: its nodes are not in the file",
    ]);
  });

  test("the order of the blocks does not matter", async () => {
    expect(placesOf(await read(buildPbf(EXTRACT, "zlib", ["relations", "nodes", "ways"])))).toEqual(PLACES);
  });

  test("a relation of nodes lies in their middle, whatever ways have the same ids", async () => {
    const members = [2, 4].map((ref) => ({ type: "node" as const, ref }));
    const tags = { leisure: "park", name: "Hain" };
    const items = await read(
      buildPbf({
        ...EXTRACT,
        ways: [{ id: 2, refs: [5, 5] }, ...(EXTRACT.ways ?? [])],
        relations: [{ id: 22, members, tags }],
      }),
    );
    expect(placesOf(items)).toContainEqual(["relation/22", "Hain", 47.15, 9.55]);
  });

  test("a way across the 180th meridian lies on it, not on the other side of the Earth", async () => {
    const nodes = [corner(1, 10, 179.9), corner(2, 10.2, -179.9)];
    const items = await read(
      buildPbf({ nodes, ways: [{ id: 5, refs: [1, 2], tags: { leisure: "park", name: "Reef" } }] }),
    );
    const [[, , latitude, longitude] = []] = placesOf(items);
    expect(latitude).toBeCloseTo(10.1, 6);
    expect(Math.abs(Number(longitude))).toBeGreaterThan(179);
  });

  test("an empty extract has no places", async () => {
    expect(await read(buildPbf({}))).toEqual([]);
  });

  test.each([
    ["cut off", buildPbf(EXTRACT).subarray(0, -5), /is cut off at byte/],
    ["packed in a way nobody knows", buildPbf(EXTRACT, "lzma"), /something else than zlib or zstd/],
    [
      "one with the history of each thing",
      buildPbf(EXTRACT, "zlib", ["nodes"], ["OsmSchema-V0.6", "HistoricalInformation"]),
      /needs HistoricalInformation, which is not known here/,
    ],
    ["no extract at all", Buffer.from("name,lat,lon\n".repeat(9)), /is not an \.osm\.pbf at byte 0/],
    [
      "spoilt inside",
      Buffer.from(buildPbf(EXTRACT)).fill(7, 120, 140),
      /broken near byte|is not an \.osm\.pbf|cut off/,
    ],
  ])("a file that is %s ends the import", async (_, bytes, message) => {
    const path = join(folder, "broken.osm.pbf");
    await writeFile(path, bytes);
    const { input } = await openInput(path, new AbortController().signal, process.stdin);
    const reading = Array.fromAsync(readOsmPbf(input, noteTaker().context));
    await expect(reading).rejects.toThrow(CommandError);
    await expect(reading).rejects.toThrow(message);
  });

  test("a pipe is refused", async () => {
    await expect(readAll(readOsmPbf, buildPbf(EXTRACT))).rejects.toThrow(
      /only be read from an uncompressed file/,
    );
  });
});
