import * as v from "valibot";
import { emptyFeatures, featureCodeSchema, sortFeatures } from "../../src/place/document/feature-codes.ts";
import type { Features } from "../../src/place/document/place-document.ts";
import { readTable } from "../../src/place/read-table.ts";
import table from "./feature-profiles.json" with { type: "json" };
import type { Random } from "./random.ts";

/** The form of `feature-profiles.json`: for each profile the share of places that have a feature. */
export const featureProfilesSchema = v.record(
  v.string(),
  v.record(featureCodeSchema, v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
);

const PROFILES = readTable("indexer/demo/feature-profiles.json", featureProfilesSchema, table);

/** The name of a profile. */
export type FeatureProfile = keyof typeof table;

export const FEATURE_PROFILES = Object.keys(table) as FeatureProfile[];

/** The share of places without recorded features. */
const UNKNOWN_SHARE = 0.22;

/** Draws the features of a place by the shares of its kind. Any of the five lists may be empty. */
export function drawFeatures(profile: FeatureProfile, random: Random): Features {
  if (random.chance(UNKNOWN_SHARE)) return emptyFeatures();
  const drawn = Object.entries(PROFILES[profile] ?? {}).filter(([, share]) => random.chance(share));
  return sortFeatures(drawn.map(([code]) => code));
}
