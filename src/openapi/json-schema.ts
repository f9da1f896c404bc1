import { toJsonSchema, toJsonSchemaDefs, type ConversionConfig } from "@valibot/to-json-schema";
import type * as v from "valibot";

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
export function toInputSchema(schema: v.GenericSchema): JsonObject {
  // What the parser does with text is no concern of the reader: `published` says what JSON schema cannot see there.
  const converted = toJsonSchema(schema, { ...CONFIG, typeMode: "input", errorMode: "ignore" });
  delete converted.$schema;
  return { ...converted };
}
