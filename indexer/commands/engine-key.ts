import type { Command } from "commander";
import { writeAtomically } from "../../src/cli/atomic-file.ts";
import { runOrPrint, type CommandContext, type RunCommand } from "../../src/cli/run-program.ts";
import { engineResponseOf } from "../../src/meilisearch/connection.ts";
import { withSearchKeys } from "../../src/partitions/search-keys.ts";
import { readGivenIndex } from "../../src/partitions/topology.ts";
import { CommandError, EXIT } from "../../src/cli/errors.ts";

interface EngineKeyCommandOptions {
  readonly output?: string | undefined;
}

/** Writable by its owner and readable by its group: a server runs as another user of the same group. */
const FILE_MODE = 0o640;

const HELP = `
Creates a key that may only search the live index, or finds the existing one, and prints it. Pass it
to the servers as MEILISEARCH_KEY or, with --output, as MEILISEARCH_KEY_FILE; they never need the
master key. The index need not exist yet. Imports and rollbacks do not change the key. The same
master key always gives the same search key: if it leaks, change the master key and run this again.

With several engines (TOPOLOGY) all must have the same master key, so that they have the same search
key; the key may search all partitions.

Requires MEILISEARCH_URL (or TOPOLOGY) and the master key as MEILISEARCH_KEY. An engine that the server
starts itself needs no such key: the server creates its own.

Exit status: 0 printed or written; 1 the engine does not respond, or refuses; 2 wrong usage or
configuration.

Examples:
  $ npm run -s index -- engine-key
  $ npm run -s index -- engine-key --output /run/hereabouts/engine-key`;

/** Adds the `engine-key` command. */
export function addCommand(program: Command, start: RunCommand): void {
  program
    .command("engine-key")
    .summary("create the key that servers use to search the engine")
    .description("Creates or finds the key that servers use to search the engine.")
    .option("-o, --output <file>", "write the key to a file (mode 0640) instead of printing it")
    .addHelpText("after", HELP)
    .action((options: EngineKeyCommandOptions) => start((context) => runEngineKey(options, context)));
}

/** Creates the key and prints or writes it. Resolves to the exit code. */
function runEngineKey({ output }: EngineKeyCommandOptions, context: CommandContext): Promise<number> {
  return runOrPrint(context, false, async () => {
    const key = await makeKey(context.config);
    if (output === undefined) context.stdout.write(`${key}\n`);
    // Written atomically: a server may be waiting for the file.
    else writeAtomically(output, `${key}\n`, FILE_MODE);
    return EXIT.done;
  });
}

async function makeKey(config: CommandContext["config"]): Promise<string> {
  const index = readGivenIndex(config);
  if (index === undefined)
    throw new CommandError(
      "Set MEILISEARCH_URL or TOPOLOGY. A server creates the key of an engine that it starts itself.",
    );
  try {
    const keys = new Set((await withSearchKeys(index)).engines.map(({ key = "" }) => key));
    const [key = ""] = keys;
    if (keys.size > 1) throw new CommandError(DIFFERENT_KEYS);
    return key;
  } catch (error) {
    throw toReadableError(error);
  }
}

const DIFFERENT_KEYS =
  "The engines have different master keys, and so different search keys. Start all with the same one, or run this for each " +
  "engine with a topology of its own, and put the keys into the file that the servers read.";

/** Error codes of the engine that a person at a terminal can act on. */
const ADVICE: Readonly<Record<string, string>> = {
  invalid_api_key:
    "The engine rejects MEILISEARCH_KEY, or that key may not create keys. Set it to the master key.",
  missing_authorization_header: "The engine requires a key. Set MEILISEARCH_KEY to its master key.",
  missing_master_key:
    "The engine runs without a master key, so it cannot have other keys. Start it with one.",
};

function toReadableError(error: unknown): unknown {
  const advice = ADVICE[engineResponseOf(error)?.code ?? ""];
  return advice === undefined ? error : new CommandError(advice, { cause: error });
}
