import { photonAnswerSchema } from "../answers/photon-response.ts";
import * as answer from "../answers/place-fields.ts";
import { autocompleteAnswerSchema } from "../answers/autocomplete-response.ts";
import {
  placeAnswerSchema,
  placeFeatureSchema,
  placeResultSchema,
  placesAnswerSchema,
  placesFeaturesSchema,
  requestedPlaceSchema,
} from "../answers/place-response.ts";
import {
  nearbyAnswerSchema,
  nearbyFeaturesSchema,
  searchAnswerSchema,
  searchFeaturesSchema,
  searchResultSchema,
} from "../answers/search-response.ts";
import {
  reverseAnswerSchema,
  reverseFeaturesSchema,
  reverseResultSchema,
} from "../answers/reverse-response.ts";
import { pointSchema } from "../answers/geojson.ts";
import { suggestionFeaturesSchema } from "../answers/autocomplete-response.ts";
import { gallerySchema, popularDaySchema, reviewSchema } from "../answers/place-response.ts";
import { explanationSchema, mediaSchema, textRangesSchema } from "../answers/included-fields.ts";
import { openingPeriodSchema, specialDaySchema } from "../place/time/opening-periods.ts";
import { querySuggestionSchema, suggestionSchema } from "../answers/autocomplete-response.ts";
import { matchAnswerSchema, matchedPlaceSchema, recordMatchSchema } from "../answers/match-response.ts";
import { matchedRecordSchema, matchRequestSchema } from "../http/match-request.ts";
import { parameterProblemSchema, problemBodySchema } from "../answers/problem.ts";
import { kindsAnswerSchema, kindSchema } from "../answers/kinds.ts";
import { statusAnswerSchema } from "../answers/status.ts";
import { writeAnswerSchema, writeResultSchema } from "../answers/write-response.ts";
import { usageAnswerSchema } from "../answers/usage.ts";
import { livenessSchema, readinessSchema } from "../http/routes/health.ts";

/** The named schemas of the document. Generated clients use the same names for their types. */
export const SCHEMAS = {
  SearchAnswer: searchAnswerSchema,
  SearchResult: searchResultSchema,
  NearbyAnswer: nearbyAnswerSchema,
  NearbyFeatures: nearbyFeaturesSchema,
  ReverseAnswer: reverseAnswerSchema,
  ReverseFeatures: reverseFeaturesSchema,
  ReverseResult: reverseResultSchema,
  PlaceAnswer: placeAnswerSchema,
  PlaceResult: placeResultSchema,
  PlacesAnswer: placesAnswerSchema,
  RequestedPlace: requestedPlaceSchema,
  PlacesFeatures: placesFeaturesSchema,
  KindsAnswer: kindsAnswerSchema,
  Kind: kindSchema,
  AutocompleteAnswer: autocompleteAnswerSchema,
  Suggestion: suggestionSchema,
  QuerySuggestion: querySuggestionSchema,
  SearchFeatures: searchFeaturesSchema,
  PlaceFeature: placeFeatureSchema,
  SuggestionFeatures: suggestionFeaturesSchema,
  Point: pointSchema,
  Pricing: answer.pricingSchema,
  Contacts: answer.contactsSchema,
  Location: answer.locationSchema,
  Address: answer.addressSchema,
  OpenState: answer.openStateSchema,
  DayHours: answer.dayHoursSchema,
  Features: answer.featuresSchema,
  OpeningPeriod: openingPeriodSchema,
  SpecialDay: specialDaySchema,
  Explanation: explanationSchema,
  TextRanges: textRangesSchema,
  PopularDay: popularDaySchema,
  Review: reviewSchema,
  Gallery: gallerySchema,
  Media: mediaSchema,
  PhotonAnswer: photonAnswerSchema,
  MatchRequest: matchRequestSchema,
  MatchedRecord: matchedRecordSchema,
  MatchAnswer: matchAnswerSchema,
  RecordMatch: recordMatchSchema,
  MatchedPlace: matchedPlaceSchema,
  WriteAnswer: writeAnswerSchema,
  WriteResult: writeResultSchema,
  UsageAnswer: usageAnswerSchema,
  StatusAnswer: statusAnswerSchema,
  Problem: problemBodySchema,
  ParameterProblem: parameterProblemSchema,
  Liveness: livenessSchema,
  Readiness: readinessSchema,
} as const;

export type SchemaName = keyof typeof SCHEMAS;
