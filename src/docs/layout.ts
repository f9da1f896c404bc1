import { groupPages, readTitle, toPagePath, type PageSource } from "./pages.ts";
import { escapeHtml, type RenderedPage, renderMarkdown } from "./render-markdown.ts";
import type { JsonObject } from "../openapi/parameters.ts";

interface Shell {
  readonly title: string;
  readonly body: string;
  /** URLs of scripts, in order. */
  readonly scripts: readonly string[];
  readonly current: "reference" | "guide";
}

/**
 * The frame of every page. It has no inline scripts or styles, so that the security policy can forbid them.
 */
export const buildShell = ({ title, body, scripts, current }: Shell): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Hereabouts</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/assets/docs.css">
${scripts.map((address) => `<script defer src="${address}"></script>`).join("\n")}
</head>
<body>
${current === "guide" ? '<a class="skip ours" href="#content">Skip to the content</a>' : ""}
<header class="bar">
<a class="brand" href="/">Hereabouts</a>
<nav aria-label="Site">
<a href="/">Map</a>
<a href="/docs"${current === "reference" ? ' aria-current="true"' : ""}>Reference</a>
<a href="/docs/quick-start"${current === "guide" ? ' aria-current="true"' : ""}>Guide</a>
</nav>
</header>
${body}
</body>
</html>
`;

/** A page of the guide: all pages on the left, its sections on the right. */
export function buildGuidePage(page: PageSource, rendered: RenderedPage, all: readonly PageSource[]): string {
  const body = `<div class="columns ours">
${buildNavigation(page, all)}
<main id="content">
${rendered.html}
</main>
${buildContents(rendered)}
</div>`;
  const title = readTitle(page);
  return buildShell({ title, body, scripts: ["/docs/assets/docs.js"], current: "guide" });
}

/** The list of pages; collapsed on a phone, without a script. */
function buildNavigation(current: PageSource, all: readonly PageSource[]): string {
  const groups = groupPages(all).map(
    ({ title, pages }) =>
      `<h2>${title}</h2>\n<ul>\n${pages.map((page) => toEntry(page, page === current)).join("\n")}\n</ul>`,
  );
  const list = `<nav aria-label="Guide">\n${groups.join("\n")}\n</nav>`;
  return `<aside class="pages">
<details><summary>All pages</summary>
${list}
</details>
<div class="wide">
${list}
</div>
</aside>`;
}

const toEntry = (page: PageSource, isCurrent: boolean): string =>
  `<li><a href="${toPagePath(page.file)}"${isCurrent ? ' aria-current="page"' : ""}>${escapeHtml(readTitle(page))}</a></li>`;

/** Pages with fewer sections need no table of contents. */
const MIN_SECTIONS = 2;

function buildContents({ headings }: RenderedPage): string {
  const sections = headings.filter(({ depth }) => depth === 2);
  if (sections.length < MIN_SECTIONS) return "";
  const entries = sections.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2>\n<ul>\n${entries.join("\n")}\n</ul></nav>`;
}

/** The parts of the OpenAPI document that the plain reference shows. */
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

/** The anchor of an operation: `search` for `/api/maps/search`, as `link_docs` has it, `photon-api` for `/photon/api`. */
const toOperationAnchor = (path: string): string =>
  path.replace(/^\/(?:api\/)?(?:maps\/)?/, "").replaceAll("/", "-");

/**
 * The reference as a page without scripts: for readers without them, and if the renderer is not installed.
 */
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
<p>Other responses: ${Object.keys(operation.responses)
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
  // A response in another project's format has no example of ours.
  if (example === undefined) return "";
  return `<pre tabindex="0"><code>${escapeHtml(JSON.stringify(example, undefined, 2))}</code></pre>`;
}
