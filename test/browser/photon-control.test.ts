import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, inject, test } from "vitest";
import { shareBrowser } from "../support/browser.ts";
import { createMemoryIndex } from "../support/memory-index.ts";
import { CAFE, SAMPLE_PLACES } from "../support/sample-places.ts";
import { startTestApp } from "../support/test-app.ts";
import { readKeys } from "../integration/keys/run-keys.ts";

/** A map control that is made for Photon, unchanged, on a page of another origin. */

const FILES = new Map([
  ["/leaflet.js", "leaflet/dist/leaflet-src.esm.js"],
  ["/control.js", "leaflet-control-geocoder/dist/Control.Geocoder.modern.js"],
  ["/leaflet.css", "leaflet/dist/leaflet.css"],
  ["/control.css", "leaflet-control-geocoder/dist/Control.Geocoder.css"],
]);

const { latitude, longitude } = CAFE.location;

/** The query of the page holds the address of the API and the key. */
const PAGE = `<!doctype html><html lang="en"><title>waiting</title>
<link rel="icon" href="data:," /><link rel="stylesheet" href="/leaflet.css" /><link rel="stylesheet" href="/control.css" />
<div id="map" style="height: 500px"></div>
<script type="importmap">{ "imports": { "leaflet": "/leaflet.js" } }</script>
<script type="module">
  import * as L from "leaflet";
  import { Geocoder, geocoders } from "/control.js";
  const settings = new URLSearchParams(location.search);
  const [api, key] = [settings.get("api"), settings.get("key")];
  const map = L.map("map").setView([${latitude}, ${longitude}], 15);
  const photon = geocoders.photon({
    serviceUrl: api + "/photon/api/",
    reverseUrl: api + "/photon/reverse/",
    geocodingQueryParams: { key },
    reverseQueryParams: { key },
  });
  const control = new Geocoder({ geocoder: photon, defaultMarkGeocode: false, collapsed: false });
  control.on("markgeocode", ({ geocode }) => (document.title = geocode.name)).addTo(map);
  globalThis.reverse = async (lat, lng) => (await photon.reverse({ lat, lng }, 1)).map(({ name }) => name);
</script></html>`;

async function servePage() {
  const server = createServer((request, response) => {
    const file = FILES.get(request.url ?? "");
    const path = file && new URL(`../../node_modules/${file}`, import.meta.url);
    const type = file?.endsWith(".css") ? "text/css" : file ? "text/javascript" : "text/html";
    response.setHeader("content-type", type).end(path ? readFileSync(path) : PAGE);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

test("leaflet-control-geocoder finds places and names a point, with a key for its page", async () => {
  await using site = await servePage();
  await using app = await startTestApp({
    index: createMemoryIndex(SAMPLE_PLACES),
    corsOrigins: [site.origin],
  });
  const { key } = await readKeys<{ readonly key: string }>(
    ["create", "--name", "page", "--origins", site.origin, "--scopes", "search"],
    { REDIS_URL: inject("redisUrl") },
  );
  const browser = await shareBrowser();
  await using watched = await browser.open(site.origin);
  const { page, complaints } = watched;
  await page.goto(`${site.origin}/?${new URLSearchParams({ api: app.url, key }).toString()}`);
  expect(complaints).toStrictEqual([]);
  await page.locator(".leaflet-control-geocoder-form input").fill("cà phê trứng");
  await page.keyboard.press("Enter");
  const first = page.locator(".leaflet-control-geocoder-alternatives li").first();
  await expect.poll(async () => (await page.title()) !== "waiting" || (await first.isVisible())).toBe(true);
  if ((await page.title()) === "waiting") await first.click();
  await expect.poll(() => page.title()).toContain(CAFE.title);
  expect(complaints).toStrictEqual([]);
  const names = await page.evaluate(`reverse(${latitude}, ${longitude})`);
  expect(names).toStrictEqual([expect.stringContaining(CAFE.title)]);
});
