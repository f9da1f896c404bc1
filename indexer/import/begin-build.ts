import type { Topology } from "../../src/partitions/topology.ts";
import type { IndexBuild } from "../index/index-build.ts";
import type { Borders } from "../index/borders.ts";
import { readUnfinishedBuild, resumeIndexBuild, startIndexBuild } from "../index/start-build.ts";
import type { Coordination } from "../session/coordination.ts";
import type { Source } from "../sources/open-sources.ts";
import type { TeamVocabulary } from "../clean/team-vocabulary.ts";
import { untilAborted } from "../../src/cli/interruption.ts";
import { CommandError } from "../../src/cli/errors.ts";
import { formatCount } from "../../src/cli/format.ts";
import type { FileMark, UnfinishedManifest } from "../../src/meilisearch/manifest.ts";

interface BeginOptions {
  readonly index: Topology;
  /** Where the places are; called when partitions are to be cut. */
  readonly readBorders: () => Promise<Borders>;
  readonly coordination: Coordination;
  readonly resume: boolean;
  readonly today: Temporal.PlainDate;
  readonly vocabulary?: TeamVocabulary | undefined;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}

/** A build, and the date for which its places are read. A resumed build keeps the date on which it began. */
export interface BegunBuild {
  readonly build: IndexBuild;
  readonly today: Temporal.PlainDate;
}

/**
 * Begins a new build, or resumes the unfinished one where that is requested and possible. Says which it does.
 * From here on, changes to the live index are logged for the build.
 * @throws {CommandError} when the files differ from those of the build to be resumed.
 */
export async function beginBuild(sources: readonly Source[], options: BeginOptions): Promise<BegunBuild> {
  const begun = await resumeOrStart(sources, options);
  const { vocabulary, signal } = options;
  if (vocabulary) await untilAborted(() => begun.build.storeVocabulary(vocabulary.stored), signal);
  return begun;
}

async function resumeOrStart(sources: readonly Source[], options: BeginOptions): Promise<BegunBuild> {
  const { index, readBorders, resume, today, vocabulary, signal, say } = options;
  const files = [...buildFileMarks(sources), ...(vocabulary?.files ?? [])];
  const unfinished = await untilAborted(() => readUnfinishedBuild(index), signal);
  if (resume && unfinished) checkSameFiles(unfinished.build.origin.files, files);
  const resumed = resume ? await resumeUnfinished(unfinished, options) : undefined;
  if (resumed) return resumed;
  if (resume) say("There is nothing to resume: the import begins anew.");
  else if (unfinished) say(`${describe(unfinished)} is discarded; --resume would have continued it.`);
  const origin = { files, today: today.toString() };
  const build = await untilAborted(
    () => startIndexBuild(index, { origin, readBorders, say, signal }),
    signal,
  );
  await logChangesFor(build, options);
  return { build, today };
}

async function resumeUnfinished(
  unfinished: UnfinishedManifest | undefined,
  options: BeginOptions,
): Promise<BegunBuild | undefined> {
  const { index, coordination, signal, say } = options;
  // Without the log, the new index would lack the changes that were applied since.
  if (!unfinished || !(await coordination.changeLog.isOf(unfinished.build.id))) return undefined;
  const build = await untilAborted(() => resumeIndexBuild(index, { say, signal }), signal);
  if (!build) return undefined;
  await logChangesFor(build, options);
  say(`${describe(unfinished)} is resumed: ${formatCount(build.alreadyAdded)} places are there already.`);
  return { build, today: Temporal.PlainDate.from(unfinished.build.origin.today) };
}

/**
 * Starts the log between two batches of `apply`, so that each change is either wholly before the rebuild or
 * wholly in the log.
 */
const logChangesFor = (build: IndexBuild, { coordination, signal }: BeginOptions): Promise<void> =>
  coordination.holdWrite(() => coordination.changeLog.begin(build.id), signal);

const describe = ({ built_at: builtAt }: UnfinishedManifest): string =>
  `The import that began at ${builtAt} and broke off`;

/**
 * Identifies each file by its beginning, its size and its modification time. A pipe has only its beginning.
 */
function buildFileMarks(sources: readonly Source[]): FileMark[] {
  return sources.map(({ input: { name, totalBytes, modifiedAt }, headHash: head = "" }) =>
    totalBytes === undefined || modifiedAt === undefined
      ? { name, head }
      : { name, head, size: totalBytes, modified_at: modifiedAt.toISOString() },
  );
}

/** @throws {CommandError} that names the first file that has changed. */
function checkSameFiles(before: readonly FileMark[], now: readonly FileMark[]): void {
  const isSame = (mark: FileMark | undefined, other: FileMark | undefined): boolean =>
    mark?.name === other?.name &&
    mark?.head === other?.head &&
    mark?.size === other?.size &&
    mark?.modified_at === other?.modified_at;
  const changed = Array.from({ length: Math.max(before.length, now.length) }, (_, index) => index).find(
    (index) => !isSame(before[index], now[index]),
  );
  if (changed === undefined) return;
  throw new CommandError(
    `The import that broke off cannot be resumed: it read ${before[changed]?.name ?? "nothing more"} where now is ` +
      `${now[changed]?.name ?? "nothing more"}, and they differ. Give it the same files in the same order, ` +
      "or start anew without --resume.",
  );
}
