import type { OpeningWish } from "../../place/time/open-state.ts";
import type { Wishes } from "./reading.ts";
import type { PhraseSpan, Span } from "./spans.ts";

/** What a query wishes besides the kind. */

/** Of several opening wishes the one that fewer places meet counts. */
const STRICTEST_FIRST: readonly OpeningWish[] = ["24h", "late", "early", "sunday", "saturday", "now"];

/** The wishes of a query. */
export function readWishes(spans: readonly Span[]): Wishes {
  const saidAs = (wanted: "wish" | "feature"): string[][] =>
    spans
      .filter((span): span is PhraseSpan => span.role === wanted)
      .map(({ phrases }) => phrases.filter(({ role }) => role === wanted).map(({ meaning }) => meaning));
  const meanings = new Set(saidAs("wish").flat());
  const opening = STRICTEST_FIRST.find((wish) => meanings.has(`open_${wish}`));
  const price = meanings.has("cheap") ? "cheap" : meanings.has("expensive") ? "expensive" : undefined;
  // Of words with several features the first is meant.
  const features = saidAs("feature").flatMap((some) => some.slice(0, 1));
  return {
    ...(opening && { opening }),
    ...(price && { price }),
    isWellRated: meanings.has("well_rated"),
    features: [...new Set(features)],
  };
}
