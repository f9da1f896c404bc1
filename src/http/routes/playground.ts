import type Router from "@koa/router";
import type { PageSettings, PlaygroundAssets } from "../../assets.ts";
import type { HttpMiddleware, RequestState } from "../request-state.ts";
import { unknownRoute } from "../../errors.ts";
import { sendAsset, sendJson } from "../send.ts";
import type { PlaceIndex } from "../../meilisearch/place-index.ts";
import { createOverviewReader } from "../../search/overview.ts";

export interface Playground {
  readonly assets: PlaygroundAssets;
  readonly settings: PageSettings;
  /** The key of a demo that only this machine can reach; absent anywhere else. */
  readonly demoKey?: string | undefined;
}

const A_YEAR = "public, max-age=31536000, immutable";
const ASK_EVERY_TIME = "no-cache";

/** The map at `/` and the files it is made of. None of it needs a key: what the page asks the API does. */
export function addPlaygroundRoutes(router: Router<RequestState>, playground: Playground): void {
  const { assets, settings, demoKey } = playground;
  const page = { cacheControl: ASK_EVERY_TIME, headers: toPageHeaders(settings) };
  router.get("/", (ctx) => sendAsset(ctx, assets.page, page));
  if (demoKey !== undefined) router.get("/playground/demo-key.json", demoKeyRoute(demoKey));
  router.get("/playground/:version/*path", async (ctx) => {
    const { version, path } = ctx.params as { version: string; path: string };
    const asset = assets.files.get(path);
    if (asset === undefined) throw unknownRoute();
    // A page of another version, during a roll-out, gets what there is, and keeps none of it.
    await sendAsset(ctx, asset, { cacheControl: version === assets.version ? A_YEAR : ASK_EVERY_TIME });
  });
}

/**
 * The key of a demo, to a page of this very server in a browser of this very machine: not through a proxy, not to other sites, and not
 * to a name that somebody made point here.
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

/** Only what is ours may run, style or be asked; pictures also come from where the settings say. */
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
    // Makers of tiles want to know whose page asks; what was searched where stays here.
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy": "geolocation=(self), camera=(), microphone=()",
  };
}

/** The origin of a template of tiles; its `{s}` stands for any of several hosts. */
function toSource(template: string): string {
  const [origin = ""] = /^https?:\/\/[^/]+/.exec(template) ?? [];
  return origin.replace("{s}", "*");
}

/** `GET /playground/overview`: where there are places and of what types, for the map. It needs a key, as everything about places does. */
export function overviewRoute(index: PlaceIndex): HttpMiddleware {
  const readOverview = createOverviewReader(index);
  return async (ctx) => {
    sendJson(ctx, await readOverview());
  };
}

/** A host that only programs of this machine reach. */
function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

interface WhereItIs {
  readonly HOST: string;
  readonly PUBLIC_BASE_URL: string;
}

/**
 * Whether a page may be told the demo key: only where nobody but people at this machine can ask for the page. Everywhere else the
 * page asks for a key, also for this one.
 */
export function isOnlyForThisMachine({ HOST, PUBLIC_BASE_URL }: WhereItIs): boolean {
  return isLoopback(HOST) && isLoopback(new URL(PUBLIC_BASE_URL).hostname);
}
