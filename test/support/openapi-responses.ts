import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { buildOpenApiDocument } from "../../src/openapi/document.ts";

interface SchemaOrRef {
  readonly $ref?: string;
}
interface DocumentedResponse extends SchemaOrRef {
  readonly headers?: Readonly<Record<string, { readonly required: boolean; readonly schema: Schema }>>;
  readonly content?: Readonly<Record<string, object>>;
}
interface Schema {
  readonly type?: string;
}
interface OpenApiDocument {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly responses: Readonly<Record<string, DocumentedResponse>> }>>
    >
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, DocumentedResponse>>;
  };
}

/** A check of responses against a documented one. */
export interface ResponseCheck {
  /** Lists every difference from the document; empty when there is none. Leave out `body` for HEAD. */
  readonly findFaults: (answer: { headers: Headers; body?: unknown }) => string[];
}

const document = closeSchemas(
  buildOpenApiDocument({
    publicBaseUrl: "https://places.example",
    externalMapsUrl: "https://maps.example/?id={data_id}",
  }) as unknown as OpenApiDocument,
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, "openapi");
// With `fields`, a place may lack any member.
ajv.addSchema(withoutRequired(document), "openapi-chosen");
const validators = new Map<string, ValidateFunction>();

/** The documented path of a requested one: `/api/maps/places/{data_id}`. */
const toDocumented = (path: string): string =>
  Object.keys(document.paths).find((pattern) =>
    new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path),
  ) ?? path;

/** The documented response with this status at this path; undefined when there is none. */
export function documentedResponse(
  requested: string,
  status: number,
  { mayLackFields = false, method = "get" } = {},
): ResponseCheck | undefined {
  const path = toDocumented(requested);
  const place = `/paths/${escape(path)}/${method}/responses/${status}`;
  const described = document.paths[path]?.[method]?.responses[status];
  if (described === undefined) return undefined;
  const pointer = described.$ref?.slice(1) ?? place;
  const response = described.$ref
    ? document.components.responses[described.$ref.split("/").at(-1) ?? ""]
    : described;
  if (response === undefined) throw new Error(`${described.$ref} leads nowhere`);
  return {
    findFaults: ({ headers, body }) => [
      ...findHeaderFaults(headers, response),
      ...(body === undefined ? [] : findBodyFaults(body, { headers, response, pointer, mayLackFields })),
    ],
  };
}

// Done once, here: it takes a tenth of a second, which a test that measures time would count as the server's.
for (const [path, { get }] of Object.entries(document.paths))
  for (const status of Object.keys(get?.responses ?? {})) warmUp(path, Number(status));

function warmUp(path: string, status: number): void {
  const headers = new Headers({
    "content-type": status < 400 ? "application/json" : "application/problem+json",
  });
  documentedResponse(path, status)?.findFaults({ headers, body: {} });
}

/** True when this method of the path is in the document. */
export const isDocumented = (path: string, method = "get"): boolean =>
  document.paths[toDocumented(path)]?.[method] !== undefined;

/** The faults of a value by a named schema of the document. */
export const findSchemaFaults = (value: unknown, name: string): string[] =>
  findFaultsOf(value, `/components/schemas/${name}`);

function findHeaderFaults(headers: Headers, response: DocumentedResponse): string[] {
  return Object.entries(response.headers ?? {}).flatMap(([name, { required, schema }]) => {
    const text = headers.get(name);
    if (text === null) return required ? [`the header ${name} is missing`] : [];
    const value = schema.type === "integer" ? Number(text) : text;
    return ajv.validate(schema, value) ? [] : [`the header ${name} is ${text}`];
  });
}

interface BodyOptions {
  readonly headers: Headers;
  readonly response: DocumentedResponse;
  readonly pointer: string;
  readonly mayLackFields: boolean;
}

function findBodyFaults(body: unknown, { headers, response, pointer, mayLackFields }: BodyOptions): string[] {
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  if (!response.content?.[type]) return [`the content type is ${type}`];
  return findFaultsOf(
    body,
    `${pointer}/content/${escape(type)}/schema`,
    mayLackFields ? "openapi-chosen" : "openapi",
  );
}

function findFaultsOf(value: unknown, pointer: string, name = "openapi"): string[] {
  const reference = `${name}#${pointer}`;
  const validate = validators.getOrInsertComputed(reference, () => ajv.compile({ $ref: reference }));
  return validate(value)
    ? []
    : (validate.errors ?? []).map(
        (fault) => `${fault.instancePath} ${fault.message} ${JSON.stringify(fault.params)}`,
      );
}

function escape(part: string): string {
  return part.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The document allows new fields. For tests, a field without a description is a fault. */
function closeSchemas(open: OpenApiDocument): OpenApiDocument {
  const schemas = JSON.parse(JSON.stringify(open.components.schemas), (_key, value: unknown) =>
    isObjectSchema(value) ? { ...value, additionalProperties: false } : value,
  ) as OpenApiDocument["components"]["schemas"];
  return { ...open, components: { ...open.components, schemas } };
}

function withoutRequired(whole: OpenApiDocument): OpenApiDocument {
  const schemas = JSON.parse(JSON.stringify(whole.components.schemas), (name, value: unknown) =>
    name === "required" && Array.isArray(value) ? [] : value,
  ) as OpenApiDocument["components"]["schemas"];
  return { ...whole, components: { ...whole.components, schemas } };
}

function isObjectSchema(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return "type" in value && value.type === "object" && "properties" in value;
}
