import type { Command } from "commander";
import { chmodSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { engineResponseOf } from "../../src/meilisearch/connection.ts";
import { ensureSearchKey } from "../../src/meilisearch/keys.ts";
import { ImportError } from "./interruption.ts";
import type { CommandContext } from "./import.ts";
import { EXIT_DONE, runToExit } from "./run-command.ts";

export interface EngineKeyCommandOptions {
  readonly output?: string | undefined;
}

/** For its owner to write and its group to read: a server runs as another user of the same group. */
const FILE_MODE = 0o640;

const HELP = `
Makes the key with which a server may search the live index and do nothing else, or finds it when it
is there already, and prints it. Give it to the servers as MEILISEARCH_KEY or, with --output, as
MEILISEARCH_KEY_FILE; they never need the master key. The index need not be there yet. Imports and
rollbacks leave the key as it is. The same master key always gives the same search key: change the
master key when it got about, and run this again.

Needs MEILISEARCH_URL and, as MEILISEARCH_KEY, the master key. Engines that the server starts by
itself need no such key from you: it makes its own.

Exit status: 0 there it is; 1 the engine does not answer, or refuses; 2 wrong usage or configuration.

Examples:
  $ npm run -s index -- engine-key
  $ npm run -s index -- engine-key --output /run/hereabouts/engine-key`;

/** Adds the `engine-key` command. */
export function addEngineKeyCommand(
  program: Command,
  run: (options: EngineKeyCommandOptions) => Promise<void>,
): void {
  program
    .command("engine-key")
    .summary("make the key with which a server may search and nothing else")
    .description("Makes the servers' key of the engine, or finds it.")
    .option("-o, --output <file>", "write it into a file (mode 0640) instead of printing it")
    .addHelpText("after", HELP)
    .action(run);
}

/** Makes the key and hands it over. Resolves to the exit status. */
export function runEngineKey({ output }: EngineKeyCommandOptions, context: CommandContext): Promise<number> {
  return runToExit(context, false, async () => {
    const key = await makeKey(context.config);
    if (output === undefined) context.stdout.write(`${key}\n`);
    else writeKeyFile(output, key);
    return EXIT_DONE;
  });
}

async function makeKey({ MEILISEARCH_URL: url, MEILISEARCH_KEY: key }: CommandContext["config"]) {
  if (url === undefined)
    throw new ImportError(
      "Set MEILISEARCH_URL: a server makes its own key for the engines that it starts itself.",
    );
  try {
    return await ensureSearchKey({ url, key });
  } catch (error) {
    throw toReadableError(error);
  }
}

/** Codes of the engine that a person at a terminal can do something about. */
const ADVICE: Readonly<Record<string, string>> = {
  invalid_api_key:
    "The engine does not take MEILISEARCH_KEY, or that key may not make keys. Set it to the master key.",
  missing_authorization_header: "The engine wants a key. Set MEILISEARCH_KEY to its master key.",
  missing_master_key:
    "The engine runs without a master key, so it has no other keys either. Start it with one.",
};

function toReadableError(error: unknown): unknown {
  const advice = ADVICE[engineResponseOf(error)?.code ?? ""];
  return advice === undefined ? error : new ImportError(advice, { cause: error });
}

/** Whole or not at all: a server may be waiting for the file. */
function writeKeyFile(path: string, key: string): void {
  const aside = `${path}.partial-${process.pid}`;
  try {
    writeFileSync(aside, `${key}\n`, { mode: FILE_MODE });
    // The mode of a new file is narrowed by the umask.
    chmodSync(aside, FILE_MODE);
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    throw new ImportError(`Cannot write ${path}: ${code}.`, { cause: error });
  }
}
