import * as v from "valibot";
import { FEATURE_CODES, featureCodeSchema, sortFeatures } from "../../../src/place/document/feature-codes.ts";
import type { Features } from "../../../src/place/document/place-document.ts";
import { readTable, textSchema } from "../../../src/place/read-table.ts";
import { fold } from "../../../src/place/text/fold.ts";
import type { NoteField } from "../../clean/place-draft.ts";
import table from "./attributes.json" with { type: "json" };

/** The names in Google Maps for each feature code. */
const namesSchema = v.record(featureCodeSchema, v.array(textSchema));

/**
 * The form of `attributes.json`, in English and Vietnamese; case, marks and hyphens do not matter. It leaves
 * out our labels of a code (src/place/document/features.json), the code itself, and the code without its verb:
 * `dine_in` for `serves_dine_in`. `bySection` holds names that have another meaning in one section.
 */
export const attributesSchema = v.strictObject({
  attributes: namesSchema,
  bySection: v.record(v.string(), namesSchema),
});

const ATTRIBUTES = readTable("indexer/sources/google/attributes.json", attributesSchema, table);

/** One attribute of a place, in a section of Google's page ("service_options", "Service options"). */
export interface Attribute {
  readonly section: string;
  readonly name: string;
}

const toKey = (name: string): string => fold(name).replaceAll(" ", "_");

/** `serves_dine_in` → `dine_in`: the verb at the beginning of a code. */
const CODE_VERB = /^(?:has|serves|pay|accepts|requires|feels|welcomes|allows|suitable_for)_/;

/** Our words first, then Google's. When two codes share a label, the first one counts. */
const CODE_OF_NAME: ReadonlyMap<string, string> = new Map([
  ...[...FEATURE_CODES]
    .toReversed()
    .flatMap(([code, { vi, en }]) =>
      [code.replace(CODE_VERB, ""), vi, en, code].map((name) => [toKey(name), code] as const),
    ),
  ...codesByName(ATTRIBUTES.attributes),
]);

const CODE_OF_SECTION: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(ATTRIBUTES.bySection).map(([section, names]) => [section, new Map(codesByName(names))]),
);

function codesByName(table: v.InferOutput<typeof namesSchema>): (readonly [string, string])[] {
  return Object.entries(table).flatMap(([code, names]) => names.map((name) => [toKey(name), code] as const));
}

/** Finds the feature codes of the attributes, by section. Notes each unknown name. */
export function featuresOf(attributes: readonly Attribute[], note: NoteField): Features {
  const codes = new Set<string>();
  for (const { section, name } of attributes) {
    const code = codeOf(section, name);
    if (code === undefined) note(`features: ${name}`, "no feature code for it, dropped");
    else codes.add(code);
  }
  return sortFeatures(codes);
}

/** Google's ids end in the code: `/geo/type/establishment_poi/has_takeout`. */
function codeOf(section: string, name: string): string | undefined {
  const key = toKey(name.slice(name.lastIndexOf("/geo/type/") === -1 ? 0 : name.lastIndexOf("/") + 1));
  return CODE_OF_SECTION.get(toKey(section))?.get(key) ?? CODE_OF_NAME.get(key);
}
