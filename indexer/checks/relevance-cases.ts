import { readFileSync } from "node:fs";
import * as v from "valibot";
import type { Coordinates } from "../../src/place/geometry/coordinates.ts";
import { dataIdIdentity, parseDataId } from "../../src/place/document/data-id.ts";
import { DEFAULT_CENTRE, MAX_QUERY_LENGTH } from "../../src/place/request-defaults.ts";
import { fold } from "../../src/place/text/fold.ts";
import { CommandError } from "../../src/cli/errors.ts";
import { countPassing, type Found, type Probe } from "./probe.ts";

/** A search, and the place that it must find. Written by the data team. */
export interface RelevanceCase {
  readonly query: string;
  readonly centre: Coordinates;
  /** A data id or a title. */
  readonly expect: string;
  /** The place must be among this many first results. */
  readonly limit: number;
}

/** One line of the file. */
const lineSchema = v.pipe(
  v.strictObject({
    q: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(MAX_QUERY_LENGTH)),
    lat: v.optional(v.pipe(v.number(), v.minValue(-90), v.maxValue(90)), DEFAULT_CENTRE.latitude),
    lng: v.optional(v.pipe(v.number(), v.minValue(-180), v.maxValue(180)), DEFAULT_CENTRE.longitude),
    expect: v.pipe(v.string(), v.trim(), v.minLength(1)),
    top: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)), 1),
  }),
  v.transform(({ q, lat, lng, expect, top }): RelevanceCase => ({
    query: q,
    centre: { latitude: lat, longitude: lng },
    expect,
    limit: top,
  })),
);

/**
 * Reads a file of cases, one JSON object a line: `{"q", "lat", "lng", "expect": <data id or title>, "top":
 * 1}`.
 * @throws {CommandError} for a file that cannot be read, and for the first invalid line.
 */
export function readRelevanceCases(path: string): RelevanceCase[] {
  const cases = readText(path)
    .split(/\r?\n/)
    .flatMap((line, index) => (line.trim() === "" ? [] : [parseCase(line, `${path}, line ${index + 1}`)]));
  if (cases.length === 0) throw new CommandError(`${path} has no cases.`);
  return cases;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw new CommandError(`Cannot read the cases in ${path}: ${(error as Error).message}`, { cause: error });
  }
}

function parseCase(line: string, where: string): RelevanceCase {
  const parsed = v.safeParse(lineSchema, parseJson(line, where));
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new CommandError(`${where} is not a valid case: ${v.getDotPath(issue) ?? "it"}: ${issue.message}.`);
}

function parseJson(line: string, where: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new CommandError(`${where} is not JSON.`, { cause: error });
  }
}

/** Runs all cases. Resolves to descriptions of those that fail. */
export async function findFailedCases(
  cases: readonly RelevanceCase[],
  { search }: Pick<Probe, "search">,
): Promise<string[]> {
  const failed = new Map<RelevanceCase, string>();
  await countPassing(cases, async (asked) => {
    const found = await search(asked);
    const passes = found.some((place) => isExpected(place, asked.expect));
    if (!passes) failed.set(asked, describe(asked, found));
    return passes;
  });
  return cases.flatMap((asked) => failed.get(asked) ?? []);
}

function isExpected({ data_id: dataId, title }: Found, expected: string): boolean {
  const expectedId = parseDataId(expected);
  if (expectedId !== undefined) return dataIdIdentity(dataId) === dataIdIdentity(expectedId);
  return fold(title) === fold(expected);
}

function describe({ query, expect, limit }: RelevanceCase, found: readonly Found[]): string {
  const came = found[0] ? `${found[0].title} came first` : "nothing came";
  const where = limit === 1 ? "first" : `among the first ${limit}`;
  return `"${query}" should find ${expect} ${where}; ${came}`;
}
