import { readFileSync } from "node:fs";
import type { Coordinates } from "../../src/place/coordinates.ts";
import type { Label } from "./labels.ts";

/** Sentences with what a right place looks like, from a table such as `dev.tsv`, and its judgement. */
export interface Sentence {
  readonly id: string;
  readonly set: string;
  readonly query: string;
  /** On a type, or on a title without marks. */
  readonly rule: RegExp;
  /** It names one place: one right place is enough. */
  readonly isOnePlace: boolean;
  /** The caller, where the sentence names no place. */
  readonly anchor: Coordinates;
  readonly radiusKm: number;
}

/** What of a place decides whether it is right. */
export interface JudgedPlace {
  readonly title: string;
  readonly type: string;
  readonly location: Coordinates;
}

/** The caller of all sentences stands in the middle of Ho Chi Minh City. */
export const SENTENCE_CALLER: Coordinates = { latitude: 10.7769, longitude: 106.7009 };

/**
 * Reads a table: id, set, query, rule, anchor "lat,lng" or nothing, radius in km.
 * @throws {Error} for a line that lacks a column or has a rule that is no regular expression.
 */
export function readSentences(file: string): Sentence[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines
    .filter((line) => line.trim() !== "" && !line.startsWith("#") && !line.startsWith("id\t"))
    .map((line) => {
      const [id, set, query, rule, anchor, radius] = line.split("\t");
      if (!id || !set || !query || !rule || anchor === undefined || !radius)
        throw new Error(`${file}: a line has fewer than six columns: ${line}`);
      return {
        id,
        set,
        query,
        rule: new RegExp(rule.replace(/^=/, ""), "u"),
        isOnePlace: rule.startsWith("="),
        anchor: anchor === "" ? SENTENCE_CALLER : toPoint(anchor),
        radiusKm: Number(radius),
      };
    });
}

function toPoint(text: string): Coordinates {
  const [latitude, longitude] = text.split(",").map(Number);
  return { latitude: latitude!, longitude: longitude! };
}

/** Whether a place is right: it satisfies the rule within the radius. A bus stop does so by its title only as the one place. */
export function judgeSentence({ rule, isOnePlace, anchor, radiusKm }: Sentence, place: JudgedPlace): Label {
  const isByTitle = isOnePlace || !place.type.startsWith("BUS_");
  const isOfRule = rule.test(place.type) || (isByTitle && rule.test(foldTitle(place.title)));
  return isOfRule && kilometres(anchor, place.location) <= radiusKm ? "right" : "wrong";
}

/** The rules are written for titles in this form, which is not quite that of the product. */
const foldTitle = (title: string): string =>
  title
    .replaceAll(/[đĐ]/g, "d")
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9/]+/g, " ")
    .trim();

const KM_PER_DEGREE_EAST = 111.32;
const KM_PER_DEGREE_NORTH = 110.57;

const kilometres = (from: Coordinates, to: Coordinates): number =>
  Math.hypot(
    (to.longitude - from.longitude) * KM_PER_DEGREE_EAST * Math.cos((from.latitude * Math.PI) / 180),
    (to.latitude - from.latitude) * KM_PER_DEGREE_NORTH,
  );
