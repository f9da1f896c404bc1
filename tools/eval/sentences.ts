import { readFileSync } from "node:fs";
import { type Coordinates, distanceMeters } from "../../src/place/geometry/coordinates.ts";
import { formatTable } from "../../src/cli/format.ts";
import { unmark } from "./phrase-cases.ts";
import { type Part, halfOf } from "./wording.ts";

/** Sentences that people say to a map, judged by a rule for the places that answer them. */

/** The middle of Ho Chi Minh City, between Nguyễn Huệ and Lê Thánh Tôn. */
export const CALLER: Coordinates = { latitude: 10.7769, longitude: 106.7009 };

export interface Sentence {
  readonly id: string;
  /** Where it comes from or what it asks: a row of the table. */
  readonly set: string;
  readonly query: string;
  /** A regular expression on the type code or on the title without marks. */
  readonly rule: RegExp;
  /** The sentence names one place, or a chain: one right place is enough. */
  readonly isOnePlace: boolean;
  /** The street or landmark that it names; without one, right places are near the caller. */
  readonly anchor?: Coordinates;
  readonly radiusMeters: number;
}

/**
 * Reads lines of id, set, query, rule, anchor and radius in kilometres, parted by tabs. Other columns, the heading and
 * lines that begin with # are skipped.
 * @throws {Error} that names the line.
 */
export function parseSentences(tsv: string): Sentence[] {
  return tsv.split("\n").flatMap((line, index): Sentence[] => {
    if (line.trim() === "" || line.startsWith("#") || line.startsWith("id\t")) return [];
    const [id = "", set = "", query = "", rule = "", anchor = "", radius = ""] = line.trimEnd().split("\t");
    const [latitude = Number.NaN, longitude = Number.NaN] = anchor.split(",").map(Number);
    const radiusMeters = 1_000 * Number(radius);
    const isWhole = query !== "" && rule !== "" && radiusMeters > 0;
    if (!isWhole || (anchor !== "" && Number.isNaN(latitude + longitude)))
      throw new Error(`Line ${index + 1} is no sentence with a rule, an anchor and a radius.`);
    return [
      {
        id,
        set,
        query,
        rule: new RegExp(rule.replace(/^=/, "")),
        isOnePlace: rule.startsWith("="),
        ...(anchor !== "" && { anchor: { latitude, longitude } }),
        radiusMeters,
      },
    ];
  });
}

export const readSentences = (file: string): Sentence[] => parseSentences(readFileSync(file, "utf8"));

const VERDICTS = ["right", "partly", "wrong", "empty"] as const;
type Verdict = (typeof VERDICTS)[number];

/** What a place is judged by. */
export interface JudgedPlace {
  readonly title: string;
  readonly type: string;
  readonly location: Coordinates;
}

/** So many of the first results count. */
export const TOP = 3;
const MIN_RIGHT = 2;

/** Small letters without marks; slashes belong to house numbers. */
const plainTitle = (title: string): string =>
  unmark(title)
    .toLowerCase()
    .replace(/[^a-z0-9/]+/g, " ")
    .trim();

/** A bus stop is named after the place beside it, so its title counts only where one place is meant. */
const satisfiesRule = ({ rule, isOnePlace }: Sentence, { type, title }: JudgedPlace): boolean =>
  rule.test(type) || (rule.test(plainTitle(title)) && (isOnePlace || !type.startsWith("BUS_")));

const isWithinRadius = (
  { anchor, radiusMeters }: Sentence,
  { location }: JudgedPlace,
  caller: Coordinates,
): boolean => distanceMeters(anchor ?? caller, location) <= radiusMeters;

/** Whether a place is right for a sentence said at `caller`: it satisfies the rule within the radius. */
export const isRightPlace = (sentence: Sentence, place: JudgedPlace, caller: Coordinates): boolean =>
  satisfiesRule(sentence, place) && isWithinRadius(sentence, place, caller);

/** So many of the first places must be right. */
export const wantedPlaces = ({ isOnePlace }: Sentence): number => (isOnePlace ? 1 : MIN_RIGHT);

/**
 * Right: two of the first three places satisfy the rule within the radius (one where the sentence names one place). Partly:
 * fewer, or only elsewhere.
 */
export function judgeSentence(
  sentence: Sentence,
  places: readonly JudgedPlace[],
  caller: Coordinates,
): Verdict {
  const top = places.slice(0, TOP);
  if (top.length === 0) return "empty";
  const ofRule = top.filter((place) => satisfiesRule(sentence, place));
  const right = ofRule.filter((place) => isWithinRadius(sentence, place, caller));
  if (right.length >= wantedPlaces(sentence)) return "right";
  return ofRule.length > 0 ? "partly" : "wrong";
}

/** A sentence with the first places that came. */
export interface JudgedSentence {
  readonly sentence: Sentence;
  readonly places: readonly JudgedPlace[];
  readonly verdict: Verdict;
}

/** The half that a ranking may be tuned with, or the other. */
export const partOf = ({ sentence }: Pick<JudgedSentence, "sentence">): Part => halfOf(sentence.id);

/** The shares of each set, of all and of both halves. */
export function sharesOf(judged: readonly JudgedSentence[]) {
  const sets = Map.groupBy(judged, ({ sentence }) => sentence.set);
  const halves = Map.groupBy(judged, partOf);
  const rows: [string, readonly JudgedSentence[]][] = [
    ...sets,
    ["all", judged],
    ...(["tuning", "held aside"] as const).map((part): [string, readonly JudgedSentence[]] => [
      `all, ${part}`,
      halves.get(part) ?? [],
    ]),
  ];
  return rows.map(([set, those]) => ({
    set,
    sentences: those.length,
    ...(Object.fromEntries(
      VERDICTS.map((verdict) => [
        verdict,
        those.filter((one) => one.verdict === verdict).length / Math.max(1, those.length),
      ]),
    ) as Record<Verdict, number>),
  }));
}

export const formatSentences = (judged: readonly JudgedSentence[]): string =>
  formatTable(
    ["sentences", "cases", ...VERDICTS],
    sharesOf(judged).map(({ set, sentences, ...shares }) => [
      set,
      String(sentences),
      ...VERDICTS.map((verdict) => shares[verdict].toFixed(3)),
    ]),
  );

/** Up to `count` sentences of the tuning half that were not right. The other half stays unread. */
export const formatSentenceMisses = (
  judged: readonly JudgedSentence[],
  count: number,
  caller: Coordinates,
): string =>
  judged
    .filter((one) => one.verdict !== "right" && partOf(one) === "tuning")
    .slice(0, count)
    .map(({ sentence, places, verdict }) =>
      [
        `${verdict} ${sentence.id} "${sentence.query}"`,
        ...places.map(({ title, type, location }, place) => {
          const meters = distanceMeters(sentence.anchor ?? caller, location);
          return `    ${place + 1}. ${title} [${type}] ${(meters / 1000).toFixed(2)} km`;
        }),
      ].join("\n"),
    )
    .join("\n");
