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
