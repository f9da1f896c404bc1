import * as v from "valibot";

/** What a reader is told of a parameter. */
export interface Description {
  readonly description: string;
  readonly examples?: readonly unknown[];
}

/** JSON schema of a parameter as callers think of it: a number, though it arrives as text. */
export interface PublishedSchema extends Description {
  readonly type: "string" | "number" | "integer" | "boolean" | "array";
  readonly [keyword: string]: unknown;
}

/**
 * Notes in a parameter's schema what the OpenAPI document says of it, where text alone would say too little. It stands before the
 * first transformation; what comes behind one is no longer about what is sent.
 */
export const published = <Input>(
  schema: PublishedSchema,
): v.MetadataAction<Input, { published: PublishedSchema }> => v.metadata({ published: schema });
