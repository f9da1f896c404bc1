import { setTimeout as sleep } from "node:timers/promises";
import { engineResponseOf } from "../../src/meilisearch/connection.ts";
import type { Topology } from "../../src/partitions/topology.ts";
import { readLastBorders, type Borders } from "../index/borders.ts";
import { scanPositions } from "./scan-positions.ts";
import { EngineTaskError } from "../index/engine-tasks.ts";
import type { IndexBuild } from "../index/index-build.ts";
import { beginBuild } from "./begin-build.ts";
import { checkIndex } from "../checks/check-new-index.ts";
import { checkCountEarly, checkSwap, toList, type SwapOptions } from "../checks/check-swap.ts";
import { UNCOORDINATED, type Coordination } from "../session/coordination.ts";
import { fillIndex, type Written } from "../import/fill-index.ts";
import { CommandError } from "../../src/cli/errors.ts";
import { type Interruption, untilAborted } from "../../src/cli/interruption.ts";
import { learnPlaces } from "../clean/address-points.ts";
import type { ReadOptions } from "../clean/clean-records.ts";
import { openLiveIndex } from "../index/live-index.ts";
import type { CleaningThreads } from "../clean/cleaning-threads.ts";
import type { TeamVocabulary } from "../clean/team-vocabulary.ts";
import { mergeBuild } from "../merge/merge-build.ts";
import type { Progress } from "../../src/cli/progress.ts";
import { checkRejectLimit } from "../clean/rejects.ts";
import type { Source } from "../sources/open-sources.ts";
import { formatCount } from "../../src/cli/format.ts";
import type { InputMark } from "../../src/meilisearch/manifest.ts";

interface ImportOptions extends SwapOptions, Pick<ReadOptions, "tally" | "today" | "points" | "hashDraft"> {
  readonly index: Topology;
  readonly coordination?: Coordination;
  /** Go on with an import of the same files that broke off. */
  readonly resume?: boolean;
  readonly maxRejectsPercent: number;
  /** Where what is compared to merge places of several sources is kept; without it they are not merged. */
  readonly mergeFolder?: string | undefined;
  /** Starts the threads that clean, if any. A resumed import has the date of its beginning. */
  readonly startThreads?: (today: Temporal.PlainDate) => CleaningThreads | undefined;
  /** The areas and words of the data team. */
  readonly vocabulary?: TeamVocabulary | undefined;
  /** What the new index is made from. */
  readonly mark?: InputMark | undefined;
  readonly interruption: Pick<Interruption, "signal" | "finishUndisturbed">;
  readonly progress: Progress;
  /** Hears what is to be told before the reading begins. */
  readonly say?: (text: string) => void;
  /** Asks a person a question with yes or no; absent where there is none. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined;
  /** Called when all is read and nothing is swapped yet; what it throws fails the import. */
  readonly onRead?: () => void;
}

/** The import while it has its lease: the signal tells of an interruption and of a lost lease. */
interface Rebuild extends ImportOptions {
  readonly coordination: Coordination;
  readonly signal: AbortSignal;
}

/**
 * Read → clean → document → build, then check and swap: a new index grows beside the live one and takes its place in the
 * last step, with all that was changed in the live one meanwhile. Resolves to the number of places in it.
 * @throws whatever stands in the way, after the half-built index is removed, unless it can be resumed; the live one is untouched.
 */
export async function importPlaces(sources: readonly Source[], options: ImportOptions): Promise<number> {
  const { coordination = UNCOORDINATED, interruption } = options;
  return coordination.holdRebuild(
    ({ signal }) => rebuild(sources, { ...options, coordination, signal }),
    interruption.signal,
  );
}

async function rebuild(given: readonly Source[], options: Rebuild): Promise<number> {
  const { index, coordination, resume = false, signal, say = () => {} } = options;
  let sources = given;
  let removeScan = async (): Promise<void> => {};
  const readBorders = async (): Promise<Borders> => {
    const last = await readLastBorders(index);
    if (last) return last;
    say("Reading where the places are, so that each partition gets equally many.");
    const scan = await scanPositions(given, signal);
    ({ sources, remove: removeScan } = scan);
    return scan.borders;
  };
  const { today, vocabulary } = options;
  const beginning = { index, readBorders, coordination, resume, today, vocabulary, signal, say };
  try {
    const begun = await beginBuild(given, beginning);
    return await fillAndSwap(sources, begun.build, { ...options, today: begun.today });
  } finally {
    await removeScan();
  }
}

async function fillAndSwap(sources: readonly Source[], build: IndexBuild, options: Rebuild): Promise<number> {
  try {
    await fillAndCheck(sources, build, options);
    return await swapInWithChanges(build, options);
  } catch (error) {
    await giveUp(build, error, options);
    throw error;
  }
}

async function fillAndCheck(sources: readonly Source[], build: IndexBuild, options: Rebuild): Promise<void> {
  const { tally, signal, progress } = options;
  const written = await fill(sources, build, options);
  options.onRead?.();
  checkRejectLimit(tally, options.maxRejectsPercent);
  const ask = options.ask && ((question: string) => askBetween(question, options));
  const early = { force: options.force, read: written.distinctPlaces, ask };
  const force = await untilAborted(() => checkCountEarly(options.index, early), signal);
  const sent = formatCount(tally.written, "place");
  progress.begin("indexing", `${sent} written; waiting for the engine to index.`);
  await mergePlaces(build, written, options);
  await untilAborted(() => build.completeForSearch(), signal);
  progress.begin("checking", "Checking that the new index has what was read.");
  await untilAborted(() => checkNewIndex(written, build), signal);
  progress.begin("comparing", "Comparing the new index with the live one.");
  tally.overridden.push(
    ...(await untilAborted(() => checkSwap(options.index, { ...options, force }), signal)),
  );
  if (tally.overridden.length > 0) progress.say(`Overridden:\n${toList(tally.overridden)}`);
}

/** Nothing is painted over a question. */
async function askBetween(question: string, { ask, progress }: Rebuild): Promise<boolean> {
  progress.stop();
  return (await ask?.(question)) ?? false;
}

async function fill(sources: readonly Source[], build: IndexBuild, options: Rebuild): Promise<Written> {
  const learnMore = (): Promise<void> => learnLivePlaces(options);
  const threads = options.startThreads?.(options.today);
  try {
    const findTeamAreas = options.vocabulary?.findTeamAreas;
    return await fillIndex(sources, { ...options, build, findTeamAreas, threads, learnMore });
  } finally {
    await threads?.close();
  }
}

/** Nothing is learned of an index of another version. */
async function learnLivePlaces({ index, points, progress, signal }: Rebuild): Promise<void> {
  const live = openLiveIndex(index);
  try {
    if (points === undefined || (await live.readState()) !== "writable") return;
    progress.say("Reading the addresses of the live index, to estimate missing coordinates.");
    await learnPlaces(points, live.readAddresses(), signal);
  } finally {
    await live.close();
  }
}

/** One source has each place once: nothing is to be compared then. */
async function mergePlaces(build: IndexBuild, { sourceNames }: Written, options: Rebuild): Promise<void> {
  const { mergeFolder: folder, progress, signal } = options;
  const { merges } = options.tally;
  if (folder === undefined || sourceNames.length < 2) return;
  await untilAborted(() => build.finish(), signal);
  progress.begin("merging", `Looking for places that are in several of the ${sourceNames.length} sources.`);
  await mergeBuild(build, { sources: sourceNames, merges, folder, signal });
  // A resumed import finds those that were merged before it broke off.
  merges.total = (await untilAborted(() => build.finish(), signal)).redirects;
  progress.say(`${formatCount(merges.total)} records were merged into places of other sources.`);
}

async function checkNewIndex(written: Written, build: IndexBuild): Promise<void> {
  const counts = await build.finish();
  const reader = build.createReader();
  try {
    // Servers search the index from the swap on; an engine that was empty has loaded no dictionaries yet.
    await reader.warmUp();
    await checkIndex({ ...counts, written, reader });
  } finally {
    await reader.close();
  }
}

const LOST_CHANGES =
  "Redis has lost the list of changes made during the import, so the new index may lack some. Import again.";

/** Nobody else writes to the live index from the reading of its changes to the swap. */
function swapInWithChanges(build: IndexBuild, options: Rebuild): Promise<number> {
  const { coordination, interruption, progress } = options;
  progress.begin(
    "swapping",
    "The new index passed its checks. Adding the changes made meanwhile, then swapping.",
  );
  return coordination.holdWrite(async ({ signal, check }) => {
    if (!(await coordination.changeLog.isOf(build.id))) throw new CommandError(LOST_CHANGES);
    const changed = await copyChanges(build, coordination, signal);
    await untilAborted(() => build.keepWords(), signal);
    if (changed > 0) progress.say(`${formatCount(changed)} places were changed meanwhile.`);
    const { places } = await untilAborted(() => build.finish(), signal);
    await check();
    interruption.finishUndisturbed(() =>
      progress.say("Too late to stop: the new index is being swapped in."),
    );
    await build.swap(options.mark);
    await coordination.changeLog.end(build.id).catch(() => {});
    return places;
  }, options.signal);
}

async function copyChanges(
  build: IndexBuild,
  { changeLog }: Coordination,
  signal: AbortSignal,
): Promise<number> {
  let changed = 0;
  for await (const identities of changeLog.read(build.id)) {
    await untilAborted(() => build.copyFromLive(identities), signal);
    changed += identities.length;
  }
  return changed;
}

/** A person who presses Ctrl-C waits no longer than this for the engine; the next import removes what is left. */
const DISCARD_MS = 10_000;

async function giveUp(build: IndexBuild, error: unknown, options: Rebuild): Promise<void> {
  const { progress, coordination, interruption } = options;
  if (!interruption.signal.aborted && canBeResumed(error)) {
    progress.say("What was written is kept: run the same import with --resume to continue.");
    await build.leave();
    return;
  }
  await coordination.changeLog.end(build.id).catch(() => {});
  const discarded = build.discard().then(
    () => true,
    () => false,
  );
  const isDone = await Promise.race([discarded, sleep(DISCARD_MS, false, { ref: false })]);
  if (isDone) return;
  progress.say("The half-built index could not be removed; the next import removes it.");
  await build.leave();
}

/** An engine or a Redis that went away comes back; what they or we found wrong stays wrong. */
const canBeResumed = (error: unknown): boolean =>
  !(error instanceof CommandError) &&
  !(error instanceof EngineTaskError) &&
  engineResponseOf(error) === undefined;
