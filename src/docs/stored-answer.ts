import { createHash } from "node:crypto";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { HttpContext } from "../middleware/request-state.ts";

/** Something that stays the same for as long as the server runs, ready to be sent. */
export interface StoredAnswer {
  readonly type: string;
  readonly etag: string;
  readonly cacheControl: string;
  /** In every form it is sent in; `identity` is always there. */
  readonly bodies: Readonly<{ br?: Buffer; gzip?: Buffer; identity: Buffer }>;
  /** More headers that go with it. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface StoreOptions {
  readonly type: string;
  readonly cacheControl: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Packed beforehand; otherwise it is packed here. */
  readonly packed?: Readonly<{ br: Buffer; gzip: Buffer }>;
}

/** Good enough for pages of some kilobytes, and done in milliseconds; the best takes seconds. */
const BROTLI_QUALITY = 6;

/** Packs a body once, so that no request has to. */
export function storeAnswer(content: string | Buffer, options: StoreOptions): StoredAnswer {
  const identity = Buffer.from(content);
  const hash = createHash("sha256").update(identity).digest("base64url").slice(0, 22);
  const { packed = pack(identity), ...rest } = options;
  return { ...rest, etag: `"${hash}"`, bodies: { ...packed, identity } };
}

const pack = (body: Buffer) => ({
  br: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: gzipSync(body),
});

const SMALLEST_FIRST = ["br", "gzip"] as const;

/** Sends it in the best form that the caller takes, or says that the caller has it already (304). */
export function sendStored(
  ctx: HttpContext,
  { type, etag, cacheControl, bodies, headers }: StoredAnswer,
): void {
  // Who takes both names them in any order and means no preference by it.
  const form = SMALLEST_FIRST.find((encoding) => ctx.acceptsEncodings(encoding) === encoding) ?? "identity";
  ctx.set({ "Cache-Control": cacheControl, Vary: "Accept-Encoding", ...headers });
  // One of another form is another representation; a weak comparison lets caches keep one name for all of them.
  ctx.set("ETag", `W/${etag}`);
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = type;
  if (form !== "identity") ctx.set("Content-Encoding", form);
  ctx.body = bodies[form] ?? bodies.identity;
}
