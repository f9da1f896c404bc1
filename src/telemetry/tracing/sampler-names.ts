/** Which requests are traced, in OpenTelemetry's own words. `parentbased`: as the caller's trace says, where there is one. */
export const SAMPLER_NAMES = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

export type SamplerName = (typeof SAMPLER_NAMES)[number];
