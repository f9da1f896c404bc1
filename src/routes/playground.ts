import type Router from "@koa/router";
import type { Asset, Encoding } from "../assets/asset.ts";
import type { PageSettings, PlaygroundAssets } from "../assets/playground-assets.ts";
import { isLoopback } from "../demo-key.ts";
import type { HttpContext, HttpMiddleware, RequestState } from "../middleware/request-state.ts";
import { unknownRoute } from "../middleware/request-target.ts";
import { sendJson } from "./send-json.ts";

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
  const pageHeaders = toPageHeaders(settings);
  router.get("/", async (ctx) => {
    ctx.set(pageHeaders);
    await sendAsset(ctx, assets.page, ASK_EVERY_TIME);
  });
  if (demoKey !== undefined) router.get("/playground/demo-key.json", demoKeyRoute(demoKey));
  router.get("/playground/:version/*path", async (ctx) => {
    const { version, path } = ctx.params as { version: string; path: string };
    const asset = assets.files.get(path);
    if (asset === undefined) throw unknownRoute();
    // A page of another version, during a roll-out, gets what there is, and keeps none of it.
    await sendAsset(ctx, asset, version === assets.version ? A_YEAR : ASK_EVERY_TIME);
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

async function sendAsset(ctx: HttpContext, asset: Asset, cacheControl: string): Promise<void> {
  const encoding = chooseEncoding(ctx);
  // The same file in two encodings is two representations (RFC 9110 §8.8.3.3).
  const etag = encoding === "identity" ? asset.etag : asset.etag.replace(/"$/, `-${encoding}"`);
  ctx.set({ "Cache-Control": cacheControl, Vary: "Accept-Encoding", ETag: etag });
  ctx.set("Content-Type", asset.contentType);
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  if (encoding !== "identity") ctx.set("Content-Encoding", encoding);
  ctx.body = await asset.read(encoding);
}

/** The smallest that the browser takes; browsers name theirs in no order that means anything. */
function chooseEncoding(ctx: HttpContext): Encoding {
  if (ctx.acceptsEncodings("br") === "br") return "br";
  return ctx.acceptsEncodings("gzip") === "gzip" ? "gzip" : "identity";
}
