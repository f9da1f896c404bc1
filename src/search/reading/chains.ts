import {
  baseOf,
  isOtherKind,
  kindsOf,
  runsOf,
  wordsAt,
  wordsOf,
  type LabelledQuery,
  type Unit,
} from "./labels.ts";
import { kindOfTypes } from "./kind-reading.ts";
import { findLandmarks } from "./landmarks.ts";
import { toReading, type KindReading, type Reading } from "./reading.ts";
import { isFunctionWord } from "./relations.ts";
import { lettersOf, means, range, toFoldedWords, toTypedWords, type TypedWords } from "./tokens.ts";

/** A chain ("nhà thuốc long châu quận 3"): its branches by each of its names, and its kind, also near a landmark. */
export function readChain(query: LabelledQuery): Reading[] {
  const { units } = query;
  const chain = units.find((unit) => unit.chain);
  if (!chain) return [];
  const others = units.filter((unit) => unit !== chain);
  const [landmark] = findLandmarks(query).filter((one) => !one.units.includes(chain));
  const around = others.filter((unit) => !landmark?.units.includes(unit));
  const readOthers = (beside: readonly Unit[]): Reading[] => [
    ...readOtherNames(query, chain, beside),
    ...readKindOfChain(query, chain, beside),
  ];
  return [
    ...readBranches(query, chain, others),
    ...(landmark ? readOthers(around).map((one) => ({ ...one, landmark: landmark.words })) : []),
    ...readOthers(others),
  ];
}

/** Branches by the other names of the chain: "winmart" may still be called VinMart. */
function readOtherNames(query: LabelledQuery, chain: Unit, others: readonly Unit[]): Reading[] {
  const { otherNames = [] } =
    query.vocabulary.chains.get(lettersOf(query.tokens, chain.start, chain.end)) ?? {};
  const unread = unreadBeside(query, chain, others);
  const base = {
    ...baseOf(query, others),
    unread: wordsOf(query, unread).words,
    besideKinds: [kindOfTypes(chain.chain ?? [])],
  };
  // The words of its kind say as much of a branch by each of its names.
  const ofKind = others.filter((unit) => unit.role === "kind" && !unread.includes(unit));
  const typed = wordsOf(query, [...ofKind, chain]).words;
  return otherNames.map(({ words }) =>
    toReading("name", { ...base, name: { ...toFoldedWords(words), typed } }),
  );
}

/** Words that a branch may lack: a name, and a kind that is not the chain's. */
const unreadBeside = (query: LabelledQuery, { chain = [] }: Unit, others: readonly Unit[]): readonly Unit[] =>
  others.filter((unit) => unit.role === "run" || isOtherKind(query, unit, chain));

/** Where a shorter name of a chain ends: "trung nguyên" in "trung nguyên legend". */
function endOfShortName({ tokens, vocabulary }: LabelledQuery, { start, end }: Unit): number {
  const isChain = (at: number): boolean => vocabulary.chains.has(lettersOf(tokens, start, at));
  return range(start + 1, end).find(isChain) ?? end;
}

/** Branches without the words beside the chain, those called by a shorter name, and those that do not say the kind: "Highlands". */
function readBranches(query: LabelledQuery, chain: Unit, others: readonly Unit[]): Reading[] {
  const { start, end, chain: codes = [] } = chain;
  const shortEnd = endOfShortName(query, chain);
  const isKind = (at: number): boolean =>
    at !== shortEnd &&
    means(query, at, end, { role: "kind" }) &&
    !range(start, at).every((one) => isFunctionWord(query, one));
  const kindStart = range(start + 1, end).find(isKind);
  const unread = wordsOf(query, unreadBeside(query, chain, others)).words;
  const dropped = end - shortEnd;
  const base = { ...baseOf(query, others), unread };
  const nameUpTo = (at: number): TypedWords => toTypedWords(query.tokens.slice(start, at));
  const words = wordsAt(query, range(kindStart ?? end, end));
  return [
    ...(unread.length + dropped > 0
      ? [toReading("name", { ...base, name: nameUpTo(shortEnd), dropped })]
      : []),
    ...(kindStart === undefined
      ? []
      : [
          toReading("kind", {
            ...base,
            name: nameUpTo(kindStart),
            kinds: [{ ...kindOfTypes(codes), words }],
          }),
        ]),
  ];
}

/** The kind of a chain, with the words of other names beside it, where no other kind is said. */
function readKindOfChain(query: LabelledQuery, chain: Unit, others: readonly Unit[]): Reading[] {
  const beside = kindsOf(query, others).flatMap(({ codes }) => codes);
  const codes = chain.chain?.filter((code) => beside.length === 0 || beside.includes(code)) ?? [];
  if (codes.length === 0) return [];
  const words = wordsAt(query, range(chain.start, endOfShortName(query, chain)));
  const kind: KindReading = { ...kindOfTypes(codes), words, isChain: true };
  return [
    toReading("kind", { ...baseOf(query, others), name: wordsOf(query, runsOf(others)), kinds: [kind] }),
  ];
}
