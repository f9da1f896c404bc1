import { readFileSync } from "node:fs";
import { distanceMeters, type Coordinates } from "../../src/place/geometry/coordinates.ts";
import { fold, joinWords } from "../../src/place/text/fold.ts";
import { typesUnder, type TypeCode } from "../../src/place/document/type-codes.ts";
import type { CleanStep } from "./place-draft.ts";

/** A place that visitors know by several names. */
interface Sight extends Coordinates {
  readonly names: readonly string[];
}

const COLUMNS = "latitude,longitude,vi,en,ja,ko,zh";

/**
 * Reads a table of sights: CSV with the columns above, with semicolons between names. Lines that begin with # are comments.
 * @throws {Error} that names the file and the line.
 */
export function parseSights(csv: string, file: string): Sight[] {
  const sights: Sight[] = [];
  for (const [index, line] of csv.split("\n").entries()) {
    if (line === "" || line.startsWith("#") || line === COLUMNS) continue;
    const cells = line.split(",");
    const [latitude = Number.NaN, longitude = Number.NaN] = cells.slice(0, 2).map(Number);
    const names = cells.slice(2).flatMap((cell) => cell.split(";").filter((name) => name !== ""));
    if (
      cells.length !== COLUMNS.split(",").length ||
      !isInVietnam({ latitude, longitude }) ||
      names.length < 2
    )
      throw new Error(`${file}:${index + 1}: must be ${COLUMNS}, in Vietnam and with two names at least`);
    sights.push({ latitude, longitude, names });
  }
  return sights;
}

const isInVietnam = ({ latitude, longitude }: Coordinates): boolean =>
  latitude > 8 && latitude < 24 && longitude > 102 && longitude < 110;

let sightsByName: ReadonlyMap<string, readonly Sight[]> | undefined;

const keyOf = (name: string): string => joinWords(fold(name));

function readSights(): ReadonlyMap<string, readonly Sight[]> {
  const byName = new Map<string, Sight[]>();
  const csv = readFileSync(new URL("sights.csv", import.meta.url), "utf8");
  for (const sight of parseSights(csv, "indexer/clean/sights.csv")) {
    for (const key of new Set(sight.names.map(keyOf))) byName.getOrInsert(key, []).push(sight);
  }
  return byName;
}

/** Sources set the point of an airport, a lake or a bay anywhere in it. Sights of the same name lie in other cities. */
const MAX_DISTANCE_METERS = 15_000;

/** A café or a bus stop at the lake has its name, but nobody means it by "Sword Lake". */
const NAMED_AFTER_SIGHTS: ReadonlySet<string> = new Set(
  (
    [
      "RESTAURANT",
      "COFFEE",
      "BAR",
      "DESSERT_SHOP",
      "LODGING",
      "COMPANY",
      "TRAVEL_AGENCY",
      "CAR_RENTAL",
      "TAXI_SERVICE",
      "BANK",
      "ATM",
      "BUS_STOP",
      "PARKING",
      "TOILET",
    ] as const
  ).flatMap((type: TypeCode) => typesUnder(type)),
);

/**
 * Gives a place whose title is one of the names of a sight the sight's other names: "Hồ Con Rùa" is also found as
 * "Turtle Lake".
 */
export const addSightNames: CleanStep = (draft) => {
  if (NAMED_AFTER_SIGHTS.has(draft.type)) return draft;
  sightsByName ??= readSights();
  const sight = sightsByName
    .get(keyOf(draft.title))
    ?.find((one) => distanceMeters(one, draft.location) <= MAX_DISTANCE_METERS);
  if (sight === undefined) return draft;
  const known = new Set([draft.title, ...draft.alternate_names].map(keyOf));
  const added = sight.names.filter((name) => known.size < known.add(keyOf(name)).size);
  return added.length === 0 ? draft : { ...draft, alternate_names: [...draft.alternate_names, ...added] };
};
