import { fold, joinWords } from "../place/text/fold.ts";
import type { TypedWords } from "./reading/tokens.ts";
import type { ScoredPlace } from "./score.ts";
import { SUGGESTIONS } from "./numbers.ts";

/** Which of the places whose names a caller may be typing a short list shows. */

/** A branch is often named after its street: "Highlands Coffee - Nguyễn Huệ". */
const BRANCH_SUFFIX = / [-–—|(].*/su;

/**
 * The first place of each name, or kind where there is none, names that hold all that was typed before others. Of a chain whose branches
 * have different names, the nearest branch, until its name is typed far enough; other branches fill what is left of the list.
 */
export function firstOfEachName(
  ranked: readonly ScoredPlace[],
  { joined }: TypedWords,
  limit: number,
): readonly ScoredPlace[] {
  const complete = ranked.filter(({ match }) => match.isComplete);
  const others = ranked.filter(({ match }) => !match.isComplete);
  const named = firstOf([...complete, ...others], ({ place }) => joinWords(fold(place.title)) || place.type);
  if (joined.length >= SUGGESTIONS.lettersOfChain) return named;
  const chains = firstOf(
    named,
    ({ place }) => joinWords(fold(place.title.replace(BRANCH_SUFFIX, ""))) || place.id,
  );
  const shown = new Set(chains.slice(0, limit));
  return [...shown, ...named.filter((one) => !shown.has(one))];
}

function firstOf(
  ranked: readonly ScoredPlace[],
  keyOf: (one: ScoredPlace) => string,
): readonly ScoredPlace[] {
  const seen = new Set<string>();
  return ranked.filter((one) => {
    const key = keyOf(one);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
