/** Where progress goes: standard error, whether or not somebody watches it. */
export interface ProgressStream {
  readonly isTTY?: boolean | undefined;
  /** The width of a terminal. */
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** Takes the news of a command with `--quiet`. */
export const SILENT: ProgressStream = { write: () => true };

/** How far a phase has come. */
export interface ProgressState {
  readonly text: string;
  /** From 0 to 1, when it is known. A terminal shows it as a bar. */
  readonly share?: number | undefined;
}

/** Describes how far a phase has come after some time. */
export type DescribeProgress = (elapsedMs: number) => ProgressState;

export interface Progress {
  /** Ends a phase with a sentence about what happens next, and begins the next phase. */
  begin(phase: string, sentence: string, describe?: DescribeProgress): void;
  /** Prints a sentence; the phase goes on. */
  say(sentence: string): void;
  stop(): void;
}

/**
 * A terminal is repainted often enough to look alive. Elsewhere each phase has the one line with which it
 * begins; one that takes minutes says every minute how far it is.
 */
const TERMINAL_INTERVAL_MS = 250;
const LOG_INTERVAL_MS = 60_000;

const CLEAR_LINE = "\r\u001B[K";

/** Shows how far the phases of a command have come, until `stop`. */
export function startProgress(
  stream: ProgressStream,
  phase: string,
  describe: DescribeProgress = describeTime,
): Progress {
  const isTerminal = stream.isTTY === true;
  let current = { phase, describe, startedAt: performance.now() };
  const show = (): void => {
    const state = current.describe(performance.now() - current.startedAt);
    if (isTerminal) stream.write(CLEAR_LINE + toTerminalLine(current.phase, state, stream.columns));
    else stream.write(`${current.phase}: ${state.text}\n`);
  };
  const say = (sentence: string): void => void stream.write(`${isTerminal ? CLEAR_LINE : ""}${sentence}\n`);
  let timer = setInterval(show, isTerminal ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS);
  const stop = (): void => {
    clearInterval(timer);
    if (isTerminal) stream.write(CLEAR_LINE);
  };
  return {
    begin(nextPhase, sentence, describeNext = describeTime) {
      clearInterval(timer);
      say(sentence);
      current = { phase: nextPhase, describe: describeNext, startedAt: performance.now() };
      timer = setInterval(show, isTerminal ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS);
    },
    say,
    stop,
  };
}

/** For a phase of unknown length. */
const describeTime: DescribeProgress = (elapsedMs) => ({ text: `${Math.floor(elapsedMs / 1_000)} s` });

const BAR_LENGTH = 20;

/** The width of a terminal that does not say it. */
const USUAL_COLUMNS = 80;

/** One line: a longer one would wrap, and could not be repainted. */
function toTerminalLine(phase: string, { text, share }: ProgressState, columns = USUAL_COLUMNS): string {
  const bar = share === undefined ? "" : `${toBar(share)} `;
  return `${phase.padEnd(9)} ${bar}${text}`.slice(0, Math.max(0, columns - 1));
}

function toBar(share: number): string {
  const full = Math.floor(Math.min(1, Math.max(0, share)) * BAR_LENGTH);
  return "█".repeat(full) + "░".repeat(BAR_LENGTH - full);
}
