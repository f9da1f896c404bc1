import { EXIT, type Failure } from "../../src/cli/errors.ts";
import { formatCount, formatDuration } from "../../src/cli/format.ts";
import type { AtomicFile } from "../../src/cli/atomic-file.ts";
import {
  SILENT,
  startProgress,
  type Progress,
  type ProgressState,
  type ProgressStream,
} from "../../src/cli/progress.ts";
import { runToExitCode, type CommandContext } from "../../src/cli/run-program.ts";
import { createTally, totalRejected, type ImportTally } from "../clean/import-tally.ts";
import { finishRejects, watchRejects } from "../clean/rejects.ts";
import { useOwn } from "../../src/meilisearch/stored-vocabulary.ts";
import { readTeamVocabulary, type TeamVocabulary } from "../clean/team-vocabulary.ts";
import { createMarkInput, isUnchanged, type MarkedOptions } from "./if-changed.ts";
import type { InputMark } from "../../src/meilisearch/manifest.ts";
import { countBytes } from "../sources/input.ts";
import { fetchRemote, type FetchedFiles } from "../sources/remote.ts";
import { closeSources, openSources, type Source } from "../sources/open-sources.ts";
import { toAdjustments } from "./source-options.ts";

/** The open files of a command. */
export interface FileRun {
  sources: readonly Source[];
  /** The file of `--rejects`. */
  rejects?: AtomicFile | undefined;
  /** The areas and words of `--areas`, `--vocabulary`, `--kinds` and `--fields`. */
  vocabulary?: TeamVocabulary | undefined;
  /** What is read, to be kept with the index. */
  mark?: InputMark | undefined;
  /** The live index was made from the same, so nothing is read. */
  isUnchanged: boolean;
  readonly tally: ImportTally;
  /** The time since the command began, in milliseconds. */
  readonly durationMs: () => number;
}

interface FileTask {
  readonly context: CommandContext;
  /** The kinds are those of the live index, which the work reads first. */
  readonly usesLiveKinds?: boolean;
  /** The command that keeps with the index what it was made from. */
  readonly marksAs?: "import" | "sync";
  /** Processes the files once they are open. */
  readonly work: (run: FileRun) => Promise<void>;
  /** Reports the result; without a failure the command succeeded. */
  readonly report: (run: FileRun, failure?: Failure) => void;
}

type FileOptions = MarkedOptions & { readonly ifChanged?: boolean };

/** Opens the files, does the work and reports on it. Resolves to the exit code. */
export async function runOnFiles(
  files: readonly string[],
  options: FileOptions,
  task: FileTask,
): Promise<number> {
  const { context, work, report } = task;
  const { config, env, stderr, interruption } = context;
  let fetched: FetchedFiles | undefined;
  const startedAt = performance.now();
  const run: FileRun = {
    sources: [],
    tally: createTally(),
    isUnchanged: false,
    durationMs: () => performance.now() - startedAt,
  };
  const fetch = async (): Promise<FetchedFiles> =>
    (fetched ??= await fetchRemote(files, {
      folder: config.DATA_DIR,
      env,
      signal: interruption.signal,
      news: options.quiet ? SILENT : stderr,
    }));
  const openAndWork = async (): Promise<number> => {
    await openFiles(run, { files, fetch, options, task });
    if (!run.isUnchanged) {
      run.rejects = watchRejects(run.sources, run.tally, options);
      await work(run);
    }
    report(run);
    return EXIT.done;
  };
  try {
    return await runToExitCode(context, openAndWork, (failure) => {
      const problems = new Set([failure.text, ...finishRejects(run.rejects)]);
      report(run, { ...failure, text: [...problems].join("\n") });
    });
  } finally {
    closeSources(run.sources);
    await fetched?.remove();
    run.rejects?.discard();
  }
}

interface OpenOptions {
  readonly files: readonly string[];
  /** Downloads what has to be downloaded. */
  readonly fetch: () => Promise<FetchedFiles>;
  readonly options: FileOptions;
  readonly task: FileTask;
}

/** Opens the files, unless the live index was made from the same and nobody wants them then. */
async function openFiles(run: FileRun, { files, fetch, options, task }: OpenOptions): Promise<void> {
  const { context, usesLiveKinds = false, marksAs: command } = task;
  const { stdin, stderr, interruption } = context;
  const { signal } = interruption;
  const adjust = toAdjustments(options);
  const useOptions = (): void => {
    // First: options and files name kinds and fields. Those of an earlier run in this process are gone.
    useOwn(undefined);
    run.vocabulary = readTeamVocabulary(options);
    if (!usesLiveKinds) adjust.type?.();
  };
  useOptions();
  const markInput = createMarkInput(files, options, signal);
  if (options.ifChanged === true && command) {
    run.isUnchanged = await isUnchanged({ command, files, options, markInput, fetch, context });
    if (run.isUnchanged) return;
    // The comparison has used those of the live index.
    useOptions();
  }
  const { paths, names, versions } = await fetch();
  if (command) run.mark = await markInput({ paths, versions });
  run.sources = await openSources(paths, {
    names,
    format: options.format,
    filter: { where: options.where, bbox: options.bbox, namedOnly: options.namedOnly },
    adjust,
    signal,
    stdin,
    onIgnored: (ignored) => stderr.write(describeIgnored(ignored)),
  });
}

/** Prints the names of the files, and then shows the progress. */
export function startReading(
  { sources, tally }: Pick<FileRun, "sources" | "tally">,
  news: ProgressStream,
): Progress {
  news.write(describeSources(sources));
  return startProgress(news, "reading", (elapsedMs) => describeProgress(sources, tally, elapsedMs));
}

/** Enough to see whether the right files are among them. */
const MAX_NAMES = 5;

/** Describes the files to be read, one a line when there are few. */
function describeSources(sources: readonly Source[]): string {
  const lines = sources
    .slice(0, MAX_NAMES)
    .map(({ input, format }) => `Reading ${input.name} (${format}).\n`);
  const more = sources.length - MAX_NAMES;
  return lines.join("") + (more > 0 ? `Reading ${formatCount(more)} more files.\n` : "");
}

/** More than of files to be read: a missing file must be easy to find. */
const MAX_IGNORED_NAMES = 20;

/** Describes the files in directories that are left out. */
function describeIgnored(paths: readonly string[]): string {
  const named = paths.slice(0, MAX_IGNORED_NAMES).join(", ");
  const more = paths.length > MAX_IGNORED_NAMES ? ` and ${paths.length - MAX_IGNORED_NAMES} more` : "";
  return `Ignored, no places in a known format: ${named}${more}.\n`;
}

/**
 * Describes progress as `12,345 records, 9,876/s, file 3 of 12, 42 %, 1 min 5 s left, 3 rejected`. Leaves out
 * share and time when the input's length is unknown, and the file when there is only one.
 */
export function describeProgress(
  sources: readonly Source[],
  tally: ImportTally,
  elapsedMs: number,
): ProgressState {
  const seconds = elapsedMs / 1000;
  const rate = Math.round(tally.read / Math.max(seconds, 0.001));
  const parts = [`${formatCount(tally.read)} records`, `${formatCount(rate)}/s`];
  if (sources.length > 1) parts.push(`file ${countBegun(sources)} of ${sources.length}`);
  const share = shareRead(sources);
  if (share !== undefined) parts.push(`${Math.floor(share * 100)} %`);
  if (share !== undefined && share > 0) parts.push(`${formatDuration((seconds * (1 - share)) / share)} left`);
  const rejected = totalRejected(tally);
  if (rejected > 0) parts.push(`${formatCount(rejected)} rejected`);
  return { text: parts.join(", "), share };
}

const countBegun = (sources: readonly Source[]): number =>
  Math.max(1, sources.filter(({ input }) => input.bytesRead() > 0).length);

function shareRead(sources: readonly Source[]): number | undefined {
  const { read, total } = countBytes(sources.map(({ input }) => input));
  return total === undefined || total === 0 ? undefined : Math.min(1, read / total);
}
