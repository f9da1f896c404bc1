import type { JsonObject } from "../openapi/json-schema.ts";
import { escapeHtml, renderMarkdown } from "./render-markdown.ts";

/** What of the OpenAPI document a plain page shows. */
interface ReferenceDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, Response>>;
}
interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: { readonly type: string; readonly default?: unknown };
}
interface Response {
  readonly description?: string;
  readonly content?: Readonly<
    Record<
      string,
      { readonly example?: unknown; readonly examples?: Readonly<Record<string, { value: unknown }>> }
    >
  >;
}

/** The anchor of an operation is the last word of its path: `/docs#search` is what `link_docs` leads to. */
const toOperationAnchor = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The reference as a page that needs no script: for readers without one, and where the renderer could not be fetched. */
export function buildPlainReference(openApi: JsonObject): string {
  const document = openApi as unknown as ReferenceDocument;
  const operations = Object.entries(document.paths).map(([path, { get }]) => toSection(path, get));
  const intro = toHtml(document.info.description);
  return `<h1>${escapeHtml(document.info.title)} ${escapeHtml(document.info.version)}</h1>
${intro}
<p>For programs: <a href="/openapi.json">openapi.json</a>.</p>
${operations.join("\n")}`;
}

const toHtml = (markdown: string): string => renderMarkdown(markdown, (href) => href).html;

const toSection = (path: string, operation: Operation): string => `<section id="${toOperationAnchor(path)}">
<h2>${escapeHtml(operation.summary)}</h2>
<p><code>GET ${escapeHtml(path)}</code></p>
${toHtml(operation.description)}
${operation.parameters ? toParameterTable(operation.parameters) : ""}
${toExample(operation.responses["200"])}
<p>Other answers: ${Object.keys(operation.responses)
  .filter((status) => status !== "200")
  .join(", ")} (<a href="/docs/errors">errors</a>).</p>
</section>`;

function toParameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, required, description, schema }) => {
    const preset = schema.default === undefined ? "" : `, default ${JSON.stringify(schema.default)}`;
    const kind = `${schema.type}${required ? ", required" : preset}`;
    return `<tr><td><code>${name}</code></td><td>${escapeHtml(kind)}</td><td>${toHtml(description)}</td></tr>`;
  });
  return `<div class="table" tabindex="0"><table><thead><tr><th>Parameter</th><th></th><th></th></tr></thead><tbody>${rows.join("\n")}</tbody></table></div>`;
}

function toExample(response: Response | undefined): string {
  const content = Object.values(response?.content ?? {})[0];
  const example = content?.example ?? Object.values(content?.examples ?? {})[0]?.value;
  return `<pre tabindex="0"><code>${escapeHtml(JSON.stringify(example, undefined, 2))}</code></pre>`;
}
