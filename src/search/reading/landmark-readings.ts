import type { AreaSpan } from "./area-spans.ts";
import { findAddress, type AddressSpan } from "./address.ts";
import { readArea, takeApart, toPartsReading, type Query } from "./parts.ts";
import { toReading, type RankedReading, type Reading } from "./reading.ts";
import { isArea, isPhrase, pick, range, type Span } from "./spans.ts";
import { toTypedWords } from "./tokens.ts";

/** "khách sạn gần hồ gươm": the words before "gần", near what the words after it name. */
export function landmarkReadings(query: Query, found: readonly Span[]): RankedReading[] {
  const { tokens } = query;
  const split = found.find(
    (span) => isPhrase(span) && span.start > 0 && span.phrases.some(({ role }) => role === "landmark"),
  );
  if (split === undefined || split.end === tokens.length) return [];
  const tail = found.filter(({ start }) => start >= split.end);
  // "gần quận 3" means the area itself; no name follows "quanh đây".
  const isNothingToFind = range(split.end, tokens.length).every((index) =>
    tail.some(({ role, start, end }) => role !== "kind" && start <= index && index < end),
  );
  const head = takeApart(
    { ...query, tokens: tokens.slice(0, split.start) },
    found.filter(({ end }) => end <= split.start),
  );
  if (isNothingToFind || (head.kinds.length === 0 && head.rest.length === 0)) return [];
  const areaSpans = tail.filter(isArea);
  const first = areaSpans.find((span) => !isOfLandmark(span, tail))?.start ?? tokens.length;
  const isAround = (span: AreaSpan): boolean =>
    !isOfLandmark(span, tail) || ["province", "district"].includes(span.areas[0]?.level ?? "");
  const area = readArea(areaSpans.filter(isAround), tokens, query.near);
  const landmark = toTypedWords(tokens.slice(split.end, first > split.end ? first : tokens.length));
  const reading = toPartsReading(head, pick(tokens, head.rest), head.kinds);
  return [
    { reading: { ...reading, ...(area && { area }), landmark }, likelihood: 3 },
    { reading: { ...reading, isNear: true }, likelihood: 1 },
  ];
}

/** The "hà nội" of "ga hà nội" and the "bách khoa" of "trường đại học bách khoa" belong to the name: a kind stands before them. */
const isOfLandmark = (span: AreaSpan, tail: readonly Span[]): boolean =>
  span.certainty !== "marked" && tail.some(({ role, end }) => role === "kind" && end === span.start);

/** The address in a query, with the name before it and the areas after it. */
export function addressReadings(query: Query, spans: readonly Span[]): RankedReading[] {
  const { tokens, near } = query;
  const found = findAddress(tokens, spans, query.vocabulary);
  if (found === undefined) return [];
  const outside = spans.filter(({ start, end }) => end <= found.start || start >= found.end);
  const area = readArea(outside.filter(isArea), tokens, near);
  const before = nameBefore(query, found, outside);
  const reading = toReading({ ...before, address: found.address, ...(area && { area }) });
  return [{ reading, likelihood: found.isCertain ? 4 : found.address.number === undefined ? 2.5 : -1 }];
}

/** The name of the place in "phở thìn 13 lò đúc"; words such as "địa chỉ" are not a name. */
function nameBefore(query: Query, { start }: AddressSpan, outside: readonly Span[]): Partial<Reading> {
  const head = { ...query, tokens: query.tokens.slice(0, start) };
  const parts = takeApart(
    head,
    outside.filter(({ end, role }) => end <= start && role !== "area" && role !== "kind"),
  );
  return { name: toTypedWords(pick(head.tokens, parts.rest)), filler: parts.filler };
}
