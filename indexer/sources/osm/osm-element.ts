import * as v from "valibot";

/** An OpenStreetMap element, represented by one point. */
export interface OsmElement {
  /** `node/123`, `way/123` or `relation/123`; another stable name when the export lacks the id. */
  readonly id: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly tags: OsmTags;
}

/**
 * Keys and values as mappers wrote them. Read them with `tagOf`: every object has keys such as `constructor`.
 */
export type OsmTags = Readonly<Record<string, string>>;

/** A tag in a data file. */
export const tagSchema = v.pipe(
  v.string(),
  v.regex(/^[^= ]+=[^= ]+$/, "a tag is written key=value, without spaces"),
);

/** The value of the first key that has one. */
export function tagOf(tags: OsmTags, ...keys: string[]): string | undefined {
  for (const key of keys) {
    const value = Object.hasOwn(tags, key) ? tags[key]?.trim() : undefined;
    if (value) return value;
  }
  return undefined;
}

/**
 * Converts the tags of an export, which may contain numbers, booleans and, for tags of other features, nulls.
 */
export function toTags(values: unknown): OsmTags {
  if (typeof values !== "object" || values === null) return {};
  const texts = Object.entries(values).flatMap(([key, value]: [string, unknown]) =>
    typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? [[key, String(value)]]
      : [],
  );
  return Object.fromEntries(texts) as OsmTags;
}
