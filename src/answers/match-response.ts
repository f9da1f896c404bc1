import * as v from "valibot";
import type { PlaceSummaryDocument } from "../place/document/place-document.ts";
import { MATCH_REASONS, type MatchReason } from "../same-place/likelihood.ts";
import { locationSchema, toLocation } from "./place-fields.ts";

const about = v.description;

const share = (description: string) => v.pipe(v.number(), v.minValue(0), v.maxValue(1), about(description));

export const matchedPlaceSchema = v.pipe(
  v.strictObject({
    data_id: v.pipe(v.string(), about("Identifies the place.")),
    title: v.pipe(v.string(), about("The name of the place.")),
    location: locationSchema,
  }),
  about("The place that a record is."),
);

export const recordMatchSchema = v.pipe(
  v.strictObject({
    id: v.optional(v.pipe(v.string(), about("The `id` of the record, where it has one."))),
    match: v.pipe(
      v.nullable(matchedPlaceSchema),
      about("The likeliest place; `null` when its confidence is less than `min_confidence`."),
    ),
    confidence: share(
      "The probability that the record is the likeliest place, also where `match` is `null`; 0 without any candidate.",
    ),
    reasons: v.pipe(
      v.array(v.picklist(MATCH_REASONS)),
      about(
        "What speaks for the likeliest place and against it. `near`: at most 150 m apart, `far`: more than 1 km. `several_alike`: another place is nearly as likely.",
      ),
    ),
  }),
  about("The likeliest place of one record."),
);

export const matchAnswerSchema = v.strictObject({
  matches: v.pipe(v.array(recordMatchSchema), about("One for each record, in their order.")),
});

export type MatchAnswer = v.InferOutput<typeof matchAnswerSchema>;
export type RecordMatchAnswer = v.InferOutput<typeof recordMatchSchema>;

/** Digits after the point: more say nothing. */
const DECIMALS = 3;

interface FoundMatch {
  readonly id: string | undefined;
  readonly place?: PlaceSummaryDocument;
  readonly confidence: number;
  readonly reasons: readonly MatchReason[];
}

/** The likeliest place of a record as an element of `matches`. */
export function toRecordMatch(
  { id, place, confidence, reasons }: FoundMatch,
  minConfidence: number,
): RecordMatchAnswer {
  const isSure = place !== undefined && confidence >= minConfidence;
  return {
    ...(id !== undefined && { id }),
    match: isSure
      ? { data_id: place.data_id, title: place.title, location: toLocation(place.location) }
      : null,
    confidence: Math.floor(confidence * 10 ** DECIMALS) / 10 ** DECIMALS,
    reasons: [...reasons],
  };
}
