import { createLogger, type Logger } from "../../src/logger.ts";

type LogLine = Record<string, unknown> & { readonly level: string; readonly event: string };

export interface LogBook {
  readonly logger: Logger;
  /** The lines so far, oldest first; of one event when it is named. */
  readonly lines: (event?: string) => LogLine[];
  /** All of it as it was written. */
  readonly text: () => string;
}

/** A logger that keeps its lines for the test to read, of every level unless one is named. */
export function createLogBook(level = "trace"): LogBook {
  const written: string[] = [];
  const logger = createLogger({ level, destination: { write: (line) => void written.push(line) } });
  return {
    logger,
    lines: (event) =>
      written
        .map((line) => JSON.parse(line) as LogLine)
        .filter((line) => event === undefined || line.event === event),
    text: () => written.join(""),
  };
}
