import type { Command } from "commander";
import { createProgram, runProgram } from "./cli/run-program.ts";
import { OperatorError } from "./errors.ts";
import type { Closers } from "./http/server.ts";

/** 128 plus the number of SIGINT, as in shells. */
const EXIT_INTERRUPTED = 130;

const HELP = `
Settings are environment variables, and lines of .env in the working directory; .env.example explains
each. Without MEILISEARCH_URL and REDIS_URL the server runs its own engine and Redis on DATA_DIR, and
an empty index gets demo places.

Exit status: 0 ended by a signal; 1 failed; 2 wrong usage; 130 ended by a second signal.

Examples:
  $ script/server
  $ PORT=8081 DEMO_PLACES=0 script/server
  $ DATA_DIR=.data-of-three script/server --engines 3`;

/** Each stands for a setting of the same name. */
interface ServeOptions {
  readonly engines?: string;
  readonly partitions?: string;
  readonly replicas?: string;
}

/** Runs the server until a signal ends it. */
async function run(options: ServeOptions): Promise<void> {
  for (const [name, value] of Object.entries(options)) process.env[name.toUpperCase()] = String(value);
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    // A second signal ends the process without waiting. The engine and Redis end with it.
    process.on(signal, () => (stopping.signal.aborted ? process.exit(EXIT_INTERRUPTED) : stopping.abort()));
  }
  const closers: Closers = [];
  try {
    // Only here: the help needs none of the server's libraries.
    const { serve } = await import("./server/serve.ts");
    await serve(stopping, closers);
  } catch (error) {
    if (!stopping.signal.aborted) reportFailure(error);
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

/** An error that the operator can fix is printed as a sentence. Any other is a bug and is printed with its stack. */
function reportFailure(error: unknown): void {
  process.exitCode = 1;
  const { code, port, address } = (error ?? {}) as { code?: string; port?: number; address?: string };
  if (error instanceof OperatorError) console.error(error.message);
  else if (code === "EADDRINUSE")
    console.error(`Something else listens on ${address}:${port} already. Set PORT to a free one.`);
  else console.error(error);
}

/** Makes a command of it that runs the server. */
export const defineServer = (command: Command): Command =>
  command
    .description("Serves the API, the map and the documentation.")
    .option("--engines <number>", "share the index among this many own engines (ENGINES)")
    .option("--partitions <number>", "divide the next import into this many parts (PARTITIONS)")
    .option("--replicas <number>", "put each part of the next import on this many engines (REPLICAS)")
    .addHelpText("after", HELP)
    .action(run);

if (import.meta.main) await runProgram(() => defineServer(createProgram("server", process)).parseAsync());
