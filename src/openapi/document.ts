import packageJson from "../../package.json" with { type: "json" };
import type { LinkSettings } from "../answers/links.ts";
import { REQUEST_DEFAULTS, type RequestDefaults } from "../place/request-defaults.ts";
import { toComponents, type JsonObject } from "./parameters.ts";
import { buildPaths, TAGS } from "./operations.ts";
import { buildProblemResponses } from "./problem-responses.ts";
import { SCHEMAS } from "./schemas.ts";

/**
 * The OpenAPI 3.1 document. Its parameters come from the schemas that parse them, its response schemas from
 * those that the types are inferred from, and its examples from the functions that build responses. So it
 * cannot disagree with the server.
 */
export const buildOpenApiDocument = (
  links: LinkSettings,
  defaults: RequestDefaults = REQUEST_DEFAULTS,
): JsonObject => ({
  openapi: "3.1.0",
  info: {
    title: "Hereabouts",
    version: packageJson.version,
    summary: "Place search that you host yourself.",
    description: buildIntroduction(links.publicBaseUrl),
    license: { name: "MIT", identifier: "MIT" },
  },
  servers: [{ url: links.publicBaseUrl, description: "This server." }],
  externalDocs: { url: `${links.publicBaseUrl}/docs/quick-start`, description: "The guide" },
  security: [{ apiKey: [] }, { bearer: [] }],
  tags: TAGS,
  paths: buildPaths(links, defaults),
  components: {
    securitySchemes: {
      apiKey: {
        type: "apiKey",
        in: "header",
        name: "x-api-key",
        description: "The API key. The operator of the server issues it.",
      },
      bearer: {
        type: "http",
        scheme: "bearer",
        description: "The same key as `Authorization: Bearer`. With both headers, `x-api-key` counts.",
      },
    },
    responses: buildProblemResponses(links.publicBaseUrl),
    schemas: toComponents(SCHEMAS),
  },
});

const buildIntroduction = (baseUrl: string): string =>
  `Find cafés, hospitals and shops by words and a coordinate, and get the full record of one. Operations that read are GET, and all return JSON.

\`\`\`sh
curl -H "x-api-key: $KEY" "${baseUrl}/api/maps/search?q=ca+phe&lat=10.7769&lng=106.7009"
\`\`\`

- Every request requires a key in the header \`x-api-key\`.
- Unknown parameters are ignored; the header \`X-Ignored-Parameters\` lists them. A repeated or invalid parameter returns a 422 that lists every invalid parameter.
- Every error has a problem body (RFC 9457) with a stable \`code\`: [list of codes](${baseUrl}/docs/errors).
- Responses to a valid key have headers with what is left of its [limits](${baseUrl}/docs/limits).
- HEAD works wherever GET does. Methods that a path does not have return 405, unknown paths 404.
- New fields may be added to responses; ignore fields that you do not know.

The [guide](${baseUrl}/docs/quick-start) has a quick start and explains ranking and opening hours.`;
