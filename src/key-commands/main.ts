import type { Command } from "commander";
import { EXIT } from "../cli/errors.ts";
import { commandRunner, createProgram, runProgram, type ProgramProcess } from "../cli/run-program.ts";
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
function checkOutput(host: ProgramProcess): void {
  host.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code !== "EPIPE") host.stderr.write(`Cannot write to standard output: ${code}. It is incomplete.\n`);
    host.exit(EXIT.failed);
  });
}

/** Adds all commands for keys to a program that runs in the process. */
export function addKeyCommands(program: Command, host: ProgramProcess): Command {
  program.description("Creates and manages the API keys of Hereabouts.");
  for (const add of COMMANDS)
    add(program, (run) => {
      checkOutput(host);
      return commandRunner(host)(run);
    });
  return program;
}

/** Runs the program to its end in the process, whose exit code it sets. */
export const runKeys = (host: ProgramProcess): Promise<void> =>
  runProgram(() => addKeyCommands(createProgram("keys", host), host).parseAsync(host.argv), host);

if (import.meta.main) await runKeys(process);
