import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { readdirSync, readFileSync } from "node:fs";
import { findPackageJSON, stripTypeScriptTypes } from "node:module";
import { dirname, extname, join } from "node:path";
import { readAreaFiles } from "./area-assets.ts";
import { PAGE_LANGUAGES, type PageLanguage } from "../place/document/localized-texts.ts";
import { FEATURE_CODES } from "../place/document/feature-codes.ts";
import { MAX_QUERY_LENGTH } from "../place/request-defaults.ts";
import type { Overview } from "../search/overview.ts";
import { drawnAs } from "../place/document/looks.ts";
import { TYPE_CODES, type OwnKind } from "../place/document/type-codes.ts";

/** Content that stays the same while the server runs: a page, one of its files, the OpenAPI document. */
export interface Asset {
  /** The path of its URL. */
  readonly path: string;
  readonly contentType: string;
  /** A strong validator, in quotes. */
  readonly etag: string;
  /** The bytes in an encoding. */
  read(encoding: Encoding): Promise<Buffer>;
}

/** A page or a file with its headers. */
export interface PublishedAsset {
  readonly asset: Asset;
  readonly cacheControl: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Encoding = "br" | "gzip" | "identity";

const compress = {
  br: promisify(brotliCompress) as (bytes: Buffer) => Promise<Buffer>,
  gzip: promisify(gzip) as (bytes: Buffer) => Promise<Buffer>,
} as const;

interface AssetSource {
  readonly path: string;
  readonly contentType: string;
  /** The input of the validator, or what makes it, which is called once. It changes when the bytes change. */
  readonly origin: string | Buffer | (() => string);
  /** Creates the bytes from the origin; called once. By default, the bytes are the origin. */
  readonly build?: () => Buffer;
}

/** An asset whose bytes are created and compressed for the first request. */
export function createAsset({ path, contentType, origin, build }: AssetSource): Asset {
  const made = new Map<Encoding, Promise<Buffer>>();
  let known: string | Buffer | undefined;
  const readOrigin = (): string | Buffer => (known ??= typeof origin === "function" ? origin() : origin);
  let etag: string | undefined;
  let plain: Buffer | undefined;
  const make = async (encoding: Encoding): Promise<Buffer> => {
    plain ??= build?.() ?? Buffer.from(readOrigin());
    return encoding === "identity" ? plain : compress[encoding](plain);
  };
  return {
    path,
    contentType,
    get etag() {
      return (etag ??= `"${hash(readOrigin())}"`);
    },
    read: (encoding) => made.getOrInsertComputed(encoding, make),
  };
}

/** Enough of a hash to distinguish versions of a file. */
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

const SRC = new URL("../", import.meta.url);

/**
 * The files of a folder of `src`, by their path under `src`. TypeScript modules keep their names, because imports use them. They
 * are served with the types blanked out, as Node runs them.
 */
function readFolder(folder: string): Asset[] {
  return readdirSync(new URL(`${folder}/`, SRC))
    .filter((name) => extname(name) in CONTENT_TYPES && !/^(?:tsconfig|package)\b/.test(name))
    .map((name) => toAsset(`${folder}/${name}`, readFileSync(new URL(`${folder}/${name}`, SRC), "utf8")));
}

/** Files of installed packages that browsers get: the package, its file, and the path under the page's. */
export const PACKAGE_FILES = [
  ["leaflet", "dist/leaflet.js", "lib/leaflet.js"],
  ["leaflet", "dist/leaflet.css", "lib/leaflet.css"],
  ["supercluster", "dist/supercluster.min.js", "lib/supercluster.js"],
  ["protomaps-leaflet", "dist/protomaps-leaflet.js", "lib/protomaps-leaflet.js"],
] as const;

/** A file of an installed package, whether or not the package exports it. */
function readPackageFile(name: string, file: string, path: string): Asset {
  const root = findPackageJSON(name, import.meta.url);
  if (root === undefined) throw new Error(`The package ${name} is not installed`);
  return toAsset(path, readFileSync(join(dirname(root), file), "utf8"));
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
    ...(extension === ".ts" && { build: () => Buffer.from(stripTypeScriptTypes(withoutComments(text))) }),
    ...(extension === ".css" && { build: () => Buffer.from(withoutComments(text)) }),
  });
}

/** Comments that have lines for themselves, a quarter of our modules; no text of ours has such lines. */
const COMMENT_LINES = /^[ \t]*(?:\/\*(?:[^*]|\*(?!\/))*\*\/[ \t]*|\/\/.*)\n/gm;

const withoutComments = (text: string): string => text.replace(COMMENT_LINES, "");

/** Where the page gets map tiles from. */
export interface PageTiles {
  /** A template such as `https://tiles.example/{z}/{x}/{y}.png`, or the address of a PMTiles file below the page. */
  readonly url: string;
  readonly attribution: string;
  /** Of a PMTiles file: the last zoom with tiles. Missing for pictures. */
  readonly maxZoom?: number;
  /** Streets alone, drawn over what the page draws without tiles. */
  readonly isOverlay?: boolean;
}

/** Where the dataset has places, and whom the page must credit for them. */
export interface PageOverview extends Overview {
  /** Whether there are places from OpenStreetMap, whose licence asks for a credit. */
  readonly isFromOpenStreetMap: boolean;
  /** The kinds of the data team. */
  readonly kinds: readonly OwnKind[];
}

/** Settings of the server that the page needs. They are embedded in the page. */
export interface PageSettings {
  readonly tiles: PageTiles | null;
  /** Where photos of places may be loaded from. */
  readonly photoOrigins: readonly string[];
  /** Whom the operator credits for the places. */
  readonly attribution?: string;
}

type PageFile = "page.html" | "status.html";

export interface PlaygroundAssets {
  /** One of the two pages, the map or `/status`, with these settings embedded. */
  pageWith(settings: PageSettings, file?: PageFile): Asset;
  /** Changes when any file changes, so files under a version never change. */
  readonly version: string;
  /** By path, without the version. */
  readonly files: ReadonlyMap<string, Asset>;
}

/** Reads all files of the map page, once. */
export function readPlaygroundAssets(): PlaygroundAssets {
  const assets = [
    ...readFolder("playground"),
    ...readFolder("client"),
    ...readFolder("place-search"),
    ...PACKAGE_FILES.map(([name, file, path]) => readPackageFile(name, file, path)),
    ...PAGE_LANGUAGES.map((language) => toJsonAsset(`words-${language}.json`, wordsIn(language))),
    ...readAreaFiles().map((file) => createAsset({ ...file, contentType: CONTENT_TYPES[".json"]! })),
  ];
  const version = hash(assets.map(({ path, etag }) => path + etag).join());
  const pages = new Map<string, Asset>();
  return {
    pageWith: (settings, file = "page.html") =>
      pages.getOrInsertComputed(`${file} ${JSON.stringify(settings)}`, () =>
        createPage(file, { assets, version, settings }),
      ),
    version,
    files: new Map(assets.map((asset) => [asset.path, asset])),
  };
}

/**
 * Modules with only types, the one that runs first, those that are needed for a file of tiles or an open place alone, texts in two
 * languages, and the status page.
 */
const NOT_PRELOADED =
  /\/(?:answers|early|basemap|basemap-style|detail|times|texts-en|texts-vi|status|status-texts)\.ts$/;

interface PageParts {
  readonly assets: readonly Asset[];
  readonly version: string;
  readonly settings: PageSettings;
}

function createPage(file: PageFile, { assets, version, settings }: PageParts): Asset {
  const template = readFileSync(new URL(`playground/${file}`, SRC), "utf8");
  const base = `playground/${version}`;
  const preloads = assets
    .filter(({ path }) => path.endsWith(".ts") && !NOT_PRELOADED.test(path))
    .map(({ path }) => `<link rel="modulepreload" href="${base}/${path}" />`);
  const html = template
    .replaceAll("{{base}}", base)
    .replace("{{preloads}}", preloads.join("\n    "))
    .replace("{{max_query_length}}", String(MAX_QUERY_LENGTH))
    // `<` could end the script element that contains the JSON.
    .replace("{{settings}}", () => JSON.stringify(settings).replaceAll("<", "\\u003c"));
  return createAsset({
    path: "",
    contentType: "text/html; charset=utf-8",
    origin: html,
  });
}

/** The label of each type with its parent, or else its look, and those of features, in a language. */
const wordsIn = (language: PageLanguage): object => ({
  types: Object.fromEntries(
    Object.entries(TYPE_CODES).map(([code, { parent, ...labels }]) => [
      code,
      parent ? [labels[language], parent] : [labels[language], null, drawnAs(code).look],
    ]),
  ),
  features: Object.fromEntries(FEATURE_CODES.entries().map(([code, labels]) => [code, labels[language]])),
});
