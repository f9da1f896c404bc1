/** Where progress goes: standard error, whether or not somebody watches it. */
export interface ProgressStream {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

export interface Progress {
  /** Ends the counting and prints a sentence about what happens next. */
  say(text: string): void;
  stop(): void;
}

/** A terminal is repainted often enough to look alive; a log gets a line now and then. */
const TERMINAL_INTERVAL_MS = 250;
const LOG_INTERVAL_MS = 5_000;

const CLEAR_LINE = "\r\u001B[K";

/** Prints now and then how far something has come, until `stop`. */
export function startProgress(stream: ProgressStream, describe: (elapsedMs: number) => string): Progress {
  const isTerminal = stream.isTTY === true;
  const startedAt = performance.now();
  const show = (): void => {
    const text = describe(performance.now() - startedAt);
    stream.write(isTerminal ? CLEAR_LINE + text : `${text}\n`);
  };
  const timer = setInterval(show, isTerminal ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS);
  const stop = (): void => {
    clearInterval(timer);
    if (isTerminal) stream.write(CLEAR_LINE);
  };
  return {
    say(text) {
      stop();
      stream.write(`${text}\n`);
    },
    stop,
  };
}
