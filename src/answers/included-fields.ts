import * as v from "valibot";
import { periodFields, toPeriodFields } from "../place/time/opening-periods.ts";
import { readBusyness } from "../place/time/busyness.ts";
import { busynessStatus, type Language } from "../place/document/localized-texts.ts";
import { customSchema } from "../place/document/own-fields.ts";
import type { Photo, PlaceSummaryDocument } from "../place/document/place-document.ts";
import { MS_PER_SECOND } from "../place/time/time-units.ts";

/** Fields of a place that a response has only if the request asks for them with `include=`. */

const about = v.description;
const wholeNumber = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Parts of a text in UTF-16 units, in order and apart. */
export const textRangesSchema = v.pipe(
  v.array(
    v.strictObject({
      offset: v.pipe(wholeNumber, about("Start of the part.")),
      length: v.pipe(wholeNumber, v.minValue(1), about("Length of the part.")),
    }),
  ),
  about(
    "Parts of the text that match the query, in order and without overlaps, in UTF-16 units as in JavaScript, Java, C# and Dart. Empty when the match is in another field.",
  ),
);

export const explanationSchema = v.pipe(
  v.strictObject({
    text: v.pipe(v.number(), about("How well the place matches the words of the query.")),
    distance: v.pipe(v.number(), about("How near the place is.")),
    prominence: v.pipe(v.number(), about("How well known and well rated it is.")),
    score: v.pipe(v.number(), about("The sum. Results are sorted by it.")),
    parts: v.pipe(
      v.record(v.string(), v.number()),
      about("What each feature of the place adds to the sum. The page on ranking lists the features."),
    ),
  }),
  about(
    "With `include=explain`: why the place has its rank. Compare only places of one response; the scale may change.",
  ),
);

export const mediaSchema = v.pipe(
  v.strictObject({
    id: v.pipe(v.string(), about("Identifier of the picture.")),
    url: v.pipe(v.string(), about("URL of the picture.")),
    width: v.pipe(wholeNumber, about("Width in pixels; 0 when unknown.")),
    height: v.pipe(wholeNumber, about("Height in pixels; 0 when unknown.")),
  }),
  about("A picture. The URL points to the source of the data, not to this service."),
);

export const toMedia = ({ id, url, width, height }: Photo): Photo => ({ id, url, width, height });

/** The fields that each value of `include=` adds. */
export const INCLUDED_FIELDS = {
  distance: {
    distance_m: v.pipe(
      wholeNumber,
      about("With `include=distance`: whole metres from the centre of the request, as the crow flies."),
    ),
  },
  detour: {
    detour_m: v.pipe(
      v.nullable(wholeNumber),
      about(
        "With `include=detour`: whole metres from the way of `route` to the place and back, as the crow flies; `null` without `route`.",
      ),
    ),
  },
  periods: periodFields,
  explain: { explanation: explanationSchema },
  match: {
    match: v.pipe(
      v.strictObject({ title: textRangesSchema }),
      about("With `include=match`: which parts of `title` match the query."),
    ),
  },
  freshness: {
    freshness: v.pipe(
      v.strictObject({
        confirmed_on: v.pipe(
          v.nullable(v.pipe(v.string(), v.isoDate())),
          about(
            "The last date on which the source confirmed or changed the place; `null` when it does not say.",
          ),
        ),
        indexed_at: v.pipe(
          v.string(),
          v.isoTimestamp(),
          about("When this version of the place was written to the index (UTC)."),
        ),
      }),
      about("With `include=freshness`: how old the data of the place is."),
    ),
  },
  busyness: {
    busyness: v.pipe(
      v.nullable(
        v.strictObject({
          hour: v.pipe(wholeNumber, v.maxValue(23), about("The hour of the day at the place.")),
          occupancy_percent: v.pipe(
            wholeNumber,
            v.maxValue(100),
            about("How full it usually is, in percent."),
          ),
          status: v.pipe(
            v.string(),
            v.nonEmpty(),
            about("The same in words, in the language of the request."),
          ),
        }),
      ),
      about(
        "With `include=busyness`: how busy the place usually is in the hour of `open_at`, or else of now; `null` when unknown.",
      ),
    ),
  },
  version: {
    version: v.pipe(
      v.string(),
      about(
        "With `include=version`, in place detail: the version of the record. A write with it in `If-Match` changes no other version.",
      ),
    ),
  },
  photo: {
    photo: v.pipe(
      v.nullable(mediaSchema),
      about("With `include=photo`: the first picture of the place; `null` when it has none."),
    ),
  },
  names: {
    names: v.pipe(
      v.record(v.string(), v.string()),
      about("With `include=names`: the name in some languages, by their tags. Empty when none are known."),
    ),
  },
  custom: {
    custom: v.pipe(
      customSchema,
      about("With `include=custom`: the fields that the dataset has of its own. Empty without any."),
    ),
  },
} as const satisfies Record<string, v.ObjectEntries>;

/** `total` adds a field to the response itself, `queries` adds elements and `areas` a part of the address; the others add a field to each place. */
export type Included = keyof typeof INCLUDED_FIELDS | "areas" | "total" | "queries";

export const INCLUDED_NAMES = [
  ...Object.keys(INCLUDED_FIELDS),
  "areas",
  "total",
  "queries",
] as readonly Included[];

/** The names of the fields that the values of `include=` add to a place. */
export const fieldsAddedBy = (include: ReadonlySet<Included> | undefined): string[] =>
  include === undefined
    ? []
    : [
        ...Object.entries(INCLUDED_FIELDS).flatMap(([name, fields]) =>
          include.has(name as Included) ? Object.keys(fields) : [],
        ),
        ...(include.has("areas") ? ["location.address.district"] : []),
      ];

type Wire<Entries extends v.ObjectEntries> = v.InferOutput<v.StrictObjectSchema<Entries, undefined>>;
type Fields = typeof INCLUDED_FIELDS;

export type IncludedFields = Partial<
  Wire<Fields["distance"]> &
    Wire<Fields["detour"]> &
    Wire<Fields["periods"]> &
    Wire<Fields["explain"]> &
    Wire<Fields["match"]> &
    Wire<Fields["freshness"]> &
    Wire<Fields["busyness"]> &
    Wire<Fields["version"]> &
    Wire<Fields["photo"]> &
    Wire<Fields["names"]> &
    Wire<Fields["custom"]>
>;

type Explanation = Wire<Fields["explain"]>["explanation"];

/** The values of the requested fields. An absent one was not requested, or does not exist here. */
export interface Inclusions {
  readonly distanceMeters?: number;
  /** `null` without a way. */
  readonly detourMeters?: number | null;
  readonly periods?: boolean;
  readonly explanation?: Omit<Explanation, "parts"> & { readonly parts: Readonly<Record<string, number>> };
  readonly freshness?: boolean;
  readonly version?: string;
  readonly photo?: boolean;
  readonly names?: boolean;
  readonly custom?: boolean;
  /** The name of the district, which is a part of the address; empty when none is known. */
  readonly district?: string;
  /** The moment and the language of the busyness. */
  readonly busyness?: { readonly at: Temporal.Instant; readonly language: Language };
  readonly titleMatch?: v.InferOutput<typeof textRangesSchema>;
}

/** The requested fields of a place. `now` is the moment of the request. */
export function toIncludedFields(
  place: PlaceSummaryDocument,
  now: Temporal.Instant,
  {
    distanceMeters,
    detourMeters,
    periods = false,
    explanation,
    titleMatch,
    freshness,
    version,
    busyness,
    photo,
    names,
    custom,
  }: Inclusions,
): IncludedFields {
  return {
    ...(distanceMeters !== undefined && { distance_m: Math.round(distanceMeters) }),
    ...(detourMeters !== undefined && { detour_m: detourMeters && Math.round(detourMeters) }),
    ...(periods && toPeriodFields(place, now)),
    ...(explanation && { explanation: toExplanation(explanation) }),
    ...(titleMatch && { match: { title: titleMatch } }),
    ...(freshness && { freshness: toFreshness(place) }),
    ...(version !== undefined && { version }),
    ...(busyness && { busyness: toBusyness(place, busyness) }),
    ...(photo && { photo: place.first_photo ? toMedia(place.first_photo) : null }),
    ...(names && { names: place.names ?? {} }),
    ...(custom && { custom: place.custom ?? {} }),
  };
}

const toFreshness = ({ confirmed_on, indexed_at = 0 }: PlaceSummaryDocument) => ({
  confirmed_on: confirmed_on ?? null,
  indexed_at: Temporal.Instant.fromEpochMilliseconds(indexed_at * MS_PER_SECOND).toString(),
});

function toBusyness(
  place: PlaceSummaryDocument,
  { at, language }: NonNullable<Inclusions["busyness"]>,
): Wire<Fields["busyness"]>["busyness"] {
  const busyHour = readBusyness(place, at);
  if (!busyHour) return null;
  const { hour, occupancy_percent } = busyHour;
  return { hour, occupancy_percent, status: busynessStatus(occupancy_percent, language) };
}

/** Four decimals are enough to compare; more are noise. */
const round = (value: number): number => Math.round(value * 10_000) / 10_000;

function toExplanation({
  text,
  distance,
  prominence,
  score,
  parts,
}: NonNullable<Inclusions["explanation"]>): Explanation {
  return {
    text: round(text),
    distance: round(distance),
    prominence: round(prominence),
    score: round(score),
    parts: Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, round(part)])),
  };
}
