import { createHash, hash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import packageJson from "../../package.json" with { type: "json" };
import { formatCount, formatTime } from "../../src/cli/format.ts";
import type { CommandContext } from "../../src/cli/run-program.ts";
import type { InputMark } from "../../src/meilisearch/manifest.ts";
import { enginesOfPartition, type Topology } from "../../src/partitions/topology.ts";
import { isSomethingThere, noteCheck, recordRun, withIndexes } from "../session/engines.ts";
import type { SourceOptions } from "./source-options.ts";
import type { VocabularyOptions } from "../clean/team-vocabulary.ts";
import type { IndexSummary } from "../index/index-summary.ts";
import type { IndexAdmin } from "../index/index-admin.ts";
import { findFiles } from "../sources/open-sources.ts";
import { hasVersion, isRemote, type FetchedFiles } from "../sources/remote.ts";

/** Recognizes the input of an import or a sync, so that the same need not be read again (`--if-changed`). */

/** The options that change what is imported. */
export interface MarkedOptions extends SourceOptions, VocabularyOptions {
  readonly merge?: boolean;
  /** Of a sync. */
  readonly source?: string;
}

/**
 * Marks the files of a command line. `undefined` for what can be read only once, and for a file that cannot be read: opening it says
 * why. `bytesOf` has the hashes of addresses that are not downloaded.
 */
export type MarkInput = (
  fetched: Pick<FetchedFiles, "paths" | "versions">,
  bytesOf?: ReadonlyMap<string, string>,
) => Promise<InputMark | undefined>;

/** Creates a function that reads each file once, however often it is asked. */
export function createMarkInput(
  files: readonly string[],
  options: MarkedOptions,
  signal: AbortSignal,
): MarkInput {
  const at = new Date().toISOString();
  const hashes = new Map<string, Promise<string | undefined>>();
  const hashOf = (path: string) => hashes.getOrInsertComputed(path, () => hashFile(path, signal));
  return async ({ paths, versions }, bytesOf) => {
    const sums: string[] = [];
    const downloads: InputMark["downloads"] = [];
    for (const [index, file] of files.entries()) {
      const path = paths[index] ?? file;
      const known = bytesOf?.get(file);
      for (const found of known === undefined ? await findFiles([path]) : []) {
        const sum = await hashOf(found.path);
        if (sum === undefined) return undefined;
        sums.push(sum);
      }
      if (known !== undefined) sums.push(known);
      const version = versions.get(path);
      if (version !== undefined) downloads.push({ address: hashAddress(file), version, bytes: sums.at(-1)! });
    }
    const [program, allBytes] = [packageJson.version, hash("sha256", sums.join())];
    return { at, files: allBytes, downloads, options: hashOptions(options), program };
  };
}

/** A version belongs to a whole address, with its query; passwords are not kept, not even as part of a hash. */
const hashAddress = (file: string): string => hash("sha256", file.replace(/^([a-z]+:\/\/)[^/@]*@/i, "$1"));

/** Larger reads are not faster. */
const CHUNK_BYTES = 256 * 1024;

async function hashFile(path: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    if (path === "-" || !(await stat(path)).isFile()) return undefined;
    const sum = createHash("sha256");
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES, signal }))
      sum.update(chunk as Buffer);
    return sum.digest("hex");
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

function hashOptions(options: MarkedOptions) {
  const { format, bbox, where, namedOnly, map, id, type, swap, encoding, merge, source } = options;
  const { areas, vocabulary, kinds, fields, geocode } = options;
  const contents = [areas, vocabulary, kinds, fields].map((paths = []) =>
    paths.map((path) => hash("sha256", readFileSync(path))),
  );
  const columns = map && [...map].toSorted(([one], [other]) => one.localeCompare(other));
  const reading = { format, bbox, where, namedOnly, columns, id, type, swap, encoding };
  const own = { ...reading, merge, source, contents, ...(geocode && { geocode }) };
  return hash("sha256", JSON.stringify(own));
}

/** Public holidays are dated two to three years ahead (holidays.ts). */
const MAX_AGE_MS = 365 * 86_400_000;

/** Why an index is not what an import would make, whatever the files; `undefined` when only they can say so. */
function findReason(live: IndexSummary | undefined, options: MarkedOptions): string | undefined {
  if (live === undefined) return "there is no index yet";
  if (!live.isReadable) return "the index has an older form";
  const { mark } = live;
  if (mark === undefined) return "the index does not say what it was made from";
  if (mark.program !== packageJson.version)
    return `the program was ${mark.program} and is ${packageJson.version}`;
  if (mark.options !== hashOptions(options)) return "the options changed, or the files that they name";
  if (Date.now() - Date.parse(mark.at) > MAX_AGE_MS) return "the dates of public holidays are a year old";
  return undefined;
}

/** Whether the live index is divided as the topology says. */
async function isDividedSo(admin: IndexAdmin, index: Topology): Promise<boolean> {
  const partitions = (await admin.readPartitions("live")) ?? [];
  const wanted = Array.from({ length: index.partitions }, (_, number) =>
    enginesOfPartition(index, number).map(({ name }) => name),
  );
  const found = partitions.map(({ replicas }) => replicas.map(({ engine }) => engine));
  return JSON.stringify(found) === JSON.stringify(wanted);
}

interface CompareOptions {
  readonly command: "import" | "sync";
  readonly files: readonly string[];
  readonly options: MarkedOptions;
  readonly markInput: MarkInput;
  /** Downloads what has to be downloaded. */
  readonly fetch: () => Promise<FetchedFiles>;
  readonly context: CommandContext;
}

/**
 * Whether the live index was made from the same as these files and options would make it. Says so, or why not, and notes when. What
 * was downloaded before is downloaded again only if the servers have other versions.
 */
export async function isUnchanged(compare: CompareOptions): Promise<boolean> {
  const { command, options, context } = compare;
  const say = options.quiet ? (): void => {} : context.say;
  const startedAt = new Date();
  const goOn = (reason: string): boolean => {
    say(`${command === "import" ? "Importing" : "Syncing"}: ${reason}.`);
    return false;
  };
  if (!isSomethingThere(context.config)) return goOn("there is no index yet");
  return withIndexes(context, async ({ admin, index, redisUrl }) => {
    const live = await admin.readIndex("live");
    const reason = findReason(live, options);
    if (reason !== undefined || live?.mark === undefined) return goOn(reason ?? "");
    if (!(await isDividedSo(admin, index))) return goOn("the topology changed");
    const change = await findChange(live.mark, compare);
    if (change !== undefined) return goOn(change);
    say(`Nothing to ${command}: unchanged since ${formatTime(live.mark.at)}.`);
    if (options.source === undefined) await noteCheck(redisUrl, live.builtAt);
    await recordRun(redisUrl, {
      command,
      outcome: "done",
      started_at: startedAt.toISOString(),
      duration_seconds: (Date.now() - startedAt.getTime()) / 1000,
      counts: { unchanged: live.places },
    });
    return true;
  });
}

/** How the files differ from those that were read; `undefined` when they do not. */
async function findChange(
  last: InputMark,
  { files, markInput, fetch, context }: CompareOptions,
): Promise<string | undefined> {
  const here = { paths: files, versions: new Map<string, string>() };
  const known = await findKnown(last, files, context);
  const before = known && (await markInput(here, known));
  if (before?.files === last.files) return undefined;
  const { names, ...fetched } = await fetch();
  const now = await markInput(fetched);
  if (now?.files === last.files) return undefined;
  if (now === undefined) return "what cannot be read twice cannot be compared";
  const [path = ""] = fetched.paths;
  return files.length === 1
    ? `${names.get(path) ?? path} changed`
    : `one of ${formatCount(files.length)} sources changed`;
}

/** The bytes of the addresses as they were downloaded; `undefined` when a server has another version of one. */
async function findKnown(
  { downloads }: InputMark,
  files: readonly string[],
  { env, interruption: { signal } }: CommandContext,
): Promise<ReadonlyMap<string, string> | undefined> {
  const known = new Map<string, string>();
  for (const file of new Set(files.filter(isRemote))) {
    const last = downloads.find(({ address }) => address === hashAddress(file));
    if (last === undefined || !(await hasVersion(file, last.version, { env, signal }))) return undefined;
    known.set(file, last.bytes);
  }
  return known;
}
