import packageJson from "../../package.json" with { type: "json" };
import { sendStored, storeAnswer } from "../docs/stored-answer.ts";
import type { HttpMiddleware } from "../middleware/request-state.ts";
import { buildOpenApiDocument } from "../openapi/document.ts";
import type { LinkSettings } from "../place/links.ts";

/** It changes with a new version of the server only, which a tool should notice within minutes. */
const CACHE_CONTROL = "public, max-age=300";

/** `GET /openapi.json`: what the API takes and answers, without a key. Built once, at the start. */
export function openApiRoute(links: LinkSettings): HttpMiddleware {
  const document = JSON.stringify(buildOpenApiDocument({ links, version: packageJson.version }));
  const answer = storeAnswer(document, { type: "application/json", cacheControl: CACHE_CONTROL });
  return (ctx) => sendStored(ctx, answer);
}
