import type * as v from "valibot";
import { isRepeatable, type PublishedSchema } from "../http/query-string.ts";
import { toJsonSchema, toJsonSchemaDefs, type ConversionConfig } from "@valibot/to-json-schema";

/** The parameters of an operation; the schema may have checks after its entries. */
interface ParametersSchema {
  readonly entries: Readonly<Record<string, v.GenericSchema>>;
}

/**
 * The query parameters that a schema parses, in OpenAPI's format. `defaults` are values that the server fills in after it has
 * parsed them.
 */
export const toParameters = ({ entries }: ParametersSchema, defaults: JsonObject = {}): JsonObject[] =>
  Object.entries(entries).map(([name, entry]) => toParameter(name, entry, defaults[name]));

function toParameter(name: string, entry: v.GenericSchema, filledIn: unknown): JsonObject {
  const { default: preset, published, ...converted } = toInputSchema(entry);
  const { description, ...plain } = (published ?? converted) as Partial<PublishedSchema>;
  const schema: Partial<PublishedSchema> = {
    ...plain,
    ...(typeof preset === "string" && { default: fromText(preset, plain.type) }),
    ...(filledIn !== undefined && { default: filledIn }),
  };
  return {
    name,
    in: "query",
    required: entry.type !== "optional",
    description,
    // A comma-separated list, as in `include=distance,periods`, or a parameter that may be repeated.
    ...(schema.type === "array" && { style: "form", explode: isRepeatable(entry) }),
    schema,
    examples: { default: { value: schema.examples?.[0] ?? schema.default } },
  };
}

/** The schemas state defaults as callers would write them: as text. */
const fromText = (text: string, type: PublishedSchema["type"] | undefined): unknown =>
  type === "number" || type === "integer" ? Number(text) : text;

export type JsonObject = Readonly<Record<string, unknown>>;

/** OpenAPI 3.1 uses JSON Schema of this draft unchanged. */
const CONFIG = {
  target: "draft-2020-12",
  // The fields' descriptions state what a check requires of two fields together.
  ignoreActions: ["check"],
  overrideRef: ({ referenceId }) => toRef(referenceId),
  overrideSchema: ({ jsonSchema }) => {
    // A field added later must not break clients that validate responses strictly against this document.
    delete jsonSchema.additionalProperties;
    return jsonSchema;
  },
} as const satisfies ConversionConfig;

export const toRef = (name: string): string => `#/components/schemas/${name}`;

/** The response schemas by name. A schema that contains another refers to it. */
export const toComponents = (schemas: Readonly<Record<string, v.GenericSchema>>): JsonObject => ({
  ...toJsonSchemaDefs(schemas, CONFIG),
});

/** The schema of a value as it is sent to the API, before any transformation. */
function toInputSchema(schema: v.GenericSchema): JsonObject {
  // How the parser transforms text is of no interest to readers. `published` adds what JSON Schema cannot see
  // there.
  const converted = toJsonSchema(schema, { ...CONFIG, typeMode: "input", errorMode: "ignore" });
  delete converted.$schema;
  return { ...converted };
}
