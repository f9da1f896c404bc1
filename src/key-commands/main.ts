import type { Command } from "commander";
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

/** Adds all commands for keys to a program that runs in the process. */
export function addKeyCommands(program: Command, host: ProgramProcess): Command {
  program.description("Creates and manages the API keys of Hereabouts.");
  for (const add of COMMANDS) add(program, commandRunner(host));
  return program;
}

/** Runs the program to its end in the process, whose exit code it sets. */
export const runKeys = (host: ProgramProcess): Promise<void> =>
  runProgram(() => addKeyCommands(createProgram("keys", host), host).parseAsync(host.argv), host);

if (import.meta.main) await runKeys(process);
