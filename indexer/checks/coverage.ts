import type { Coverage } from "../../src/place/document/coverage.ts";

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
  return Object.keys(live.counts).flatMap((field) => {
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
