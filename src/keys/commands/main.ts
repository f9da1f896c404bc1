import { Command, CommanderError } from "commander";
import { ConfigError, loadEnvironmentFile, readConfig, type Config } from "../../config.ts";
import { Interrupted, type CommandContext } from "./command.ts";
import { addCreateCommand } from "./create.ts";
import { addExportCommand, addImportCommand } from "./backup.ts";
import { addLimitCommand } from "./limit.ts";
import { addListCommand, addShowCommand } from "./show.ts";
import { addRevokeCommand } from "./revoke.ts";
import { addRotateCommand } from "./rotate.ts";

const EXIT_FAILED = 1;
const EXIT_WRONG_USAGE = 2;
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** In the order of the help. */
const COMMANDS = [
  addCreateCommand,
  addListCommand,
  addShowCommand,
  addRotateCommand,
  addLimitCommand,
  addRevokeCommand,
  addExportCommand,
  addImportCommand,
];

/** The configuration, or the end of the program with all that is wrong with it. */
function readConfigOrExit(): Config {
  loadEnvironmentFile();
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(EXIT_WRONG_USAGE);
  }
}

/** Aborted by the first Ctrl-C or SIGTERM; the second ends the process. */
function listenForInterruption(): AbortSignal {
  const controller = new AbortController();
  for (const [name, exitCode] of Object.entries(EXIT_CODES)) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(exitCode);
      controller.abort(new Interrupted(exitCode));
      // A standard input that is being waited for says nothing of it.
      process.stdin.destroy();
    });
  }
  return controller.signal;
}

/** Gives a command what it takes from the process, and the process its exit status. */
async function runInProcess(run: (context: CommandContext) => Promise<number>): Promise<void> {
  const { stdin, stdout, stderr } = process;
  const config = readConfigOrExit();
  const signal = listenForInterruption();
  // A key that nobody got to see must not look like a success; nor does a list of which `head` takes the first lines.
  stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code !== "EPIPE") stderr.write(`Cannot write to the standard output: ${code}. It is not complete.\n`);
    process.exit(EXIT_FAILED);
  });
  process.exitCode = await run({ config, stdin, stdout, stderr, signal, now: () => new Date() });
  stdin.destroy();
}

try {
  const program = new Command("keys")
    .description("Makes API keys of Hereabouts, and looks after them.")
    .showHelpAfterError("(--help tells more)")
    .exitOverride();
  for (const add of COMMANDS) add(program, runInProcess);
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : EXIT_WRONG_USAGE;
}
