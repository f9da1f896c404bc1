import { ConfigError } from "../../src/config.ts";
import { LocalEnginesError } from "../../src/local-engines/engine-process.ts";

/**
 * An import cannot go on: a file that cannot be read, an index that fails its check. The message is for the person at the
 * terminal and needs no stack; the live index is untouched.
 */
export class ImportError extends Error {
  override readonly name = "ImportError";
}

/** The reason an interrupted import is aborted with. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  /** As a shell counts it: 128 and the number of the signal. */
  readonly exitCode: number;

  constructor(exitCode: number) {
    super("Interrupted.");
    this.exitCode = exitCode;
  }
}

export interface Interruption {
  /** Aborted with `Interrupted` by the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** From here on the first one only makes `onLate` heard: what is under way ends in a moment, and must not be half done. */
  finishUndisturbed(onLate: () => void): void;
  stop(): void;
}

interface SignalSource {
  on(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
  off(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Listens for the signals that end a program. The second one calls `quit`, which ends it at once. */
export function listenForInterruption(source: SignalSource, quit: (exitCode: number) => void): Interruption {
  const controller = new AbortController();
  let onFirst = (exitCode: number): void => controller.abort(new Interrupted(exitCode));
  let count = 0;
  const listenerOf = (exitCode: number) => (): void => {
    count += 1;
    if (count > 1) quit(exitCode);
    else onFirst(exitCode);
  };
  const listeners = { SIGINT: listenerOf(EXIT_CODES.SIGINT), SIGTERM: listenerOf(EXIT_CODES.SIGTERM) };
  source.on("SIGINT", listeners.SIGINT);
  source.on("SIGTERM", listeners.SIGTERM);
  return {
    signal: controller.signal,
    finishUndisturbed(onLate) {
      controller.signal.throwIfAborted();
      onFirst = onLate;
    },
    stop() {
      source.off("SIGINT", listeners.SIGINT);
      source.off("SIGTERM", listeners.SIGTERM);
    },
  };
}

/** Errors that are written for a person; of any other the causes say more than the error itself. */
const FOR_PEOPLE = [ConfigError, LocalEnginesError, ImportError];

/** What went wrong, for the terminal: an error's message, and those of its causes where the message alone says little. */
export function toErrorText(error: unknown): string {
  if (FOR_PEOPLE.some((kind) => error instanceof kind)) return (error as Error).message;
  const text = [...new Set(messagesOf(error))].join(": ");
  return DISK_FULL.test(text) ? `${text}\nThe disk of the engine is full: make room and import again.` : text;
}

/** How the system says so, in Node's words and in the engine's. */
const DISK_FULL = /ENOSPC|no space left on device|MDB_MAP_FULL/i;

function messagesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  // A connection tried over IPv4 and IPv6 fails with both reasons at once.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  const own = error.message === "" ? [] : [error.message];
  return [
    ...own,
    ...(first === undefined ? [] : messagesOf(first)),
    ...(error.cause === undefined ? [] : messagesOf(error.cause)),
  ];
}

/**
 * Begins something and resolves to its outcome, or rejects with the signal's reason as soon as that is aborted. What was begun
 * then goes on unobserved.
 */
export async function untilAborted<T>(begin: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([begin(), aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
