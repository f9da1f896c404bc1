import type { OpeningWish } from "../../place/time/open-state.ts";
import type { Phrase } from "../vocabulary/vocabulary.ts";
import type { Wishes } from "./reading.ts";
import { range, type PhraseSpan, type Span } from "./spans.ts";
import { phrasesAt, type Asked } from "./tokens.ts";

/** What a query wishes besides the kind. */

/** The wishes of a query. */
export function readWishes(asked: Asked, spans: readonly Span[]): Wishes {
  const phrases = spans.filter((span) => span.role !== "area" && span.role !== "chain");
  const wishes = phrases.filter(({ role }) => role === "wish" || role === "feature");
  const kinds = phrases.filter(({ role }) => role === "kind");
  return toWishes([...wishes, ...wishesInKinds(asked, kinds)]);
}

/** "Night market" is no market that is open at night: only wishes that say how dear or how good count inside a kind. */
const INNER_WISHES: ReadonlySet<string> = new Set(["cheap", "expensive", "well_rated", "open_24h"]);

/** A late meal is no kind of restaurant: "chỗ ăn khuya" wishes a late hour too. */
const isLateMeal = ({ meaning, language }: Phrase, { phrases }: PhraseSpan): boolean =>
  meaning === "open_late" && language === "vi" && phrases.some(({ codes }) => codes[0] === "RESTAURANT");

/** The wishes in words that are known as a whole: "khách sạn giá rẻ" is a kind, and wishes a low price too. */
function wishesInKinds(asked: Asked, kindSpans: readonly PhraseSpan[]): PhraseSpan[] {
  const meaningsAt = (start: number, end: number, role: Span["role"]) =>
    phrasesAt(asked, start, end).filter((phrase) => phrase.role === role);
  return kindSpans.flatMap((kind) => {
    const { start, end } = kind;
    return range(start + 1, end).flatMap((cut): PhraseSpan[] => {
      const phrases = meaningsAt(cut, end, "wish").filter(
        (phrase) => INNER_WISHES.has(phrase.meaning) || isLateMeal(phrase, kind),
      );
      if (phrases.length === 0 || meaningsAt(start, cut, "kind").length === 0) return [];
      return [{ start: cut, end, role: "wish", score: 0, phrases }];
    });
  });
}

/** Of several opening wishes the one that fewer places meet counts. */
const STRICTEST_FIRST: readonly OpeningWish[] = ["24h", "late", "early", "sunday", "saturday", "now"];

function toWishes(spans: readonly PhraseSpan[]): Wishes {
  const meanings = new Set(
    spans.flatMap(({ role, phrases }) =>
      phrases.filter((phrase) => phrase.role === role).map(({ meaning }) => meaning),
    ),
  );
  const opening = STRICTEST_FIRST.find((wish) => meanings.has(`open_${wish}`));
  const price = meanings.has("cheap") ? "cheap" : meanings.has("expensive") ? "expensive" : undefined;
  const features = spans
    .filter(({ role }) => role === "feature")
    .flatMap(({ phrases }) => phrases.slice(0, 1).map(({ meaning }) => meaning));
  return {
    ...(opening && { opening }),
    ...(price && { price }),
    isWellRated: meanings.has("well_rated"),
    features: [...new Set(features)],
  };
}
