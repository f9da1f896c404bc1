import * as v from "valibot";
import { emptyFeatures } from "../../src/place/document/feature-codes.ts";
import {
  type OpeningHours,
  type OpenRange,
  type PlaceDocument,
  placeDocumentSchema,
  type PositionEstimate,
} from "../../src/place/document/place-document.ts";
import type { Area } from "../../src/place/geometry/areas.ts";
import type { Coordinates } from "../../src/place/geometry/coordinates.ts";

/** Opening hours before the dates of the public holidays are known. */
export interface DraftHours extends OpeningHours {
  /**
   * The hours on a public holiday, by the weekday it falls on, Monday first. When undefined, a holiday is an
   * ordinary day.
   */
  readonly holidays?: readonly OpenRange[][];
}

/**
 * A place on its way from a source to the index. It has the fields of the document; an empty string marks a
 * field that the cleaning steps fill in (`data_id`, `country_code`, `timezone`, …).
 */
export interface PlaceDraft extends Omit<PlaceDocument, "opening_hours"> {
  readonly opening_hours: DraftHours | null;
}

/** Why a record is rejected: the field, what is wrong with it, and its value when that helps. */
export interface Rejection {
  readonly field: string;
  readonly reason: string;
  readonly value?: unknown;
}

/**
 * Notes for the report that a field could not be used as it is. Its place is still imported. `value` is the
 * original value, when that helps.
 */
export type NoteField = (field: string, kind: string, value?: unknown) => void;

/** A draft without content. Sources fill in what they know. */
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

/** The field `confirmed_on`, when the source knows the date. */
export const readConfirmedOn = (date: string | undefined): Pick<PlaceDraft, "confirmed_on"> =>
  date === undefined ? {} : { confirmed_on: date };

/** Distinguishes a rejection from a draft or any other value. */
export function isRejection(value: object): value is Rejection {
  return "reason" in value && "field" in value;
}

/**
 * Validates a cleaned draft against the schema of the place document. Only a mistake in a source or a step
 * fails here, so the reason is the schema's message.
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

/** Estimates where an address is. */
export interface AddressPoints {
  /** Adds a place with its address to what estimates are made of. */
  learn(place: Pick<PlaceDocument, "location" | "areas">): void;
  /** `undefined` where neither the house, the street nor the ward is known. */
  estimate(address: PlaceDraft["location"]["address"]): EstimatedPoint | undefined;
}

/** A point that an address probably has, and by what it was found. */
export interface EstimatedPoint extends Coordinates {
  readonly estimated_from: PositionEstimate;
}

/** What the cleaning steps may need besides the draft. */
export interface CleanContext {
  /** Estimates the points of places that have only an address (`--geocode`). Without it they are rejected. */
  readonly points?: AddressPoints | undefined;
  /** Finds the areas of `--areas` that contain a point, the narrow before the wide. */
  readonly findTeamAreas?: ((point: Coordinates) => readonly Area[]) | undefined;
  readonly note: NoteField;
  /** Rules such as "closed in winter" are evaluated for the year that begins on this date. */
  readonly today: Temporal.PlainDate;
  /** Hashes a draft before it is cleaned (`createDraftHash`). Without it, later syncs clean the place again. */
  readonly hashDraft?: ((draft: PlaceDraft) => string | undefined) | undefined;
}

/** One cleaning step: returns a better draft, or the reason to reject it. */
export type CleanStep = (draft: PlaceDraft, context: CleanContext) => PlaceDraft | Rejection;
