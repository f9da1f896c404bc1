import type { HttpContext } from "./request-state.ts";
import { hash } from "node:crypto";
import type { Asset, Encoding } from "../assets/assets.ts";

/** Sends JSON, serialised once here: for a response to HEAD, Koa would do it again to get the length. */
export function sendJson<Answer extends object>(
  ctx: HttpContext,
  value: Answer,
  contentType = "application/json",
): void {
  ctx.type = contentType;
  ctx.body = JSON.stringify(value);
}

/**
 * Sends JSON that the caller's cache may keep for `maxAgeSeconds`; `private`, because the request had a key.
 * The strong ETag is the hash of the bytes. A caller that already has them (`If-None-Match`) gets a 304.
 */
export function sendCacheable<Answer extends object>(
  ctx: HttpContext,
  value: Answer,
  maxAgeSeconds: number,
  contentType = "application/json",
): void {
  sendJson(ctx, value, contentType);
  ctx.set("Cache-Control", `private, max-age=${maxAgeSeconds}, must-revalidate`);
  ctx.etag = hash("sha256", ctx.body as string, "base64url");
  if (ctx.fresh) ctx.status = 304;
}

/** The response header that names the parts of the index that might hold a match and could not be asked. */
export const MISSING_HEADER = "X-Missing-Partitions";

/**
 * Names missing partitions in the response. Returns for how many seconds the caller's cache may keep it: a response that lacks
 * something not at all.
 */
export function noteMissing(ctx: HttpContext, missing: readonly number[], maxAgeSeconds: number): number {
  if (missing.length === 0) return maxAgeSeconds;
  ctx.set(MISSING_HEADER, missing.join(", "));
  return 0;
}

/** How an asset is sent. */
export interface Delivery {
  readonly cacheControl: string;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends an asset in the smallest encoding that the caller accepts, or a 304 when the caller already has it.
 */
export async function sendAsset(
  ctx: HttpContext,
  asset: Asset,
  { cacheControl, headers }: Delivery,
): Promise<void> {
  const encoding = chooseEncoding(ctx);
  // The same file in two encodings is two representations (RFC 9110 §8.8.3.3).
  const etag = encoding === "identity" ? asset.etag : asset.etag.replace(/"$/, `-${encoding}"`);
  ctx.set({ "Cache-Control": cacheControl, Vary: "Accept-Encoding", ETag: etag, ...headers });
  ctx.set("Content-Type", asset.contentType);
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  if (encoding !== "identity") ctx.set("Content-Encoding", encoding);
  ctx.body = await asset.read(encoding);
}

/** Clients list encodings in any order, without preference. */
function chooseEncoding(ctx: HttpContext): Encoding {
  if (ctx.acceptsEncodings("br") === "br") return "br";
  return ctx.acceptsEncodings("gzip") === "gzip" ? "gzip" : "identity";
}
