import { pino, stdTimeFunctions, type DestinationStream, type Logger } from "pino";

import { createTerminalLog, type TerminalLog } from "./terminal-log.ts";

export type { Logger } from "pino";

interface LoggerOptions {
  /** A level of pino, or `silent`. */
  readonly level: string;
  /** Where the lines go; standard output by default. */
  readonly destination?: DestinationStream;
  /** The number of this process when there are several; each line then has it. */
  readonly worker?: number;
}

interface ErrorFields {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorFields;
}

interface ErrorOptions {
  /** Whether messages may contain a caller's input. */
  readonly mayQuote: boolean;
  readonly depth?: number;
}

/** Limits chains of causes, which may be circular. */
const MAX_CAUSES = 5;

/** The messages of these errors contain input: the engine quotes a query that it rejects, the JSON parser what it cannot parse. */
const QUOTING_ERRORS: ReadonlySet<string> = new Set(["EngineResponseError", "SyntaxError"]);

/** The text after the first of these characters may be a quotation. */
const QUOTATION = /[:"'`].*/s;

/**
 * The fields of an error that help to find its cause. Libraries attach whole requests to errors (ioredis, for example, the
 * arguments of AUTH), so fields are picked by name.
 */
export function toErrorFields(error: unknown, { mayQuote, depth = 0 }: ErrorOptions): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { name, stack, cause } = error;
  const { code } = error as Error & { code?: unknown };
  const isCut = !mayQuote && QUOTING_ERRORS.has(name);
  const message = isCut ? error.message.replace(QUOTATION, "").trimEnd() : error.message;
  return {
    type: name,
    message,
    ...(typeof code === "string" && { code }),
    // A stack begins with the message.
    ...(stack !== undefined && { stack: stack.replace(error.message, () => message) }),
    ...(cause !== undefined &&
      depth < MAX_CAUSES && { cause: toErrorFields(cause, { mayQuote, depth: depth + 1 }) }),
  };
}

/** One write for each request took a tenth of the CPU of a place detail. */
const GATHERED_BYTES = 8_192;
/** Nobody who reads along notices this delay. */
const GATHERED_MS = 200;

/** Where the lines of a server go: short ones to a terminal, JSON elsewhere, written in blocks. */
export const openLog = (): DestinationStream & Partial<TerminalLog> =>
  process.stdout.isTTY ? createTerminalLog(process.stdout) : gatherLines();

/** The standard output, written in blocks; what is left is written when the process exits. */
function gatherLines(): DestinationStream {
  const lines = pino.destination({ minLength: GATHERED_BYTES, periodicFlush: GATHERED_MS, sync: true });
  process.once("exit", () => lines.flushSync());
  return lines;
}

/**
 * Creates a logger of JSON lines `{level, time, event, …}`: `logger.info({ port }, "server_listening")`. Event names are
 * fixed and in snake_case. An error goes under `err`. Callers' input is logged only at the levels `debug` and `trace`.
 */
export function createLogger({ level, destination, worker }: LoggerOptions): Logger {
  const mayQuote = level === "debug" || level === "trace";
  return pino(
    {
      level,
      base: worker === undefined ? null : { worker },
      messageKey: "event",
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => toErrorFields(error, { mayQuote }) },
    },
    destination,
  );
}
