import { Command, CommanderError } from "commander";
import { ConfigError, loadEnvironmentFile, readConfig, type Config } from "../src/config.ts";
import { addImportCommand, runImport } from "./commands/import.ts";
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
    .description("Fills the index of Hereabouts with places.")
    .showHelpAfterError("(--help tells more)")
    .exitOverride();
  addImportCommand(program, async (files, options) => {
    const { stdin, stdout, stderr } = process;
    const config = readConfigOrExit();
    const interruption = listenForInterruption(process, (exitCode) => process.exit(exitCode));
    process.exitCode = await runImport(files, options, { config, stdin, stdout, stderr, interruption });
    interruption.stop();
    stdin.destroy();
  });
  return program;
}

try {
  await createProgram().parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : EXIT_WRONG_USAGE;
}
