import { readdirSync, readFileSync } from "node:fs";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { extname } from "node:path";
import { createAsset, type Asset } from "./asset.ts";

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".ts": "text/javascript; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json; charset=utf-8",
};

const SRC = new URL("../", import.meta.url);

/**
 * The files of a folder of `src`, by their path under `src`. Modules are TypeScript and keep their names, as their imports say them:
 * what is served is the same text with the types blanked out, which is what Node itself runs.
 */
export function readFolder(folder: string): Asset[] {
  return readdirSync(new URL(`${folder}/`, SRC))
    .filter((name) => extname(name) in CONTENT_TYPES && !name.startsWith("tsconfig"))
    .map((name) => toAsset(`${folder}/${name}`, readFileSync(new URL(`${folder}/${name}`, SRC), "utf8")));
}

/** A file of an installed package, such as `leaflet/dist/leaflet.js`, under a path of its own. */
export function readPackageFile(file: string, path: string): Asset {
  return toAsset(path, readFileSync(createRequire(import.meta.url).resolve(file), "utf8"));
}

/** A value as a JSON file. */
export function toJsonAsset(path: string, value: unknown): Asset {
  return toAsset(path, JSON.stringify(value));
}

function toAsset(path: string, text: string): Asset {
  const extension = extname(path);
  const build = (): Buffer => Buffer.from(extension === ".ts" ? stripTypeScriptTypes(text) : text);
  return createAsset({
    path,
    contentType: CONTENT_TYPES[extension] ?? "application/octet-stream",
    origin: text,
    build,
  });
}
