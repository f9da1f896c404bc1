import { pino, stdTimeFunctions } from "pino";
import type { DestinationStream, Logger } from "pino";

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

/** Errors may cause each other in a circle; nobody reads further down than this. */
const MAX_CAUSES = 5;

/**
 * Says about an error what helps to find it and nothing more. Clients hang whole requests on their errors (ioredis the
 * arguments of AUTH, for one), so members are named here, never copied.
 */
export function toErrorFields(error: unknown, depth = 0): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code } = error as Error & { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === "string" && { code }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(error.cause !== undefined && depth < MAX_CAUSES && { cause: toErrorFields(error.cause, depth + 1) }),
  };
}

/**
 * Creates a logger of JSON lines `{level, time, event, …}`: `logger.info({ port }, "server_listening")`. Event names are
 * fixed and snake_case. An error goes under `err`.
 */
export function createLogger({ level, destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: null,
      messageKey: "event",
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => toErrorFields(error) },
    },
    destination,
  );
}
