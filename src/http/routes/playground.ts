import type Router from "@koa/router";
import {
  createAsset,
  type Asset,
  type PageOverview,
  type PageSettings,
  type PageTiles,
  type PlaygroundAssets,
} from "../../assets/assets.ts";
import type { MapTiles } from "../../assets/map-tiles.ts";
import * as v from "valibot";
import { type RouteSteps, withParameters } from "../query-string.ts";
import type { HttpMiddleware, RequestState } from "../request-state.ts";
import { unknownRoute } from "../../errors.ts";
import { sendAsset, sendJson } from "../send.ts";
import { mapTilesRoute, TILES_PATH } from "./map-tiles.ts";
import type { PlaceIndex } from "../../meilisearch/place-index.ts";
import { createOverviewReader, withFewCells, type Overview } from "../../search/overview.ts";

export interface Playground {
  readonly assets: PlaygroundAssets;
  readonly settings: PageSettings;
  /** The file of map tiles, if there is one now; missing when there never is. */
  readonly findTiles?: (() => Promise<MapTiles | undefined>) | undefined;
  /** The key of a demo that only this machine can reach; missing for all other servers. */
  readonly demoKey?: string | undefined;
}

/** Where pages of a demo get its key. */
export const DEMO_KEY_PATH = "/playground/demo-key.json";

const A_YEAR = "public, max-age=31536000, immutable";
const ASK_EVERY_TIME = "no-cache";

/** Serves the map at `/` and its files. They need no key; the page's API requests do. */
export function addPlaygroundRoutes(router: Router<RequestState>, playground: Playground): void {
  const { assets, settings, demoKey, findTiles = noTiles } = playground;
  const page = { cacheControl: ASK_EVERY_TIME, headers: toPageHeaders(settings) };
  router.get("/", async (ctx) => {
    const tiles = toPageTiles(await findTiles()) ?? settings.tiles;
    await sendAsset(ctx, assets.pageWith({ ...settings, tiles }), page);
  });
  router.get(
    `/${TILES_PATH}`,
    mapTilesRoute(async () => (await findTiles())?.path),
  );
  router.get("/status", (ctx) => sendAsset(ctx, assets.pageWith(settings, "status.html"), page));
  if (demoKey !== undefined) router.get(DEMO_KEY_PATH, demoKeyRoute(demoKey));
  router.get("/playground/:version/*path", async (ctx) => {
    const { version, path } = ctx.params as { version: string; path: string };
    const asset = assets.files.get(path);
    if (asset === undefined) throw unknownRoute();
    // During a roll-out, a page of another version gets the current file, but must not cache it.
    await sendAsset(ctx, asset, { cacheControl: version === assets.version ? A_YEAR : ASK_EVERY_TIME });
  });
}

const noTiles: NonNullable<Playground["findTiles"]> = () => Promise.resolve(undefined);

const toPageTiles = (tiles: MapTiles | undefined): PageTiles | undefined =>
  tiles && {
    url: TILES_PATH,
    attribution: tiles.attribution,
    maxZoom: tiles.maxZoom,
    ...(tiles.isOverlay && { isOverlay: true }),
  };

/**
 * Returns the key of a demo, only to a page of this server in a browser on this machine: not through a proxy,
 * not to other sites, and not to a foreign host name that points here.
 */
function demoKeyRoute(demoKey: string): HttpMiddleware {
  return (ctx) => {
    const isForwarded = ["forwarded", "x-forwarded-for", "x-forwarded-host", "via"].some(
      (name) => ctx.get(name) !== "",
    );
    const isOurPage = ["same-origin", ""].includes(ctx.get("sec-fetch-site"));
    if (isForwarded || !isOurPage || !isLoopback(ctx.hostname)) throw unknownRoute();
    sendJson(ctx, { key: demoKey });
  };
}

/** Only our own files may run, style or be requested. Pictures may also come from the configured origins. */
function toPageHeaders({ tiles, photoOrigins }: PageSettings): Record<string, string> {
  const pictures = [...(tiles ? [toSource(tiles.url)] : []), ...photoOrigins];
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' data:", ...pictures].join(" "),
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "Content-Security-Policy": policy.join("; "),
    // Tile providers require the page's origin; the search in its URL is not sent.
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy": "geolocation=(self), camera=(), microphone=()",
  };
}

/** The origin of a tile URL template. `{s}` stands for any of several hosts. */
function toSource(template: string): string {
  const [origin = ""] = /^https?:\/\/[^/]+/.exec(template) ?? [];
  return origin.replace("{s}", "*");
}

const overviewParameters = v.object({ cells: v.optional(v.picklist(["few"], "must be few")) });

/**
 * `GET /playground/overview`: for the map, where there are places and of which types; with `cells=few` for a map that draws tiles. It
 * needs a key, as everything about places does.
 */
export function overviewRoute(index: PlaceIndex): RouteSteps {
  const readOverview = createOverviewReader(index);
  const assets = new WeakMap<Overview, Promise<Asset>>();
  const make = async (overview: Overview): Promise<Asset> => {
    const isFromOpenStreetMap = await hasOpenStreetMap(index).catch(() => {
      // A map without a credit is better than none, until it is asked for again.
      assets.delete(overview);
      return false;
    });
    const kinds = (await index.readVocabulary())?.kinds ?? [];
    // Compressed, because it is the largest file of the page: 130 kB of a city, 15 kB with Brotli.
    return createAsset({
      path: "/playground/overview",
      contentType: "application/json",
      origin: JSON.stringify({
        ...overview,
        isFromOpenStreetMap,
        kinds,
      } satisfies PageOverview),
    });
  };
  const briefs = new WeakMap<Overview, Overview>();
  return withParameters(overviewParameters, async (ctx, { cells }) => {
    const whole = await readOverview();
    const overview = cells === "few" ? briefs.getOrInsertComputed(whole, withFewCells) : whole;
    const asset = await assets.getOrInsertComputed(overview, () => make(overview));
    const Vary = "Accept-Encoding, Authorization, x-api-key";
    await sendAsset(ctx, asset, { cacheControl: "private, no-cache", headers: { Vary } });
  });
}

/** A source with a percent of the places is missed in one of 150 samples. */
const SAMPLED_PLACES = 500;

/** What the reader of OpenStreetMap's formats calls its records. */
const OPENSTREETMAP = "osm";

async function hasOpenStreetMap(index: PlaceIndex): Promise<boolean> {
  const { places } = await index.readSample(SAMPLED_PLACES);
  return places.some(({ source }) => source === OPENSTREETMAP);
}

/** True for a host that only programs on this machine can reach. */
function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

interface WhereItIs {
  readonly HOST: string;
  readonly PUBLIC_BASE_URL: string;
}

/**
 * Whether a page may receive the demo key: only when the page can be opened on this machine alone. On all
 * other servers the page prompts for a key.
 */
export function isOnlyForThisMachine({ HOST, PUBLIC_BASE_URL }: WhereItIs): boolean {
  return isLoopback(HOST) && isLoopback(new URL(PUBLIC_BASE_URL).hostname);
}
