import { renameSync, rmSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import { COMMON_HELP, runWithStore, type CommandContext, type Start, KeysError } from "./command.ts";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { type KeyRecord, KeyRecordError, parseKeyRecord } from "../key-record.ts";
import type { KeyStore } from "../../redis/key-store.ts";
import { isDeepStrictEqual } from "node:util";

interface ExportOptions {
  readonly output?: string;
  readonly json: boolean;
}

const EXPORT_HELP = `
Writes one JSON object a line for each key, with hashes of its secrets and without any secret. What
"import" makes of it opens to the same keys; when each was last used is not in it. A file is written
under another name and renamed when it is complete, and only its owner may read it.
${COMMON_HELP}

Examples:
  $ npm run -s keys -- export -o backup/keys.jsonl
  $ npm run -s keys -- export | gzip > keys.jsonl.gz`;

/** Adds the `export` command. */
export function addExportCommand(program: Command, start: Start): void {
  program
    .command("export")
    .summary("write all keys as JSON lines, without secrets, for a backup")
    .description("Writes all keys to the standard output, or to a file.")
    .option("-o, --output <file>", "the file to write")
    .option("--json", "print a report as one JSON object on standard output; needs --output", false)
    .addHelpText("after", EXPORT_HELP)
    .action(async (options: ExportOptions, command: Command) => {
      if (options.json && options.output === undefined)
        command.error("error: --json needs --output: the keys themselves go to the standard output");
      await start((context) => exportKeys(options, context));
    });
}

function exportKeys({ output, json }: ExportOptions, context: CommandContext): Promise<number> {
  return runWithStore(context, json, async (store) => {
    const records = await store.list();
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
    if (output === undefined) await writeOut(lines, context);
    else writeWhole(output, lines);
    const where = output === undefined ? "" : ` to ${output}`;
    context.stderr.write(`Exported ${records.length} keys${where}.\n`);
    if (json)
      context.stdout.write(
        `${JSON.stringify({ outcome: "exported", keys: records.length, file: output })}\n`,
      );
  });
}

/** A disk that is full must not be told as a backup. */
function writeOut(text: string, { stdout }: CommandContext): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** An earlier backup stays until the new one is complete. */
function writeWhole(path: string, text: string): void {
  const aside = `${path}.partial-${process.pid}`;
  try {
    writeFileSync(aside, text, { mode: 0o600, flush: true });
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw new KeysError(`Cannot write ${path}: ${(error as NodeJS.ErrnoException).code}.`, { cause: error });
  }
}

interface ImportOptions {
  readonly replace: boolean;
  readonly json: boolean;
}

/** One step of Redis, which stands still for some milliseconds meanwhile. */
const KEYS_AT_ONCE = 1_000;

const IMPORT_HELP = `
Reads what "export" wrote, all of it or, when a line is wrong, nothing. Keys that are not in the file
stay. Of a key that is there already a later state is taken over; one that was changed since the
backup, or revoked, or is another with the same id, is overwritten with --replace only: without it
the import is refused as a whole. A thousand keys are written in one step; when an import of more
breaks off, run it again.
${COMMON_HELP}

Examples:
  $ npm run -s keys -- import backup/keys.jsonl
  $ gunzip < keys.jsonl.gz | npm run -s keys -- import -`;

/** Adds the `import` command. */
export function addImportCommand(program: Command, start: Start): void {
  program
    .command("import")
    .summary("read keys from a backup")
    .description("Reads the keys of a backup.")
    .argument("<file>", "what export wrote, - for the standard input")
    .option("--replace", "overwrite keys that are newer than the backup, or others", false)
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
    // All of it is looked at before any of it is written.
    for (const part of parts) await mergePart(store, part, { replace, write: false });
    const report = { outcome: "imported", added: 0, replaced: 0, unchanged: 0 };
    for (const part of parts) {
      const { added, replaced, unchanged } = await mergePart(store, part, { replace, write: true });
      report.added += added.length;
      report.replaced += replaced.length;
      report.unchanged += unchanged;
    }
    context.stderr.write(
      `Imported: ${report.added} keys are new, ${report.replaced} replaced, ${report.unchanged} were there already.\n`,
    );
    if (json) context.stdout.write(`${JSON.stringify(report)}\n`);
  });
}

/** Some keys in one step, or a look at what would become of them. */
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

async function readWhole(file: string, { stdin, signal }: CommandContext): Promise<string> {
  if (file === "-") return text(stdin);
  try {
    return await readFile(file, { encoding: "utf8", signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new KeysError(`Cannot read ${file}: ${(error as NodeJS.ErrnoException).code}.`, { cause: error });
  }
}

/** A file that is wrong altogether need not be told line by line. */
const MAX_TOLD = 10;

/**
 * Reads a backup, all of it or nothing.
 * @throws {KeysError} that names the lines that are wrong.
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
  const told = problems.slice(0, MAX_TOLD).join("\n");
  const rest = problems.length > MAX_TOLD ? `\nand ${problems.length - MAX_TOLD} more` : "";
  throw new KeysError(`This is no backup of keys. Nothing was imported.\n${told}${rest}`);
}

/** Adds the record of a line, or says what is wrong with it. */
function readLine(line: string, records: Map<string, KeyRecord>): string | undefined {
  try {
    const record = parseKeyRecord(line);
    if (records.has(record.id)) return `the key ${record.id} stands twice in the file`;
    records.set(record.id, record);
    return undefined;
  } catch (error) {
    if (error instanceof KeyRecordError) return error.message;
    throw error;
  }
}

/** What a backup does to the keys there are. */
export interface Merge {
  readonly added: readonly KeyRecord[];
  /** Other than the one there, and taken over. */
  readonly replaced: readonly KeyRecord[];
  readonly unchanged: number;
}

/**
 * Decides what of a backup is written. A key that is there already is replaced by a later state of itself only, unless `replace`.
 * @throws {KeysError} that names the keys that would be lost.
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
    throw new KeysError(
      `These keys were changed since the backup, or are others. Nothing was imported; --replace overwrites them.\n${ids}`,
    );
  }
  return { added, replaced: different, unchanged: backup.length - added.length - different.length };
}

/** A revoked key never comes back by itself. */
const isLaterState = (record: KeyRecord, there: KeyRecord | undefined): boolean =>
  there !== undefined &&
  there.created_at === record.created_at &&
  there.revision < record.revision &&
  (there.revoked_at === undefined || record.revoked_at !== undefined);
