import type { IndexSummary } from "../index/index-summary.ts";
import { type IndexAdmin, type IndexRole, openIndexAdmin } from "../index/index-admin.ts";
import type { Topology } from "../../src/partitions/topology.ts";
import { type RelevanceCase, findFailedCases } from "./relevance-cases.ts";
import { toErrorText, CommandError } from "../../src/cli/errors.ts";
import { spreadNumbers } from "../../src/meilisearch/read-index.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { coverageOf } from "../../src/place/document/coverage.ts";
import { findCollapsedFields, hasFallen, percent } from "./coverage.ts";
import { isFoundByName, countPassing, createProbe, type Probe } from "./probe.ts";
import { formatCount } from "../../src/cli/format.ts";
import { formatChecks } from "./check-result.ts";
import { checkIndexHealth } from "./check-live-index.ts";

export interface SwapOptions {
  /** Swap even though checks failed. The failed checks are reported. */
  readonly force?: boolean | undefined;
  /** Searches that must succeed on the new index. */
  readonly cases?: readonly RelevanceCase[] | undefined;
}

/**
 * Compares the finished build with the live index. Resolves to the failed checks that `force` has overridden.
 * @throws {CommandError} that lists every failed check.
 */
export async function checkSwap(index: Topology, { force, cases = [] }: SwapOptions): Promise<string[]> {
  const admin = openIndexAdmin(index);
  try {
    const problems = await findSwapProblems(admin, cases).catch((error: unknown) => [
      `it could not be compared with the live index: ${toErrorText(error)}`,
    ]);
    if (problems.length > 0 && !force) throw refusal(problems);
    return problems;
  } finally {
    await admin.close();
  }
}

/** The number of read places is an estimate until the engine has counted them. */
const ESTIMATE_MARGIN = 1.02;

/** Fewer places are somebody's first steps, which a question protects well enough. */
const SMALL_INDEX_PLACES = 1_000;

interface EarlyOptions extends Pick<SwapOptions, "force"> {
  /** About how many different places were read. */
  readonly read: number;
  /** Asks a person, where there is one. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined;
}

/**
 * Compares the number of places that were read with the live index, before anything else is done with them. A small live
 * index may be replaced by fewer places if a person agrees: then it resolves to true.
 * @throws {CommandError} when too many places would be lost.
 */
export async function checkCountEarly(index: Topology, { force, read, ask }: EarlyOptions): Promise<boolean> {
  if (force) return true;
  const admin = openIndexAdmin(index);
  try {
    const live = await admin.readIndex("live");
    if (!live || findFallenCount(countWithMerged(live), read * ESTIMATE_MARGIN).length === 0) return false;
    if (live.isReadable && isDemo({ sample: await admin.samplePlaces("live", COVERAGE_SAMPLE) }))
      return false;
    const problems = findFallenCount(countWithMerged(live), Math.round(read));
    const [problem = ""] = problems;
    if (live.places >= SMALL_INDEX_PLACES || !ask) throw refusal(problems);
    if (await ask(`The new index is much smaller: ${problem}. Replace the live one?`)) return true;
    throw refusal(problems);
  } finally {
    await admin.close();
  }
}

const refusal = (problems: readonly string[]): CommandError =>
  new CommandError(
    `The new index was not swapped in:\n${toList(problems)}\n` +
      "Check that the files are right and complete; the report says what was left out. --force swaps anyway.",
  );

/** Formats an indented list, one item a line. */
export const toList = (lines: readonly string[]): string => lines.map((line) => `  - ${line}`).join("\n");

/** What the comparison needs to know of the next index or the live one. */
interface Side {
  /** The number of places, including those that were merged into another: they are not lost. */
  readonly places: number;
  readonly sample: readonly PlaceDocument[];
  readonly probe: Pick<Probe, "search">;
}

/**
 * A dataset loses one or two percent of its places in a month. A larger fall means that a file is cut short
 * or missing.
 */
const MAX_COUNT_FALL = 0.05;

/** In the smallest datasets a single place is more than that share. */
const COUNT_FALL_PLACES = 3;

/**
 * With a thousand places, a share is accurate to three percent: enough to notice a collapse. Takes one
 * second.
 */
const COVERAGE_SAMPLE = 1_000;

/** Each place costs one to three searches. */
const SEARCH_SAMPLE = 100;

/** Users notice when searches find fewer of the places than before by this much. */
const MAX_FOUND_FALL = 0.1;

/**
 * Some places close, move or are renamed, but nearly all that could be found by name yesterday can be found
 * today.
 */
const MAX_LOST = 0.2;

/** Enough to see what is wrong. */
const MAX_CASES_TOLD = 5;

/**
 * Finds all reasons against the swap, in words; none for the first import. When another version built the
 * live index, or when it holds demo data that real places should replace, only the number of places is
 * compared.
 */
async function findSwapProblems(admin: IndexAdmin, cases: readonly RelevanceCase[]): Promise<string[]> {
  const [live, next] = await Promise.all([admin.readIndex("live"), admin.readIndex("next")]);
  if (!next) return ["it is not there"];
  const sample = await admin.samplePlaces("next", COVERAGE_SAMPLE);
  const probe = await createProbe(await admin.openPlaceIndex("next"));
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
  return { places, sample, probe: await createProbe(await admin.openPlaceIndex(role)) };
}

/** Places from `demo-data` have the source "demo". */
const isDemo = ({ sample }: Pick<Side, "sample">): boolean => sample.every(({ source }) => source === "demo");

/** Describes a fall in the number of places that is larger than allowed. */
function findFallenCount(before: number, after: number): string[] {
  const lost = before - after;
  if (lost <= Math.max(COUNT_FALL_PLACES, before * MAX_COUNT_FALL)) return [];
  const counts = `${formatCount(after)} places where the live index has ${formatCount(before)}`;
  return [
    `it holds ${counts}, ${percent(lost / before)} fewer; more than ${percent(MAX_COUNT_FALL)} may not go`,
  ];
}

/**
 * Describes searches by name that work less well than on the live index, and places that are no longer found.
 */
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

/** Takes a few places from all over a sample. */
const thin = (places: readonly PlaceDocument[], size: number): PlaceDocument[] =>
  places.length <= size ? [...places] : spreadNumbers(places.length, size).map((number) => places[number]!);

/** Describes the failed cases, at most the first few. */
export function tellFailedCases(cases: readonly RelevanceCase[], failed: readonly string[]): string[] {
  if (failed.length === 0) return [];
  const told = failed.slice(0, MAX_CASES_TOLD).join("; ");
  const rest = failed.length > MAX_CASES_TOLD ? "; …" : "";
  return [`${failed.length} of ${cases.length} cases fail: ${told}${rest}`];
}

/**
 * Checks whether the previous index may go live. Resolves to the failed checks that `force` has overridden.
 * @throws {CommandError} when there is no previous index, or a check fails.
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
