import type { PlaceDocument } from "../../src/place/place-document.ts";

/** What a place may or may not have, by the name it has in the report. */
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

/** How many of some places have each field. */
export interface Coverage {
  readonly places: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** Counts what the places have. */
export function coverageOf(places: readonly PlaceDocument[]): Coverage {
  const counts = Object.entries(FIELDS).map(([field, has]) => [field, places.filter(has).length]);
  return { places: places.length, counts: Object.fromEntries(counts) as Record<string, number> };
}

/**
 * From one release of a source to the next shares move by a few percent. A mapping that broke loses a field in all places of
 * its source; where several sources were joined even a smaller one has about a quarter.
 */
const MAX_RELATIVE_FALL = 0.25;

/** Chance alone makes a difference this large once in some hundred comparisons of all fields. */
const STANDARD_ERRORS = 3;

/** The fields that far fewer places have than had them, in words: `12 % of its places have a phone number, of the live index's 61 %`. */
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

/** A share of a number of things that were looked at. */
export interface Share {
  readonly share: number;
  readonly of: number;
}

const shareOf = ({ places, counts }: Coverage, field: string): Share => ({
  share: places === 0 ? 0 : (counts[field] ?? 0) / places,
  of: places,
});

/** Whether a share fell by more than this, and by more than samples of such sizes differ by chance. */
export function hasFallen(before: Share, after: Share, tolerance: number): boolean {
  if (before.of === 0 || after.of === 0) return false;
  const pooled = (before.share * before.of + after.share * after.of) / (before.of + after.of);
  const standardError = Math.sqrt(pooled * (1 - pooled) * (1 / before.of + 1 / after.of));
  const fall = before.share - after.share;
  return fall > tolerance && fall > STANDARD_ERRORS * standardError;
}

/** `61 %`; within one percent of nothing or of everything with a digit more, so that they are not read as that. */
export function percent(share: number): string {
  const value = share * 100;
  const isNearEnd = (value > 0 && value < 1) || (value > 99 && value < 100);
  return `${isNearEnd ? value.toFixed(1) : Math.round(value)} %`;
}
