import * as v from "valibot";

/** A thing of OpenStreetMap with one point that stands for it. */
export interface OsmElement {
  /** `node/123`, `way/123`, `relation/123`; another stable name where the export lost it. */
  readonly id: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly tags: OsmTags;
}

/** Keys and values as mappers wrote them. Read it with `tagOf`: a key such as `constructor` is on every object. */
export type OsmTags = Readonly<Record<string, string>>;

/** A tag in a data file. */
export const tagSchema = v.pipe(
  v.string(),
  v.regex(/^[^= ]+=[^= ]+$/, "a tag is written key=value, without spaces"),
);

/** The first of the keys that has a value. */
export function tagOf(tags: OsmTags, ...keys: string[]): string | undefined {
  for (const key of keys) {
    const value = Object.hasOwn(tags, key) ? tags[key]?.trim() : undefined;
    if (value) return value;
  }
  return undefined;
}

/** The tags of an export that may hold numbers, truth values and, for tags of other features, nulls. */
export function toTags(values: unknown): OsmTags {
  if (typeof values !== "object" || values === null) return {};
  const texts = Object.entries(values).flatMap(([key, value]: [string, unknown]) =>
    typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? [[key, String(value)]]
      : [],
  );
  return Object.fromEntries(texts) as OsmTags;
}
