import { FEATURE_PROFILES, type Chance, type FeatureProfile } from "./feature-profiles.ts";
import { featureSection, emptyFeatures, type FeatureSection } from "../../src/place/feature-codes.ts";
import type { Features } from "../../src/place/place-document.ts";
import type { Random } from "./random.ts";

interface SortedChance {
  readonly code: string;
  readonly share: number;
  readonly section: FeatureSection;
}

const SORTED = new Map<string, readonly SortedChance[]>(
  Object.entries<readonly Chance[]>(FEATURE_PROFILES).map(([name, chances]) => [
    name,
    chances.map(([code, share]) => ({ code, share, section: featureSection(code) })),
  ]),
);

/** Of so many places nobody has noted any features. */
const UNKNOWN_SHARE = 0.22;

/** The features of a place by the shares of its kind; five lists, any of them may be empty. */
export function drawFeatures(name: FeatureProfile, random: Random): Features {
  const features = emptyFeatures();
  if (random.chance(UNKNOWN_SHARE)) return features;
  for (const { code, share, section } of SORTED.get(name)!) {
    if (random.chance(share)) features[section].push(code);
  }
  return features;
}
