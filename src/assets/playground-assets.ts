import { readFileSync } from "node:fs";
import { FEATURE_CODES } from "../place/feature-codes.ts";
import { TYPE_CODES } from "../place/type-codes.ts";
import { hash, createAsset, type Asset } from "./asset.ts";
import { readFolder, readPackageFile, toJsonAsset } from "./read-assets.ts";

/** What the page is told about its server; it stands in the page itself. */
export interface PageSettings {
  readonly tiles: { readonly url: string; readonly attribution: string } | null;
  /** Where photos of places may be loaded from. */
  readonly photoOrigins: readonly string[];
}

export interface PlaygroundAssets {
  readonly page: Asset;
  /** Changes with every change of any file: files under a version never change. */
  readonly version: string;
  /** By path, without the version. */
  readonly files: ReadonlyMap<string, Asset>;
}

/** Reads all that the map page is made of, once. */
export function readPlaygroundAssets(settings: PageSettings): PlaygroundAssets {
  const assets = [
    ...readFolder("playground"),
    ...readFolder("client"),
    readPackageFile("leaflet/dist/leaflet.js", "lib/leaflet.js"),
    readPackageFile("leaflet/dist/leaflet.css", "lib/leaflet.css"),
    toJsonAsset("words.json", { types: typeWords(), features: featureWords() }),
  ];
  const version = hash(assets.map(({ path, etag }) => path + etag).join());
  return {
    page: createPage(assets, version, settings),
    version,
    files: new Map(assets.map((asset) => [asset.path, asset])),
  };
}

/** Modules that hold nothing but types, and the one that runs before everything else, need no preloading. */
const NOT_PRELOADED = /\/(?:answers|parameters|early|types)\.ts$/;

function createPage(assets: readonly Asset[], version: string, settings: PageSettings): Asset {
  const template = readFileSync(new URL("../playground/page.html", import.meta.url), "utf8");
  const base = `playground/${version}`;
  const preloads = assets
    .filter(({ path }) => path.endsWith(".ts") && !NOT_PRELOADED.test(path))
    .map(({ path }) => `<link rel="modulepreload" href="${base}/${path}" />`);
  const html = template
    .replaceAll("{{base}}", base)
    .replace("{{preloads}}", preloads.join("\n    "))
    // As JSON in a script element: `<` could end it.
    .replace("{{settings}}", () => JSON.stringify(settings).replaceAll("<", "\\u003c"));
  return createAsset({
    path: "",
    contentType: "text/html; charset=utf-8",
    origin: html,
    build: () => Buffer.from(html),
  });
}

/** The names of all types, and which type each belongs to. */
function typeWords(): object {
  return Object.fromEntries(
    Object.entries(TYPE_CODES).map(([code, { vi, en, parent }]) => [
      code,
      { vi, en, ...(parent && { parent }) },
    ]),
  );
}

function featureWords(): object {
  return Object.fromEntries(FEATURE_CODES.entries().map(([code, { vi, en }]) => [code, { vi, en }]));
}
