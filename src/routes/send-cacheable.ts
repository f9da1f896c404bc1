import { hash } from "node:crypto";
import type { HttpContext } from "../middleware/request-state.ts";
import { sendJson } from "./send-json.ts";

/**
 * Answers with JSON that the caller's own cache may keep for `maxAgeSeconds`; `private`, since a key was asked for. It carries a
 * strong ETag, the hash of its bytes, and whoever has these bytes already (`If-None-Match`) gets 304 without them.
 */
export function sendCacheable<Answer extends object>(
  ctx: HttpContext,
  value: Answer,
  maxAgeSeconds: number,
): void {
  sendJson(ctx, value);
  ctx.set("Cache-Control", `private, max-age=${maxAgeSeconds}, must-revalidate`);
  ctx.etag = hash("sha256", ctx.body as string, "base64url");
  if (ctx.fresh) ctx.status = 304;
}
