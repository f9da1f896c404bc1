import { HereaboutsError } from "../client/client.ts";
import { createLatest } from "./latest.ts";

/** About as long as a fast typist needs for the next letter. */
const DEBOUNCE_MS = 120;
/** A wait that people notice: from then on the box says that it is searching. */
const SLOW_MS = 400;
/** Longer limits, such as that of a day, are over in another visit of the page. */
const MAX_PAUSE_MS = 120_000;

interface AskingOptions<Found> {
  /** Called while an answer takes long. */
  readonly onSlow: () => void;
  readonly onFound: (found: Found) => void;
  readonly onError: (error: unknown) => void;
}

export interface Asking<Found> {
  /** Asks as soon as nobody types any more. */
  soon(question: Question<Found>): void;
  now(question: Question<Found>): void;
  /** Aborts the current request: nothing is reported any more. */
  stop(): void;
  /** Forgets that a limit was reached: for another key. */
  reset(): void;
}

type Question<Found> = (signal: AbortSignal) => Promise<Found>;

/**
 * Asks one question at a time: an answer to an older one is never reported. After an error that says how long to wait, nothing is sent
 * until then; the last question is asked again by itself.
 */
export function createAsking<Found>(options: AskingOptions<Found>): Asking<Found> {
  const latest = createLatest();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let slowTimer: ReturnType<typeof setTimeout> | undefined;
  let pause: { readonly untilMs: number; readonly error: unknown } | undefined;

  const stop = (): void => {
    clearTimeout(timer);
    clearTimeout(slowTimer);
    latest.cancel();
  };
  const report = (error: unknown, question: Question<Found>): void => {
    options.onError(error);
    if (!(error instanceof HereaboutsError) || error.retryAfterSeconds === undefined) return;
    const waitMs = error.retryAfterSeconds * 1000;
    pause = { untilMs: performance.now() + waitMs, error };
    repeat(question, waitMs);
  };
  const repeat = (question: Question<Found>, waitMs: number): void => {
    if (waitMs <= MAX_PAUSE_MS) timer = setTimeout(() => void ask(question), waitMs);
  };
  const ask = async (question: Question<Found>): Promise<void> => {
    stop();
    const leftMs = (pause?.untilMs ?? 0) - performance.now();
    if (pause && leftMs > 0) {
      options.onError(pause.error);
      return repeat(question, leftMs);
    }
    slowTimer = setTimeout(options.onSlow, SLOW_MS);
    try {
      const found = await latest.run(question);
      if (found === undefined) return;
      clearTimeout(slowTimer);
      pause = undefined;
      options.onFound(found);
    } catch (error) {
      clearTimeout(slowTimer);
      report(error, question);
    }
  };
  return {
    soon(question) {
      stop();
      timer = setTimeout(() => void ask(question), DEBOUNCE_MS);
    },
    now: (question) => void ask(question),
    stop,
    reset: () => (pause = undefined),
  };
}
