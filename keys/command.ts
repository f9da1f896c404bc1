import type { Readable } from "node:stream";
import { ConfigError, type Config } from "../src/config.ts";
import { KeyChangeError } from "../src/keys/change-key.ts";
import { LocalEnginesError } from "../src/local-engines/local-engines-error.ts";
import type { KeyStore } from "../src/redis/key-store.ts";
import { KeysError } from "./keys-error.ts";
import { withKeyStore } from "./open-store.ts";

/** What a command takes from the process it runs in. */
export interface CommandContext {
  readonly config: Config;
  readonly stdin: Readable;
  /** `done` is called when the text is written, or cannot be. */
  readonly stdout: { write(text: string, done?: (error?: Error | null) => void): unknown };
  readonly stderr: { write(text: string): unknown };
  /** Aborted with `Interrupted` by Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
}

/** Runs a command in its process, to its exit status. */
export type Start = (run: (context: CommandContext) => Promise<number>) => Promise<void>;

const EXIT_DONE = 0;
const EXIT_FAILED = 1;

/** The reason a command is aborted with. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  /** As a shell counts it: 128 and the number of the signal. */
  readonly exitCode: number;

  constructor(exitCode: number) {
    super("Interrupted.");
    this.exitCode = exitCode;
  }
}

/** The end of each command's help. */
export const COMMON_HELP = `
Redis: that of REDIS_URL, else that of the server that runs on DATA_DIR, else one that is started on
DATA_DIR for as long as the command takes: the next server there finds the keys.

Exit status: 0 done; 1 failed; 2 wrong usage or configuration; 130 or 143
interrupted by Ctrl-C or SIGTERM.`;

/** Runs with the keys, to the exit status; what it throws is told on standard error, and as JSON where that was asked for. */
export async function runWithStore(
  context: CommandContext,
  json: boolean,
  run: (store: KeyStore) => Promise<void>,
): Promise<number> {
  try {
    await withKeyStore(context, run);
    return EXIT_DONE;
  } catch (error) {
    const reason: unknown = context.signal.aborted ? context.signal.reason : error;
    const text = toErrorText(reason);
    context.stderr.write(`${text}\n`);
    if (json) context.stdout.write(`${JSON.stringify({ error: text })}\n`);
    return reason instanceof Interrupted ? reason.exitCode : EXIT_FAILED;
  }
}

/** Errors that are written for a person. */
const FOR_PEOPLE = [ConfigError, LocalEnginesError, KeyChangeError, KeysError, Interrupted];

/** Whatever else fails here is Redis, or a file. */
function toErrorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (FOR_PEOPLE.some((kind) => error instanceof kind)) return error.message;
  return `It did not work: ${error.message}\nWhether it was done all the same tells "list".`;
}
