import { renameSync, rmSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import { COMMON_HELP, runWithStore, type CommandContext, type Start } from "../command.ts";
import { KeysError } from "../keys-error.ts";

interface ExportOptions {
  readonly output?: string;
  readonly json: boolean;
}

const HELP = `
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
    .addHelpText("after", HELP)
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
