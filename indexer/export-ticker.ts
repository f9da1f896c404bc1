import type { ProgressStream } from "./progress.ts";

/** A terminal is repainted often enough to look alive; a log gets a line now and then. */
const TERMINAL_INTERVAL_MS = 250;
const LOG_INTERVAL_MS = 5_000;

const CLEAR_LINE = "\r\u001B[K";

/** Shows a line about something that goes on, until the function it returns is called. */
export function startTicker(stream: ProgressStream, describe: () => string): () => void {
  const isTerminal = stream.isTTY === true;
  const show = (): void => void stream.write(isTerminal ? CLEAR_LINE + describe() : `${describe()}\n`);
  const timer = setInterval(show, isTerminal ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    if (isTerminal) stream.write(CLEAR_LINE);
  };
}
