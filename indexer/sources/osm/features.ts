import * as v from "valibot";
import { featureCodeSchema, sortFeatures } from "../../../src/place/document/feature-codes.ts";
import type { Features } from "../../../src/place/document/place-document.ts";
import { readTable } from "../../../src/place/read-table.ts";
import table from "./features.json" with { type: "json" };
import { tagOf, tagSchema, type OsmTags } from "./osm-element.ts";

/**
 * The form of `features.json`: the tags for each feature code, as `key=value`. `yes` includes `only`. One tag
 * may belong to several codes.
 */
export const osmFeaturesSchema = v.record(featureCodeSchema, v.array(tagSchema));

const FEATURE_TAGS = readTable("indexer/sources/osm/features.json", osmFeaturesSchema, table);

/** `takeaway=yes` → its feature codes. */
const ENTRIES_OF_TAG = Map.groupBy(
  Object.entries(FEATURE_TAGS).flatMap(([code, tags]) => tags.map((tag) => ({ tag, code }))),
  ({ tag }) => tag,
);

/** Finds the feature codes of the tags, by section. */
export function featuresOf(tags: OsmTags): Features {
  const codes = new Set(Object.entries(tags).flatMap(([key, value]) => codesOf(key, value)));
  if (codes.has("has_wi_fi") && tagOf(tags, "internet_access:fee") === "no") codes.add("has_free_wifi");
  return sortFeatures(codes);
}

function codesOf(key: string, value: string): string[] {
  const tags = value === "only" ? [`${key}=only`, `${key}=yes`] : [`${key}=${value}`];
  return tags.flatMap((tag) => ENTRIES_OF_TAG.get(tag) ?? []).map(({ code }) => code);
}
