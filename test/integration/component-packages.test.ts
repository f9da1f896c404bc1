import { execFileSync, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COMPONENT_PACKAGES } from "../../script/component-packages.ts";
import { expectToBePublishable } from "../support/publishable.ts";

const VERSION = (JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version;

/** A project that has installed the packages, the map libraries and React. */
let project: string;
/** What the packing has printed. */
let printed: string;

const tarballOf = (name: string): string => join(project, `${name}-${VERSION}.tgz`);

const TYPED = `
import { createClient, type PlaceSearch as Element, type Suggestion } from "hereabouts-place-search";
import { PlaceSearch } from "hereabouts-react";
import { PlaceSearchControl as ForMapLibre } from "hereabouts-maplibre";
import { PlaceSearchControl as ForLeaflet } from "hereabouts-leaflet";
import type { Map as MapLibreMap } from "maplibre-gl";
import { map } from "leaflet";
import { createElement } from "react";
const element: Element = document.createElement("place-search");
element.client = createClient({ baseUrl: "https://places.example", apiKey: "key" });
element.lat = undefined;
element.addEventListener("place-select", ({ detail }) => console.log(detail.data_id, detail.latitude.toFixed(2)));
document.addEventListener("place-results", ({ detail }) => console.log(detail.places.length, detail.query));
element.addEventListener("click", (event: MouseEvent) => event.preventDefault());
export const box = createElement(PlaceSearch, { baseUrl: "", apiKey: "key", onPlaceSelect: (place: Suggestion) => console.log(place.value) });
export const addTo = (maplibre: MapLibreMap) => maplibre.addControl(new ForMapLibre({ baseUrl: "", apiKey: "key", zoom: 15 }));
new ForLeaflet({ client: element.client, position: "topright" }).addTo(map("map"));
// @ts-expect-error -- a place is no query
element.addEventListener("place-select", ({ detail }) => console.log(detail.query.length));
// @ts-expect-error -- there is no such option
new ForLeaflet({ key: "key" });
`;

beforeAll(() => {
  project = join(mkdtempSync(join(tmpdir(), "hereabouts-components-")), "new");
  // As in the docs: a folder that does not exist yet, named from here.
  printed = execFileSync("node", ["--run", "components:pack", "--", relative(".", project)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  mkdirSync(join(project, "node_modules/@types"), { recursive: true });
  for (const name of [
    "leaflet",
    "maplibre-gl",
    "react",
    "csstype",
    "@types/leaflet",
    "@types/geojson",
    "@types/react",
  ])
    if (readdirSync("node_modules").includes(name.split("/")[0] ?? ""))
      symlinkSync(resolve("node_modules", name), join(project, "node_modules", name));
  for (const name of COMPONENT_PACKAGES) {
    const folder = join(project, "node_modules", name);
    mkdirSync(folder);
    execFileSync("tar", ["-xzf", tarballOf(name), "-C", folder, "--strip-components=1"]);
  }
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
  writeFileSync(join(project, "typed.ts"), TYPED);
});
afterAll(() => rmSync(dirname(project), { recursive: true }));

test("packing creates the folder and prints the names of the packages", () => {
  for (const name of COMPONENT_PACKAGES) expect(printed).toContain(`${name}-${VERSION}.tgz`);
});

test.each(COMPONENT_PACKAGES)("publint and attw find nothing wrong with %s", async (name) => {
  await expectToBePublishable(tarballOf(name));
});

test.each(COMPONENT_PACKAGES.map((name) => [name, name === "hereabouts-place-search" ? 15 : 3] as const))(
  "%s has at most %d kB, as browsers load it",
  (name, kilobytes) => {
    const code = readFileSync(join(project, "node_modules", name, "index.js"));
    expect(gzipSync(code).length).toBeLessThanOrEqual(kilobytes * 1024);
  },
);

test("the element needs nothing else, the others need the element of their version", () => {
  for (const name of COMPONENT_PACKAGES) {
    const manifest = readFileSync(join(project, "node_modules", name, "package.json"), "utf8");
    const { version, dependencies } = JSON.parse(manifest) as { version: string; dependencies?: object };
    expect(version).toBe(VERSION);
    expect(dependencies).toEqual(
      name === "hereabouts-place-search" ? undefined : { "hereabouts-place-search": `^${VERSION}` },
    );
  }
});

test("TypeScript accepts their types, and finds what is wrong", () => {
  const options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
  const libraries = ["--module", "esnext", "--moduleResolution", "bundler", "--target", "es2022"];
  const { status, stdout } = spawnSync(
    process.execPath,
    [resolve("node_modules/typescript/bin/tsc"), ...options, ...libraries, "--lib", "es2022,dom", "typed.ts"],
    { cwd: project, encoding: "utf8" },
  );
  expect(stdout).toBe("");
  expect(status).toBe(0);
});

test("the element can be imported where there are no elements: on a server", () => {
  const program = 'import { PlaceSearch } from "hereabouts-place-search"; console.log(typeof PlaceSearch);';
  const args = ["--input-type=module", "--eval", program];
  expect(execFileSync(process.execPath, args, { cwd: project, encoding: "utf8" })).toBe("function\n");
});
