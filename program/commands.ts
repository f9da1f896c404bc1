import { Argument, type Command } from "commander";
import { createProgram, runProgram, type ProgramProcess } from "../src/cli/run-program.ts";
import { buildCompletion, SHELLS, type Shell } from "./completion.ts";

type AddCommand = (program: Command, host: ProgramProcess) => Promise<unknown>;

/** The commands beside those of the indexer. Each is loaded by itself: none needs the libraries of all. */
const COMMANDS: Readonly<Record<string, AddCommand>> = {
  async serve(program) {
    const { defineServer } = await import("../src/main.ts");
    defineServer(program.command("serve").summary("run the server, with demo places at the first start"));
  },
  async keys(program, host) {
    const { addKeyCommands } = await import("../src/key-commands/main.ts");
    addKeyCommands(program.command("keys").summary("create and manage API keys"), host);
  },
  async demo(program, host) {
    const { defineDemoIn } = await import("../indexer/demo/main.ts");
    defineDemoIn(program.command("demo").summary("write made-up places to standard output"), host);
  },
  async mcp(program, host) {
    const { defineMcp } = await import("../src/mcp/stdio.ts");
    defineMcp(program.command("mcp").summary("offer the API to a program with a language model"), host);
  },
  async completion(program, host) {
    addCompletionCommand(program, host);
  },
};

const COMPLETION_HELP = `
For bash, in ~/.bashrc:
  source <(hereabouts completion bash)
For zsh, in a folder of $fpath:
  hereabouts completion zsh > ~/.zfunc/_hereabouts`;

function addCompletionCommand(program: Command, host: ProgramProcess): void {
  program
    .command("completion")
    .summary("print a script that completes commands and options in a shell")
    .description("Prints a script with which the Tab key completes commands and options.")
    .addArgument(new Argument("<shell>", "for which shell").choices(SHELLS))
    .addHelpText("after", COMPLETION_HELP)
    .action(async (shell: Shell) => {
      host.stdout.write(buildCompletion(shell, await buildProgram(host, "")));
    });
}

const HELP = `
The data stays in .data of the working directory (DATA_DIR). Settings are environment variables, and
lines of .env; .env.example explains each. If a server runs on the same data, the commands use its engine.

Examples:
  $ npx hereabouts serve
  $ npx hereabouts import places.jsonl
  $ npx hereabouts keys create --name "my app"
  $ npx hereabouts import --help`;

/** The program with the requested command, or with all of them, as the help needs them. */
async function buildProgram(host: ProgramProcess, requested: string): Promise<Command> {
  const program = createProgram("hereabouts", host)
    .description("Place search that you host yourself: the server, and what fills and maintains its index.")
    .addHelpText("after", HELP);
  const own = Object.hasOwn(COMMANDS, requested) ? COMMANDS[requested] : undefined;
  if (own) {
    await own(program, host);
    return program;
  }
  const { addIndexCommands, isIndexCommand } = await import("../indexer/main.ts");
  const { serve, ...others } = isIndexCommand(requested) ? {} : COMMANDS;
  await serve?.(program, host);
  await addIndexCommands(program, requested, host);
  for (const add of Object.values(others)) await add(program, host);
  return program;
}

/** Runs the program to its end in the process, whose exit code it sets. */
export const runHereabouts = (host: ProgramProcess): Promise<void> =>
  runProgram(async () => {
    const program = await buildProgram(host, host.argv[2] ?? "");
    await program.parseAsync(host.argv);
  }, host);
