import { Command } from "commander";
import { EXIT } from "../../cli/errors.ts";
import { runCommand, runProgram, type RunCommand } from "../../cli/run-program.ts";
import { addExportCommand, addImportCommand } from "./backup.ts";
import { addCreateCommand } from "./create.ts";
import { addLimitCommand } from "./limit.ts";
import { addRevokeCommand } from "./revoke.ts";
import { addRotateCommand } from "./rotate.ts";
import { addListCommand, addShowCommand } from "./show.ts";

/** In the order of the help text. */
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

/**
 * A key that could not be printed must not look like a success. A list whose reader stops early, such as
 * `head`, must not either.
 */
const runWithCheckedOutput: RunCommand = (run) => {
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code !== "EPIPE")
      process.stderr.write(`Cannot write to standard output: ${code}. It is incomplete.\n`);
    process.exit(EXIT.failed);
  });
  return runCommand(run);
};

await runProgram(async () => {
  const program = new Command("keys")
    .description("Creates and manages the API keys of Hereabouts.")
    .showHelpAfterError("(see --help)")
    .exitOverride();
  for (const add of COMMANDS) add(program, runWithCheckedOutput);
  await program.parseAsync();
});
