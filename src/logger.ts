import { pino, stdTimeFunctions, type DestinationStream, type Logger } from "pino";

export type { Logger } from "pino";

interface LoggerOptions {
  /** A level of pino, or `silent`. */
  readonly level: string;
  /** Where the lines go; standard output when absent. */
  readonly destination?: DestinationStream;
}

interface ErrorFields {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorFields;
}

interface ErrorOptions {
  /** Whether messages may quote what a caller typed. */
  readonly mayQuote: boolean;
  readonly depth?: number;
}

/** Errors may cause each other in a circle; nobody reads further down than this. */
const MAX_CAUSES = 5;

/** The engine repeats a question that it refuses, and the parser of JSON a piece of what it cannot read. */
const QUOTING_ERRORS: ReadonlySet<string> = new Set(["EngineResponseError", "SyntaxError"]);

/** What stands behind the first of these in such a message may be a quotation. */
const QUOTATION = /[:"'`].*$/s;

/**
 * Says about an error what helps to find it and nothing more. Clients hang whole requests on their errors (ioredis the
 * arguments of AUTH, for one), so members are named here, never copied.
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

/**
 * Creates a logger of JSON lines `{level, time, event, …}`: `logger.info({ port }, "server_listening")`. Event names are
 * fixed and snake_case. An error goes under `err`. Only who logs at `debug` or `trace` may read what callers type.
 */
export function createLogger({ level, destination }: LoggerOptions): Logger {
  const mayQuote = level === "debug" || level === "trace";
  return pino(
    {
      level,
      base: null,
      messageKey: "event",
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => toErrorFields(error, { mayQuote }) },
    },
    destination,
  );
}
