import type { HttpContext } from "../middleware/request-state.ts";

/** Answers with JSON. It is written here, once: Koa would do it again for the length of a reply to HEAD. */
export function sendJson<Answer extends object>(ctx: HttpContext, value: Answer): void {
  ctx.type = "application/json";
  ctx.body = JSON.stringify(value);
}
