import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { COMMON_HELP, runWithStore, type CommandContext, type Start } from "../command.ts";
import type { KeyRecord } from "../../src/keys/key-record.ts";
import type { KeyStore } from "../../src/redis/key-store.ts";
import { KeysError } from "../keys-error.ts";
import { mergeBackup, parseBackup, type Merge } from "../merge-backup.ts";

interface ImportOptions {
  readonly replace: boolean;
  readonly json: boolean;
}

/** One step of Redis, which stands still for some milliseconds meanwhile. */
const KEYS_AT_ONCE = 1_000;

const HELP = `
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
