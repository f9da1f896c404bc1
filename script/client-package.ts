// Packs src/client as the npm package hereabouts-client: npm run -s client:pack -- DIR
// The code is bundled into one file. The types are those of the source, with those of the server's schemas written out.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { buildOpenApiDocument } from "../src/openapi/document.ts";

/** The part of a JSON schema that the OpenAPI document uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Parameter {
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Document {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters?: readonly Parameter[] } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Longer lists of values are `string`: categories and field names. */
const MANY = 30;

/** From this many on, a schema is worth naming. */
const MANY_PROPERTIES = 5;

/** A schema as a TypeScript type. Descriptions are left out: the package is small, and the reference has them. */
function toType(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1) ?? "unknown";
  if ("const" in schema) return JSON.stringify(schema.const);
  // A union of hundreds of names would be larger than the client; the server names the wrong ones.
  if (schema.enum && schema.enum.length > MANY) return "string";
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return [...new Set(union.map(toType))].join(" | ");
  if (schema.allOf) return schema.allOf.map((part) => `(${toType(part)})`).join(" & ");
  if (Array.isArray(schema.type))
    return schema.type.map((type: string) => toType({ ...schema, type })).join(" | ");
  switch (String(schema.type)) {
    case "object":
      return toObjectType(schema);
    case "array":
      return toArrayType(schema);
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return String(schema.type);
    default:
      return "unknown";
  }
}

function toObjectType({ properties, required = [], additionalProperties }: Schema): string {
  if (!properties) {
    const values = typeof additionalProperties === "object" ? toType(additionalProperties) : "unknown";
    return `{ [name: string]: ${values} }`;
  }
  const members = Object.entries(properties).map(
    ([name, schema]) => `${JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${toType(schema)};`,
  );
  return `{ ${members
    .join(" ")
    .slice(0, -1)
    .replaceAll(/"(\w+)"(?=\??:)/g, "$1")} }`;
}

function toArrayType({ prefixItems, items, minItems, maxItems }: Schema): string {
  if (prefixItems) return `[${prefixItems.map(toType).join(", ")}]`;
  const item = items ? toType(items) : "unknown";
  const length = minItems === maxItems ? (maxItems ?? 0) : 0;
  return length > 0
    ? `[${Array.from({ length }, () => item).join(", ")}]`
    : / /.test(item)
      ? `(${item})[]`
      : `${item}[]`;
}

/** Times are given as text, as a `Date`, or as a `Temporal.Instant`, which TypeScript 5 does not know. */
const MOMENT = "string | Date | { readonly epochMilliseconds: number }";

/** GeoJSON, or an encoded polyline. */
const POLYGON =
  'string | { readonly type: "Polygon"; readonly coordinates: readonly (readonly (readonly number[])[])[] }';

/** What the client takes for a parameter, where it is more than the text that the server reads. */
const TYPES: Readonly<Record<string, string>> = { open_at: MOMENT, polygon: POLYGON };

function toParameters(name: string, parameters: readonly Parameter[]): string {
  const members = parameters.map(({ name: parameter, required, schema }) => {
    const type = TYPES[parameter] ?? toType(schema);
    const given = type.endsWith("]") ? `readonly ${type}` : type;
    return `${parameter}${required ? "" : "?"}: ${given}${required ? "" : " | undefined"}`;
  });
  return `export type ${name} = { ${members.join("; ")} };`;
}

/** Names of the client's own for schemas of the document. */
const ALIASES: Readonly<Record<string, string>> = {
  PlaceDetail: "PlaceResult",
  PlaceSummary: "SearchResult",
  ProblemBody: "Problem",
  Understood: 'NonNullable<Answers["SearchAnswer"]["understood"]>',
};

/** As an intersection with a smaller schema that has the same properties, where there is one. */
function toTypeWithBase(name: string, schema: Schema, schemas: Document["components"]["schemas"]): string {
  const properties = Object.entries(schema.properties ?? {});
  const has = (other: Schema): boolean =>
    Object.entries(other.properties ?? {}).every(
      ([property, type]) => JSON.stringify(schema.properties?.[property]) === JSON.stringify(type),
    );
  const base = Object.entries(schemas).find(
    ([other, type]) =>
      other !== name && Object.keys(type.properties ?? {}).length > MANY_PROPERTIES && has(type),
  );
  if (!base) return toType(schema);
  const rest = properties.filter(([property]) => !(property in (base[1].properties ?? {})));
  return `${base[0]} & ${toType({ ...schema, properties: Object.fromEntries(rest) })}`;
}

/** All types that the declarations of the client refer to. */
function writeTypes(declarations: string): string {
  const config = {
    PUBLIC_BASE_URL: "https://places.example",
    publicBaseUrl: "https://places.example",
    externalMapsUrl: "https://maps.example/{data_id}",
  };
  const { paths, components } = buildOpenApiDocument(config) as unknown as Document;
  const isDeclared = (name: string): boolean =>
    new RegExp(`(?:interface|type) ${name}\\b`).test(declarations);
  const schemas = Object.entries(components.schemas)
    .filter(([name]) => !isDeclared(name) && !["Liveness", "Readiness", "StatusAnswer"].includes(name))
    .map(([name, schema]) => `export type ${name} = ${toTypeWithBase(name, schema, components.schemas)};`);
  const understood = components.schemas["SearchAnswer"]?.properties?.["understood"];
  const aliases = Object.entries({
    ...ALIASES,
    Understood: toType(understood ?? {}),
    ReverseBody: toType(components.schemas["ReverseAnswer"] ?? {}),
  }).map(([name, type]) => `export type ${name} = ${type};`);
  const parameters = Object.entries(paths).flatMap(([path, { get }]) => {
    const [, operation] = /^\/api\/maps\/(\w+)$/.exec(path) ?? [];
    if (operation === undefined || get === undefined) return [];
    return toParameters(
      `${operation[0]?.toUpperCase()}${operation.slice(1)}Parameters`,
      get.parameters ?? [],
    );
  });
  const written = toType(understood ?? {});
  return [...schemas.map((type) => type.replace(written, "Understood")), ...aliases, ...parameters].join(
    "\n",
  );
}

/** Writes the declarations of modules and of what they import into a folder, under their paths in this one. */
export function writeDeclarations(folder: string, modules: readonly string[], libraries: string): void {
  const output = ["--declaration", "--emitDeclarationOnly", "--noEmit", "false"];
  const folders = ["--rootDir", ".", "--outDir", folder];
  const target = ["--target", "esnext", "--module", "nodenext", "--lib", libraries, "--types", "node"];
  const checks = ["--strict", "--exactOptionalPropertyTypes", "--skipLibCheck", "--verbatimModuleSyntax"];
  const others = ["--rewriteRelativeImportExtensions", "--ignoreConfig"];
  execFileSync("tsc", [...output, ...folders, ...target, ...checks, ...others, ...modules], {
    stdio: "inherit",
  });
}

/** The declarations of the client's files in one, without what they import from the server. */
function readDeclarations(folder: string): string {
  writeDeclarations(folder, ["src/client/client.ts"], "esnext");
  return (
    ["answers", "client"]
      .map((name) => readFileSync(join(folder, `src/client/${name}.d.ts`), "utf8"))
      .join("\n")
      .replaceAll(/^(?:import|export) type (?:\{[^}]*\}|\*)[^;]*;\n/gm, "")
      .replaceAll(/^export \{\};\n/gm, "")
      // Those before a declaration; those of options and methods stay, as editors show them while somebody types.
      .replaceAll(/^\/\*\*.*?\*\/\n/gms, "")
      // Only the client makes errors.
      .replaceAll(/^interface Circumstances \{.*?^\}\n/gms, "")
      .replaceAll(/^ +constructor\(.*\n/gm, "")
      .replaceAll(/^ +/gm, " ")
  );
}

/** Writes the package into a folder: one file of code, one of types, its manifest and its page. */
export async function writeClientPackage(folder: string): Promise<void> {
  const bundle = await rolldown({ input: "src/client/client.ts", transform: { target: "es2022" } });
  await bundle.write({ file: join(folder, "index.js"), format: "esm", minify: true });
  await bundle.close();
  const declared = mkdtempSync(join(tmpdir(), "hereabouts-declarations-"));
  const declarations = readDeclarations(declared);
  rmSync(declared, { recursive: true });
  writeFileSync(join(folder, "index.d.ts"), `${declarations}${writeTypes(declarations)}\n`);
  writeManifest(folder, "src/client");
}

/** Writes the manifest of a package, with the version and the repository of the program, and its page. */
export function writeManifest(folder: string, source: string, dependencies: readonly string[] = []): void {
  const { version, repository } = JSON.parse(readFileSync("package.json", "utf8")) as {
    version: string;
    repository?: object;
  };
  const own = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as object;
  const versions = Object.fromEntries(dependencies.map((name) => [name, `^${version}`]));
  const needs = dependencies.length > 0 && { dependencies: versions };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...own, version, repository, ...needs }));
  cpSync(join(source, "README.md"), join(folder, "README.md"));
}

/** Packs a folder as npm does, into a directory. */
export function packInto(directory: string, folder: string): void {
  mkdirSync(directory, { recursive: true });
  execFileSync("npm", ["pack", "--silent", "--pack-destination", resolve(directory)], {
    cwd: folder,
    stdio: "inherit",
  });
}

if (import.meta.main) {
  const [directory = "."] = process.argv.slice(2);
  const folder = mkdtempSync(join(tmpdir(), "hereabouts-client-"));
  await writeClientPackage(folder);
  packInto(directory, folder);
  rmSync(folder, { recursive: true });
}
