import {
  createIndexAdmin,
  type IndexAdmin,
  type IndexRole,
  type IndexSummary,
} from "../index-build/index-admin.ts";
import type { EngineAddress } from "../../src/meilisearch/connection.ts";
import { type RelevanceCase, findFailedCases } from "./relevance-cases.ts";
import { toErrorText, CommandError } from "../../src/cli/errors.ts";
import { spreadNumbers } from "../index-build/read-index.ts";
import type { PlaceDocument } from "../../src/place/place-document.ts";
import { coverageOf, findCollapsedFields, hasFallen, percent } from "./coverage.ts";
import { isFoundByName, countPassing, createProbe, type Probe } from "./probe.ts";
import { formatCount } from "../../src/cli/format.ts";
import { formatChecks } from "./check-result.ts";
import { checkIndexHealth } from "./check-live-index.ts";

export interface SwapOptions {
  /** What speaks against the swap is told and then overridden. */
  readonly force?: boolean | undefined;
  /** Searches that the new index must answer. */
  readonly cases?: readonly RelevanceCase[] | undefined;
}

/**
 * Compares the finished build with the live index. Resolves to the reasons against the swap that `force` has overridden.
 * @throws {CommandError} that names all reasons against it.
 */
export async function checkSwap(
  engine: EngineAddress,
  { force, cases = [] }: SwapOptions,
): Promise<string[]> {
  const admin = createIndexAdmin(engine);
  try {
    const problems = await findSwapProblems(admin, { cases }).catch((error: unknown) => [
      `it could not be compared with the live index: ${toErrorText(error)}`,
    ]);
    if (problems.length > 0 && !force) throw refusal(problems);
    return problems;
  } finally {
    await admin.close();
  }
}

const refusal = (problems: readonly string[]): CommandError =>
  new CommandError(
    `The new index was not swapped in:\n${toList(problems)}\n` +
      "Check that the files are right and complete; the report says what was left out. --force swaps anyway.",
  );

/** One line for each, indented. */
export const toList = (lines: readonly string[]): string => lines.map((line) => `  - ${line}`).join("\n");

/** Of the next index and the live one, what the comparison needs. */
interface Side {
  /** Those that became part of another are not lost: they are among them. */
  readonly places: number;
  readonly sample: readonly PlaceDocument[];
  readonly probe: Pick<Probe, "search">;
}

interface SwapChecks {
  /** Searches that the new index must answer. */
  readonly cases: readonly RelevanceCase[];
}

/** A gazetteer loses a percent or two in a month; more is a file that is cut short, or one of several that is missing. */
const MAX_COUNT_FALL = 0.05;

/** In the smallest gazetteers a single place is more than that. */
const COUNT_FALL_PLACES = 3;

/** With a thousand places a share is known to three percent, which is enough to see one collapse; it takes a second. */
const COVERAGE_SAMPLE = 1_000;

/** Each costs one to three searches. */
const SEARCH_SAMPLE = 100;

/** Searches that find fewer of the places than before by this much are felt. */
const MAX_FOUND_FALL = 0.1;

/** Places close, move and are renamed; but what callers found by name yesterday is there today but for a few. */
const MAX_LOST = 0.2;

/** Enough to see what is wrong. */
const MAX_CASES_TOLD = 5;

/**
 * All reasons not to put the next index in the place of the live one, in words; none for the first import. A live index that
 * another version built is compared by its count only, and so is the demo's, which real places are meant to replace.
 */
async function findSwapProblems(admin: IndexAdmin, { cases }: SwapChecks): Promise<string[]> {
  const [live, next] = await Promise.all([admin.readIndex("live"), admin.readIndex("next")]);
  if (!next) return ["it is not there"];
  const sample = await admin.samplePlaces("next", COVERAGE_SAMPLE);
  const probe = await createProbe(admin.addressOf("next"));
  try {
    const nextSide: Side = { places: countWithMerged(next), sample, probe };
    return [
      ...(live && live.places > 0 ? await compareWithLive(admin, live, nextSide) : []),
      ...tellFailedCases(cases, await findFailedCases(cases, probe)),
    ];
  } finally {
    await probe.close();
  }
}

async function compareWithLive(admin: IndexAdmin, live: IndexSummary, next: Side): Promise<string[]> {
  if (!live.isReadable) return findFallenCount(countWithMerged(live), next.places);
  const side = await openSide(admin, "live", countWithMerged(live));
  try {
    if (isDemo(side) && !isDemo(next)) return [];
    return [
      ...findFallenCount(side.places, next.places),
      ...findCollapsedFields(coverageOf(side.sample), coverageOf(next.sample)),
      ...(await findWorseSearches(side, next)),
    ];
  } finally {
    await side.probe.close();
  }
}

const countWithMerged = ({ places, redirects }: IndexSummary): number => places + redirects;

async function openSide(
  admin: IndexAdmin,
  role: IndexRole,
  places: number,
): Promise<Side & { readonly probe: Probe }> {
  const sample = await admin.samplePlaces(role, COVERAGE_SAMPLE);
  return { places, sample, probe: await createProbe(admin.addressOf(role)) };
}

/** What `demo-data` makes says so of itself. */
const isDemo = ({ sample }: Side): boolean => sample.every(({ source }) => source === "demo");

/** In words, when the count fell by more than it may. */
function findFallenCount(before: number, after: number): string[] {
  const lost = before - after;
  if (lost <= Math.max(COUNT_FALL_PLACES, before * MAX_COUNT_FALL)) return [];
  const counts = `${formatCount(after)} places where the live index has ${formatCount(before)}`;
  return [
    `it holds ${counts}, ${percent(lost / before)} fewer; more than ${percent(MAX_COUNT_FALL)} may not go`,
  ];
}

/** In words: searches by name that work less well than on the live index, and places of it that are not found any more. */
async function findWorseSearches(live: Side, next: Side): Promise<string[]> {
  const liveSample = thin(live.sample, SEARCH_SAMPLE);
  const nextSample = thin(next.sample, SEARCH_SAMPLE);
  const liveInLive = await countFound(liveSample, live);
  const nextInNext = await countFound(nextSample, next);
  const liveInNext = await countFound(liveSample, next);
  const before = toShare(liveInLive, liveSample);
  const after = toShare(nextInNext, nextSample);
  const kept = toShare(liveInNext, liveSample);
  const worse = `a search by name finds ${percent(after.share)} of its places, of the live index's ${percent(before.share)}`;
  const lost = `of the live index's places a search by name finds ${percent(kept.share)}, where the live index finds ${percent(before.share)}`;
  return [
    ...(hasFallen(before, after, MAX_FOUND_FALL) ? [worse] : []),
    ...(hasFallen(before, kept, MAX_LOST) ? [lost] : []),
  ];
}

const countFound = (sample: readonly PlaceDocument[], { probe }: Side): Promise<number> =>
  countPassing(sample, (place) => isFoundByName(probe, place));

const toShare = (found: number, { length }: readonly unknown[]) => ({
  share: length === 0 ? 0 : found / length,
  of: length,
});

/** A few of a sample, from all over it. */
const thin = (places: readonly PlaceDocument[], size: number): PlaceDocument[] =>
  places.length <= size ? [...places] : spreadNumbers(places.length, size).map((number) => places[number]!);

/** The failed cases in words, the first few of them. */
export function tellFailedCases(cases: readonly RelevanceCase[], failed: readonly string[]): string[] {
  if (failed.length === 0) return [];
  const told = failed.slice(0, MAX_CASES_TOLD).join("; ");
  const rest = failed.length > MAX_CASES_TOLD ? "; …" : "";
  return [`${failed.length} of ${cases.length} cases fail: ${told}${rest}`];
}

/**
 * Looks whether the previous index may go live. Resolves to the failed checks that `force` has overridden.
 * @throws {CommandError} when there is none, or a check of it fails.
 */
export async function checkPreviousIndex(admin: IndexAdmin, force: boolean): Promise<string[]> {
  if (!(await admin.readIndex("previous")))
    throw new CommandError("There is no previous index to roll back to. The live index is unchanged.");
  const results = await checkIndexHealth(admin, "previous");
  const failed = results.filter(({ state }) => state === "problem").map((result) => formatChecks([result]));
  if (failed.length === 0 || force) return failed;
  throw new CommandError(
    `The previous index failed its checks:\n${failed.join("\n")}\nThe live index is unchanged. --force rolls back anyway.`,
  );
}
