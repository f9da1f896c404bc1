import { mkdtempSync, rmSync, writeFileSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readMapTiles } from "../../src/assets/map-tiles.ts";
import { buildArea, buildLine, writeBasemap } from "../support/basemap.ts";
import { CENTRE } from "./city.ts";
import { expectSeen, openMap, type OpenMap, type OpenMapOptions } from "./open-map.ts";

const folder = mkdtempSync(join(tmpdir(), "basemap-"));
const path = join(folder, "map.pmtiles");

const { latitude: lat, longitude: lng } = CENTRE;

beforeAll(async () => {
  await writeBasemap(path, [
    // A lake to the west of the centre, and a street through it with a name in two languages.
    buildArea("water", { kind: "water" }, [lng - 0.05, lat - 0.05], [lng - 0.002, lat + 0.05]),
    buildLine(
      "roads",
      { kind: "major_road", name: "Đường Thử", "name:en": "Test Street" },
      [lng - 0.05, lat + 0.002],
      [lng + 0.05, lat + 0.002],
    ),
  ]);
});

afterAll(() => rmSync(folder, { recursive: true }));

const tiles = { path, attribution: "© <b>Makers", maxZoom: 14 };

const open = ({
  path: address = `?lat=${lat}&lng=${lng}`,
  ...options
}: OpenMapOptions & { readonly path?: string } = {}): Promise<OpenMap> =>
  openMap(address, { tiles, colorScheme: "light", ...options });

/** The colours that are drawn, each with its share of the pixels of the map. */
async function readColours(page: Page): Promise<Map<string, number>> {
  await page.locator("canvas.leaflet-tile-loaded").first().waitFor();
  const counted = (await page.evaluate(`(() => {
    const counts = {};
    let total = 0;
    for (const canvas of document.querySelectorAll("canvas.leaflet-tile")) {
      if (canvas.width === 0) continue;
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      for (let at = 0; at < data.length; at += 4) {
        const colour = "#" + [0, 1, 2].map((part) => data[at + part].toString(16).padStart(2, "0")).join("");
        counts[colour] = (counts[colour] ?? 0) + 1;
        total += 1;
      }
    }
    return Object.entries(counts).map(([colour, count]) => [colour, count / total]);
  })()`)) as [string, number][];
  return new Map(counted);
}

test("water and streets of the file are drawn in the colours of the theme", async () => {
  // The browser advises against reading many pixels of a canvas that it drew.
  await using map = await open({ expectedComplaints: /willReadFrequently/ });
  const { page } = map;
  const shareOf = async (colour: string): Promise<number> => (await readColours(page)).get(colour) ?? 0;
  const [lake, street, earth] = ["#a8cfe1", "#fff4cf", "#f1eee7"];
  await expect.poll(() => shareOf(lake)).toBeGreaterThan(0.05);
  expect(await shareOf(street)).toBeGreaterThan(0.0002);
  expect(await shareOf(earth)).toBeGreaterThan(0.05);
  await page.getByRole("button", { name: "Light or dark" }).click();
  await expect.poll(() => shareOf("#12303f")).toBeGreaterThan(0.05);
  expect(await shareOf(lake)).toBe(0);
});

test("the makers of the map are credited, as text", async () => {
  await using map = await open();
  await expectSeen(map.page.locator(".leaflet-control-attribution", { hasText: "© <b>Makers" }));
});

test.each([
  ["en-US", "© OpenStreetMap contributors (2018), outskirts simulated"],
  ["vi-VN", "© Người đóng góp OpenStreetMap (2018), ngoại vi mô phỏng"],
])("in %s the map of the demo says what is real, and where from", async (locale, text) => {
  await using map = await open({ locale, tiles: { ...tiles, isOverlay: true } });
  await expectSeen(map.page.locator(".leaflet-control-attribution", { hasText: text }));
});

test("the library of the map is loaded for a file of tiles only", async () => {
  const isLoaded = `performance.getEntriesByType("resource").some(({ name }) => name.includes("protomaps"))`;
  await using plain = await open({ tiles: undefined });
  await expectSeen(plain.page.getByRole("heading", { name: "What are you looking for?" }));
  await plain.page.waitForLoadState("networkidle");
  expect(await plain.page.evaluate(isLoaded)).toBe(false);
  await using map = await open();
  // A busy machine loads nothing for half a second, too, before it asks for the library.
  await expect.poll(() => map.page.evaluate(isLoaded), { timeout: 10_000 }).toBe(true);
});

test("the first view with the real map of the demo is at most 250 kB", async () => {
  const demo = { ...(await readMapTiles("indexer/demo/demo-map.pmtiles")), isOverlay: true };
  await using map = await open({ tiles: demo, path: `?lat=10.7757&lng=106.7004`, isFirstVisit: true });
  await map.page.locator("canvas.leaflet-tile-loaded").first().waitFor();
  await map.page.waitForLoadState("networkidle");
  const bytes = (await map.page.evaluate(
    `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      .reduce((sum, { transferSize }) => sum + transferSize, 0)`,
  )) as number;
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThan(250_000);
});

test("a search still works when the file breaks while the server runs", async () => {
  const broken = join(folder, "broken.pmtiles");
  writeFileSync(broken, readFileSync(path).fill(0, 0, 7));
  await using map = await open({
    tiles: { ...tiles, path: broken },
    path: `?q=cafe&lat=${lat}&lng=${lng}`,
    expectedComplaints: /Wrong magic number/,
  });
  await map.page.locator(".pin").first().waitFor();
  expect(await map.page.locator(".card").count()).toBeGreaterThan(0);
});
