import { readdir, readFile } from "node:fs/promises";
import { createAsset, type PublishedAsset } from "../assets/assets.ts";
import { toRequestDefaults, type Config } from "../config.ts";
import { buildOpenApiDocument } from "../openapi/document.ts";
import type { JsonObject } from "../openapi/parameters.ts";
import { buildGuidePage } from "./layout.ts";
import { buildLlmsText } from "./llms-text.ts";
import { createLinkResolver, toPagePath, type PageSource } from "./pages.ts";
import { buildReferencePage } from "./reference.ts";
import { renderMarkdown } from "./render-markdown.ts";

const ROOT = new URL("../../", import.meta.url);
const GUIDE = "docs/guide";
const FOLDERS = ["docs", GUIDE] as const;

/** The server's address in the Markdown files. */
const ADDRESS_IN_TEXTS = "http://127.0.0.1:8080";

/** Revalidated each time, mostly with a 304: a page must not be older than the server. */
const REVALIDATED = "public, no-cache";

const GUIDE_POLICY =
  "default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'self'; img-src 'self' data:";
/** The reference sends requests to this server when a reader tries one. */
const REFERENCE_POLICY = `${GUIDE_POLICY}; connect-src 'self'`;

interface SiteOptions {
  /** Where the reference gets the key of a demo; none elsewhere. */
  readonly demoKeyPath?: string | undefined;
}

/** Reads everything under `/docs`, `/openapi.json` and `/llms.txt`. Each page is rendered when it is first requested: all of them at once would add 180 ms to each start. */
export async function readDocsSite(
  config: Pick<Config, "PUBLIC_BASE_URL" | "EXTERNAL_MAPS_URL"> &
    Partial<Pick<Config, "DEFAULT_CENTER" | "DEFAULT_LANGUAGE" | "MCP">>,
  { demoKeyPath }: SiteOptions = {},
): Promise<readonly PublishedAsset[]> {
  const [pages, assets, downloads] = await Promise.all([readPages(), readAssets(), readDownloads()]);
  const publicBaseUrl = config.PUBLIC_BASE_URL;
  const links = { publicBaseUrl, externalMapsUrl: config.EXTERNAL_MAPS_URL };
  let document: JsonObject | undefined;
  const readDocument = (): JsonObject =>
    (document ??= buildOpenApiDocument(links, toRequestDefaults(config)));
  const files = new Set([...pages, ...downloads].map(({ file }) => file));
  return [
    toOpenApiFile(() => JSON.stringify(readDocument())),
    toLlmsFile(() => buildLlmsText({ pages, publicBaseUrl, hasMcp: config.MCP === "on" })),
    toPage("/docs", () => buildReferencePage(readDocument(), { demoKeyPath }), REFERENCE_POLICY),
    ...pages.map((page) => buildGuide(page, { pages, files, publicBaseUrl })),
    ...assets,
    ...downloads.map(({ published }) => published),
  ];
}

/** The document changes only with a new version of the server, which a tool should notice within minutes. */
const OPENAPI_CACHE_CONTROL = "public, max-age=300";

/** `GET /openapi.json`: what the API takes and returns. */
const toOpenApiFile = (origin: () => string): PublishedAsset => ({
  asset: createAsset({
    path: "/openapi.json",
    contentType: "application/json; charset=utf-8",
    origin,
  }),
  cacheControl: OPENAPI_CACHE_CONTROL,
});

/** `GET /llms.txt`: where a language model finds what. */
const toLlmsFile = (origin: () => string): PublishedAsset => ({
  asset: createAsset({ path: "/llms.txt", contentType: "text/markdown; charset=utf-8", origin }),
  cacheControl: REVALIDATED,
});

/** An HTML page; `policy` is its content security policy. */
const toPage = (path: string, origin: () => string, policy: string): PublishedAsset => ({
  asset: createAsset({ path, contentType: "text/html; charset=utf-8", origin }),
  cacheControl: REVALIDATED,
  headers: { "Content-Security-Policy": policy, "Referrer-Policy": "no-referrer" },
});

interface Guide {
  readonly pages: readonly PageSource[];
  readonly files: ReadonlySet<string>;
  readonly publicBaseUrl: string;
}

function buildGuide(page: PageSource, { pages, files, publicBaseUrl }: Guide): PublishedAsset {
  const render = (): string => {
    const markdown = page.markdown.replaceAll(ADDRESS_IN_TEXTS, publicBaseUrl);
    return buildGuidePage(page, renderMarkdown(markdown, createLinkResolver(page.file, files)), pages);
  };
  return toPage(toPagePath(page.file), render, GUIDE_POLICY);
}

/** The Markdown files that are pages. README files are not: they are for readers of the repository. */
export async function readPages(): Promise<PageSource[]> {
  const lists = await Promise.all(
    FOLDERS.map(async (folder) => {
      const names = await readdir(new URL(folder, ROOT));
      return names
        .filter((name) => name.endsWith(".md") && name !== "README.md")
        .map((name) => `${folder}/${name}`);
    }),
  );
  const files = lists.flat().toSorted();
  return Promise.all(
    files.map(async (file) => ({ file, markdown: await readFile(new URL(file, ROOT), "utf8") })),
  );
}

/** Files of the guide that its pages offer for download. */
async function readDownloads(): Promise<{ readonly file: string; readonly published: PublishedAsset }[]> {
  const names = (await readdir(new URL(GUIDE, ROOT))).filter((name) => name.endsWith(".csv"));
  return Promise.all(
    names.map(async (name) => {
      const file = `${GUIDE}/${name}`;
      const origin = await readFile(new URL(file, ROOT));
      const asset = createAsset({ path: toPagePath(file), contentType: "text/csv; charset=utf-8", origin });
      return { file, published: { asset, cacheControl: REVALIDATED } };
    }),
  );
}

const ASSETS = [
  ["docs.css", "text/css; charset=utf-8"],
  ["docs.js", "text/javascript; charset=utf-8"],
  ["reference.js", "text/javascript; charset=utf-8"],
] as const;

const readAssets = (): Promise<PublishedAsset[]> =>
  Promise.all(
    ASSETS.map(async ([name, contentType]) => {
      const origin = await readFile(new URL(`assets/${name}`, import.meta.url));
      const asset = createAsset({ path: `/docs/assets/${name}`, contentType, origin });
      return { asset, cacheControl: REVALIDATED };
    }),
  );
