import { createLogger, type Logger } from "../../src/telemetry/logger.ts";

type LogLine = Record<string, unknown> & { readonly level: string; readonly event: string };

export interface LogBook {
  readonly logger: Logger;
  /** The lines so far, oldest first; with `event` only those of that event. */
  readonly lines: (event?: string) => LogLine[];
  /** The whole log as written. */
  readonly text: () => string;
}

/** A logger that keeps its lines for the test to read. Logs all levels by default. */
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
