import {
  closeSync,
  cpSync,
  openSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeSources, openSources } from "../../../../indexer/sources/open-sources.ts";

const folder = mkdtempSync(join(tmpdir(), "hereabouts-open-sources-"));
/** The files as they are before any test writes more: the tests run in any order. */
const pristine = `${folder}-pristine`;
beforeAll(() => cpSync(folder, pristine, { recursive: true }));
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(pristine, { recursive: true });
});

function write(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const NATIVE = `{"title":"x","source_id":"1","location":{"latitude":1,"longitude":2}}\n`;
const native = write("places.jsonl", NATIVE);
const overpass = write("osm.json", '{"version":0.6,"elements":[]}');
const geojson = write("osm.geojson", '{"type":"FeatureCollection","features":[]}');
const empty = write("empty", "");
const csv = write("places.csv", "name,height,note\n");

async function open(paths: string[], format?: string, stdin = Readable.from([])) {
  const sources = await openSources(paths, { format, signal: new AbortController().signal, stdin });
  closeSources(sources);
  return sources.map((source) => source.format);
}

describe("openSources refuses", () => {
  test.each([
    ["a file that is not there", join(folder, "no-such-file"), undefined, "there is no such file"],
    ["an empty file", empty, undefined, "is empty"],
    [
      "a format nobody knows, naming those that are",
      write("shapes", "height,width\n"),
      undefined,
      "columns height, width. If it is a table of places, say which column is what: --map title=height",
    ],
    [
      "a CSV of which every column has another name, with what they may be",
      write("shops.csv", "shop_name,shop_lat,shop_lng\n"),
      undefined,
      "Perhaps: --map title=shop_name --map latitude=shop_lat --map longitude=shop_lng",
    ],
    ["a CSV without a position", csv, undefined, "lacks the column latitude and longitude, or address"],
    [
      "a CSV without a name and half of its position",
      write("wrong.csv", "shop_nam,lat\n"),
      undefined,
      "longitude",
    ],
    ["a CSV called OSM", csv, "osm", "looks like csv, not like osm"],
    [
      "UTF-16 without a position",
      write("utf-16", Buffer.from("\uFEFFtitle,lat", "utf16le")),
      undefined,
      "longitude",
    ],
    [
      "an old Excel file",
      write("old.xls", Buffer.from("d0cf11e0a1b11ae1", "hex")),
      undefined,
      "save it as .xlsx",
    ],
    [
      "a web page with the name of a workbook",
      write("page.xls", "<html><table><tr><td>Tên"),
      undefined,
      "It is a web page, whatever its name says",
    ],
    ["KML", write("map.kml", '<?xml version="1.0"?>\n<kml><Document>'), undefined, "save it as GeoJSON"],
    ["a packed file", write("x.zip", "PK\u0003\u0004 of photos"), undefined, "but no Excel workbook"],
    [
      "a broken workbook",
      write("x.xlsx", "PK\u0003\u0004 xl/workbook.xml"),
      undefined,
      "broken or cut off workbook",
    ],
    ["native records called OSM", native, "osm", "looks like native, not like osm"],
    ["GeoJSON called native", geojson, "native", "looks like geojson, not like native"],
  ])("%s", async (_, path, format, message) => {
    await expect(open([path], format)).rejects.toThrow(message);
    await expect(open([path], format)).rejects.toThrow(path);
  });
});

test.each([
  [undefined, [native, overpass, geojson], ["native", "overpass", "geojson"]],
  ["osm", [overpass, geojson], ["overpass", "geojson"]],
  ["native", [native], ["native"]],
  ["native", [write("unknown.jsonl", '{"name":"x"}\n')], ["native"]],
  ["native", [write("right.csv", "title;longitude;latitude;data_id\n")], ["csv"]],
])("with --format %s the files are distinguished by their beginnings", async (format, paths, formats) => {
  expect(await open(paths, format)).toEqual(formats);
});

const LEFT_OUT =
  `${empty} map.kml old.xls ${geojson} ${overpass} page.xls ${csv} shapes shops.csv unknown.jsonl utf-16 wrong.csv x.xlsx x.zip`.split(
    " ",
  );

test("a folder's files of known formats are read, and the others are reported", async () => {
  const ignored: string[][] = [];
  const sources = await openSources([pristine], {
    format: "native",
    signal: new AbortController().signal,
    stdin: Readable.from([]),
    onIgnored: (paths) => ignored.push([...paths]),
  });
  const inPristine = (...paths: string[]): string[] => paths.map((path) => join(pristine, basename(path)));
  expect(sources.map(({ input }) => input.name)).toEqual(inPristine(native, "right.csv"));
  expect(ignored).toEqual([inPristine(...LEFT_OUT)]);
});

test("outlines of areas in a folder are left out, and read when they are named", async () => {
  const directory = mkdtempSync(join(folder, "outlines-"));
  const collection = (properties: object, type: string, coordinates: unknown): string =>
    JSON.stringify({
      type: "FeatureCollection",
      features: [{ type: "Feature", properties, geometry: { type, coordinates } }],
    });
  const square = [
    [
      [1, 1],
      [2, 1],
      [2, 2],
      [1, 1],
    ],
  ];
  const wards = join(directory, "wards.geojson");
  writeFileSync(wards, collection({ name: "Phường Một", area_km2: 2 }, "Polygon", square));
  writeFileSync(join(directory, "parks.geojson"), collection({ leisure: "park" }, "Polygon", square));
  writeFileSync(join(directory, "points.geojson"), collection({ name: "x" }, "Point", [1, 1]));
  const ignored: string[] = [];
  const sources = await openSources([directory], {
    signal: new AbortController().signal,
    stdin: Readable.from([]),
    onIgnored: (paths) => ignored.push(...paths),
  });
  closeSources(sources);
  expect(ignored).toEqual([wards]);
  expect(sources).toHaveLength(2);
  expect(await open([wards])).toEqual(["geojson"]);
});

test("a folder without any file of a known format is an error", async () => {
  mkdirSync(join(folder, "other"));
  write("other/notes.txt", "hello");
  await expect(open([join(folder, "other")])).rejects.toThrow("file of a known format");
});

test("compressed files are detected by their content, not by their names", async () => {
  const packed = write("geojson.txt", gzipSync(readFileSync(geojson)));
  const sources = await openSources([packed, native], {
    signal: new AbortController().signal,
    stdin: Readable.from([]),
  });
  expect(sources.map(({ format, input }) => [format, input.path])).toEqual([
    ["geojson", undefined],
    ["native", native],
  ]);
  const [chunk] = await Array.fromAsync(sources[0]!.input.chunks());
  expect(chunk).toEqual(readFileSync(geojson));
  expect(sources[0]!.input.bytesRead()).toBe(sources[0]!.input.totalBytes);
});

test("a truncated compressed file is refused before anything starts", async () => {
  const packed = write("cut.gz", gzipSync(NATIVE).subarray(0, 30));
  await expect(open([native, packed])).rejects.toThrow(`${packed} is cut off`);
});

test("the standard input is read from its beginning, in any pieces", async () => {
  const stdin = Readable.from(
    [NATIVE.slice(0, 10), NATIVE.slice(10), NATIVE].map((text) => Buffer.from(text)),
  );
  const [source] = await openSources(["-"], { signal: new AbortController().signal, stdin });
  const chunks = await Array.fromAsync(source!.input.chunks());
  expect(Buffer.concat(chunks).toString()).toBe(NATIVE + NATIVE);
  expect(source!.input).toMatchObject({ name: "stdin", totalBytes: undefined });
  expect(source!.input.bytesRead()).toBe(2 * NATIVE.length);
});

test("a standard input that is a file reports its length", async () => {
  const fd = openSync(native, "r");
  const stdin = Object.assign(Readable.from([Buffer.from(NATIVE)]), { fd });
  const [source] = await openSources(["-"], { signal: new AbortController().signal, stdin });
  closeSync(fd);
  expect(source!.input).toMatchObject({ name: "stdin", totalBytes: NATIVE.length });
  expect(source!.input.modifiedAt).toBeUndefined();
});

test("a file reports its length and how much has been read", async () => {
  const big = write("big.jsonl", NATIVE.repeat(10_000));
  const [source] = await openSources([big], {
    signal: new AbortController().signal,
    stdin: Readable.from([]),
  });
  expect(source!.input.bytesRead()).toBe(0);
  await Array.fromAsync(source!.input.chunks());
  expect(source!.input.totalBytes).toBe(10_000 * NATIVE.length);
  expect(source!.input.bytesRead()).toBe(10_000 * NATIVE.length);
});

test("aborting ends the wait for a silent standard input", async () => {
  const controller = new AbortController();
  const stdin = new Readable({ read() {} });
  const opened = openSources(["-"], { signal: controller.signal, stdin });
  controller.abort();
  await expect(opened).rejects.toThrow("aborted");
});
