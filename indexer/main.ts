import { Command } from "commander";
import { runCommand, runProgram } from "../src/cli/run-program.ts";

// Opening hours are evaluated with the process's clock, which must have no daylight saving time.
process.env["TZ"] = "UTC";

/** Adds each command to the program, in the order of the help. Each is loaded by itself: none needs the libraries of all. */
const COMMANDS: Readonly<Record<string, (program: Command) => Promise<void>>> = {
  async import(program) {
    const { addImportCommand, runImport } = await import("./commands/import.ts");
    addImportCommand(program, (files, options) =>
      runCommand((context) => runImport(files, options, context)),
    );
  },
  async sync(program) {
    const { addSyncCommand, runSync } = await import("./commands/sync.ts");
    addSyncCommand(program, (files, options) => runCommand((context) => runSync(files, options, context)));
  },
  async apply(program) {
    const { addApplyCommand, runApply } = await import("./commands/apply.ts");
    addApplyCommand(program, (files, options) => runCommand((context) => runApply(files, options, context)));
  },
  async delete(program) {
    const { addDeleteCommand, runDelete } = await import("./commands/delete.ts");
    addDeleteCommand(program, (dataIds, options) =>
      runCommand((context) => runDelete(dataIds, options, context)),
    );
  },
  async validate(program) {
    const { addValidateCommand, runValidate } = await import("./commands/validate.ts");
    addValidateCommand(program, (files, options) =>
      runCommand((context) => runValidate(files, options, context)),
    );
  },
  async export(program) {
    const { addExportCommand, runExport } = await import("./commands/export.ts");
    addExportCommand(program, (options) => runCommand((context) => runExport(options, context)));
  },
  async status(program) {
    const { addStatusCommand, runStatus } = await import("./commands/status.ts");
    addStatusCommand(program, (options) => runCommand((context) => runStatus(options, context)));
  },
  async check(program) {
    const { addCheckCommand, runCheckCommand } = await import("./commands/check.ts");
    addCheckCommand(program, (options) => runCommand((context) => runCheckCommand(options, context)));
  },
  async rollback(program) {
    const { addRollbackCommand, runRollback } = await import("./commands/rollback.ts");
    addRollbackCommand(program, (options) => runCommand((context) => runRollback(options, context)));
  },
  async "engine-key"(program) {
    const { addEngineKeyCommand, runEngineKey } = await import("./commands/engine-key.ts");
    addEngineKeyCommand(program, (options) => runCommand((context) => runEngineKey(options, context)));
  },
};

/** The program with the requested command, or with all of them for the help. */
async function createProgram(requested = ""): Promise<Command> {
  const program = new Command("index")
    .description("Fills and maintains the index of Hereabouts.")
    .showHelpAfterError("(see --help)")
    .exitOverride();
  const names = Object.hasOwn(COMMANDS, requested) ? [requested] : Object.keys(COMMANDS);
  for (const name of names) await COMMANDS[name]?.(program);
  return program;
}

await runProgram(async () => {
  const program = await createProgram(process.argv[2]);
  await program.parseAsync();
});
