import type { HttpContext } from "../middleware/request-state.ts";

/** Answers with JSON. It is written here, once: Koa would do it again for the length of a reply to HEAD. */
export function sendJson(ctx: HttpContext, value: object): void {
  ctx.type = "application/json";
  ctx.body = JSON.stringify(value);
}
