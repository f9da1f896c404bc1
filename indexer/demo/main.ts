import type { Command } from "commander";
import { createProgram, runProgram, type ProgramProcess } from "../../src/cli/run-program.ts";
import { EXIT } from "../../src/cli/errors.ts";
import { defineDemo } from "./command.ts";
import { writePlaces } from "./demo-places.ts";
import { writeStreets } from "./street-map.ts";

/** Makes a command of it that writes demo places to the standard output of the process. */
export const defineDemoIn = (command: Command, host: ProgramProcess): Command =>
  defineDemo(command, async (options) => {
    // A reader such as `head` closes the pipe when it has enough: not an error.
    host.stdout.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") return host.exit(EXIT.done);
      host.stderr.write(`Cannot write the demo places: ${error.message}\n`);
      host.exit(EXIT.failed);
    });
    if (options.streets) writeStreets(options.places, host.stdout);
    else await writePlaces(options, host.stdout);
  });

if (import.meta.main)
  await runProgram(() => defineDemoIn(createProgram("demo-data", process), process).parseAsync());
