import type { ProgressStream } from "./progress.ts";

/** A terminal is repainted often enough to look alive; a log gets a line now and then. */
const TERMINAL_INTERVAL_MS = 500;
const LOG_INTERVAL_MS = 10_000;

const CLEAR_LINE = "\r\u001B[K";

/** Tells now and then how far it is. The function it returns ends that. */
export function startTicker(stream: ProgressStream, describe: () => string): () => void {
  const isTerminal = stream.isTTY === true;
  const timer = setInterval(
    () => void stream.write(isTerminal ? CLEAR_LINE + describe() : `${describe()}\n`),
    isTerminal ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS,
  );
  return () => {
    clearInterval(timer);
    if (isTerminal) stream.write(CLEAR_LINE);
  };
}
