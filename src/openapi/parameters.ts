import type * as v from "valibot";
import type { PublishedSchema } from "../routes/published.ts";
import { toInputSchema, type JsonObject } from "./json-schema.ts";

/** The parameters of an operation, or what such a schema has checks behind. */
interface ParametersSchema {
  readonly entries: Readonly<Record<string, v.GenericSchema>>;
}

/** The query parameters that a schema parses, as OpenAPI has them. */
export const toParameters = ({ entries }: ParametersSchema): JsonObject[] =>
  Object.entries(entries).map(([name, entry]) => toParameter(name, entry));

function toParameter(name: string, entry: v.GenericSchema): JsonObject {
  const { default: preset, published, ...converted } = toInputSchema(entry);
  const { description, ...schema } = (published ?? converted) as Partial<PublishedSchema>;
  return {
    name,
    in: "query",
    required: entry.type !== "optional",
    description,
    // A comma list, as in `include=distance,periods`.
    ...(schema.type === "array" && { style: "form", explode: false }),
    schema: { ...schema, ...(typeof preset === "string" && { default: fromText(preset, schema.type) }) },
  };
}

/** Defaults stand in the schemas as callers would write them: as text. */
const fromText = (text: string, type: PublishedSchema["type"] | undefined): unknown =>
  type === "number" || type === "integer" ? Number(text) : text;
