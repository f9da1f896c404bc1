import {
  MAX_NAME_BEGINNING,
  MAX_WORD_BEGINNING,
  NAME_BEGINNINGS,
  type PlaceFilter,
} from "../meilisearch/place-index.ts";
import { firstLetters, fold, joinWords } from "../place/text/fold.ts";
import type { Asked, Want } from "./intents.ts";
import type { TypedWords } from "./reading/tokens.ts";
import type { ScoredPlace } from "./score.ts";
import type { Where } from "./search-context.ts";
import { SUGGESTIONS } from "./numbers.ts";

/** The places whose names a caller may be typing: what to look up for them, and which of them a short list shows. */

/** What names may be meant by their beginning: the nearest that begin so, the best known, and later words that begin so. */
export function beginningWants(
  { words: typed, joined }: TypedWords,
  { lexicon, wanted }: Asked,
  where: Where,
): Want[] {
  const last = typed.at(-1);
  if (last === undefined) return [];
  const before = typed.slice(0, -1);
  const nameBeginning = firstLetters(joined, MAX_NAME_BEGINNING);
  const wordBeginning = firstLetters(last, MAX_WORD_BEGINNING);
  const begun: PlaceFilter =
    before.length > 0 ? { nameBeginning, nameWords: before, wordBeginning } : { nameBeginning };
  const later: PlaceFilter = { wordBeginning, ...(before.length > 0 && { wordSets: [before] }) };
  const rest =
    before.length > 0
      ? Math.min(...before.map((word) => lexicon.inNames(word) + lexicon.inAddresses(word)))
      : Infinity;
  const expected = Math.min(lexicon.beginningIn(last), rest);
  const known = { limit: wanted, order: "prominence", where, within: "region" } as const;
  const near = { limit: 2 * wanted, order: "distance", where, expected } as const;
  if (joined.length < SUGGESTIONS.fewLetters)
    return [
      { ...near, filter: begun },
      { ...known, filter: begun, expected, within: "around" },
    ];
  const isStored = before.length > 0 || NAME_BEGINNINGS.includes(Array.from(nameBeginning).length);
  return [
    { ...near, filter: begun },
    { ...known, filter: begun, expected, within: isStored ? "region" : "around" },
    { ...near, limit: wanted, filter: later },
    // With other spaces than the name has: "highlandsco f" for "Highlands Coffee".
    ...(before.length > 0 && joined.length >= MAX_NAME_BEGINNING
      ? [{ ...known, filter: { nameBeginning }, expected, within: "around" as const }]
      : []),
  ];
}

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
  const named = firstOfNames([...complete, ...ranked.filter(({ match }) => !match.isComplete)]);
  if (joined.length >= SUGGESTIONS.lettersOfChain) return named;
  const chains = firstOf(
    named,
    ({ place }) => joinWords(fold(place.title.replace(BRANCH_SUFFIX, ""))) || place.id,
  );
  const shown = new Set(chains.slice(0, limit));
  return [...shown, ...named.filter((one) => !shown.has(one))];
}

/** The first place of each name, or of each kind of places without one. */
const firstOfNames = (ranked: readonly ScoredPlace[]): readonly ScoredPlace[] =>
  firstOf(ranked, ({ place }) => joinWords(fold(place.title)) || place.type);

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
