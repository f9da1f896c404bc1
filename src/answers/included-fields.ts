import * as v from "valibot";
import { periodMembers, toPeriodMembers } from "../place/opening-periods.ts";
import type { PlaceSummaryDocument } from "../place/place-document.ts";

/** What an answer says of a place only when it is asked to, with `include=`. */

const about = v.description;
const wholeNumber = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Parts of a text in UTF-16 units, in order and apart. */
export const textRangesSchema = v.pipe(
  v.array(
    v.strictObject({
      offset: v.pipe(wholeNumber, about("Where the part begins.")),
      length: v.pipe(wholeNumber, v.minValue(1), about("How long it is.")),
    }),
  ),
  about(
    "Parts of the text that answer the query, in UTF-16 units (what `slice` counts in JavaScript, Java, C# and Dart), in order and apart. Empty where something else was found.",
  ),
);

export const explanationSchema = v.pipe(
  v.strictObject({
    text: v.pipe(v.number(), about("How well the words are answered.")),
    distance: v.pipe(v.number(), about("How near the place is.")),
    prominence: v.pipe(v.number(), about("How well known and well rated it is.")),
    score: v.pipe(v.number(), about("The sum, by which answers are in order.")),
  }),
  about(
    "With `include=explain`: how the place got its rank. Compares places of one answer; the scale may change.",
  ),
);

/** The members that each word of `include=` adds. */
export const INCLUDED_MEMBERS = {
  distance: {
    distance_m: v.pipe(
      wholeNumber,
      about("With `include=distance`: whole metres from the centre of the request, as the crow flies."),
    ),
  },
  periods: periodMembers,
  explain: { explanation: explanationSchema },
  match: {
    match: v.pipe(
      v.strictObject({ title: textRangesSchema }),
      about("With `include=match`: which parts of `title` answer the query."),
    ),
  },
} as const satisfies Record<string, v.ObjectEntries>;

export type Included = keyof typeof INCLUDED_MEMBERS;

export const INCLUDED_NAMES = Object.keys(INCLUDED_MEMBERS) as readonly Included[];

type Wire<Entries extends v.ObjectEntries> = v.InferOutput<v.StrictObjectSchema<Entries, undefined>>;
type Members = typeof INCLUDED_MEMBERS;

export type IncludedMembers = Partial<
  Wire<Members["distance"]> & Wire<Members["periods"]> & Wire<Members["explain"]> & Wire<Members["match"]>
>;

type Explanation = Wire<Members["explain"]>["explanation"];

/** What was asked for; an absent member was not, or cannot be told here. */
export interface Inclusions {
  readonly distanceMeters?: number;
  readonly periods?: boolean;
  readonly explanation?: Explanation;
  readonly titleMatch?: v.InferOutput<typeof textRangesSchema>;
}

/** The members that were asked for. `now` is the moment of the request. */
export function toIncludedMembers(
  place: PlaceSummaryDocument,
  now: Temporal.Instant,
  { distanceMeters, periods = false, explanation, titleMatch }: Inclusions,
): IncludedMembers {
  return {
    ...(distanceMeters !== undefined && { distance_m: Math.round(distanceMeters) }),
    ...(periods && toPeriodMembers(place, now)),
    ...(explanation && { explanation: toExplanation(explanation) }),
    ...(titleMatch && { match: { title: titleMatch } }),
  };
}

/** Four decimals tell apart what differs; more are noise. */
const round = (value: number): number => Math.round(value * 10_000) / 10_000;

function toExplanation({ text, distance, prominence, score }: Explanation): Explanation {
  return {
    text: round(text),
    distance: round(distance),
    prominence: round(prominence),
    score: round(score),
  };
}
