import * as v from "valibot";
import { MAX_SUGGESTIONS } from "../place/request-defaults.ts";
import { locationSchema, placeFields, placeIdField } from "./place-fields.ts";
import { featureCollectionSchema, type FeatureCollection } from "./geojson.ts";
import { textRangesSchema } from "./included-fields.ts";
import { areaLabel, type Area } from "../place/geometry/areas.ts";
import { toPageLanguage, type Language, type PageLanguage } from "../place/document/localized-texts.ts";
import type { PlaceSummaryDocument } from "../place/document/place-document.ts";
import { shownTitle, typeLabel } from "../place/document/type-codes.ts";

/** The response of `GET /api/maps/autocomplete`: its schema, and how a place becomes a suggestion. */

const someText = v.pipe(v.string(), v.nonEmpty());
const { latitude, longitude } = locationSchema.entries;

const matchField = {
  match: v.optional(
    v.pipe(
      v.strictObject({ value: textRangesSchema }),
      v.description("With `include=match`: which parts of `value` match the query."),
    ),
  ),
};

/** One element of `suggestions`: these fields and no others. */
export const suggestionSchema = v.strictObject({
  value: v.pipe(someText, v.description("Name of the place, for the input field.")),
  subtext: v.pipe(
    someText,
    v.description(
      "Distinguishes places with the same name: the address, or the kind of place and its approximate location.",
    ),
  ),
  latitude,
  longitude,
  data_id: placeFields.data_id,
  ...placeIdField,
  ...matchField,
  type: v.optional(v.pipe(v.literal("place"), v.description("With `include=queries`: it is a place."))),
  query: v.optional(v.pipe(someText, v.description("With `include=queries`: the text to search with."))),
});

/** An element of `suggestions` that is no place but a text to search with; only with `include=queries`. */
export const querySuggestionSchema = v.strictObject({
  type: v.pipe(
    v.picklist(["kind", "area"]),
    v.description("A kind of place, perhaps in an area, or an area alone."),
  ),
  value: v.pipe(someText, v.description("The kind or the area in the language of the request, for a list.")),
  subtext: v.pipe(someText, v.description("What it is; of an area also the larger area around it.")),
  query: v.pipe(someText, v.description("The text to search with.")),
  category: v.optional(
    v.pipe(v.string(), v.description("The type code of the kind, as `category` takes it.")),
  ),
  area: v.optional(
    v.pipe(
      v.strictObject({
        name: v.pipe(someText, v.description("The name of the area in Vietnamese.")),
        level: v.picklist(["province", "district", "ward", "neighbourhood"]),
        latitude,
        longitude,
      }),
      v.description("The area, and its centre as people see it."),
    ),
  ),
  ...matchField,
});

export const autocompleteAnswerSchema = v.strictObject({
  suggestions: v.pipe(
    v.array(v.union([suggestionSchema, querySuggestionSchema])),
    v.maxLength(MAX_SUGGESTIONS),
    v.description(
      "The places, best first. Empty when nothing matches. With `include=queries` up to half of them are kinds and areas, or more where there are few places; they come first once three letters are typed.",
    ),
  ),
});

/** The response with `format=geojson`. */
export const suggestionFeaturesSchema = featureCollectionSchema(suggestionSchema);

/** `GET /api/maps/autocomplete`; `Element` is `Suggestion` without `include=queries`. */
export interface AutocompleteAnswer {
  readonly suggestions: readonly (Suggestion | QuerySuggestion)[];
}

export type SuggestionFeatures = FeatureCollection<Suggestion>;

export type Suggestion = v.InferOutput<typeof suggestionSchema>;

export type QuerySuggestion = v.InferOutput<typeof querySuggestionSchema>;

/** A place as an element of `suggestions`. */
export function toSuggestion(place: PlaceSummaryDocument, language: Language): Suggestion {
  const { address } = place.location;
  const area = [address.ward, address.city].filter((part) => part !== "").join(", ");
  const kindAndArea =
    area === "" ? typeLabel(place.type, language) : `${typeLabel(place.type, language)} · ${area}`;
  return {
    value: shownTitle(place, language),
    subtext: address.full === "" ? kindAndArea : address.full,
    latitude: place.location.latitude,
    longitude: place.location.longitude,
    data_id: place.data_id,
    ...(place.place_id !== undefined && { place_id: place.place_id }),
  };
}

/** A kind, an area, or a kind in an area that the query may become. */
interface ShownCompletion {
  readonly kind?: string;
  readonly area?: Area;
  readonly parent?: Area;
  readonly typedBefore: string;
}

const KIND_TEXT: Readonly<Record<PageLanguage, string>> = { vi: "Loại địa điểm", en: "Kind of place" };

const LEVEL_TEXTS: Readonly<Record<Area["level"], Readonly<Record<PageLanguage, string>>>> = {
  province: { vi: "Tỉnh, thành phố", en: "Province or city" },
  district: { vi: "Quận, huyện", en: "District" },
  ward: { vi: "Phường/xã", en: "Ward" },
  neighbourhood: { vi: "Khu vực", en: "Neighbourhood" },
};

/** A kind or an area as an element of `suggestions`. The text to search with has the names that every reading knows. */
export function toQuerySuggestion(
  { kind, area, parent, typedBefore }: ShownCompletion,
  language: Language,
): QuerySuggestion {
  const category = kind !== undefined && { category: kind };
  if (area === undefined) {
    const value = typeLabel(kind ?? "", language);
    return { type: "kind", value, subtext: KIND_TEXT[toPageLanguage(language)], query: value, ...category };
  }
  const { name, level, centre } = area;
  const around = parent ? areaLabel(parent.name, language) : undefined;
  const what = kind === undefined ? LEVEL_TEXTS[level][toPageLanguage(language)] : typeLabel(kind, language);
  // "Phường 1" is in every district.
  const fullName = level === "ward" && parent ? `${name}, ${parent.name}` : name;
  return {
    type: kind === undefined ? "area" : "kind",
    value: `${typedBefore} ${areaLabel(name, language)}`.trim(),
    subtext: around === undefined ? what : `${what} · ${around}`,
    query: `${typedBefore} ${fullName}`.trim(),
    ...category,
    area: { name, level, ...centre },
  };
}
