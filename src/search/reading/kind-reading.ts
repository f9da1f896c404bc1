import { fold, markedWords, words } from "../../place/text/fold.ts";
import { memoize } from "../../place/text/memoize.ts";
import { perKinds, TYPE_CODES, typesUnder, type TypeCode } from "../../place/document/type-codes.ts";
import { NO_LEXICON, type Lexicon } from "../lexicon.ts";
import type { Phrase, Vocabulary } from "../vocabulary/vocabulary.ts";
import type { KindReading, NameWords } from "./reading.ts";
import { isAskedFor, isFunctionWord, isHead, relationAt } from "./relations.ts";
import { codesOf, isNarrower, type PhraseSpan, type Span } from "./spans.ts";
import { holds, pick, range, rangesOf, toTypedWords, type Asked, type WordRange } from "./tokens.ts";
import { READING } from "../numbers.ts";

/** The kinds that words of a query name, and how names say them. */

/**
 * The kinds of these spans, that before "nào" first: it is asked for; then those that the sentence is likely to need. Of those that name the
 * same, the narrowest.
 */
export function readKinds(asked: Asked, spans: readonly PhraseSpan[]): KindReading[] {
  const { tokens, vocabulary, likelihoodOf = () => 0 } = asked;
  const named = withoutBroader(withoutHeads(spans, asked));
  const kinds = named.map((span) => ({
    ...span,
    isAsked: Number(isAskedFor(span, asked) || isBeforeNear(span, named, asked)),
    likelihood: named.length > 1 ? likelihoodOf(codesOf(span)) : 0,
  }));
  // A story names kinds in passing: the stain on the shirt that is to be washed is of coffee.
  const needed = kinds.find(({ likelihood }) => likelihood >= 1);
  return kinds
    .filter(
      (one) =>
        !needed ||
        one.isAsked ||
        one.likelihood >= READING.namedInPassing ||
        isListedWith(one, needed, asked),
    )
    .toSorted((one, other) => other.isAsked - one.isAsked || other.likelihood - one.likelihood)
    .map(({ start, end, phrases }) => {
      const ofKind = phrases.filter(({ role }) => role === "kind");
      const codes = [...new Set(withoutOtherProducts(ofKind).flatMap((phrase) => phrase.codes))];
      const typed = tokens.slice(start, end).map(({ word }) => word);
      const spellings = ofKind.map(({ marked }) => marked);
      const isProduct = ofKind.every((phrase) => phrase.isProduct) || isDish(typed, codes, vocabulary);
      const isMarked = tokens.slice(start, end).some(({ hasMarks }) => hasMarks);
      const others = isProduct ? ofKind.flatMap(otherNamesOf) : labelsOf(codes);
      const inNames = nameWordsOf({ words: typed, spellings, codes, isMarked }, others, vocabulary);
      const asTyped = { words: typed, spellings };
      const productAlone = isProduct
        ? [asTyped, ...others].flatMap((one) => withoutKind(one, codes, vocabulary))
        : [];
      const shorter = isProduct ? shorterNamed(asTyped, codes, vocabulary) : undefined;
      const isSpecific = !isProduct && typed.length > 1 && !isLabel(typed, codes, vocabulary);
      return {
        codes,
        words: typed,
        inNames,
        ...(isProduct && { isProduct }),
        ...(shorter && { shorter }),
        ...(productAlone.length > 0 && { productAlone }),
        ...(isSpecific && { isSpecific }),
      };
    });
}

/**
 * Whether "gần" and a place stand right behind: what is before them is asked for. Behind "gần đó" something else is, and of several kinds in
 * a row ("thư viện đại học") either may be.
 */
function isBeforeNear({ start, end }: WordRange, all: readonly WordRange[], asked: Asked): boolean {
  const next = end < asked.tokens.length ? relationAt(asked, end, undefined) : undefined;
  const isInRow = all.some((one) => one.end === start);
  return next?.relation === "near" && !isInRow && !isFunctionWord(asked, next.end);
}

/** Whether only words such as "or" stand between: "luật sư hoặc phòng công chứng" asks for both. */
function isListedWith(one: WordRange, other: WordRange, asked: Asked): boolean {
  const [first, last] = one.start < other.start ? [one, other] : [other, one];
  return range(first.end, last.start).every((at) => isFunctionWord(asked, at));
}

const otherNamesOf = ({ otherNames }: Phrase): Spelled[] =>
  otherNames.map(({ words: said, marked }) => ({ words: said, spellings: [marked] }));

/** Without marks, "com chay" is the "cơm chay" that names a kind before the "cơm cháy" that some restaurants have. */
function withoutOtherProducts(phrases: readonly Phrase[]): readonly Phrase[] {
  const kinds = phrases.filter((phrase) => !phrase.isProduct);
  return kinds.length > 0 ? kinds : phrases;
}

/** The "shops" of "pizza shops" and the "quán" of "quán nào uống cà phê" say no second kind. */
function withoutHeads(spans: readonly PhraseSpan[], asked: Asked): readonly PhraseSpan[] {
  const others = spans.filter((span) => !isHead(span, asked));
  return others.length > 0 ? others : spans;
}

/** The words that say, in a name, that the place is of the kind. */
export const spokenIn = ({ inNames, isProduct }: KindReading): readonly NameWords[] =>
  inNames.filter(
    ({ words: one, marked, isMarked }) =>
      isProduct ||
      isMarked ||
      one.join("").length >= READING.lettersInNames ||
      (marked.length > 0 && marked.every((spelling) => spelling === one.join(" "))),
  );

/** Folded words with their spellings with marks. */
interface Spelled {
  readonly words: readonly string[];
  readonly spellings: readonly (readonly string[])[];
}

/** Words of a kind of food that go on after a shorter one say what there is to eat: "bún thịt nướng" after "bún". */
function isDish(typed: readonly string[], codes: readonly TypeCode[], vocabulary: Vocabulary): boolean {
  const [code] = codes;
  if (code === undefined || !foods().has(code)) return false;
  const specific = withoutGeneric(typed, codes, vocabulary);
  if (specific.length < 2 || isLabel(specific, codes, vocabulary)) return false;
  return [1, 2].some(
    (length) =>
      length < specific.length &&
      !vocabulary.heads.has(specific.slice(0, length).join("")) &&
      (vocabulary.phrases.get(specific.slice(0, length).join("")) ?? []).some(
        (phrase) => phrase.role === "kind" && phrase.codes.includes(code),
      ),
  );
}

const foods = perKinds(
  (): ReadonlySet<string> => new Set(typesUnder("RESTAURANT").filter((code) => code !== "RESTAURANT")),
);

/** Memoized: most queries name one of a few hundred types. */
const readLabel = memoize((label) => ({ words: words(fold(label)), spellings: [markedWords(label)] }));

/** The labels of the types where they are one type with those under it. */
function labelsOf(codes: readonly TypeCode[]): readonly ReturnType<typeof readLabel>[] {
  const [code] = codes;
  const isOneType = code !== undefined && typesUnder(code).length === codes.length;
  return isOneType ? [TYPE_CODES[code].vi, TYPE_CODES[code].en].map(readLabel) : [];
}

/** Whether the words are a label of the type, with or without generic words: "cà phê" is the "quán cà phê" of COFFEE. */
const isLabel = (typed: readonly string[], codes: readonly TypeCode[], vocabulary: Vocabulary): boolean =>
  labelsOf(codes).some(({ words: label }) =>
    [label, withoutGeneric(label, codes, vocabulary)].some((said) => said.join(" ") === typed.join(" ")),
  );

/**
 * What the words of a product say besides its kind, before or behind it: "board game" of "board game cafe", also without spaces. A dish is none
 * without its kind: "bánh canh cua" is no "Bánh đa cua".
 */
function withoutKind(
  { words: all, spellings }: Spelled,
  codes: readonly TypeCode[],
  vocabulary: Vocabulary,
): NameWords[] {
  const isKind = (some: readonly string[]): boolean =>
    (vocabulary.phrases.get(some.join("")) ?? []).some(
      ({ role, isProduct, codes: [code] }) => role === "kind" && !isProduct && code === codes[0],
    );
  if (codes.some((code) => foods().has(code))) return [];
  const isSaid = ({ start, end }: WordRange): boolean =>
    (start === 0) !== (end === all.length) &&
    isKind(start === 0 ? all.slice(end) : all.slice(0, start)) &&
    !isKind(all.slice(start, end)) &&
    all.slice(start, end).join("").length >= READING.lettersInNames;
  return rangesOf(all.length)
    .filter(isSaid)
    .flatMap(({ start, end }) => {
      const rest = all.slice(start, end);
      const marked = spellings.map((spelling) => spelling.slice(start, end).join(" "));
      const joined = { words: [rest.join("")], marked: [] };
      return [{ words: rest, marked }, ...(rest.length > 1 ? [joined] : [])];
    });
}

/** The longest beginning of a dish that is one as well: the "bánh canh" of "bánh canh cua". A label says no more than the type. */
function shorterNamed(
  { words: all, spellings }: Spelled,
  codes: readonly TypeCode[],
  vocabulary: Vocabulary,
): NameWords | undefined {
  const isOfKind = ({ role, codes: others }: Phrase): boolean =>
    role === "kind" && others.some((code) => codes.includes(code));
  const length = range(READING.wordsOfShorterDish, all.length).findLast((end) =>
    vocabulary.phrases.get(all.slice(0, end).join(""))?.some(isOfKind),
  );
  if (length === undefined || isLabel(all.slice(0, length), codes, vocabulary)) return undefined;
  const marked = new Set(spellings.map((spelling) => spelling.slice(0, length).join(" ")));
  return { words: all.slice(0, length), marked: [...marked] };
}

/** The words of a kind as names say them: as they were typed, and the others. */
function nameWordsOf(
  kind: Spelled & { readonly codes: readonly TypeCode[]; readonly isMarked: boolean },
  others: readonly Spelled[],
  vocabulary: Vocabulary,
): NameWords[] {
  const { codes, isMarked } = kind;
  const named = [kind, ...others].map(({ words: all, spellings }) => {
    const inName = withoutGeneric(all, codes, vocabulary, isMarked);
    const marked = new Set(spellings.map((spelling) => spelling.slice(-inName.length).join(" ")));
    return { words: inName, marked: [...marked], ...(isMarked && { isMarked }) };
  });
  const isNew = ({ words: one }: NameWords, at: number): boolean =>
    named.findIndex(({ words: other }) => other.join(" ") === one.join(" ")) === at;
  return named.filter(isNew);
}

/** "ca phe" from "quan ca phe": names leave out the words that only say that it is a shop. The "coffee" of "egg coffee" is not all that is asked for. */
function withoutGeneric(
  typed: readonly string[],
  codes: readonly TypeCode[],
  { phrases, firstWords }: Vocabulary,
  isMarked = false,
): readonly string[] {
  const isOfKind = (code: TypeCode): boolean => codes.includes(code);
  const ofTyped = phrases.get(typed.join(""))?.filter(({ role }) => role === "kind") ?? [];
  const mustBeProduct = ofTyped.length > 0 && ofTyped.every((phrase) => phrase.isProduct);
  const isSaid = ({ role, codes: ofRest, isProduct }: Phrase): boolean =>
    role === "kind" && ofRest.every(isOfKind) && (isProduct || !mustBeProduct);
  for (let start = 1; start < typed.length; start += 1) {
    const rest = typed.slice(start);
    const [first = ""] = rest;
    const isTooShort = !isMarked && rest.length === 1 && first.length < READING.lettersOfOneWord;
    if (isTooShort && firstWords.get(first)?.values().every(isOfKind) === false) continue;
    if (phrases.get(rest.join(""))?.some(isSaid)) return rest;
  }
  return typed;
}

/** The words of "ăn trưa phở" name two kinds; the narrower one is meant. Those of "đau răng, nha khoa" name one twice. */
function withoutBroader(spans: readonly PhraseSpan[]): PhraseSpan[] {
  return spans.filter((span, at) => {
    const codes = codesOf(span);
    const isSame = (other: PhraseSpan): boolean => codesOf(other).join() === codes.join();
    const isBroader = (other: PhraseSpan): boolean =>
      codesOf(other).length < codes.length && isNarrower(other, span);
    return spans.findIndex(isSame) === at && !spans.some(isBroader);
  });
}

/** The words outside of areas as one kind in another language. */
export function readWholeKind(
  asked: Asked & { readonly lexicon: Lexicon; readonly spans: readonly Span[] },
  units: readonly (WordRange & { readonly role: string })[],
): KindReading | undefined {
  const { tokens, vocabulary, lexicon } = asked;
  if (!units.some(({ role }) => role === "run")) return undefined;
  const isRead = (index: number): boolean => units.some((unit) => unit.role !== "area" && holds(unit, index));
  const inSpan = (index: number): boolean =>
    asked.spans.some((span) => span.role !== "kind" && holds(span, index));
  const said = range(0, tokens.length).filter((index) => isRead(index) && !inSpan(index));
  const { words: typed, joined } = toTypedWords(pick(tokens, said));
  // "starbucks" is a word for a café in some language, and a name wherever a place is called so.
  const isName = lexicon !== NO_LEXICON && typed.every((word) => lexicon.inNames(word) > 0);
  const codes = isName ? undefined : vocabulary.borrowed(joined);
  if (!codes) return undefined;
  const kind = { words: typed, spellings: [], codes, isMarked: false };
  const inNames = nameWordsOf(kind, labelsOf(codes), vocabulary);
  return { codes, words: typed, inNames, isBorrowed: true };
}

/** A kind that no word says. */
export const kindOfTypes = (codes: readonly TypeCode[]): KindReading => ({
  codes,
  words: [],
  inNames: [],
});
