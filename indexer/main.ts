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

type AddCommand = (program: Command, start: RunCommand) => void;

/** Loads the commands, in the order of the help. Each is loaded by itself: none needs the libraries of all. */
const COMMANDS: Readonly<Record<string, () => Promise<{ addCommand: AddCommand }>>> = {
  import: () => import("./commands/import.ts"),
  sync: () => import("./commands/sync.ts"),
  apply: () => import("./commands/apply.ts"),
  edit: () => import("./commands/edit.ts"),
  write: () => import("./commands/write.ts"),
  delete: () => import("./commands/delete.ts"),
  validate: () => import("./commands/validate.ts"),
  plan: () => import("./commands/plan.ts"),
  export: () => import("./commands/export.ts"),
  match: () => import("./commands/match.ts"),
  basemap: () => import("./commands/basemap.ts"),
  status: () => import("./commands/status.ts"),
  queries: () => import("./commands/queries.ts"),
  check: () => import("./commands/check.ts"),
  rollback: () => import("./commands/rollback.ts"),
  replicas: () => import("./commands/replicas.ts"),
  words: () => import("./commands/words.ts"),
  "engine-key": () => import("./commands/engine-key.ts"),
};

/** Adds the command of that name, or all of them, as the help needs them. */
export async function addIndexCommands(
  program: Command,
  requested: string,
  host: ProgramProcess,
): Promise<void> {
  const names = isIndexCommand(requested) ? [requested] : Object.keys(COMMANDS);
  for (const name of names) (await COMMANDS[name]?.())?.addCommand(program, commandRunner(host));
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
