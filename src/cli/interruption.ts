import { setImmediate as nextTurn } from "node:timers/promises";
import { EXIT_BY_SIGNAL, Interrupted } from "./errors.ts";

export interface Interruption {
  /** Aborted with `Interrupted` by the first Ctrl-C or SIGTERM, and when the program's parent has died (`ORPHANED`). */
  readonly signal: AbortSignal;
  /**
   * From here on the first signal only calls `onLate`: what is under way ends in a moment and must not be half done.
   * @throws {Interrupted} when the program was interrupted before.
   */
  finishUndisturbed(onLate: () => void): void;
  stop(): void;
}

/**
 * What Node emits when the channel to the parent breaks. Only a parent that wants its child to end with it opens one: the server,
 * for its demo import.
 */
const ORPHANED = "disconnect";

interface SignalSource {
  /** Whether the channel is open; `undefined` without one. */
  readonly connected?: boolean;
  on(signal: string, listener: () => void): unknown;
  off(signal: string, listener: () => void): unknown;
}

interface ListenOptions {
  /** Called by the second signal; ends the program at once. */
  readonly quit: (exitCode: number) => void;
  /** The signals that are heard, with the exit code of each. */
  readonly exitCodes?: Readonly<Record<string, number>>;
}

/** Listens for the signals that end a program. */
export function listenForInterruption(
  source: SignalSource,
  { quit, exitCodes = EXIT_BY_SIGNAL }: ListenOptions,
): Interruption {
  const controller = new AbortController();
  let onFirst = (exitCode: number): void => controller.abort(new Interrupted(exitCode));
  let count = 0;
  const listeners = Object.entries(exitCodes).map(([name, exitCode]) => {
    const listener = (): void => {
      count += 1;
      if (count > 1) quit(exitCode);
      else onFirst(exitCode);
    };
    source.on(name, listener);
    return { name, listener };
  });
  const onOrphaned = (): void => {
    if (count > 0) return;
    count += 1;
    onFirst(EXIT_BY_SIGNAL.SIGTERM);
  };
  source.on(ORPHANED, onOrphaned);
  // The parent may have died before anyone listened.
  if (source.connected === false) onOrphaned();
  return {
    signal: controller.signal,
    finishUndisturbed(onLate) {
      controller.signal.throwIfAborted();
      onFirst = onLate;
    },
    stop() {
      for (const { name, listener } of listeners) source.off(name, listener);
      source.off(ORPHANED, onOrphaned);
    },
  };
}

/**
 * Begins something and resolves to its outcome, or rejects with the signal's reason as soon as that is aborted. What was begun
 * then goes on unobserved.
 */
export async function untilAborted<T>(begin: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([begin(), aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Signals are heard and leases renewed within 50 ms; one more step of the work may take the rest. */
const MAX_TURN_MS = 20;

/** When this process last gave way. */
let turnedAt = 0;

/**
 * Lets other events have their turn when the last time was a while ago: signals, timers, responses. For loops over what has been read
 * already, whose `await` alone lets nothing else in: `await giveWay()`, or in a hot loop only where it returns a promise.
 */
export function giveWay(): Promise<void> | undefined {
  if (performance.now() - turnedAt < MAX_TURN_MS) return undefined;
  return nextTurn().then(() => void (turnedAt = performance.now()));
}
