import { buildShell, buildSideList } from "./layout.ts";
import { escapeHtml, renderMarkdown } from "./render-markdown.ts";
import type { JsonObject } from "../openapi/parameters.ts";

/** The parts of the OpenAPI document that the reference shows. */
interface ReferenceDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, Response>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly description: string;
    readonly content: Readonly<Record<string, { readonly example: unknown }>>;
  };
  readonly responses: Readonly<Record<string, Response>>;
  /** Empty where no key is needed; otherwise the document's own. */
  readonly security?: readonly unknown[];
}

interface Parameter {
  readonly name: string;
  readonly in?: "query" | "path" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly explode?: boolean;
  readonly schema: Schema;
  readonly examples: { readonly default: { readonly value: Example } };
}

type Example = string | number | boolean | readonly (string | number)[] | undefined;

interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly example: unknown }>>;
  readonly content?: Readonly<Record<string, Content>>;
}

interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: string | number | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
}

interface ReferenceOptions {
  /** Where the page gets the key of a demo; none elsewhere. */
  readonly demoKeyPath?: string | undefined;
}

/** The API reference as one page: every operation with a form to try it, the headers of responses, and the schemas. */
export function buildReferencePage(openApi: JsonObject, { demoKeyPath }: ReferenceOptions = {}): string {
  const document = openApi as unknown as ReferenceDocument;
  const { info, components } = document;
  const demoKey = demoKeyPath === undefined ? "" : ` data-demo-key="${demoKeyPath}"`;
  const operations = listOperations(document).map((listed) => toSection(listed, document));
  const schemas = Object.entries(components.schemas).map(([name, schema]) => toSchemaSection(name, schema));
  const body = `<div class="columns reference">
${buildNavigation(document)}
<main id="content"${demoKey}>
<h1>API reference</h1>
<p class="version">${escapeHtml(info.title)} ${escapeHtml(info.version)}</p>
${toHtml(info.description)}
<p>For programs: <a href="/openapi.json">openapi.json</a>.</p>
${operations.join("\n")}
<section id="headers">
<h2>Headers of responses</h2>
${toHeaderTable(document)}
</section>
<section id="schemas">
<h2>Schemas</h2>
${schemas.join("\n")}
</section>
</main>
</div>`;
  const scripts = ["/docs/assets/docs.js", "/docs/assets/reference.js"];
  return buildShell({ title: "API reference", body, scripts, current: "reference" });
}

/** The operations by tag. */
function buildNavigation(document: ReferenceDocument): string {
  const { tags } = document;
  const operations = listOperations(document);
  const groups = tags.map(({ name }) => ({
    title: name,
    links: operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map((listed) => ({ href: `#${toAnchor(listed)}`, text: listed.operation.summary })),
  }));
  const more = [
    { href: "#headers", text: "Headers of responses" },
    { href: "#schemas", text: "Schemas" },
  ];
  const all = [...groups, { title: "More", links: more }];
  return buildSideList({ name: "Operations", summary: "All operations", groups: all });
}

interface ListedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const listOperations = ({ paths }: ReferenceDocument): ListedOperation[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  );

/**
 * The anchor of an operation: `search` for `GET /api/maps/search`, as `link_docs` has it, `photon-api` for `/photon/api`, and
 * `put-places-data_id` for another method.
 */
const toAnchor = ({ method, path }: ListedOperation): string =>
  (method === "get" ? "" : `${method}-`) +
  path
    .replace(/^\/(?:api\/)?(?:maps\/)?/, "")
    .replaceAll(/[{}]/g, "")
    .replaceAll("/", "-");

const toHtml = (markdown: string): string => renderMarkdown(markdown, (href) => href).html;

const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;

/** A table in a frame that scrolls sideways where it is too wide. */
const toTable = (name: string, rows: readonly string[]): string =>
  `<div class="table" tabindex="0" role="group" aria-label="${escapeHtml(name)}"><table><thead><tr><th scope="col">Name</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join("\n")}</tbody></table></div>`;

/** `kind` is what the value may be: it stands under the name, so that the table fits a phone. */
const toRow = (name: string, kind: string, meaning: string): string =>
  `<td>${code(name)}<div class="kind">${kind}</div></td><td>${meaning}</td>`;

function toSection(listed: ListedOperation, document: ReferenceDocument): string {
  const { method, path, operation } = listed;
  const { summary, description, parameters = [], responses } = operation;
  const id = toAnchor(listed);
  const rows = parameters.map((parameter) => toParameterRow(parameter));
  return `<section id="${id}">
<h2>${escapeHtml(summary)} <a class="anchor" href="#${id}" aria-label="Link to this operation">#</a></h2>
<p><code>${method.toUpperCase()} ${escapeHtml(path)}</code></p>
${toHtml(description)}
${rows.length > 0 ? `<h3>Parameters</h3>\n${toTable(`Parameters: ${summary}`, rows)}` : ""}
<h3>Request</h3>
${toCommand(listed, document)}
${method === "get" && !path.includes("{") ? toForm(id, path, operation) : ""}
<h3>Responses</h3>
<ul class="responses">
${Object.entries(responses)
  .map(([status, response]) => toResponseItem(status, response, document))
  .join("\n")}
</ul>
${toExample(responses["200"])}
</section>`;
}

function toParameterRow({ name, in: place, required, description, schema }: Parameter): string {
  const where = place === "path" || place === "header" ? `, in the ${place}` : "";
  const kind = `${toType(schema)}${toLimits(schema)}${where}${required ? ", required" : ""}`;
  return `<tr>${toRow(name, kind, toHtml(description))}</tr>`;
}

/** The first lines of a long list of codes say what they look like. */
const MAX_VALUES = 8;

/** The type of a value in words, with a link where it has a schema of its own. */
function toType(schema: Schema): string {
  if (schema.$ref !== undefined) return toSchemaLink(schema.$ref);
  if (schema.anyOf) return schema.anyOf.map(toType).join(" or ");
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) {
    const values = schema.enum.slice(0, MAX_VALUES).map((value) => code(String(value)));
    const rest = schema.enum.length - values.length;
    return `${values.join(" | ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  }
  if (schema.type === "array") return schema.items ? `list of ${toType(schema.items)}` : "list of numbers";
  return escapeHtml(
    schema.format === undefined ? (schema.type ?? "any") : `${schema.type} (${schema.format})`,
  );
}

function toSchemaLink(reference: string): string {
  const name = reference.slice(reference.lastIndexOf("/") + 1);
  return `<a href="#schema-${name}">${name}</a>`;
}

function toLimits({ minimum, maximum, maxItems, maxLength, default: preset }: Schema): string {
  const range =
    minimum !== undefined && maximum !== undefined
      ? `, ${minimum} to ${maximum}`
      : minimum === undefined
        ? ""
        : `, at least ${minimum}`;
  const length = maxLength === undefined ? "" : `, at most ${maxLength} characters`;
  const items = maxItems === undefined ? "" : `, at most ${maxItems}`;
  return `${range}${length}${items}${preset === undefined ? "" : `, default ${code(String(preset))}`}`;
}

/** What a reader tries first: a text and a location. Other parameters stay empty. */
const TRIED_FIRST: ReadonlySet<string> = new Set(["q", "data_id", "lat", "lng"]);

const toTried = ({ name, examples }: Parameter): string =>
  TRIED_FIRST.has(name) ? toText(examples.default.value) : "";

const toText = (value: Example): string =>
  typeof value === "object" ? value.join(",") : String(value ?? "");

const needsKey = ({ security }: Operation): boolean => security === undefined || security.length > 0;

/** The command of a request; `reference.js` writes its path again when the form changes. */
function toCommand({ method, path, operation }: ListedOperation, { servers }: ReferenceDocument): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const parameter of operation.parameters ?? []) {
    const value = toText(parameter.examples.default.value);
    if (parameter.in === "path") filled = filled.replace(`{${parameter.name}}`, encodeURIComponent(value));
    else if (parameter.in !== "header" && toTried(parameter) !== "")
      query.append(parameter.name, toTried(parameter));
  }
  const options = [
    ...(method === "get" ? [] : [` -X ${method.toUpperCase()}`]),
    ...(needsKey(operation) ? [' -H "x-api-key: $KEY"'] : []),
    ...toBodyOptions(operation),
  ];
  const start = `curl${options.join("")} "${servers[0]?.url ?? ""}`;
  const command = `${start}${filled}${query.size > 0 ? `?${query.toString()}` : ""}"`;
  return `<pre tabindex="0"><code class="curl" data-start="${escapeHtml(start)}">${escapeHtml(command)}</code></pre>`;
}

function toBodyOptions({ requestBody }: Operation): string[] {
  const [body] = Object.entries(requestBody?.content ?? {});
  if (body === undefined) return [];
  const [type, { example }] = body;
  return [` -H "content-type: ${type}" -d '${JSON.stringify(example)}'`];
}

/** The form with which a reader sends a request; `reference.js` sends it. The style sheet hides it without scripts. */
function toForm(id: string, path: string, operation: Operation): string {
  const key = `<div class="field"><label for="${id}.x-api-key">API key</label>
<input id="${id}.x-api-key" class="key" type="password" autocomplete="off" spellcheck="false"></div>`;
  const fields = (operation.parameters ?? []).map((parameter) => toField(id, parameter));
  return `<details class="try"><summary>Try it</summary>
<form data-path="${path}" aria-label="Try it: ${escapeHtml(operation.summary)}" autocomplete="off">
<div class="fields">
${[...(needsKey(operation) ? [key] : []), ...fields].join("\n")}
</div>
<p><button type="submit">Send</button> <span class="outcome" role="status"></span></p>
<pre class="answer" tabindex="0" aria-label="The response" role="group" hidden><code></code></pre>
</form>
</details>`;
}

function toField(operation: string, parameter: Parameter): string {
  const { name, required, schema, explode = false, examples } = parameter;
  const id = `${operation}.${name}`;
  const label = `<label for="${id}">${name}${required ? " (required)" : ""}</label>`;
  const choices = schema.type === "boolean" ? ["true", "false"] : schema.enum?.map(String);
  const control = choices
    ? `<select id="${id}" name="${name}">${["", ...choices].map((choice) => `<option>${choice}</option>`).join("")}</select>`
    : `<input id="${id}" name="${name}" value="${escapeHtml(toTried(parameter))}" placeholder="${escapeHtml(toText(examples.default.value))}" spellcheck="false"${explode ? " data-repeated" : ""}>`;
  return `<div class="field">${label}\n${control}</div>`;
}

/** One line of a response. Problems have their codes on the page about errors. */
function toResponseItem(status: string, response: Response, { components }: ReferenceDocument): string {
  const name = response.$ref?.slice(response.$ref.lastIndexOf("/") + 1);
  const {
    description = "",
    content = {},
    headers = {},
  } = (name === undefined ? response : components.responses[name]) ?? {};
  const [first = ""] = description.split("\n", 1);
  const schemas = Object.entries(content).map(([type, { schema }]) =>
    name === undefined
      ? `${toType(schema)} as ${code(type)}`
      : `<a href="#schema-Problem">Problem</a>, <a href="/docs/errors">codes</a>`,
  );
  const links = Object.keys(headers).map((header) => `<a href="#${toHeaderId(header)}">${header}</a>`);
  const lines = [
    ...(schemas.length > 0 ? [schemas.join("; ")] : []),
    ...(status === "200" && links.length > 0 ? [`Headers: ${links.join(", ")}`] : []),
  ];
  return `<li><b>${status}</b> ${escapeHtml(first).replaceAll(/`([^`]+)`/g, "<code>$1</code>")}${lines.map((line) => `<br>${line}`).join("")}</li>`;
}

function toExample(response: Response | undefined): string {
  const content = Object.values(response?.content ?? {})[0];
  const example = content?.example ?? Object.values(content?.examples ?? {})[0]?.value;
  if (example === undefined) return "";
  return `<details><summary>Example of a response</summary>
<pre tabindex="0"><code>${escapeHtml(JSON.stringify(example, undefined, 2))}</code></pre>
</details>`;
}

const toHeaderId = (name: string): string => `header-${name.toLowerCase()}`;

/** All headers of all responses, each once. */
function toHeaderTable(document: ReferenceDocument): string {
  const { components } = document;
  const responses = [
    ...listOperations(document).flatMap(({ operation }) => Object.values(operation.responses)),
    ...Object.values(components.responses),
  ];
  const headers = new Map(responses.flatMap(({ headers: some = {} }) => Object.entries(some)));
  const rows = [...headers].map(
    ([name, { description, example }]) =>
      `<tr id="${toHeaderId(name)}">${toRow(name, "", `${toHtml(description)}Example: ${code(String(example))}`)}</tr>`,
  );
  return toTable("Headers of responses", rows);
}

function toSchemaSection(name: string, schema: Schema): string {
  const rows = toFields(schema, "").map(
    ([field, { type, description }]) => `<tr>${toRow(field, type, toHtml(description))}</tr>`,
  );
  const table = toTable(`Fields of ${name}`, rows);
  return `<section id="schema-${name}">
<h3>${name}</h3>
${schema.description === undefined ? "" : toHtml(schema.description)}
${rows.length > 0 ? table : `<p>${toType(schema)}</p>`}
</section>`;
}

/** The fields of a schema; those of an object in it follow it as `outer.inner`, those of objects in a list as `outer[].inner`. */
function toFields(
  schema: Schema,
  prefix: string,
): (readonly [string, { type: string; description: string }])[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix + name;
    const type = `${toType(field)}${toLimits(field)}${required.has(name) ? "" : ", may be absent"}`;
    const inner = field.items ?? field;
    return [
      [path, { type, description: field.description ?? "" }] as const,
      ...toFields(inner, field.items ? `${path}[].` : `${path}.`),
    ];
  });
}
