import type { Command } from "commander";
import {
  commandRunner,
  createProgram,
  runProgram,
  type ProgramProcess,
  type RunCommand,
} from "../src/cli/run-program.ts";

// Opening hours are evaluated with the process's clock, which must have no daylight saving time.
process.env["TZ"] = "UTC";

/** Adds each command to the program, in the order of the help. Each is loaded by itself: none needs the libraries of all. */
const COMMANDS: Readonly<Record<string, (program: Command, runCommand: RunCommand) => Promise<void>>> = {
  async import(program, runCommand) {
    const { addImportCommand, runImport } = await import("./commands/import.ts");
    addImportCommand(program, (files, options) =>
      runCommand((context) => runImport(files, options, context)),
    );
  },
  async sync(program, runCommand) {
    const { addSyncCommand, runSync } = await import("./commands/sync.ts");
    addSyncCommand(program, (files, options) => runCommand((context) => runSync(files, options, context)));
  },
  async apply(program, runCommand) {
    const { addApplyCommand, runApply } = await import("./commands/apply.ts");
    addApplyCommand(program, (files, options) => runCommand((context) => runApply(files, options, context)));
  },
  async edit(program, runCommand) {
    const { addEditCommand, runEdit } = await import("./commands/edit.ts");
    addEditCommand(program, (id, fields, options) =>
      runCommand((context) => runEdit(id, fields, options, context)),
    );
  },
  async write(program, runCommand) {
    const { addWriteCommand, runWrite } = await import("./commands/write.ts");
    addWriteCommand(program, (options) => runCommand((context) => runWrite(options, context)));
  },
  async delete(program, runCommand) {
    const { addDeleteCommand, runDelete } = await import("./commands/delete.ts");
    addDeleteCommand(program, (dataIds, options) =>
      runCommand((context) => runDelete(dataIds, options, context)),
    );
  },
  async validate(program, runCommand) {
    const { addValidateCommand, runValidate } = await import("./commands/validate.ts");
    addValidateCommand(program, (files, options) =>
      runCommand((context) => runValidate(files, options, context)),
    );
  },
  async plan(program, runCommand) {
    const { addPlanCommand, runPlan } = await import("./commands/plan.ts");
    addPlanCommand(program, (files, options) => runCommand((context) => runPlan(files, options, context)));
  },
  async export(program, runCommand) {
    const { addExportCommand, runExport } = await import("./commands/export.ts");
    addExportCommand(program, (options) => runCommand((context) => runExport(options, context)));
  },
  async match(program, runCommand) {
    const { addMatchCommand, runMatch } = await import("./commands/match.ts");
    addMatchCommand(program, (file, options) => runCommand((context) => runMatch(file, options, context)));
  },
  async basemap(program, runCommand) {
    const { addBasemapCommand, runBasemap } = await import("./commands/basemap.ts");
    addBasemapCommand(program, (file, options) =>
      runCommand((context) => runBasemap(file, options, context)),
    );
  },
  async status(program, runCommand) {
    const { addStatusCommand, runStatus } = await import("./commands/status.ts");
    addStatusCommand(program, (options) => runCommand((context) => runStatus(options, context)));
  },
  async queries(program, runCommand) {
    const { addQueriesCommand, runQueries } = await import("./commands/queries.ts");
    addQueriesCommand(program, (options) => runCommand((context) => runQueries(options, context)));
  },
  async check(program, runCommand) {
    const { addCheckCommand, runCheckCommand } = await import("./commands/check.ts");
    addCheckCommand(program, (options) => runCommand((context) => runCheckCommand(options, context)));
  },
  async rollback(program, runCommand) {
    const { addRollbackCommand, runRollback } = await import("./commands/rollback.ts");
    addRollbackCommand(program, (options) => runCommand((context) => runRollback(options, context)));
  },
  async replicas(program, runCommand) {
    const { addReplicasCommand, runReplicas } = await import("./commands/replicas.ts");
    addReplicasCommand(program, (options) => runCommand((context) => runReplicas(options, context)));
  },
  async words(program, runCommand) {
    const { addWordsCommand, runWords } = await import("./commands/words.ts");
    addWordsCommand(program, (request, options) =>
      runCommand((context) => runWords(request, options, context)),
    );
  },
  async "engine-key"(program, runCommand) {
    const { addEngineKeyCommand, runEngineKey } = await import("./commands/engine-key.ts");
    addEngineKeyCommand(program, (options) => runCommand((context) => runEngineKey(options, context)));
  },
};

/** Adds the command of that name, or all of them, as the help needs them. */
export async function addIndexCommands(
  program: Command,
  requested: string,
  host: ProgramProcess,
): Promise<void> {
  const names = isIndexCommand(requested) ? [requested] : Object.keys(COMMANDS);
  for (const name of names) await COMMANDS[name]?.(program, commandRunner(host));
}

/** Whether the indexer has a command of that name. */
export const isIndexCommand = (name: string): boolean => Object.hasOwn(COMMANDS, name);

/** Runs the program to its end in the process, whose exit code it sets. */
export const runIndexer = (host: ProgramProcess): Promise<void> =>
  runProgram(async () => {
    const program = createProgram("index", host).description("Fills and maintains the index of Hereabouts.");
    await addIndexCommands(program, host.argv[2] ?? "", host);
    await program.parseAsync(host.argv);
  }, host);

if (import.meta.main) await runIndexer(process);
