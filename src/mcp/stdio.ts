import type { Command } from "commander";
import { CommandError } from "../cli/errors.ts";
import type { ProgramProcess } from "../cli/run-program.ts";
import { loadEnvironmentFile } from "../config.ts";
import { IGNORED_HEADER } from "../http/query-string.ts";
import { ATTRIBUTION_HEADER } from "../http/middleware/response-headers.ts";
import type { Ask } from "../http/routes/mcp.ts";
import type { JsonObject } from "../openapi/parameters.ts";

const DEFAULT_URL = "http://127.0.0.1:8080";

/** A search takes milliseconds; a server that is far away or busy may take seconds. */
const TIMEOUT_MS = 15_000;

const HELP = `
A program with a language model starts this command and speaks the Model Context Protocol with it, over
standard input and output. The command asks a running server. Programs that can use a URL need no
command: give them the server's /mcp, with the key in the header x-api-key (docs/mcp.md).

Environment:
  HEREABOUTS_URL  the address of the server (default: ${DEFAULT_URL})
  HEREABOUTS_KEY  the API key

Example, as most programs want it:
  { "mcpServers": { "places": { "command": "npx", "args": ["hereabouts", "mcp"],
    "env": { "HEREABOUTS_URL": "https://places.example", "HEREABOUTS_KEY": "hab_..." } } } }`;

/** Makes a command of it that offers the API of a server to the program that runs it. */
export const defineMcp = (command: Command, host: ProgramProcess): Command =>
  command
    .description("Offers search, nearby, place and autocomplete of a server as tools for a language model.")
    .addHelpText("after", HELP)
    .action(() => offerTools(host));

/** @throws {CommandError} when there is no key, or no server at the address. */
async function offerTools({ env }: ProgramProcess): Promise<void> {
  loadEnvironmentFile(env);
  const url = (env["HEREABOUTS_URL"] || DEFAULT_URL).replace(/(?<!\/)\/+$/, "");
  const key = env["HEREABOUTS_KEY"];
  if (!key) throw new CommandError("Set HEREABOUTS_KEY to an API key of the server.");
  const document = await readDocument(url);
  const [{ serveStdio }, { createMcpServer }, { listTools }] = await Promise.all([
    import("@modelcontextprotocol/server/stdio"),
    import("./mcp-server.ts"),
    import("./tools.ts"),
  ]);
  const tools = listTools(document);
  serveStdio(() => createMcpServer(tools, createAsk(url, key)));
}

/** The server's own description of its operations. */
async function readDocument(url: string): Promise<JsonObject> {
  try {
    const response = await fetch(`${url}/openapi.json`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`it responded with ${response.status}`);
    return (await response.json()) as JsonObject;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(
      `There is no Hereabouts at ${url} (${reason}). Start it, or set HEREABOUTS_URL to its address.`,
      { cause },
    );
  }
}

/** When the server cannot be reached, the model gets the same kind of error as for a failure of the API. */
const createAsk =
  (url: string, key: string): Ask =>
  async (target) => {
    try {
      const response = await fetch(`${url}${target}`, {
        headers: { "x-api-key": key },
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const read = (header: string): string => response.headers.get(header) ?? "";
      return {
        status: response.status,
        body: await response.text(),
        ignored: read(IGNORED_HEADER),
        attribution: read(ATTRIBUTION_HEADER),
      };
    } catch (error) {
      const detail = `The server at ${url} cannot be reached: ${String(error)}`;
      return {
        status: 0,
        body: JSON.stringify({ title: "No response", detail }),
        ignored: "",
        attribution: "",
      };
    }
  };
