import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { extname } from "node:path";
import { FEATURE_CODES } from "./place/feature-codes.ts";
import { TYPE_CODES } from "./place/type-codes.ts";

/** Content that does not change while the server runs: a page, a file of a page, the OpenAPI document. */
export interface Asset {
  /** The path of its URL. */
  readonly path: string;
  readonly contentType: string;
  /** A strong validator, in quotes. */
  readonly etag: string;
  /** The bytes in an encoding; made with the first request for them and kept. */
  read(encoding: Encoding): Promise<Buffer>;
}

export type Encoding = "br" | "gzip" | "identity";

const compress = {
  br: promisify(brotliCompress) as (bytes: Buffer) => Promise<Buffer>,
  gzip: promisify(gzip) as (bytes: Buffer) => Promise<Buffer>,
} as const;

interface AssetSource {
  readonly path: string;
  readonly contentType: string;
  /** What the validator is made of: it changes when the bytes do. */
  readonly origin: string | Buffer;
  /** Makes the bytes from the origin; called once. Optional; the origin itself by default. */
  readonly build?: () => Buffer;
  /** Compressed beforehand. */
  readonly packed?: Readonly<Record<"br" | "gzip", Buffer>>;
}

/** An asset whose bytes are made, and compressed, with the first request for them. */
export function createAsset({ path, contentType, origin, build, packed }: AssetSource): Asset {
  const made = new Map<Encoding, Promise<Buffer>>();
  let plain: Buffer | undefined;
  const make = async (encoding: Encoding): Promise<Buffer> => {
    plain ??= build?.() ?? Buffer.from(origin);
    return encoding === "identity" ? plain : (packed?.[encoding] ?? compress[encoding](plain));
  };
  return {
    path,
    contentType,
    etag: `"${hash(origin)}"`,
    read: (encoding) => made.getOrInsertComputed(encoding, make),
  };
}

/** Enough of a hash to tell versions of a file apart. */
function hash(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("base64url").slice(0, 22);
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".ts": "text/javascript; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json; charset=utf-8",
};

const SRC = new URL("./", import.meta.url);

/**
 * The files of a folder of `src`, by their path under `src`. Modules are TypeScript and keep their names, as their imports say them:
 * what is served is the same text with the types blanked out, which is what Node itself runs.
 */
function readFolder(folder: string): Asset[] {
  return readdirSync(new URL(`${folder}/`, SRC))
    .filter((name) => extname(name) in CONTENT_TYPES && !name.startsWith("tsconfig"))
    .map((name) => toAsset(`${folder}/${name}`, readFileSync(new URL(`${folder}/${name}`, SRC), "utf8")));
}

/** A file of an installed package, such as `leaflet/dist/leaflet.js`, under a path of its own. */
function readPackageFile(file: string, path: string): Asset {
  return toAsset(path, readFileSync(createRequire(import.meta.url).resolve(file), "utf8"));
}

/** A value as a JSON file. */
function toJsonAsset(path: string, value: unknown): Asset {
  return toAsset(path, JSON.stringify(value));
}

function toAsset(path: string, text: string): Asset {
  const extension = extname(path);
  return createAsset({
    path,
    contentType: CONTENT_TYPES[extension] ?? "application/octet-stream",
    origin: text,
    ...(extension === ".ts" && { build: () => Buffer.from(stripTypeScriptTypes(text)) }),
  });
}

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
const NOT_PRELOADED = /\/(?:answers|early)\.ts$/;

function createPage(assets: readonly Asset[], version: string, settings: PageSettings): Asset {
  const template = readFileSync(new URL("./playground/page.html", import.meta.url), "utf8");
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
