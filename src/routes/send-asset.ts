import type { Asset, Encoding } from "../assets/asset.ts";
import type { HttpContext } from "../middleware/request-state.ts";

/** How an asset is sent. */
export interface Delivery {
  readonly cacheControl: string;
  /** More headers that go with it. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends it in the smallest form that the caller takes, or says that the caller has it already (304). */
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

/** Who takes several names them in any order and means no preference by it. */
function chooseEncoding(ctx: HttpContext): Encoding {
  if (ctx.acceptsEncodings("br") === "br") return "br";
  return ctx.acceptsEncodings("gzip") === "gzip" ? "gzip" : "identity";
}
