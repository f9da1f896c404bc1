import type { PlaceDocument } from "../../src/place/place-document.ts";

/** The optional fields of a place, by their names in the report. */
const FIELDS: Readonly<Record<string, (place: PlaceDocument) => boolean>> = {
  "a type other than PLACE": ({ type }) => type !== "PLACE",
  "an address": ({ location }) => location.address.full !== "",
  "a street": ({ location }) => location.address.street !== "",
  "a phone number": ({ contacts }) => contacts.phone !== "",
  "a website": ({ contacts }) => contacts.website !== "",
  "opening hours": ({ opening_hours: hours }) => hours !== null,
  "a rating": ({ rating }) => rating > 0,
  prices: ({ pricing }) => pricing.max > 0,
  "other names": ({ alternate_names: names }) => names.length > 0,
  features: ({ features }) => Object.values(features).some((codes) => codes.length > 0),
  "a description": ({ description }) => description !== "",
  reviews: ({ review_list: reviews }) => reviews.length > 0,
  photos: ({ photos }) => photos.length > 0,
};

/** How many places of a sample have each field. */
export interface Coverage {
  readonly places: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** Counts which fields the places have. */
export function coverageOf(places: readonly PlaceDocument[]): Coverage {
  const counts = Object.entries(FIELDS).map(([field, has]) => [field, places.filter(has).length]);
  return { places: places.length, counts: Object.fromEntries(counts) as Record<string, number> };
}

/**
 * Between two releases of a source, shares move by a few percent. A broken mapping loses a field in all
 * places of its source. Even a smaller one of several merged sources has about a quarter of the places.
 */
const MAX_RELATIVE_FALL = 0.25;

/** Chance alone causes a difference this large about once in a hundred comparisons of all fields. */
const STANDARD_ERRORS = 3;

/**
 * Describes the fields that far fewer places have than before: `12 % of its places have a phone number, of
 * the live index's 61 %`.
 */
export function findCollapsedFields(live: Coverage, next: Coverage): string[] {
  return Object.keys(FIELDS).flatMap((field) => {
    const before = shareOf(live, field);
    const after = shareOf(next, field);
    if (!hasFallen(before, after, MAX_RELATIVE_FALL * before.share)) return [];
    return [
      `${percent(after.share)} of its places have ${field}, of the live index's ${percent(before.share)}`,
    ];
  });
}

/** A count out of a total. */
export interface Share {
  readonly share: number;
  readonly of: number;
}

const shareOf = ({ places, counts }: Coverage, field: string): Share => ({
  share: places === 0 ? 0 : (counts[field] ?? 0) / places,
  of: places,
});

/**
 * Whether a share fell by more than the tolerance, and by more than chance explains for samples of these
 * sizes.
 */
export function hasFallen(before: Share, after: Share, tolerance: number): boolean {
  if (before.of === 0 || after.of === 0) return false;
  const pooled = (before.share * before.of + after.share * after.of) / (before.of + after.of);
  const standardError = Math.sqrt(pooled * (1 - pooled) * (1 / before.of + 1 / after.of));
  const fall = before.share - after.share;
  return fall > tolerance && fall > STANDARD_ERRORS * standardError;
}

/**
 * Formats a share as `61 %`. Within one percent of 0 or 100 it has one more digit, so that it does not read
 * as none or all.
 */
export function percent(share: number): string {
  const value = share * 100;
  const isNearEnd = (value > 0 && value < 1) || (value > 99 && value < 100);
  return `${isNearEnd ? value.toFixed(1) : Math.round(value)} %`;
}
