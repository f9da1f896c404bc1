import packageJson from "../../package.json" with { type: "json" };
import type { LinkSettings } from "../answers/links.ts";
import { toComponents, type JsonObject } from "./parameters.ts";
import { buildPaths, TAGS } from "./operations.ts";
import { buildProblemResponses } from "./problem-responses.ts";
import { SCHEMAS } from "./schemas.ts";

/**
 * The OpenAPI 3.1 document. Its parameters come from the schemas that parse them, its response schemas from
 * those that the types are inferred from, and its examples from the functions that build responses. So it
 * cannot disagree with the server.
 */
export const buildOpenApiDocument = (links: LinkSettings): JsonObject => ({
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
  security: [{ apiKey: [] }],
  tags: TAGS,
  paths: buildPaths(links),
  components: {
    securitySchemes: {
      apiKey: {
        type: "apiKey",
        in: "header",
        name: "x-api-key",
        description: "The key of the caller. Whoever runs the server gives it out.",
      },
    },
    responses: buildProblemResponses(links.publicBaseUrl),
    schemas: toComponents(SCHEMAS),
  },
});

const buildIntroduction = (baseUrl: string): string =>
  `Find cafés, hospitals and shops by words and a coordinate, and read everything about one of them. Three operations, all GET, all JSON.

\`\`\`sh
curl -H "x-api-key: $KEY" "${baseUrl}/api/maps/search?q=ca+phe&lat=10.7769&lng=106.7009"
\`\`\`

- Every request carries a key in the header \`x-api-key\`.
- Parameters that an operation does not know are ignored; the header \`X-Ignored-Parameters\` names them. One that is given twice or is wrong is a 422 that names all that is wrong.
- Whatever is not a success is a problem body (RFC 9457) with a stable \`code\`: [all of them](${baseUrl}/docs/errors).
- Every answer to an accepted key says how much of its limits is left: [limits](${baseUrl}/docs/limits).
- HEAD works wherever GET does. Another method is a 405, an unknown path a 404.
- Members may be added to answers; ignore those that you do not know.

The [guide](${baseUrl}/docs/quick-start) has a quick start, and says how places are ranked and what opening hours mean.`;
