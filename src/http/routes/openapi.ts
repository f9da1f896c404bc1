import { createAsset } from "../../assets.ts";
import type { HttpMiddleware } from "../request-state.ts";
import type { JsonObject } from "../../openapi/parameters.ts";
import { sendAsset } from "../send.ts";

/** It changes with a new version of the server only, which a tool should notice within minutes. */
const CACHE_CONTROL = "public, max-age=300";

/** `GET /openapi.json`: what the API takes and answers, without a key. */
export function openApiRoute(document: JsonObject): HttpMiddleware {
  const asset = createAsset({
    path: "/openapi.json",
    contentType: "application/json; charset=utf-8",
    origin: JSON.stringify(document),
  });
  return (ctx) => sendAsset(ctx, asset, { cacheControl: CACHE_CONTROL });
}
