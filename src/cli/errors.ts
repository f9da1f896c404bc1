import { OperatorError } from "../errors.ts";

/** How every program of this project ends. */
export const EXIT = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  /** Done, except for some of what was asked for; the report names it. */
  incomplete: 3,
} as const;

/** As a shell counts it: 128 and the number of the signal. */
export const EXIT_BY_SIGNAL = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * A command cannot go on: a file cannot be read, Redis does not respond, a check fails. The message is for the person at the
 * terminal, says what to do, and needs no stack.
 */
export class CommandError extends OperatorError {
  override readonly name = "CommandError";
}

/** The reason that a signal of an interrupted program is aborted with. */
export class Interrupted extends OperatorError {
  override readonly name = "Interrupted";
  readonly exitCode: number;

  constructor(exitCode: number) {
    super("Interrupted.");
    this.exitCode = exitCode;
  }
}

/** What went wrong, for the terminal: the message of an `OperatorError`; of any other error the causes say more. */
export function toErrorText(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  const text = [...new Set(messagesOf(error))].join(": ");
  if (REDIS_CANNOT_WRITE.test(text))
    return `${text}\nRedis cannot write to its disk: free some space there and run the command again.`;
  return DISK_FULL.test(text) ? `${text}\nThe disk of the engine is full: make room and import again.` : text;
}

/** How Redis refuses writes while its own disk is full or broken; the reason behind it may be the text below. */
const REDIS_CANNOT_WRITE = /\bMISCONF\b/;

/** How the system says so, in the words of Node and of the engine. */
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

/** How a command ended that did not end well. */
export interface Failure {
  /** For the terminal. */
  readonly text: string;
  readonly isInterrupted: boolean;
  readonly exitCode: number;
}

/** What an error means for the command that it ends. Everything fails in its own way once `signal` is aborted: then its reason counts. */
export function toFailure(error: unknown, signal: AbortSignal): Failure {
  const reason: unknown = signal.aborted ? signal.reason : error;
  const isInterrupted = reason instanceof Interrupted;
  return {
    text: toErrorText(reason),
    isInterrupted,
    exitCode: isInterrupted ? reason.exitCode : EXIT.failed,
  };
}
