import * as v from "valibot";
import table from "./features.json" with { type: "json" };
import { toPageLanguage, type Language } from "./localized-texts.ts";
import type { Features } from "./place-document.ts";
import { readTable, textSchema } from "../read-table.ts";
import { memoize } from "../text/memoize.ts";
import { shortHash } from "../text/short-hash.ts";

/** The field of `features` that lists a code. */
export type FeatureSection = keyof Features;

/** A feature code's section, and its labels in Vietnamese and English. */
interface FeatureEntry {
  readonly section: FeatureSection;
  readonly vi: string;
  readonly en: string;
}

const sectionSchema = v.record(
  v.pipe(
    v.string(),
    v.regex(/^[a-z]+(?:_[a-z]+)*$/, "a feature code is written in small letters: has_wi_fi"),
  ),
  v.strictObject({ vi: textSchema, en: textSchema }),
);

/**
 * The format of `features.json`: each section lists its codes with their labels. The API contract decides the
 * section: `serves_dine_in`, `has_onsite_services` and `requires_cash_only` belong to `other`.
 */
export const featuresTableSchema = v.strictObject({
  accessibility: sectionSchema,
  parking: sectionSchema,
  payments: sectionSchema,
  service_options: sectionSchema,
  other: sectionSchema,
});

const SECTIONS = readTable("src/place/document/features.json", featuresTableSchema, table);

/** The known feature codes. Records may bring other codes, which are kept unchanged. */
export const FEATURE_CODES: ReadonlyMap<string, FeatureEntry> = new Map(
  (Object.keys(SECTIONS) as FeatureSection[]).flatMap((section) =>
    Object.entries(SECTIONS[section]).map(([code, labels]) => [code, { section, ...labels }]),
  ),
);

/** A feature code in another data file. */
export const featureCodeSchema = v.pipe(
  v.string(),
  v.check(
    (code) => FEATURE_CODES.has(code),
    ({ received }) => `${received} is not a feature code of src/place/document/features.json`,
  ),
);

/** The field of `features` that lists a code; an unknown code belongs to `other`. */
export function featureSection(code: string): FeatureSection {
  return FEATURE_CODES.get(code)?.section ?? "other";
}

/** The label of a feature; an unknown code is returned as it is. */
export function featureLabel(code: string, language: Language): string {
  return FEATURE_CODES.get(code)?.[toPageLanguage(language)] ?? code;
}

/** The five sections, all empty. */
export function emptyFeatures(): Features {
  return { accessibility: [], parking: [], payments: [], service_options: [], other: [] };
}

/** The codes in their sections. */
export function sortFeatures(codes: Iterable<string>): Features {
  const features = emptyFeatures();
  for (const code of codes) features[featureSection(code)].push(code);
  return features;
}

const PACKED_SECTIONS = ["accessibility", "parking", "payments", "service_options", "other"] as const;

/** Three letters for a feature code. They depend on the code only, so the order of `features.json` does not matter. */
export const shortFeature = (code: string): string => shortHash(code, 3);

const SHORT_BY_FEATURE = new Map(Array.from(FEATURE_CODES.keys(), (code) => [code, shortFeature(code)]));
const FEATURE_BY_SHORT = new Map(Array.from(SHORT_BY_FEATURE, ([code, short]) => [short, code]));

/** An unknown code that cannot be taken for a short one. */
const PLAIN_CODE = /^[a-z\d_]{4,}$/;

/** Features as a short text: sections after `/`, codes after `,`; as JSON where a record brought codes of another form. */
export function packFeatures(features: Features): string {
  const codes = PACKED_SECTIONS.flatMap((section) => features[section]);
  if (!codes.every((code) => SHORT_BY_FEATURE.has(code) || PLAIN_CODE.test(code)))
    return JSON.stringify(PACKED_SECTIONS.map((section) => features[section]));
  return PACKED_SECTIONS.map((section) =>
    features[section].map((code) => SHORT_BY_FEATURE.get(code) ?? code).join(","),
  )
    .join("/")
    .replace(/(?<!\/)\/+$/, "");
}

/** Reads features as `packFeatures` wrote them. Many places share the same: callers must not change them. */
export const unpackFeatures = memoize((text): Features => {
  const lists = text.startsWith("[") ? (JSON.parse(text) as string[][]) : text.split("/").map(unpackCodes);
  const [accessibility = [], parking = [], payments = [], service_options = [], other = []] = lists;
  return { accessibility, parking, payments, service_options, other };
});

const unpackCodes = (text: string): string[] =>
  text === "" ? [] : text.split(",").map((code) => FEATURE_BY_SHORT.get(code) ?? code);
