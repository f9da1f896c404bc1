import { Server, type CallToolResult } from "@modelcontextprotocol/server";
import packageJson from "../../package.json" with { type: "json" };
import type { Ask } from "../http/routes/mcp.ts";
import type { Tool } from "./tools.ts";

/** What a model reads about all tools together. */
const INSTRUCTIONS = `Finds places: cafés, shops, hospitals and the like, with address, opening hours, rating and contacts. Queries may be in Vietnamese or English, misspelled or without accents. Give lat and lng of the person who asks, if they are known. search finds places by words, nearby without words, autocomplete completes half-typed text; place returns everything about one place, by its data_id from the others. limit and fields keep results short; type=full adds opening hours and features.`;

/**
 * A server of the Model Context Protocol with these tools. A call sends one request to the API, whose response is its result: as text, and
 * as an object. So it has the same checks, limits and errors.
 */
export function createMcpServer(tools: readonly Tool[], ask: Ask): Server {
  const server = new Server(
    { name: packageJson.name, title: "Hereabouts", version: packageJson.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler("tools/list", () => ({
    tools: tools.map(({ definition }) => definition),
  }));
  server.setRequestHandler("tools/call", async ({ params: { name, arguments: given = {} } }) => {
    const tool = tools.find(({ definition }) => definition.name === name);
    if (!tool) return toFailure(`There is no tool of this name. The tools are: ${namesOf(tools)}.`);
    const { status, body, ignored, attribution } = await ask(tool.toTarget(given));
    const notes = [
      ...(ignored === "" ? [] : [`These arguments are unknown and had no effect: ${ignored}.`]),
      ...(attribution === "" ? [] : [`Where you show these places, credit: ${attribution}`]),
    ];
    return {
      content: [body, ...notes].map((text) => ({ type: "text", text })),
      ...toStructured(body),
      isError: status !== 200,
    };
  });
  return server;
}

/** The response as an object; nothing for what something between here and the server has written, such as a proxy. */
function toStructured(body: string): { structuredContent?: Record<string, unknown> } {
  try {
    return { structuredContent: JSON.parse(body) as Record<string, unknown> };
  } catch {
    return {};
  }
}

const toFailure = (text: string): CallToolResult => ({ content: [{ type: "text", text }], isError: true });

const namesOf = (tools: readonly Tool[]): string => tools.map(({ definition }) => definition.name).join(", ");
