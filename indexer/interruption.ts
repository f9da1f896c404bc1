/** The reason an interrupted import is aborted with. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  /** As a shell counts it: 128 and the number of the signal. */
  readonly exitCode: number;

  constructor(exitCode: number) {
    super("Interrupted.");
    this.exitCode = exitCode;
  }
}

export interface Interruption {
  /** Aborted with `Interrupted` by the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** From here on the first one only makes `onLate` heard: what is under way ends in a moment, and must not be half done. */
  finishUndisturbed(onLate: () => void): void;
  stop(): void;
}

interface SignalSource {
  on(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
  off(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Listens for the signals that end a program. The second one calls `quit`, which ends it at once. */
export function listenForInterruption(source: SignalSource, quit: (exitCode: number) => void): Interruption {
  const controller = new AbortController();
  let onFirst = (exitCode: number): void => controller.abort(new Interrupted(exitCode));
  let count = 0;
  const listenerOf = (exitCode: number) => (): void => {
    count += 1;
    if (count > 1) quit(exitCode);
    else onFirst(exitCode);
  };
  const listeners = { SIGINT: listenerOf(EXIT_CODES.SIGINT), SIGTERM: listenerOf(EXIT_CODES.SIGTERM) };
  source.on("SIGINT", listeners.SIGINT);
  source.on("SIGTERM", listeners.SIGTERM);
  return {
    signal: controller.signal,
    finishUndisturbed(onLate) {
      controller.signal.throwIfAborted();
      onFirst = onLate;
    },
    stop() {
      source.off("SIGINT", listeners.SIGINT);
      source.off("SIGTERM", listeners.SIGTERM);
    },
  };
}
