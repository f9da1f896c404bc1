import type { JsonObject } from "../openapi/parameters.ts";

/** An operation of the API as a tool, in the form of the protocol, and how its arguments become a request. */
export interface Tool {
  readonly definition: {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly inputSchema: { readonly type: "object"; readonly [keyword: string]: unknown };
    readonly annotations: { readonly readOnlyHint: true; readonly openWorldHint: false };
  };
  /** The path and query of the request for these arguments. */
  toTarget(given: JsonObject): string;
}

/** The operations that are offered as tools, in the order in which they are listed. Each tool has the last part of the path as its name. */
const TOOL_PATHS = [
  "/api/maps/search",
  "/api/maps/nearby",
  "/api/maps/place",
  "/api/maps/autocomplete",
] as const;

/** The parts of the OpenAPI document that describe a tool. */
interface ToolDocument {
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
}
interface Operation {
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
}
interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly explode?: boolean;
  readonly schema: JsonObject;
}

/** The tools as the OpenAPI document of a server describes their operations. */
export const listTools = (document: JsonObject): Tool[] =>
  TOOL_PATHS.map((path) => toTool(path, (document as unknown as ToolDocument).paths[path]!.get));

function toTool(path: string, { summary, description, parameters }: Operation): Tool {
  const lists = new Map(parameters.map(({ name, explode = false }) => [name, explode]));
  return {
    definition: {
      name: path.slice(path.lastIndexOf("/") + 1),
      title: summary,
      description,
      inputSchema: {
        type: "object",
        properties: Object.fromEntries(
          parameters.map((parameter) => [
            parameter.name,
            { ...parameter.schema, description: parameter.description },
          ]),
        ),
        required: parameters.filter(({ required }) => required).map(({ name }) => name),
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    toTarget(given) {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(given))
        for (const text of toTexts(value, lists.get(name) === true)) query.append(name, text);
      return `${path}?${query.toString()}`;
    },
  };
}

/** The texts of an argument, as a query has them. Nothing is checked here: the operation does, and says what is wrong. */
function toTexts(value: unknown, isRepeated: boolean): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return [toText(value)];
  const texts = value.map(toText);
  return isRepeated ? texts : [texts.join(",")];
}

const toText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
