import type { Coordinates } from "../../place/geometry/coordinates.ts";
import { allTypes, perKinds, TYPE_CODES, typesUnder } from "../../place/document/type-codes.ts";
import { NO_LEXICON } from "../lexicon.ts";
import type { Vocabulary } from "../vocabulary/vocabulary.ts";
import { findAddress, numberWordsOf } from "./address.ts";
import { readChain } from "./chains.ts";
import { readArea } from "./area-spans.ts";
import { kindOfTypes, readWholeKind } from "./kind-reading.ts";
import {
  baseOf,
  kindsOf,
  label,
  mayBeSentence,
  runsOf,
  wordsAt,
  wordsOf,
  type LabelledQuery,
  type ReadOptions,
  type Unit,
} from "./labels.ts";
import { findLandmarks, withoutSaid, type Landmark } from "./landmarks.ts";
import {
  droppedBy,
  namedOf,
  readAreasAsNames,
  readHeldNames,
  readNames,
  readOtherNames,
  type HeldNames,
} from "./names.ts";
import { locatePlusCode, readPlusCode, readPoint } from "../../place/geometry/read-point.ts";
import {
  hasWishes,
  isHouseOnly,
  toReading,
  type KindReading,
  type Reading,
  type SaidTogether,
} from "./reading.ts";
import { isFunctionWord } from "./relations.ts";
import { readNeed } from "./needs.ts";
import { correctSpelling, type Corrected } from "./spelling.ts";
import { findSpans, isArea, splitUnspaced, type Span } from "./spans.ts";
import {
  hasStop,
  holds,
  means,
  pick,
  range,
  toTokens,
  toTypedWords,
  type Token,
  type TypedWords,
} from "./tokens.ts";
import { READING } from "../numbers.ts";

/**
 * What a query may mean, read from its words, the vocabulary and the words of the dataset. The words get labels (kind, chain, area,
 * wish, relation, filler, or none), and the ways in which the parts can belong together are the readings. Which of them is right the places
 * decide: all readings are looked up, and one score compares what they find.
 */
export interface QueryReadings {
  readonly text: string;
  /** All words as a name, which any words may be. Always one of `readings`. */
  readonly plain: Reading;
  /** Words that say nothing by themselves: function words, filler, "near me", wishes. */
  readonly light: ReadonlySet<string>;
  /** Likeliest first, as far as the words alone tell. */
  readonly readings: readonly Reading[];
  /** What it may ask for by name, between words that say nothing else. */
  readonly held: HeldNames;
}

/** Reads what a query means. Pure: does not look at places. Takes about a millisecond for a sentence, and two or three for one with a typo. */
export function readQuery(
  text: string,
  vocabulary: Vocabulary,
  { near, lexicon = NO_LEXICON, countTypes }: ReadOptions = {},
): QueryReadings {
  const typed = toTokens(text);
  const onlyPoint = readPlace(text, vocabulary, near);
  if (onlyPoint !== undefined || typed.length === 0) {
    const plain = toReading("plain", { name: toTypedWords(typed) });
    return {
      text,
      plain,
      readings: onlyPoint ? [onlyPoint, plain] : [plain],
      held: { names: [] },
      light: NO_WORDS,
    };
  }
  const known = { vocabulary, near, lexicon, ...(countTypes && { countTypes }) };
  const split = splitUnspaced(typed, vocabulary);
  const respelled = correctSpelling(split, known);
  const spelled = respelled?.isSure ? respelled.tokens : split;
  const apart = takeWordsApart(spelled, known);
  const query = label(apart, known);
  const { whole, readings, held } = readWords(query);
  // Where a query has nothing else, its words say as much as any: a place may be called "Ngon".
  const light = query.light.length < query.tokens.length ? new Set(wordsAt(query, query.light)) : NO_WORDS;
  const all = { text, light, held };
  if (!respelled) return { ...all, plain: whole, readings };
  if (!respelled.isSure) {
    const others = readMeant(label(respelled.tokens, known)).map(markRespelled(respelled));
    return { ...all, plain: whole, readings: different([...readings, ...others]) };
  }
  // It may be a name with another typo for all that: fewer readings leave it more of the lookups. All words as a name are one of them.
  const isWhole = ({ form, need }: Reading): boolean => form === "plain" || need !== undefined;
  const parts = readings.filter((one) => !isWhole(one));
  const others = [
    ...parts.slice(0, READING.mostOfMistyped),
    ...parts.slice(READING.mostOfMistyped).filter(isKindAlone).slice(0, 1),
  ];
  const sure = [...others, ...readings.filter(isWhole)].map(markRespelled(respelled));
  const plain = toReading("plain", { name: toTypedWords(takeWordsApart(split, known)) });
  return { ...all, plain, readings: [...sure, plain, ...readTypedKind(label(split, known), sure)] };
}

/** All readings of words, the words as a name, and the names that they hold. */
function readWords(
  query: LabelledQuery,
): { readonly whole: Reading } & Pick<QueryReadings, "readings" | "held"> {
  const whole = keepKindsTogether(toReading("plain", { name: toTypedWords(query.tokens) }), query);
  const addresses = readAddresses(query);
  const house = addresses.find(isHouseOnly)?.address;
  const landmarks = house ? [] : findLandmarks(query);
  const isAddress = house !== undefined || (addresses.length > 0 && !mayBeSentence(query));
  const needs = isAddress ? [] : readNeeds(query, landmarks);
  // "đi nuôi bệnh ở chợ rẫy, ngủ đỡ đâu được": where the rest surely needs something, nobody asks for the landmark.
  const isNeedSure = needs.some(({ need = 0 }) => need >= READING.needSure);
  const asked = isNeedSure ? { ...query, units: withoutSaid(query.units, landmarks) } : query;
  const parts = different(
    house
      ? addresses
      : [
          ...addresses,
          ...readLandmarks(query, landmarks),
          ...readParts(asked, landmarks, isNeedSure),
          ...readNames(asked),
          ...readAreasAsNames(asked),
        ],
  );
  const ofChain = readChain(query);
  const hasHouse = parts.some(({ address }) => address?.number !== undefined);
  // Beside an address, its number is no name.
  const most = READING.mostReadings - 1 - Math.max(1, ofChain.length + needs.length);
  const others = atMost(
    parts.filter(({ name }) => !hasHouse || !isHouseNumber(name)),
    most,
  );
  // A name that has the words of a house has them in a row.
  const asName = house
    ? {
        ...whole,
        together: [{ words: [...numberWordsOf(house), ...house.street.words].join(" "), codes: [] }],
      }
    : keepTogether(whole, query);
  const found = isOnlyKind(others, whole) ? others : different([...others, ...needs, asName, ...ofChain]);
  const at = found.findIndex(({ kinds, name }) => kinds.length > 0 && name.words.length > 0);
  const all = at < 0 ? found : found.toSpliced(at + 1, 0, ...readOtherNames(found[at]!, query));
  const apart = isNeedSure ? landmarks : landmarks.filter((one) => one.isReferredTo);
  const rest = withoutSaid(query.units, apart);
  const held = readHeldNames(
    query,
    query.units.filter((unit) => !rest.includes(unit)),
  );
  return { whole, held, readings: all.map((reading) => keepKindsTogether(reading, query)) };
}

/** The first readings, and among them the kind alone: it finds something whatever else the words may be. */
function atMost(readings: readonly Reading[], most: number): readonly Reading[] {
  const first = readings.slice(0, most);
  const alone = readings.find(isKindAlone);
  return alone && !first.includes(alone) ? [...first.slice(0, -1), alone] : first;
}

const isKindAlone = ({ form, name, landmark }: Reading): boolean =>
  form === "kind" && name.words.length === 0 && landmark === undefined;

/** What words say that were perhaps meant: their parts, and as a name, where something in them is one. */
function readMeant(query: LabelledQuery): Reading[] {
  const asName =
    runsOf(query.units).length > 0 ? [toReading("name", { name: toTypedWords(query.tokens) })] : [];
  return [...asName, ...readWithoutNeeds(query)].slice(0, READING.mostOfMistyped);
}

/** The kind that was typed, where none of other readings has it: a word beside it may only look mistyped. */
function readTypedKind(query: LabelledQuery, others: readonly Reading[]): Reading[] {
  const said = others.filter(({ need }) => need === undefined);
  const known = new Set(said.flatMap(({ kinds }) => kinds.flatMap(({ codes }) => codes)));
  return readWithoutNeeds(query).filter(
    (one) => isKindAlone(one) && !one.kinds.some(({ codes: [code] }) => known.has(code!)),
  );
}

/** Marks readings of other words than were typed. A name of these words is not all that was typed. */
const markRespelled =
  ({ isSure, doubt }: Corrected) =>
  (reading: Reading): Reading => ({
    ...reading,
    respelled: { isSure, doubt },
    form: reading.form === "plain" ? "name" : reading.form,
  });

/** "cà phê" is a kind, and every other café is called so. */
const isOnlyKind = (readings: readonly Reading[], { name }: Reading): boolean =>
  readings.some(
    ({ kinds, isNear, wishes }) =>
      kinds.length === 1 &&
      !isNear &&
      !hasWishes(wishes) &&
      kinds[0]!.isBorrowed !== true &&
      kinds[0]!.words.join("") === name.joined,
  );

/**
 * A name of which all words say kinds, wishes and areas: "nhà hàng 24/24" is no church called Nhà thờ Hàng Xanh, "quán cà phê quận 4" no
 * Café 30/4 in another district, and every address in "Phường Bến Thành" has its words. A bare area may be a street, or two words of
 * a name that somebody swapped.
 */
function keepTogether(reading: Reading, query: LabelledQuery): Reading {
  const { units } = query;
  const hasBareArea = units.some(({ span }) => span && isArea(span) && span.certainty !== "marked");
  const said = units.filter(({ role }) => role !== "area" || !hasBareArea);
  if (runsOf(units).length > 0 || said.length === 0) return reading;
  const kinds = kindsOf(query, units);
  return {
    ...reading,
    together: said.map((unit) => toTogether(query, unit)),
    ...(kinds.length > 0 && { besideKinds: kinds }),
  };
}

/** A name with words beside a kind has those of the kind in a row, or its type says them: "công viên thống nhất" is no school in a ward Thống Nhất. */
function keepKindsTogether(reading: Reading, query: LabelledQuery): Reading {
  const { units } = query;
  const isName = reading.form === "name" || reading.form === "plain";
  if (!isName || reading.together || runsOf(units).length === 0) return reading;
  const typed = ` ${reading.name.words.join(" ")} `;
  const together = units
    .filter(({ role, start, end }) => role === "kind" && end - start > 1)
    .map((unit) => ({ ...toTogether(query, unit), mayBeAddress: true }))
    .filter(({ words }) => typed.includes(` ${words} `));
  return together.length > 0 ? { ...reading, together } : reading;
}

const toTogether = (query: LabelledQuery, unit: Unit): SaidTogether => ({
  words: wordsOf(query, [unit]).words.join(" "),
  codes: kindsOf(query, [unit]).flatMap(({ codes }) => codes),
});

const isHouseNumber = ({ words }: TypedWords): boolean =>
  words.length > 0 && words.every((word) => /^\d/.test(word));

const NO_WORDS: ReadonlySet<string> = new Set();

/** A point or a plus code says everything. */
function readPlace(text: string, vocabulary: Vocabulary, near: Coordinates | undefined): Reading | undefined {
  const point = readPoint(text);
  if (point) return toReading("point", { point });
  const plusCode = readPlusCode(text);
  if (!plusCode) return undefined;
  const tokens = toTokens(plusCode.rest);
  const area = readArea(findSpans({ tokens, vocabulary, near }).filter(isArea), tokens);
  const place = locatePlusCode(plusCode.code, area?.centre ?? near);
  return place && toReading("point", { point: place, ...(area && { area }) });
}

/** "bvbachmai" is "bệnh viện bạch mai" where the dataset has no such word and has these. */
function takeWordsApart(
  tokens: readonly Token[],
  { lexicon, vocabulary }: Pick<LabelledQuery, "lexicon" | "vocabulary">,
): readonly Token[] {
  return tokens.flatMap((token) => {
    const inVocabulary =
      vocabulary.chains.has(token.word) ||
      vocabulary.words.of(token.word) > 0 ||
      vocabulary.needWeights(token.word).length > 0;
    const isKnown = inVocabulary || lexicon.beginningIn(token.word) + lexicon.inAddresses(token.word) > 0;
    const isMistyped = lexicon.alike(token.word).length > 0;
    const parts = isKnown || isMistyped ? undefined : lexicon.takeApart(token.word);
    return parts ? toTokens(parts.join(" ")) : [token];
  });
}

/** The address in a query. Bare areas and chains may be part of its street ("5 nguyễn kim"), but no chain with a number ("gs25 nguyễn trãi"). */
function readAddresses(query: LabelledQuery): Reading[] {
  const isNumber = ({ start, end }: Span): boolean =>
    pick(query.tokens, range(start, end)).some(({ word }) => /\d/.test(word));
  const spans = query.spans.filter((span) => span.role !== "chain" || isNumber(span));
  const withoutBareAreas = spans.filter((span) => !isArea(span) || span.certainty === "marked");
  return [spans, withoutBareAreas].flatMap((some) => readAddress(query, some));
}

/** The address in a query whose street may hold what none of some spans says, with the name before it and the kinds and areas after it. */
function readAddress(query: LabelledQuery, outsideStreet: readonly Span[]): Reading[] {
  const { tokens, spans, wishes } = query;
  const found = findAddress(query, outsideStreet);
  if (found === undefined) return [];
  const inStreet = range(found.start, found.end).filter((at) =>
    found.address.street.words.includes(tokens[at]!.word),
  );
  const isCity = spans.some(
    (span) => isArea(span) && span.areas[0]?.level === "province" && inStreet.every((at) => holds(span, at)),
  );
  // "cho 10 người" is no house.
  const isFiller = inStreet.length < 2 && inStreet.every((at) => isFunctionWord(query, at));
  const isDoubtful = isCity || isFiller;
  if (isDoubtful && found.address.isSaid !== true) return [];
  const outside = spans.filter(({ start, end }) => end <= found.start || start >= found.end);
  const area = readArea(outside.filter(isArea), tokens);
  const isNamed = ({ role }: Span): boolean => role === "kind" || role === "chain";
  const isIn = (index: number, ofName: boolean): boolean =>
    outside.some((span) => isNamed(span) === ofName && span.start <= index && index < span.end);
  const before = range(0, found.start).filter(
    (index) => !isFunctionWord(query, index) && !isIn(index, false),
  );
  // "đường đồng khởi có nhà hàng ý không" asks for more than the street.
  const kindsBehind = range(found.end, tokens.length).filter((index) => isIn(index, true));
  const name = toTypedWords(pick(tokens, [...before, ...kindsBehind]));
  return [toReading("address", { name, address: found.address, wishes, ...(area && { area }) })];
}

/** Kinds, areas and wishes, each with the words beside them as name and as words that nobody needs. */
const readParts = (query: LabelledQuery, landmarks: readonly Landmark[], isOtherNeed = false): Reading[] => [
  ...readWithoutLandmark(query, landmarks),
  ...readOnlyWishes(query, isOtherNeed),
  ...readBorrowedKind(query),
];

/** The parts near landmarks and without them. */
function readWithoutNeeds(query: LabelledQuery): Reading[] {
  const landmarks = findLandmarks(query);
  return [...readLandmarks(query, landmarks), ...readParts(query, landmarks)];
}

/** What is near each landmark: a kind with the words beside it and without them, before names. */
function readLandmarks(query: LabelledQuery, landmarks: readonly Landmark[]): Reading[] {
  const ofEach = landmarks.map((landmark) => readNear(query, landmark));
  const isSaid = landmarks.some(({ words }) => words.relation !== "none");
  const kindsFirst = [
    ...ofEach.flatMap((some) => some.slice(0, 2)),
    ...ofEach.flatMap((some) => some.slice(2)),
  ];
  return isSaid ? kindsFirst.slice(0, READING.mostNear) : ofEach.flat().slice(0, READING.mostNearUnsaid);
}

/** A kind or a name near a landmark. */
function readNear(query: LabelledQuery, landmark: Landmark): Reading[] {
  const others = query.units.filter((unit) => !landmark.units.includes(unit));
  const base = { ...baseOf(query, others), landmark: landmark.words };
  const kinds = kindsOf(query, others);
  const left = wordsOf(query, runsOf(others));
  if (kinds.length > 0) return kindReadings({ query, others, kinds, notFound: [], base });
  if (left.words.length === 0)
    return hasWishes(query.wishes) ? [toReading("wish", { ...base, kinds: [kindOfWishes()] })] : [];
  const chains = runsOf(others).flatMap(({ chain }) => (chain ? [kindOfTypes(chain)] : []));
  const ofChain = chains.length > 0 && { besideKinds: chains };
  return [toReading("name", { ...base, name: left, ...ofChain })];
}

/** What a query asks for besides landmarks, which may be words of a name, or nowhere. */
function readWithoutLandmark(query: LabelledQuery, landmarks: readonly Landmark[]): Reading[] {
  const { units } = query;
  const others = withoutSaid(units, landmarks);
  const said = units.filter((unit) => !others.includes(unit));
  const base = { ...baseOf(query, units), dropped: droppedBy([], query) };
  const left = wordsOf(query, runsOf(units));
  const ofOthers = kindsOf(query, others);
  const kinds = ofOthers.length > 0 ? ofOthers : kindsOf(query, units);
  if (kinds.length > 0) {
    // What stands behind "gần" is no name of what is looked for; what stands behind "ở" may be.
    const isNotFound = ({ role, relation }: Unit): boolean => role !== "run" || relation === "near";
    const notFound = said.filter(isNotFound);
    const left = units.filter((unit) => !notFound.includes(unit));
    return kindReadings({ query, others: left, kinds, notFound: wordsOf(query, notFound).words, base });
  }
  // Who wishes for something in an area wants no police station there.
  if (left.words.length === 0) return base.area && !hasWishes(query.wishes) ? readOnlyAreas(query, base) : [];
  const name = wordsOf(query, runsOf(others));
  const isShorter = name.words.length > 0 && name.words.length < left.words.length;
  const dropped = droppedBy(left.words, query, runsOf(units)[0]!.start);
  return [
    ...(units.some(({ role }) => role === "area")
      ? [toReading("name", { ...base, name: left, dropped })]
      : []),
    ...(isShorter ? [toReading("name", { ...base, name, unread: wordsOf(query, said).words })] : []),
  ];
}

/** Areas alone. The "phường 13" of "phường 13 quận 3" is a name: the district has no such ward any more, and places are still called so. */
function readOnlyAreas(query: LabelledQuery, base: Partial<Reading>): Reading[] {
  const inArea = new Set(base.area?.words);
  const outside = query.units.filter(
    (unit) => !wordsOf(query, [unit]).words.some((word) => inArea.has(word)),
  );
  if (outside.length === 0) return [toReading("area", base)];
  const name = wordsOf(query, outside);
  const dropped = (base.dropped ?? 0) + name.words.length;
  return [toReading("area", { ...base, dropped }), toReading("name", { ...base, name })];
}

/**
 * Wishes and no kind, perhaps in an area: places where people eat and drink that meet them. Where other words surely need something, they are
 * no wish for food: "12h đêm bé sốt cao".
 */
function readOnlyWishes(query: LabelledQuery, isOtherNeed: boolean): Reading[] {
  const { units, wishes, isNear } = query;
  const runs = runsOf(units);
  const isKindless = units.every(({ role, chain }) => role !== "kind" && chain === undefined);
  const isWishing = hasWishes(wishes) || (isNear && units.length === 0);
  if (!isKindless || !isWishing || (runs.length > 0 && isOtherNeed)) return [];
  const unread = wordsOf(query, runs).words;
  return [toReading("wish", { ...baseOf(query, units), kinds: [kindOfWishes()], unread })];
}

/** The kinds that a sentence needs and does not name, near its landmark and without it: where that is not found, what they need is. */
function readNeeds(query: LabelledQuery, landmarks: readonly Landmark[]): Reading[] {
  if (!mayBeSentence(query) && !mayBeExclamation(query)) return [];
  const said = landmarks.find(({ words }) => words.relation !== "none");
  if (!said) return readNeedBeside(query);
  const near = readNeedBeside(query, said);
  const hasKind = query.units.some((unit) => unit.role === "kind" && !said.units.includes(unit));
  const anywhere = hasKind ? [] : readNeedBeside(query);
  const { landmark: _, ...same } = near[0] ?? {};
  return [...near, ...(anywhere.length > 0 || near.length === 0 ? anywhere : [toReading("kind", same)])];
}

/** Whether a few words may say what somebody needs, as "toothache" does: no chain, area or person, nor one Vietnamese syllable. */
function mayBeExclamation(query: LabelledQuery): boolean {
  const { units, tokens } = query;
  const runs = runsOf(units);
  return (
    runs.length > 0 &&
    !units.some(({ role, chain }) => role === "area" || chain !== undefined) &&
    !runs.some(({ start }) => means(query, start, start + 1, { role: "surname" })) &&
    (tokens.length > 1 || !tokens[0]!.hasMarks)
  );
}

/** What the words beside a landmark need: its own say what is there. */
function readNeedBeside(query: LabelledQuery, landmark?: Landmark): Reading[] {
  const others = query.units.filter(
    (unit) => landmark?.units.includes(unit) !== true && !isInside(unit, query),
  );
  const named = kindsOf(query, others).flatMap(({ codes }) => codes);
  // "what are the best italian restaurants": no other word says anything.
  if (named.length > 0 && runsOf(others).length === 0) return [];
  const places = query.units.filter((unit) => unit.role === "area" || !others.includes(unit));
  // What the places of a named kind should have is no need of its own: "quán ăn có chỗ đậu xe".
  const features = named.length > 0 ? query.spans.filter(({ role }) => role === "feature") : [];
  const left = query.tokens.filter((_, at) => ![...places, ...features].some((some) => holds(some, at)));
  const isSentence = mayBeSentence(query);
  const need = readNeed(left, query, named, isSentence);
  // Shorter words are rather a name, perhaps with a typo.
  const least = named.length > 0 ? READING.needCertain : READING.needShort;
  if (!need || (!isSentence && need.likelihood < least)) return [];
  const base = { ...baseOf(query, others), ...(landmark && { landmark: landmark.words }) };
  return [toReading("kind", { ...base, kinds: need.kinds, need: need.likelihood })];
}

/** Whether a bare area stands inside of a sentence, and no word says that it is one: the "bình an" of "cầu bình an cho ba má". */
const isInside = ({ span, relation, start, end }: Unit, { tokens }: LabelledQuery): boolean =>
  span !== undefined &&
  isArea(span) &&
  span.certainty !== "marked" &&
  relation === "none" &&
  start > 0 &&
  end < tokens.length &&
  !hasStop(tokens, start, start) &&
  !hasStop(tokens, end, end);

/** The words outside of areas as a kind in another language. */
function readBorrowedKind(query: LabelledQuery): Reading[] {
  const kind = readWholeKind(query, query.units);
  if (!kind) return [];
  const dropped = droppedBy(kind.words, query);
  return [toReading("kind", { ...baseOf(query, query.units), kinds: [kind], dropped })];
}

const kindOfWishes = perKinds(() =>
  kindOfTypes(
    allTypes()
      .filter((code) => TYPE_CODES[code].isForWishes)
      .flatMap(typesUnder),
  ),
);

/** The words of kinds that the places asked for have (`chosen-spans.ts`): features without a phrase of their own. */
const facilitiesOf = ({ tokens, spans }: LabelledQuery): readonly Token[] =>
  spans.flatMap((span) =>
    span.role === "feature" && span.phrases.length === 0 ? tokens.slice(span.start, span.end) : [],
  );

interface KindParts {
  readonly query: LabelledQuery;
  readonly others: readonly Unit[];
  readonly kinds: readonly KindReading[];
  /** The words of landmarks that this reading leaves out. */
  readonly notFound: readonly string[];
  readonly base: Partial<Reading>;
}

/** A kind alone; with words beside it also those words as part of its name or address, and as a name that holds the kind. */
function kindReadings({ query, others, kinds, notFound, base }: KindParts): Reading[] {
  const left = wordsOf(query, runsOf(others));
  const facilities = toTypedWords(facilitiesOf(query)).words;
  const alone = toReading("kind", { ...base, kinds, unread: [...left.words, ...notFound, ...facilities] });
  if (left.words.length === 0) return [alone];
  const ofKinds = others.filter(({ role }) => role === "kind");
  const unread = wordsOf(query, ofKinds).words;
  // "nhà hàng gần dinh độc lập" does not ask for the palace.
  const isBeside = runsOf(others).some(({ relation }) => relation !== "none");
  const named = wordsOf(query, namedOf(others));
  const dropped = base.landmark ? 0 : droppedBy(named.words, query);
  return [
    toReading("kind", { ...base, kinds: kinds.slice(0, 1), name: left }),
    alone,
    toReading("name", { ...base, name: named, dropped }),
    // "trung nguyên có quán nào": the kind says no more of the name.
    ...(isBeside ? [] : [toReading("name", { ...base, name: left, unread, besideKinds: kinds })]),
  ];
}

/** Each reading once: those that look up and compare the same are the same. */
function different(readings: readonly Reading[]): Reading[] {
  const seen = new Set<string>();
  return readings.filter((reading) => {
    const { form, name, kinds, wishes, area, address, landmark, isNear } = reading;
    const key = JSON.stringify([
      form === "plain" ? "name" : form,
      name.words,
      kinds.map(({ words, codes }) => [words, codes[0]]),
      wishes,
      area?.areas[0]?.id,
      address && [address.number, address.alleys, address.street.joined],
      landmark?.joined,
      isNear,
    ]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
