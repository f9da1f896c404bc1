import { Command, CommanderError } from "commander";
import { ConfigError, loadEnvironmentFile, readConfig, type Config } from "../src/config.ts";
import type { CommandContext } from "./commands/import.ts";
import { listenForInterruption } from "./commands/interruption.ts";

const EXIT_WRONG_USAGE = 2;

// Opening hours are evaluated with the process's clock, which must have no daylight saving of its own.
process.env["TZ"] = "UTC";

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

/** Adds each command to the program; in the order of its help. Loaded apart: no command needs the libraries of all. */
const COMMANDS: Readonly<Record<string, (program: Command) => Promise<void>>> = {
  async import(program) {
    const { addImportCommand, runImport } = await import("./commands/import.ts");
    addImportCommand(program, (files, options) =>
      runInProcess((context) => runImport(files, options, context)),
    );
  },
  async sync(program) {
    const { addSyncCommand, runSync } = await import("./commands/sync.ts");
    addSyncCommand(program, (files, options) => runInProcess((context) => runSync(files, options, context)));
  },
  async apply(program) {
    const { addApplyCommand, runApply } = await import("./commands/apply.ts");
    addApplyCommand(program, (files, options) =>
      runInProcess((context) => runApply(files, options, context)),
    );
  },
  async delete(program) {
    const { addDeleteCommand, runDelete } = await import("./commands/delete.ts");
    addDeleteCommand(program, (dataIds, options) =>
      runInProcess((context) => runDelete(dataIds, options, context)),
    );
  },
  async validate(program) {
    const { addValidateCommand, runValidate } = await import("./commands/validate.ts");
    addValidateCommand(program, (files, options) =>
      runInProcess((context) => runValidate(files, options, context)),
    );
  },
  async export(program) {
    const { addExportCommand, runExport } = await import("./commands/export.ts");
    addExportCommand(program, (options) =>
      runInProcess((context) => runExport(options, { ...context, stdout: process.stdout })),
    );
  },
  async status(program) {
    const { addStatusCommand, runStatus } = await import("./commands/status.ts");
    addStatusCommand(program, (options) => runInProcess((context) => runStatus(options, context)));
  },
  async check(program) {
    const { addCheckCommand, runCheckCommand } = await import("./commands/check.ts");
    addCheckCommand(program, (options) => runInProcess((context) => runCheckCommand(options, context)));
  },
  async rollback(program) {
    const { addRollbackCommand, runRollback } = await import("./commands/rollback.ts");
    addRollbackCommand(program, (options) => runInProcess((context) => runRollback(options, context)));
  },
  async "engine-key"(program) {
    const { addEngineKeyCommand, runEngineKey } = await import("./commands/engine-key.ts");
    addEngineKeyCommand(program, (options) => runInProcess((context) => runEngineKey(options, context)));
  },
};

/** With the command that is asked for; with all of them where the help may list them. */
async function createProgram(asked = ""): Promise<Command> {
  const program = new Command("index")
    .description("Fills the index of Hereabouts with places, and looks after it.")
    .showHelpAfterError("(--help tells more)")
    .exitOverride();
  const names = Object.hasOwn(COMMANDS, asked) ? [asked] : Object.keys(COMMANDS);
  for (const name of names) await COMMANDS[name]?.(program);
  return program;
}

/** Gives a command what it takes from the process, and the process its exit status. */
async function runInProcess(run: (context: CommandContext) => Promise<number>): Promise<void> {
  const { stdin, stdout, stderr } = process;
  const config = readConfigOrExit();
  const interruption = listenForInterruption(process, (exitCode) => process.exit(exitCode));
  process.exitCode = await run({ config, stdin, stdout, stderr, interruption });
  interruption.stop();
  stdin.destroy();
}

try {
  const program = await createProgram(process.argv[2]);
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : EXIT_WRONG_USAGE;
}
