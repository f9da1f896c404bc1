import { createMcpHandler } from "@modelcontextprotocol/server";
import { toRequestDefaults, type Config } from "../config.ts";
import type { AnswerMcp } from "../http/routes/mcp.ts";
import { buildOpenApiDocument } from "../openapi/document.ts";
import { createMcpServer } from "./mcp-server.ts";
import { listTools } from "./tools.ts";

/**
 * Answers requests to `/mcp` without sessions: each gets its own MCP server, so that any process can answer any request. The tools
 * never change while a server runs, so nobody can subscribe to changes.
 */
export function createMcpAnswer(
  config: Pick<Config, "PUBLIC_BASE_URL" | "EXTERNAL_MAPS_URL"> &
    Partial<Pick<Config, "DEFAULT_CENTER" | "DEFAULT_LANGUAGE">>,
): AnswerMcp {
  const links = { publicBaseUrl: config.PUBLIC_BASE_URL, externalMapsUrl: config.EXTERNAL_MAPS_URL };
  const tools = listTools(buildOpenApiDocument(links, toRequestDefaults(config)));
  return (request, parsedBody, ask) =>
    createMcpHandler(() => createMcpServer(tools, ask), { maxSubscriptions: 0 }).fetch(request, {
      parsedBody,
    });
}
