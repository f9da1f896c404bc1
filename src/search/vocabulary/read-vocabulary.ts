import { readFileSync } from "node:fs";
import * as v from "valibot";
import { readAreas, type Area } from "../../place/geometry/areas.ts";
import { FEATURE_CODES } from "../../place/document/feature-codes.ts";
import { OPENING_WISHES } from "../../place/time/open-state.ts";
import { memoize } from "../../place/text/memoize.ts";
import { isTypeCode, perKinds, typesUnder, type TypeCode } from "../../place/document/type-codes.ts";
import {
  createVocabulary,
  ROLES,
  type BorrowedWords,
  type NeedWeights,
  type Role,
  type Vocabulary,
  type VocabularyRow,
} from "./vocabulary.ts";

/** The allowed values of the second column, for the roles that use it. */
const MEANINGS: Readonly<Partial<Record<Role, readonly string[]>>> = {
  wish: [...OPENING_WISHES.map((wish) => `open_${wish}`), "cheap", "expensive", "well_rated"],
  address: ["number", "alley", "street"],
  area_word: ["province", "district", "ward"],
  function: ["", "asked", "has", "particle"],
  filler: ["", "there"],
};

const RowSchema = v.pipe(
  v.object({
    role: v.picklist(ROLES, `is none of ${ROLES.join(", ")}`),
    meaning: v.string(),
    language: v.pipe(v.string(), v.nonEmpty("is empty")),
    words: v.pipe(v.string(), v.nonEmpty("is empty")),
  }),
  v.forward(
    v.check(
      ({ role, meaning }) => isMeaning(role, meaning),
      ({ input }) => `"${input.meaning}" is no ${input.role}`,
    ),
    ["meaning"],
  ),
);

/** Roles of words that belong to a kind. */
const OF_KINDS: ReadonlySet<Role> = new Set(["kind", "product", "brand", "head", "other_name"]);

function isMeaning(role: Role, meaning: string): boolean {
  if (OF_KINDS.has(role)) return isTypeCode(meaning);
  if (role === "feature") return FEATURE_CODES.has(meaning);
  if (role === "area" || role === "short_form") return meaning !== "";
  const meanings = MEANINGS[role];
  return meanings ? meanings.includes(meaning) : meaning === "";
}

/**
 * Parses a vocabulary file: CSV with the columns role, meaning, language and words, with semicolons between
 * words. Lines that begin with # are comments.
 * @param refuse hears of an invalid row, with the file, the line and the column; by default it is thrown. Where it returns, the row is left out.
 */
export function parseVocabulary(
  csv: string,
  file: string,
  refuse: (error: Error) => void = raise,
): VocabularyRow[] {
  const rows: VocabularyRow[] = [];
  for (const [index, line] of csv.split("\n").entries()) {
    if (line === "" || line.startsWith("#") || line.startsWith("role,")) continue;
    const [role, meaning, language, ...words] = line.trimEnd().split(",");
    const result = v.safeParse(RowSchema, { role, meaning, language, words: words.join(",") });
    if (!result.success) {
      const [issue] = result.issues;
      refuse(new Error(`${file}:${index + 1}: ${v.getDotPath(issue)} ${issue.message}`));
      continue;
    }
    const texts = result.output.words.split(";").map((text) => text.trim());
    rows.push({ ...result.output, words: texts.filter((text) => text !== "") });
  }
  return rows;
}

const raise = (error: Error): never => {
  throw error;
};

/**
 * Finds a row of a generated file by its first column, by which the rows are sorted, and returns the rest of it. The file stays text: a
 * map of 26,000 rows takes a fifth of a second and 8 MB.
 */
function rowFinder(csv: string, heading: string): (key: string) => string | undefined {
  const rows = csv.indexOf("\n", csv.indexOf(heading)) + 1;
  return (key) => {
    let [from, to] = [rows, csv.length];
    while (from < to) {
      const start = Math.max(rows, csv.lastIndexOf("\n", ((from + to) >>> 1) - 1) + 1);
      const end = csv.indexOf("\n", start);
      const comma = csv.indexOf(",", start);
      const found = csv.slice(start, comma);
      if (found === key) return csv.slice(comma + 1, end);
      if (found < key) from = end + 1;
      else to = start;
    }
    return undefined;
  };
}

/** The types that words of OpenStreetMap's editors name. */
export function searchBorrowed(csv: string): BorrowedWords {
  const find = rowFinder(csv, "letters,types");
  return (letters) =>
    find(letters)
      ?.split(" ")
      .flatMap((type) => typesUnder(type as TypeCode));
}

/** What words weigh for the types that a sentence needs: the letters of a type, which the head of the file explains, and the weight. */
function searchNeeds(csv: string): NeedWeights {
  const find = rowFinder(csv, "words,types");
  const head = csv.slice(0, csv.indexOf("words,types"));
  const types = new Map(head.split(/\s/).map((part) => [part.slice(0, 2), part.slice(3)]));
  return memoize((feature) =>
    [...(find(feature) ?? "").matchAll(/([a-z]{2})(\d+)/g)].map(
      ([, letters, weight]) => [types.get(letters!)!, Number(weight)] as const,
    ),
  );
}

/** The files in this folder, highest precedence first: ours before those of others. */
const VOCABULARY_FILES = ["vi.csv", "en.csv", "other-languages.csv", "brands.csv", "other-names.csv"];
const BORROWED_FILE = "osm-kinds.csv";
const NEEDS_FILE = "needs.csv";
const AREA_FILES = ["vietnam.csv", "neighbourhoods.csv"];

/** Reads the project's vocabulary and areas, and rows and areas of a data team. Takes a sixth of a second. */
export function readVocabulary(
  extra: readonly VocabularyRow[] = [],
  extraAreas: readonly Area[] = [],
): Vocabulary {
  const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
  const readRows = (name: string): VocabularyRow[] => parseVocabulary(read(name), name);
  const areas = AREA_FILES.flatMap((name) => readAreas(read(`../../place/geometry/areas/${name}`)));
  return createVocabulary({
    rows: [...extra, ...VOCABULARY_FILES.flatMap(readRows)],
    borrowed: searchBorrowed(read(BORROWED_FILE)),
    needWeights: searchNeeds(read(NEEDS_FILE)),
    areas: [...areas, ...extraAreas],
  });
}

/** The project's vocabulary with the kinds in use, read once for these. */
export const loadVocabulary: () => Vocabulary = perKinds(() => readVocabulary());
