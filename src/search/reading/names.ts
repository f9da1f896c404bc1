import type { Vocabulary } from "../vocabulary/vocabulary.ts";
import { baseOf, kindsOf, wordsAt, wordsOf, type LabelledQuery, type Unit } from "./labels.ts";
import { hasWishes, toReading, type Reading } from "./reading.ts";
import { isFunctionWord, isRelationWord, isStreetWord } from "./relations.ts";
import { isArea, type Span } from "./spans.ts";
import {
  hasStop,
  holds,
  overlap,
  range,
  rangesOf,
  respell,
  toFoldedWords,
  toTypedWords,
  type Token,
  type TypedWords,
  type WordRange,
} from "./tokens.ts";
import { withoutTelex, type Lexicon } from "../lexicon.ts";
import { sumOfNumbers } from "../match-words.ts";
import { LEXICON, READING } from "../numbers.ts";

/** Words of a query that may be a name, with and without those that may be something else. */

/** The words of a name: "nhà hàng" may be a kind, and part of one. */
export const namedOf = (units: readonly Unit[]): readonly Unit[] =>
  units.filter(({ role }) => role === "kind" || role === "run");

/** Some of the words as a name: without function words, relations, wishes and areas; all before the areas; and abbreviations in full. */
export function readNames(query: LabelledQuery): Reading[] {
  const { units, tokens, wishes, isNear, vocabulary } = query;
  // Beside other words, what stands behind "gần" is no name.
  const all = namedOf(units);
  const apart = all.filter(({ relation }) => relation !== "near");
  const named = apart.length > 0 ? apart : all;
  const [first] = named;
  // "dang dung" may be "đang dùng" or a street.
  if (!first && query.doubtful.length === 0) return [];
  const base = baseOf(query, units);
  const core = wordsOf(query, named);
  const beforeAreas = endsOfName(query).map((end) => toTypedWords(tokens.slice(0, end)));
  const isKindOnly = named.every(({ role }) => role === "kind");
  const readings = [...(first ? [core] : []), ...beforeAreas]
    .filter(({ words }) => words.length < tokens.length)
    .filter(({ joined }) => !isKindOnly || joined !== core.joined)
    .map((name) =>
      toReading("name", {
        ...base,
        name,
        dropped: droppedBy(name.words, query, first?.start),
      }),
    );
  const inFull = namesInFull(core, vocabulary).map((name) => toReading("name", { ...base, name }));
  // "trường th yên hòa": what is read as an area may be part of the name.
  const wholeInFull = namesInFull(toTypedWords(tokens), vocabulary).map((name) =>
    toReading("name", { wishes, isNear, name }),
  );
  return [...readings, ...inFull, ...wholeInFull];
}

/** A kind with bare areas as words of its name, since wards are called like streets: "khách sạn tân sơn nhất quận phú nhuận". */
export function readAreasAsNames(query: LabelledQuery): Reading[] {
  const { units } = query;
  const isBare = ({ span, relation }: Unit): boolean =>
    span !== undefined && isArea(span) && span.certainty === "weak" && relation === "none";
  const bare = units.filter(isBare);
  const rest = units.filter((unit) => !bare.includes(unit));
  const kinds = kindsOf(query, rest).slice(0, 1);
  // "phở bt" has initials beside the kind, and no name.
  const mayBeName = bare.length > 0 && bare.every(({ start, end }) => end - start > 1);
  if (kinds.length === 0 || !mayBeName) return [];
  const named = units.filter((unit) => unit.role === "run" || bare.includes(unit));
  return [toReading("kind", { ...baseOf(query, rest), kinds, name: wordsOf(query, named) })];
}

/** What a query may ask for by name. */
export interface HeldNames {
  readonly names: readonly Reading[];
  /** All words but those around them that say nothing. */
  readonly core?: Reading;
}

/**
 * The names that a query may hold between words that only ask for them: "bao xa tới [Lazada]", "where is [Banh Oi]". Each is a run of its
 * words: all of them but function words, filler and relations, and at most two that nobody knows; or all between two stops; or a kind with
 * a few words behind it. Which of them some place is called, whole, the dataset says.
 * @param landmarks words that surely are the landmark of something else
 */
export function readHeldNames(query: LabelledQuery, landmarks: readonly WordRange[] = []): HeldNames {
  const { tokens, lexicon } = query;
  const words = range(0, tokens.length).map((at) => roleAround(at, query));
  const contents = range(0, tokens.length).filter((at) => words[at] !== "frame");
  const [first, last] = [contents[0], contents.at(-1)];
  if (first === undefined || last === undefined || contents.length === tokens.length) return { names: [] };
  const runs = rangesOf(tokens.length).flatMap((run) => {
    const left = contents.filter((at) => !holds(run, at));
    const isAmongFew = left.length <= READING.mostBesideHeld && left.every((at) => words[at] === "unknown");
    const mayBeHeld =
      !landmarks.some((one) => overlap(one, run)) &&
      left.length < contents.length &&
      (isAmongFew || isSegment(run, words, query)) &&
      isAskedBy([...words.slice(0, run.start), ...words.slice(run.end)], run, query) &&
      !query.spans.some((span) => isKindOf(span, run, query));
    const name = mayBeHeld ? wordsAsNamed(tokens.slice(run.start, run.end), lexicon) : undefined;
    const isFramed = words[run.start] === "frame" || words[run.end - 1] === "frame";
    return name ? [{ ...name, left, mayBePart: name.doubt === 0 && !isFramed }] : [];
  });
  const names = [...runs, ...namesBehindKinds(words, query, landmarks)]
    .toSorted((one, other) => one.left.length - other.left.length || one.words.length - other.words.length)
    .slice(0, READING.mostHeld)
    .map(({ left, doubt, mayBePart, ...name }) =>
      toReading("name", {
        name,
        isHeld: mayBePart ? "part" : "whole",
        unread: wordsAt(query, left),
        ...(doubt > 0 && { respelled: { isSure: true, doubt } }),
      }),
    );
  const core = toTypedWords(tokens.slice(first, last + 1));
  const mayBeName =
    core.words.length < tokens.length &&
    core.joined.length >= LEXICON.lettersForTypo &&
    words.slice(first, last + 1).some((role) => role !== "said");
  return { names, ...(mayBeName && { core: toReading("name", { name: core }) }) };
}

/**
 * Whether a run is all that stands between stops and words that say nothing, and no landmark, and no other kind is named: "[trường thpt
 * hà nội amsterdam], nộp hồ sơ cho cháu".
 */
function isSegment(run: WordRange, roles: readonly RoleAround[], { tokens, units }: LabelledQuery): boolean {
  const { start, end } = run;
  const isEdge = (at: number, beside: number): boolean =>
    at === 0 || at === tokens.length || hasStop(tokens, at, at) || roles[beside] === "frame";
  const saysMore = (unit: Unit): boolean =>
    overlap(unit, run) ? unit.relation !== "none" || unit.isBeforeHas : unit.role === "kind";
  return (
    end - start > 1 &&
    roles[start] !== "frame" &&
    roles[end - 1] !== "frame" &&
    roles.slice(start, end).includes("unknown") &&
    isEdge(start, start - 1) &&
    isEdge(end, end) &&
    !hasStop(tokens, start + 1, end - 1) &&
    !units.some(saysMore)
  );
}

/** A name that is held, with how likely others were meant, and the words that it leaves out. */
interface HeldName extends TypedWords {
  readonly doubt: number;
  readonly left: readonly number[];
  readonly mayBePart: boolean;
}

/** The words right behind a kind may be the end of a name, however names say the kind: "rẽ qua [cà phê giảng] uống cốc trứng". */
function namesBehindKinds(
  roles: readonly RoleAround[],
  query: LabelledQuery,
  landmarks: readonly WordRange[],
): HeldName[] {
  const { tokens, lexicon, likelihoodOf = () => 1 } = query;
  return query.units.flatMap((unit) => {
    const mayBeAsked =
      unit.role === "kind" && unit.relation === "none" && !landmarks.some((one) => overlap(one, unit));
    const [kind] = mayBeAsked ? kindsOf(query, [unit]) : [];
    if (!kind || likelihoodOf(kind.codes) < READING.unlikelyNeed) return [];
    return range(unit.end + 1, unit.end + 1 + READING.wordsBehindKind)
      .filter((end) => end <= tokens.length && roles[end - 1] !== "frame")
      .flatMap((end) => {
        const run = { start: unit.start, end };
        const left = range(0, tokens.length).filter((at) => roles[at] !== "frame" && !holds(run, at));
        const isHeld =
          left.length > 0 && isAskedBy(roles.toSpliced(run.start, run.end - run.start), run, query);
        const name = isHeld ? wordsAsNamed(tokens.slice(unit.end, end), lexicon) : undefined;
        if (!name) return [];
        return kind.inNames.map((said) => ({
          ...toFoldedWords([...said.words, ...name.words]),
          doubt: name.doubt,
          left,
          mayBePart: false,
        }));
      });
  });
}

/** What a word is beside a name: one that only asks for it, one that says something else, or one that nobody knows. */
type RoleAround = "frame" | "said" | "unknown";

function roleAround(at: number, query: LabelledQuery): RoleAround {
  // "ăn đêm gần chợ tân định" asks for what is near the market.
  if (query.units.some(({ relation, start }) => relation === "near" && start === at + 1)) return "said";
  const span = query.spans.find((one) => holds(one, at));
  if (span?.role === "near" || span?.role === "filler" || span?.role === "wish") return "frame";
  const isName = span?.role === "kind" || span?.role === "feature" || (span !== undefined && isArea(span));
  // "Shop & Go" is a chain and "ha noi" a city, but the "cho" of "cho hỏi" may be "chợ".
  const isSure = span?.role === "chain" || (isName && span.role !== "feature" && span.end - span.start > 1);
  if (!isSure && (isFunctionWord(query, at) || isRelationWord(query, at, at + 1))) return "frame";
  return isName || isSure ? "said" : "unknown";
}

/** Whether the words around a run ask for it: several do, or one that surely is none of a name. */
function isAskedBy(around: readonly RoleAround[], run: WordRange, { light }: LabelledQuery): boolean {
  const isSurely = light.some((at) => !holds(run, at));
  return isSurely || around.filter((role) => role === "frame").length >= READING.wordsAroundHeld;
}

/** Whether a run is only a kind (every other café is called "Cà phê"), or an area in which a wish asks for no place of its name. */
const isKindOf = (span: Span, { start, end }: WordRange, { wishes }: LabelledQuery): boolean =>
  (span.role === "kind" || span.role === "feature" || (isArea(span) && hasWishes(wishes))) &&
  span.start <= start &&
  end <= span.end;

/** Words as names have them, with how likely it is that others were meant; `undefined` where no name has one of them nor one like it. */
function wordsAsNamed(
  tokens: readonly Token[],
  { inNames, alike }: Lexicon,
): (TypedWords & { readonly doubt: number }) | undefined {
  let doubt = 0;
  const named: Token[] = [];
  for (const token of tokens) {
    const telex = withoutTelex(token.word);
    const known = [token.word, telex].find((word) => inNames(word) > 0);
    const [meant, ...others] = known === undefined ? alike(token.word) : [known];
    if (meant === undefined) return undefined;
    const ofOthers = sumOfNumbers(others.map(inNames));
    doubt += ofOthers / Math.max(1, ofOthers + inNames(meant));
    named.push(meant === token.word ? token : respell(token, meant));
  }
  return { ...toTypedWords(named), doubt };
}

/** How many words that a name may hold a reading leaves out. The "phố" of "phố hàng bài" counts too: it says that no name is wanted. */
export function droppedBy(words: readonly string[], query: LabelledQuery, start = 0): number {
  const wishes = words.length > 0 ? query.doubtfulWishes : [];
  const street = start > 0 && isStreetWord(query, start - 1, start) ? [start - 1] : [];
  return [...query.doubtful, ...wishes, ...street].filter((at) => !words.includes(query.tokens[at]!.word))
    .length;
}

/** Where the words before the areas may end. A name may hold function words, and end with a relation: the "trong" of "hàng trống, hoàn kiếm". */
function endsOfName(query: LabelledQuery): number[] {
  const { units, tokens } = query;
  const hasKind = units.some(({ role }) => role === "kind");
  const areas = units.filter(({ role }) => role === "area");
  const first = areas.find((unit) =>
    units.every((other) => other.start < unit.start || other.role === "area"),
  );
  if (first === undefined || first.start === 0) return [];
  const isRelation = (length: number): boolean =>
    length < first.start && isRelationWord(query, first.start - length, first.start);
  const relation = range(1, READING.wordsOfRelation + 1).findLast(isRelation) ?? 0;
  const mayBeName = relation === 1 && !hasKind && !tokens[first.start - 1]!.hasMarks;
  return [first.start - relation, ...(mayBeName ? [first.start] : [])];
}

/** The name with the words that its abbreviation may stand for: "nh" may be "nhà hàng" or "ngân hàng". */
function namesInFull(name: TypedWords, { shortForms }: Vocabulary): TypedWords[] {
  const at = name.words.findIndex((word) => shortForms.has(word));
  if (at < 0 || name.words.length < at + 2) return [];
  return shortForms.get(name.words[at]!)!.map((long) => {
    const words = name.words.toSpliced(at, 1, ...long.words);
    const markedWords = name.markedWords.length > 0 ? name.markedWords.toSpliced(at, 1, ...long.marked) : [];
    return { words, joined: words.join(""), markedWords, typed: name.words };
  });
}

/**
 * A kind by the other names that places of it have: "us consulate" is "Tổng Lãnh sự quán Hoa Kỳ", and "eye hospital" is "Bệnh viện Mắt".
 * Of several, those whose words stand in the names of the dataset, the most common first.
 */
export function readOtherNames(reading: Reading, { vocabulary, lexicon }: LabelledQuery): Reading[] {
  const { words } = reading.name;
  const codes = reading.kinds.flatMap((kind) => kind.codes);
  const found = rangesOf(words.length)
    .map(({ start, end }) => ({ start, end, typed: words.slice(start, end) }))
    .toSorted((one, other) => other.typed.length - one.typed.length)
    .map((run) => ({ ...run, others: otherNamesOf(run.typed) }))
    .find(({ others }) => others.length > 0);
  if (!found) return [];
  return found.others.slice(0, READING.mostOtherNames).map((other) => {
    const name = toFoldedWords(words.toSpliced(found.start, found.typed.length, ...other.words));
    return { ...reading, name: { ...name, typed: words } };
  });

  function otherNamesOf(typed: readonly string[]) {
    return (
      (vocabulary.otherNames.get(typed.join("")) ?? [])
        .filter((other) => other.codes.some((code) => codes.includes(code)))
        // Names with "nhật bản" have what was typed anyhow.
        .filter((other) => !typed.every((word) => other.words.includes(word)))
        .map((other) => ({ ...other, places: Math.min(...other.words.map(lexicon.inNames)) }))
        .filter(({ places }) => places > 0)
        .toSorted((one, other) => other.places - one.places)
    );
  }
}
