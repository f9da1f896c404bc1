import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ConfigError } from "../../../src/errors.ts";
import { readMapTiles } from "../../../src/assets/map-tiles.ts";
import { buildLine, writeBasemap } from "../../support/basemap.ts";

const folder = mkdtempSync(join(tmpdir(), "map-tiles-"));
const whole = join(folder, "whole.pmtiles");
beforeAll(() =>
  writeBasemap(
    whole,
    [buildLine("roads", { kind: "highway" }, [106.69, 10.77], [106.7, 10.78])],
    '<a href="https://www.openstreetmap.org/copyright">&copy; OpenStreetMap</a> &amp; others',
  ),
);
afterAll(() => rmSync(folder, { recursive: true }));

/** A copy of the file with some of its bytes replaced. */
function changed(name: string, at: number, ...bytes: number[]): string {
  const path = join(folder, name);
  const content = readFileSync(whole);
  content.set(bytes, at);
  writeFileSync(path, content);
  return path;
}

test("a missing, foreign, older, cut-off or wrong file is refused in words", async () => {
  const refusal = (path: string): Promise<unknown> => readMapTiles(path).catch((error: unknown) => error);
  const foreign = join(folder, "foreign.pmtiles");
  writeFileSync(foreign, "a picture of a map, perhaps".repeat(20));
  const empty = join(folder, "empty.pmtiles");
  writeFileSync(empty, "");
  const cut = join(folder, "cut.pmtiles");
  writeFileSync(cut, readFileSync(whole).subarray(0, -10));
  const size = readFileSync(whole).length;
  const problems: [path: string, problem: string][] = [
    [join(folder, "no.pmtiles"), "there is no such file"],
    [foreign, "it is not a PMTiles file"],
    [empty, "it is not a PMTiles file"],
    [changed("older", 7, 2), "it is a PMTiles file of version 2, and the map reads version 3"],
    // Tiles of type 2 are PNG pictures.
    [changed("pictures", 99, 2), "it has pictures or unknown tiles, and the map draws vector tiles"],
    [cut, `it is cut off: it has ${size - 10} of ${size} bytes`],
  ];
  for (const [path, problem] of problems)
    expect(await refusal(path)).toEqual(new ConfigError(`TILES_URL names ${path}, but ${problem}.`));
});

test("the last zoom and whom to credit come from the file", async () => {
  expect(await readMapTiles(whole)).toEqual({
    path: whole,
    maxZoom: 14,
    attribution: "© OpenStreetMap & others",
  });
});
