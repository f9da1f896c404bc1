import { Command, CommanderError } from "commander";
import { ConfigError, loadEnvironmentFile, readConfig, type Config } from "../src/config.ts";
import { addApplyCommand, runApply } from "./commands/apply.ts";
import { addCheckCommand, runCheckCommand } from "./commands/check.ts";
import { addDeleteCommand, runDelete } from "./commands/delete.ts";
import { addExportCommand, runExport } from "./commands/export.ts";
import { addImportCommand, runImport, type CommandContext } from "./commands/import.ts";
import { addRollbackCommand, runRollback } from "./commands/rollback.ts";
import { addStatusCommand, runStatus } from "./commands/status.ts";
import { addSyncCommand, runSync } from "./commands/sync.ts";
import { addValidateCommand, runValidate } from "./commands/validate.ts";
import { listenForInterruption } from "./interruption.ts";

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

function createProgram(): Command {
  const program = new Command("index")
    .description("Fills the index of Hereabouts with places, and looks after it.")
    .showHelpAfterError("(--help tells more)")
    .exitOverride();
  addImportCommand(program, (files, options) =>
    runInProcess((context) => runImport(files, options, context)),
  );
  addSyncCommand(program, (files, options) => runInProcess((context) => runSync(files, options, context)));
  addApplyCommand(program, (files, options) => runInProcess((context) => runApply(files, options, context)));
  addDeleteCommand(program, (dataIds, options) =>
    runInProcess((context) => runDelete(dataIds, options, context)),
  );
  addValidateCommand(program, (files, options) =>
    runInProcess((context) => runValidate(files, options, context)),
  );
  addExportCommand(program, (options) =>
    runInProcess((context) => runExport(options, { ...context, stdout: process.stdout })),
  );
  addStatusCommand(program, (options) => runInProcess((context) => runStatus(options, context)));
  addCheckCommand(program, (options) => runInProcess((context) => runCheckCommand(options, context)));
  addRollbackCommand(program, (options) => runInProcess((context) => runRollback(options, context)));
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
  await createProgram().parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : EXIT_WRONG_USAGE;
}
