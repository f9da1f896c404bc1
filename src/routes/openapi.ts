import { sendStored, storeAnswer } from "../docs/stored-answer.ts";
import type { HttpMiddleware } from "../middleware/request-state.ts";
import type { JsonObject } from "../openapi/json-schema.ts";

/** It changes with a new version of the server only, which a tool should notice within minutes. */
const CACHE_CONTROL = "public, max-age=300";

/** `GET /openapi.json`: what the API takes and answers, without a key. */
export function openApiRoute(document: JsonObject): HttpMiddleware {
  const options = { type: "application/json", cacheControl: CACHE_CONTROL };
  const answer = storeAnswer(JSON.stringify(document), options);
  return (ctx) => sendStored(ctx, answer);
}
