import type { Call } from "./target.ts";
import type { Sender } from "./sender.ts";

export interface LoopOptions {
  readonly calls: readonly Call[];
  readonly connections: number;
  /** No call begins after so many seconds. */
  readonly seconds: number;
}

export interface LoopResult {
  /** Milliseconds of each answer, ascending. Failed calls are not among them. */
  readonly latencies: Float64Array;
  /** From the first call to the last answer. */
  readonly elapsedMs: number;
  readonly failed: number;
  readonly empty: number;
  readonly firstError?: string;
}

/**
 * A closed loop: each connection sends its next call when the answer to the last one is there. It ends with the time or the
 * calls, whichever is over first.
 */
export async function runClosedLoop(sender: Sender, options: LoopOptions): Promise<LoopResult> {
  const { calls, connections, seconds } = options;
  const latencies: number[] = [];
  const errors: unknown[] = [];
  let next = 0;
  let empty = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;

  async function keepAsking(): Promise<void> {
    while (next < calls.length && performance.now() < endsAt) {
      const call = calls[next]!;
      next += 1;
      const sentAt = performance.now();
      try {
        const { isEmpty } = await sender.send(call);
        latencies.push(performance.now() - sentAt);
        if (isEmpty) empty += 1;
      } catch (error) {
        errors.push(error);
      }
    }
  }

  await Promise.all(Array.from({ length: connections }, keepAsking));
  return {
    latencies: Float64Array.from(latencies).sort(),
    elapsedMs: performance.now() - startedAt,
    failed: errors.length,
    empty,
    ...(errors.length > 0 && { firstError: String(errors[0]) }),
  };
}
