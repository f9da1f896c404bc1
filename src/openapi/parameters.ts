import type * as v from "valibot";
import type { PublishedSchema } from "../http/query-string.ts";
import { toJsonSchema, toJsonSchemaDefs, type ConversionConfig } from "@valibot/to-json-schema";

/** The parameters of an operation, or what such a schema has checks behind. */
interface ParametersSchema {
  readonly entries: Readonly<Record<string, v.GenericSchema>>;
}

/** The query parameters that a schema parses, as OpenAPI has them. */
export const toParameters = ({ entries }: ParametersSchema): JsonObject[] =>
  Object.entries(entries).map(([name, entry]) => toParameter(name, entry));

/** What a reader tries first: a text and a place. All else stays out of the request until it is ticked. */
const TRIED_FIRST: ReadonlySet<string> = new Set(["q", "data_id", "lat", "lng"]);

function toParameter(name: string, entry: v.GenericSchema): JsonObject {
  const { default: preset, published, ...converted } = toInputSchema(entry);
  const { description, ...plain } = (published ?? converted) as Partial<PublishedSchema>;
  const schema: Partial<PublishedSchema> = {
    ...plain,
    ...(typeof preset === "string" && { default: fromText(preset, plain.type) }),
  };
  return {
    name,
    in: "query",
    required: entry.type !== "optional",
    description,
    // A comma list, as in `include=distance,periods`.
    ...(schema.type === "array" && { style: "form", explode: false }),
    schema,
    examples: { default: toExample(name, schema) },
  };
}

/** `x-disabled` is how the renderer of /docs is told to show an example without sending it. */
const toExample = (name: string, { examples, default: preset }: Partial<PublishedSchema>): JsonObject => ({
  value: examples?.[0] ?? preset,
  ...(!TRIED_FIRST.has(name) && { "x-disabled": true }),
});

/** Defaults stand in the schemas as callers would write them: as text. */
const fromText = (text: string, type: PublishedSchema["type"] | undefined): unknown =>
  type === "number" || type === "integer" ? Number(text) : text;

export type JsonObject = Readonly<Record<string, unknown>>;

/** OpenAPI 3.1 takes JSON schema of this draft as it is. */
const CONFIG = {
  target: "draft-2020-12",
  // What a check says of two members together stands in their descriptions.
  ignoreActions: ["check"],
  overrideRef: ({ referenceId }) => toRef(referenceId),
  overrideSchema: ({ jsonSchema }) => {
    // A member that is added one day must not break who reads answers strictly by this document.
    delete jsonSchema.additionalProperties;
    return jsonSchema;
  },
} as const satisfies ConversionConfig;

export const toRef = (name: string): string => `#/components/schemas/${name}`;

/** The schemas of answers by name; where one holds another of them it refers to it. */
export const toComponents = (schemas: Readonly<Record<string, v.GenericSchema>>): JsonObject => ({
  ...toJsonSchemaDefs(schemas, CONFIG),
});

/** Schema of one thing that is sent to the API, before any transformation. */
function toInputSchema(schema: v.GenericSchema): JsonObject {
  // What the parser does with text is no concern of the reader: `published` says what JSON schema cannot see there.
  const converted = toJsonSchema(schema, { ...CONFIG, typeMode: "input", errorMode: "ignore" });
  delete converted.$schema;
  return { ...converted };
}
