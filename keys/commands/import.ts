import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { COMMON_HELP, runWithStore, type CommandContext, type Start } from "../command.ts";
import { KeysError } from "../keys-error.ts";
import { mergeBackup, parseBackup, type Merge } from "../merge-backup.ts";

interface ImportOptions {
  readonly replace: boolean;
  readonly json: boolean;
}

const HELP = `
Reads what "export" wrote, all of it or, when a line is wrong, nothing. Keys that are not in the file
stay. Of a key that is there already a later state is taken over; one that was changed since the
backup, or revoked, or is another with the same id, is overwritten with --replace only: without it
the import is refused as a whole.
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
    .addHelpText("after", HELP)
    .action((file: string, options: ImportOptions) => start((context) => importKeys(file, options, context)));
}

function importKeys(
  file: string,
  { replace, json }: ImportOptions,
  context: CommandContext,
): Promise<number> {
  return runWithStore(context, json, async (store) => {
    const backup = parseBackup(await readWhole(file, context));
    let merge: Merge = { added: [], replaced: [], unchanged: 0 };
    await store.change(
      backup.map(({ id }) => id),
      (found) => {
        merge = mergeBackup(backup, found, replace);
        return [...merge.added, ...merge.replaced];
      },
    );
    const { added, replaced, unchanged } = merge;
    context.stderr.write(
      `Imported: ${added.length} keys are new, ${replaced.length} replaced, ${unchanged} were there already.\n`,
    );
    const report = { outcome: "imported", added: added.length, replaced: replaced.length, unchanged };
    if (json) context.stdout.write(`${JSON.stringify(report)}\n`);
  });
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
