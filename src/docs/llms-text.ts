import { groupPages, readTitle, toPagePath, type PageSource } from "./pages.ts";

interface LlmsOptions {
  readonly pages: readonly PageSource[];
  readonly publicBaseUrl: string;
  /** Whether the server has `/mcp`. */
  readonly hasMcp: boolean;
}

/** `/llms.txt` (https://llmstxt.org): what this server is, and where a language model reads more. */
export function buildLlmsText({ pages, publicBaseUrl, hasMcp }: LlmsOptions): string {
  const groups = groupPages(pages).map(({ title, pages: ofGroup }) => [
    `## ${title}`,
    "",
    ...ofGroup.map((page) => `- [${readTitle(page)}](${publicBaseUrl}${toPagePath(page.file)})`),
    "",
  ]);
  return [
    "# Hereabouts",
    "",
    "> Place search: finds cafés, hospitals and shops by name, category or address near a coordinate, completes what people type, and returns the full record of each place. Made for Vietnamese first; queries may be misspelled or without accents.",
    "",
    `All operations are GET requests to ${publicBaseUrl}/api/maps and return JSON. Every request needs an API key in the header x-api-key; the operator of this server issues it.`,
    "",
    "## For programs",
    "",
    `- [OpenAPI document](${publicBaseUrl}/openapi.json): every operation, parameter, response and error`,
    ...(hasMcp
      ? [
          `- [Model Context Protocol](${publicBaseUrl}/mcp): search, nearby, place and autocomplete as tools, over streamable HTTP with the same key`,
        ]
      : []),
    `- [Reference](${publicBaseUrl}/docs): the same for people, who can try requests`,
    "",
    ...groups.flat(),
  ].join("\n");
}
