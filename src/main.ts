import { ConfigError } from "./config.ts";
import { DemoImportError } from "./demo.ts";
import { LocalEnginesError } from "./local-engines/engine-process.ts";
import { serve } from "./serve.ts";
import type { Closers } from "./http/server.ts";

/** 128 plus the number of SIGINT, as in shells. */
const EXIT_INTERRUPTED = 130;

async function main(): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    // A second signal ends the process without waiting. The engine and Redis end with it.
    process.on(signal, () => (stopping.signal.aborted ? process.exit(EXIT_INTERRUPTED) : stopping.abort()));
  }
  const closers: Closers = [];
  try {
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
  const isFixable =
    error instanceof ConfigError || error instanceof LocalEnginesError || error instanceof DemoImportError;
  if (isFixable) console.error(error.message);
  else if (code === "EADDRINUSE")
    console.error(`Something else listens on ${address}:${port} already. Set PORT to a free one.`);
  else console.error(error);
}

await main();
