import * as answer from "../place/answer-members.ts";
import {
  autocompleteAnswerSchema,
  placeAnswerSchema,
  placeResultSchema,
  searchAnswerSchema,
  searchResultSchema,
} from "../place/answers.ts";
import { gallerySchema, mediaSchema, popularDaySchema, reviewSchema } from "../place/detail-members.ts";
import { explanationSchema, textRangesSchema } from "../place/included-members.ts";
import { openingPeriodSchema, specialDaySchema } from "../place/opening-periods.ts";
import { suggestionSchema } from "../place/suggestion.ts";
import { parameterProblemSchema, problemBodySchema } from "../middleware/problem-body.ts";
import { usageAnswerSchema } from "../routes/usage.ts";
import { livenessSchema, readinessSchema } from "../routes/health.ts";

/** The schemas that have a name in the document, which is also the name of a type in clients made from it. */
export const SCHEMAS = {
  SearchAnswer: searchAnswerSchema,
  SearchResult: searchResultSchema,
  PlaceAnswer: placeAnswerSchema,
  PlaceResult: placeResultSchema,
  AutocompleteAnswer: autocompleteAnswerSchema,
  Suggestion: suggestionSchema,
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
  UsageAnswer: usageAnswerSchema,
  Problem: problemBodySchema,
  ParameterProblem: parameterProblemSchema,
  Liveness: livenessSchema,
  Readiness: readinessSchema,
} as const;

export type SchemaName = keyof typeof SCHEMAS;
