import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ProblemError } from "../../../src/errors.ts";
import { buildOpenApiDocument } from "../../../src/openapi/document.ts";
import {
  autocompleteParameters,
  nearbyParameters,
  placeParameters,
  reverseParameters,
  searchParameters,
  toCentre,
} from "../../../src/http/parameters.ts";
import { REQUEST_DEFAULTS } from "../../../src/place/request-defaults.ts";
import { parseQuery } from "../../../src/http/query-string.ts";

interface ParameterSchema {
  readonly type: "string" | "number" | "integer" | "boolean" | "array";
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly items?: { readonly enum: readonly string[] };
  readonly prefixItems?: readonly ParameterSchema[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
}

interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: ParameterSchema;
}

const document = buildOpenApiDocument({
  publicBaseUrl: "https://places.example",
  externalMapsUrl: "https://maps.example/?id={data_id}",
}) as unknown as { paths: Record<string, { get: { parameters: Parameter[] } }> };

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

const OPERATIONS = [
  ["/api/maps/search", searchParameters, { q: "x" }],
  ["/api/maps/nearby", nearbyParameters, { lat: "10.77", lng: "106.7" }],
  ["/api/maps/reverse", reverseParameters, { lat: "10.77", lng: "106.7" }],
  ["/api/maps/place", placeParameters, { data_id: "0x1:0x2" }],
  ["/api/maps/autocomplete", autocompleteParameters, { q: "x" }],
] as const;

const parametersOf = (path: string): Parameter[] => document.paths[path]?.get.parameters ?? [];

/** Which conditions are allowed depends on the dataset: test/integration/import/own-fields.test.ts. */
const isFixed = ({ name }: Parameter): boolean => name !== "custom";

/** What a parameter needs beside it. */
const NEEDED_WITH: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  route_radius: { route: "gau`A_bcjSku@c|A" },
  sort: { route: "gau`A_bcjSku@c|A" },
};

const CASES = OPERATIONS.flatMap(([path, schema, needed]) =>
  parametersOf(path)
    .filter(isFixed)
    .map((parameter) => ({
      path,
      name: parameter.name,
      parameter,
      /** The codes of what is wrong with this value; empty when the server takes it. */
      refusalsOf: (text: string): string[] => {
        try {
          parseQuery(
            schema,
            new URLSearchParams({
              ...needed,
              ...(path !== "/api/maps/reverse" && NEEDED_WITH[parameter.name]),
              [parameter.name]: text,
            }).toString(),
          );
          return [];
        } catch (error) {
          if (!(error instanceof ProblemError) || error.status !== 422) throw error;
          return error.errors.map(({ parameter: name, code }) => `${name} ${code}`);
        }
      },
    })),
);

/** JSON Schema cannot say which texts are shapes (`shape-parameters.test.ts`). */
const SHAPES: ReadonlySet<string> = new Set(["polygon", "route"]);
const DESCRIBED = CASES.filter(({ name }) => !SHAPES.has(name));

/** A value as a client that was made from the document would write it into a URL. */
const toText = (value: unknown): string => (Array.isArray(value) ? value.join(",") : String(value));

/** Values that the schema of a parameter allows. */
function allowedBy({ type, ...schema }: ParameterSchema): fc.Arbitrary<unknown> {
  const { minimum = 0, maximum = 0 } = schema;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.items) return fc.array(fc.constantFrom(...schema.items.enum), { minLength: 1, maxLength: 4 });
  if (schema.prefixItems)
    return fc
      .tuple(...schema.prefixItems.map((item) => allowedBy(item) as fc.Arbitrary<string>))
      .map(([west = "", one = "", east = "", other = ""]) =>
        Number(one) < Number(other) ? [west, one, east, other] : [west, other, east, one],
      );
  if (type === "boolean") return fc.boolean();
  if (type === "integer") return fc.integer({ min: minimum, max: maximum });
  // The description wants plain digits: to the centimetre, as people and devices give coordinates.
  if (type === "number")
    return fc
      .integer({ min: minimum * 10_000_000, max: maximum * 10_000_000 })
      .map((value) => (value / 10_000_000).toFixed(7));
  if (schema.format === "date-time")
    return fc
      .date({ min: new Date("1990-01-01"), max: new Date("2099-01-01"), noInvalidDate: true })
      .map((date) => date.toISOString());
  if (schema.pattern?.startsWith("^"))
    return fc.stringMatching(new RegExp(schema.pattern)).filter((text) => text.length <= 128);
  return fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
    .filter((text) => /\S/.test(text) && !/[\p{Cc}\uFFFD]/u.test(text));
}

/** What is right or nearly right for some parameter: each is tried with all. A blank separates them. */
const NEARLY_RIGHT = (
  "true TRUE minimal FULL coffee COFFEE, , 0x1:0x2 0x:0x vi en_US " +
  "1e3 +1 0x10 NaN 10,5 10.5 -0 90.0000001 -180 2026-11-20T20:00Z 2026-11-20"
).split(" ");

const ANYTHING = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme-ascii" }),
  fc.integer().map(String),
  fc.double().map(String),
  fc.string({ unit: "grapheme", minLength: 250, maxLength: 300 }),
);

/** The value that a text stands for, as the descriptions say; undefined when it stands for none. */
function read(text: string, { type, items, prefixItems }: ParameterSchema): unknown {
  if (prefixItems) return /^[-.,\d]+$/.test(text) ? text.split(",").map(Number) : undefined;
  if (type === "number")
    return /^-?\d{1,3}(?:[.,]\d+)?$/.test(text) ? Number(text.replace(",", ".")) : undefined;
  if (type === "integer") return /^\d+$/.test(text) ? Number(text) : undefined;
  if (type === "boolean") return { true: true, "1": true, false: false, "0": false }[text.toLowerCase()];
  // Type codes may be written in any case.
  if (items) return (items.enum.includes("COFFEE") ? text.toUpperCase() : text).split(",");
  return text;
}

/** What `q` is after trimming and normalisation. The description, not the schema, rules out control characters. */
function readQuery(text: string): string | undefined {
  const plain = text
    .toWellFormed()
    .replaceAll(/[\t\n\v\f\r\u0085]+/g, " ")
    .trim()
    .normalize("NFC");
  return /[\p{Cc}\uFFFD]/u.test(plain) ? undefined : plain;
}

test.each(DESCRIBED)("$path $name accepts what the document allows", ({ parameter, refusalsOf }) => {
  fc.assert(
    fc.property(allowedBy(parameter.schema), (value) => {
      expect(refusalsOf(toText(value))).toEqual([]);
    }),
  );
});

// Of dates and times the server takes more forms than the document's `date-time` names.
const STRICT_CASES = DESCRIBED.filter(({ parameter }) => parameter.schema.format !== "date-time");

test.each(STRICT_CASES)(
  "$path $name refuses exactly what the document forbids",
  ({ name, parameter: { schema }, refusalsOf }) => {
    const isAllowed = ajv.compile(schema);
    fc.assert(
      fc.property(ANYTHING, (text) => {
        const value = name === "q" ? readQuery(text) : read(text, schema);
        const isTaken = value !== undefined && isAllowed(value);
        expect(refusalsOf(text)).toHaveLength(isTaken ? 0 : 1);
      }),
      { examples: ["", " ", ...NEARLY_RIGHT].map((text): [string] => [text]) },
    );
  },
);

test.each(CASES)("$path $name accepts its default and examples", ({ parameter, refusalsOf }) => {
  const { schema, description } = parameter;
  const values = [...(schema.examples ?? []), ...(schema.default === undefined ? [] : [schema.default])];
  expect(values.filter((value) => !ajv.validate(schema, value))).toEqual([]);
  expect(values.flatMap((value) => refusalsOf(toText(value)))).toEqual([]);
  expect(description).toMatch(/\.$/);
});

const RANGES = CASES.flatMap(({ parameter: { schema }, ...rest }) =>
  schema.minimum === undefined || schema.maximum === undefined
    ? []
    : [{ ...rest, minimum: schema.minimum, maximum: schema.maximum }],
);

test.each(RANGES)("$path $name goes from $minimum to $maximum", ({ name, minimum, maximum, refusalsOf }) => {
  expect(refusalsOf(String(minimum))).toEqual([]);
  expect(refusalsOf(String(maximum))).toEqual([]);
  expect(refusalsOf(String(maximum + 1))).toEqual([`${name} out_of_range`]);
});

test.each(OPERATIONS)("%s documents all its parameters and which are required", (path, schema, needed) => {
  const parameters = parametersOf(path);
  expect(parameters.map(({ name }) => name)).toEqual(Object.keys(schema.entries));
  expect(parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual(Object.keys(needed));
});

/** Orders that the routes fill in, since another is the default along a way (`nearby.test.ts`). */
const ORDERS: Readonly<Record<string, string>> = {
  "/api/maps/search": "relevance",
  "/api/maps/nearby": "distance",
};

test.each(OPERATIONS)("the documented defaults of %s are those of the server", (path, schema, needed) => {
  const parsed: Record<string, unknown> = parseQuery(schema, new URLSearchParams(needed).toString());
  const { latitude: lat, longitude: lng } = toCentre({}, REQUEST_DEFAULTS);
  const sort = ORDERS[path];
  const filledIn = { ...parsed, ...("q" in needed && { lat, lng }), ...(sort && { sort }) };
  const documented = parametersOf(path)
    .filter((parameter) => parameter.schema.default !== undefined)
    .map((parameter) => [parameter.name, parameter.schema.default]);
  const given = "lat" in needed ? { lat: Number(needed.lat), lng: Number(needed.lng) } : needed;
  expect({ ...given, ...Object.fromEntries(documented) }).toEqual(filledIn);
});
