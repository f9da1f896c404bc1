import * as v from "valibot";
import { emptyFeatures } from "../../src/place/feature-codes.ts";
import {
  type OpeningHours,
  type OpenRange,
  type PlaceDocument,
  placeDocumentSchema,
} from "../../src/place/place-document.ts";
import { dayName } from "../../src/place/localized-texts.ts";
import { formatOpeningRanges } from "../../src/place/opening-hours.ts";
import type { TeamAreas } from "./area-files.ts";
import { hasPart } from "./address.ts";

/** Opening hours before it is known when the public holidays of the place are. */
export interface DraftHours extends OpeningHours {
  /** What holds on a public holiday, by the weekday it falls on, Monday first. Absent: a holiday is a day like any other. */
  readonly holidays?: readonly OpenRange[][];
}

/**
 * A place on its way from a source to the index: the fields of the document, where an empty string still stands for
 * what the cleaning steps find out (`data_id`, `country_code`, `timezone`, …).
 */
export interface PlaceDraft extends Omit<PlaceDocument, "opening_hours"> {
  readonly opening_hours: DraftHours | null;
}

/** Why a record is refused: the field that is wrong, what is wrong with it, and its value when that helps. */
export interface Rejection {
  readonly field: string;
  readonly reason: string;
  readonly value?: unknown;
}

/**
 * Tells the report of a field that could not be used as it is, while its place goes on without it; `value` is what stood
 * there, when that helps.
 */
export type NoteField = (field: string, kind: string, value?: unknown) => void;

/** The draft that lacks everything; sources fill in what they know. */
export function emptyDraft(): PlaceDraft {
  return {
    data_id: "",
    source: "",
    source_id: "",
    title: "",
    alternate_names: [],
    type: "PLACE",
    rating: 0,
    reviews: 0,
    pricing: { min: 0, max: 0 },
    contacts: { phone: "", website: "" },
    location: {
      address: { full: "", street: "", ward: "", city: "", country: "" },
      latitude: Number.NaN,
      longitude: Number.NaN,
      timezone: "",
      country_code: "",
    },
    business_status: "operational",
    opening_hours: null,
    features: emptyFeatures(),
    description: "",
    popular_times: [],
    review_list: [],
    photos: [],
  };
}

/** Tells a refusal from a draft or any other value. */
export function isRejection(value: object): value is Rejection {
  return "reason" in value && "field" in value;
}

/**
 * The last look before the index: a cleaned draft that the schema of the place document accepts. Only a mistake of a source
 * or a step ends here, so the reason is the schema's own.
 */
export function toValidDocument(draft: PlaceDraft): PlaceDocument | Rejection {
  const checked = v.safeParse(placeDocumentSchema, draft, { abortEarly: true });
  if (checked.success) return checked.output;
  const [issue] = checked.issues;
  return {
    field: (v.getDotPath(issue) ?? "record").replaceAll(/\.\d+/g, "[]"),
    reason: `the place document requires ${issue.expected ?? "something else"}`,
    value: issue.received,
  };
}

/** A place in the native format (docs/data-format.md): an import of it makes the same document again. */
export function toNativeRecord(place: PlaceDocument): object {
  const { opening_hours: hours, popular_times: busyness, areas, has_estimated_areas: _, ...rest } = place;
  const { location } = rest;
  return {
    ...rest,
    ...(areas && { location: { ...location, address: withoutAreas(location.address) } }),
    ...(hours && { opening_hours: toWeek(hours) }),
    ...(hours && hours.special_days.length > 0 && { special_days: toSpecialDays(hours) }),
    popular_times: toPopularTimes(busyness),
  };
}

/**
 * Without the ward and city that come from the areas (`fillAreas`), and that an import fills in again: given ones are also in
 * the whole address (`completeAddress`).
 */
function withoutAreas(address: PlaceDocument["location"]["address"]): PlaceDocument["location"]["address"] {
  const given = (part: string): string => (hasPart(address.full, part) ? part : "");
  return { ...address, ward: given(address.ward), city: given(address.city) };
}

/** Seven empty texts would mean that the hours are unknown: a week without any hour is written out. */
const CLOSED = "closed";

function toWeek({ week }: OpeningHours): { day: string; hours: string }[] {
  const isAlwaysClosed = week.every((ranges) => ranges.length === 0);
  const format = (ranges: readonly OpenRange[]): string =>
    isAlwaysClosed ? CLOSED : formatOpeningRanges(ranges);
  return week.map((ranges, index) => ({ day: dayName(index, "vi"), hours: format(ranges) }));
}

const toSpecialDays = ({ special_days: days }: OpeningHours): { date: string; hours: string }[] =>
  days.map(({ date, ranges }) => ({ date, hours: formatOpeningRanges(ranges) }));

const toPopularTimes = (days: PlaceDocument["popular_times"]) =>
  days.map((hours, index) => ({ day: dayName(index, "vi"), hours }));

export interface CleanContext {
  /** The areas of `--areas` that a point lies in, the narrow before the wide. */
  readonly findTeamAreas?: TeamAreas["find"] | undefined;
  readonly note: NoteField;
  /** Rules such as "closed in winter" are read for the year that begins here. */
  readonly today: Temporal.PlainDate;
}

/** One step of the cleaning: a better draft, or why there can be no place. */
export type CleanStep = (draft: PlaceDraft, context: CleanContext) => PlaceDraft | Rejection;
