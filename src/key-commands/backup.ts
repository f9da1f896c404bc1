import type { Command } from "commander";
import { writeAtomically, writeToStream } from "../cli/atomic-file.ts";
import { CommandError } from "../cli/errors.ts";
import { untilAborted } from "../cli/interruption.ts";
import type { CommandContext, RunCommand } from "../cli/run-program.ts";
import { COMMON_HELP, runWithStore } from "./command.ts";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { type KeyRecord, KeyRecordError, parseKeyRecord } from "../keys/key-record.ts";
import type { KeyStore } from "../redis/key-store.ts";
import { isDeepStrictEqual } from "node:util";

/** A backup holds hashes of secrets, so only its owner may read it. */
const FILE_MODE = 0o600;

interface ExportOptions {
  readonly output?: string;
  readonly json: boolean;
}

const EXPORT_HELP = `
Writes each key as one line of JSON, with hashes of its secrets and without the secrets. After an import
of the file the same keys work. The time of last use is not in it. A file is written under a temporary
name and renamed when it is complete; only its owner may read it.
${COMMON_HELP}

Examples:
  $ npm run -s keys -- export -o backup/keys.jsonl
  $ npm run -s keys -- export | gzip > keys.jsonl.gz`;

/** Adds the `export` command. */
export function addExportCommand(program: Command, start: RunCommand): void {
  program
    .command("export")
    .summary("write all keys as JSON lines, without secrets, for a backup")
    .description("Writes all keys to standard output or to a file.")
    .option("-o, --output <file>", "the file to write")
    .option("--json", "print a report as one JSON object on standard output; needs --output", false)
    .addHelpText("after", EXPORT_HELP)
    .action(async (options: ExportOptions, command: Command) => {
      if (options.json && options.output === undefined)
        command.error("error: --json needs --output: the keys themselves go to standard output");
      await start((context) => exportKeys(options, context));
    });
}

function exportKeys({ output, json }: ExportOptions, context: CommandContext): Promise<number> {
  return runWithStore(context, json, async (store) => {
    const records = await store.list();
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
    if (output !== undefined) writeAtomically(output, lines, FILE_MODE);
    else if (!(await writeToStream(context.stdout, [lines]))) return;
    const where = output === undefined ? "" : ` to ${output}`;
    context.stderr.write(`Exported ${records.length} keys${where}.\n`);
    if (json)
      context.stdout.write(
        `${JSON.stringify({ outcome: "exported", keys: records.length, file: output })}\n`,
      );
  });
}

interface ImportOptions {
  readonly replace: boolean;
  readonly json: boolean;
}

/** Redis writes this many in one step, which blocks it for some milliseconds. */
const KEYS_AT_ONCE = 1_000;

const IMPORT_HELP = `
Reads a file that "export" wrote, all of it or, if a line is wrong, nothing. Keys that are not in the
file stay. An existing key is updated if the file has a later state of it. A key that was changed or
revoked since the backup, or another key with the same id, is overwritten only with --replace; without
it the whole import fails. A thousand keys are written at a time; if a larger import breaks off, run
it again.
${COMMON_HELP}

Examples:
  $ npm run -s keys -- import backup/keys.jsonl
  $ gunzip < keys.jsonl.gz | npm run -s keys -- import -`;

/** Adds the `import` command. */
export function addImportCommand(program: Command, start: RunCommand): void {
  program
    .command("import")
    .summary("import keys from a backup")
    .description("Imports the keys of a backup.")
    .argument("<file>", "a file that export wrote, - for standard input")
    .option("--replace", "overwrite keys that are newer than the backup, or different", false)
    .option("--json", "print a report as one JSON object on standard output", false)
    .addHelpText("after", IMPORT_HELP)
    .action((file: string, options: ImportOptions) => start((context) => importKeys(file, options, context)));
}

function importKeys(
  file: string,
  { replace, json }: ImportOptions,
  context: CommandContext,
): Promise<number> {
  return runWithStore(context, json, async (store) => {
    const backup = parseBackup(await readWhole(file, context));
    const parts = Array.from({ length: Math.ceil(backup.length / KEYS_AT_ONCE) }, (_, i) =>
      backup.slice(i * KEYS_AT_ONCE, (i + 1) * KEYS_AT_ONCE),
    );
    // Checks everything before writing anything.
    for (const part of parts) await mergePart(store, part, { replace, write: false });
    const report = { outcome: "imported", added: 0, replaced: 0, unchanged: 0 };
    for (const part of parts) {
      const { added, replaced, unchanged } = await mergePart(store, part, { replace, write: true });
      report.added += added.length;
      report.replaced += replaced.length;
      report.unchanged += unchanged;
    }
    context.stderr.write(
      `Imported: ${report.added} new keys, ${report.replaced} replaced, ${report.unchanged} unchanged.\n`,
    );
    if (json) context.stdout.write(`${JSON.stringify(report)}\n`);
  });
}

/** Merges some keys in one step, or only finds out what that would do. */
async function mergePart(
  store: KeyStore,
  part: readonly KeyRecord[],
  { replace, write }: { replace: boolean; write: boolean },
): Promise<Merge> {
  let merge: Merge = { added: [], replaced: [], unchanged: 0 };
  await store.change(
    part.map(({ id }) => id),
    (found) => {
      merge = mergeBackup(part, found, replace);
      return write ? [...merge.added, ...merge.replaced] : [];
    },
  );
  return merge;
}

async function readWhole(file: string, { stdin, interruption: { signal } }: CommandContext): Promise<string> {
  if (file === "-") return untilAborted(() => text(stdin), signal);
  try {
    return await readFile(file, { encoding: "utf8", signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new CommandError(`Cannot read ${file}: ${(error as NodeJS.ErrnoException).code}.`, {
      cause: error,
    });
  }
}

/** A file that is not a backup at all need not be reported line by line. */
const MAX_SHOWN = 10;

/**
 * Parses a whole backup or nothing.
 * @throws {CommandError} that names the invalid lines.
 */
export function parseBackup(text: string): KeyRecord[] {
  const records = new Map<string, KeyRecord>();
  const problems: string[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const problem = readLine(line, records);
    if (problem !== undefined) problems.push(`line ${index + 1}: ${problem}`);
  }
  if (problems.length === 0) return [...records.values()];
  const shown = problems.slice(0, MAX_SHOWN).join("\n");
  const rest = problems.length > MAX_SHOWN ? `\nand ${problems.length - MAX_SHOWN} more` : "";
  throw new CommandError(`This is not a backup of keys. Nothing was imported.\n${shown}${rest}`);
}

/** Adds the record of a line, or returns what is wrong with it. */
function readLine(line: string, records: Map<string, KeyRecord>): string | undefined {
  try {
    const record = parseKeyRecord(line);
    if (records.has(record.id)) return `the key ${record.id} is in the file twice`;
    records.set(record.id, record);
    return undefined;
  } catch (error) {
    if (error instanceof KeyRecordError) return error.message;
    throw error;
  }
}

/** The effect of a backup on the stored keys. */
export interface Merge {
  readonly added: readonly KeyRecord[];
  /** Keys that differ from the stored ones and replace them. */
  readonly replaced: readonly KeyRecord[];
  readonly unchanged: number;
}

/**
 * Decides which keys of a backup are written. A stored key is replaced only by a later state of itself,
 * unless `replace`.
 * @throws {CommandError} that names the keys that would be lost.
 */
export function mergeBackup(
  backup: readonly KeyRecord[],
  found: ReadonlyMap<string, KeyRecord>,
  replace: boolean,
): Merge {
  const added = backup.filter(({ id }) => !found.has(id));
  const different = backup.filter((record) => {
    const there = found.get(record.id);
    return there !== undefined && !isDeepStrictEqual(there, record);
  });
  const lost = different.filter((record) => !isLaterState(record, found.get(record.id)));
  if (lost.length > 0 && !replace) {
    const ids = lost.map(({ id }) => `  ${id}`).join("\n");
    throw new CommandError(
      `These keys were changed since the backup, or are different keys. Nothing was imported; --replace overwrites them.\n${ids}`,
    );
  }
  return { added, replaced: different, unchanged: backup.length - added.length - different.length };
}

/** A revoked key never becomes valid again by itself. */
const isLaterState = (record: KeyRecord, there: KeyRecord | undefined): boolean =>
  there !== undefined &&
  there.created_at === record.created_at &&
  there.revision < record.revision &&
  (there.revoked_at === undefined || record.revoked_at !== undefined);
