import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Call, Sender, Target } from "./senders.ts";

export interface LoadGenerator {
  readonly pid: number;
  /** Calls `onStart` after the warm-up, right before the measured load, and `onEnd` right after it. */
  run(job: LoadJob, hooks: LoadHooks): Promise<LoopResult>;
  stop(): void;
}

interface LoadHooks {
  readonly onStart: () => void;
  readonly onEnd: () => void;
}

/** Starts the process that generates the load. Jobs run one after the other. */
export function startLoadGenerator(): LoadGenerator {
  const child = fork(fileURLToPath(new URL("./load-process.ts", import.meta.url)), {
    serialization: "advanced",
  });
  const ended = once(child, "exit").then(() => Promise.reject(new Error("The load process has ended.")));
  // A failure rejects the reply that is awaited; without one it ends the bench.
  ended.catch(() => {});
  const nextReply = async (): Promise<LoadReply> => {
    const [reply] = (await Promise.race([once(child, "message"), ended])) as [LoadReply];
    if (reply.state === "failed") throw new Error(`The load could not be made: ${reply.error}`);
    return reply;
  };
  return {
    pid: child.pid ?? 0,
    async run(job, { onStart, onEnd }) {
      child.send(job);
      await nextReply();
      onStart();
      child.send("go");
      const reply = await nextReply();
      onEnd();
      child.send("bye");
      await nextReply();
      if (reply.state !== "done") throw new Error("The load process lost its place.");
      return reply.result;
    },
    stop: () => void child.kill(),
  };
}

/** A job for the load process. */
export interface LoadJob {
  readonly target: Target;
  readonly connections: number;
  readonly warmUp: readonly Call[];
  readonly measured: readonly Call[];
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

/** Its messages: warm and ready to start, then the result, then that its connections are closed. */
export type LoadReply =
  | { readonly state: "warm" }
  | { readonly state: "done"; readonly result: LoopResult }
  | { readonly state: "closed" }
  | { readonly state: "failed"; readonly error: string };

export interface LoopOptions {
  readonly calls: readonly Call[];
  readonly connections: number;
  /** No call begins after this many seconds. */
  readonly seconds: number;
}

export interface LoopResult {
  /** The time of each response in milliseconds, ascending. Without failed calls. */
  readonly latencies: Float64Array;
  /** From the first call to the last response. */
  readonly elapsedMs: number;
  readonly failed: number;
  readonly empty: number;
  readonly firstError?: string;
}

/**
 * Runs a closed loop: each connection sends its next call after the last response. Ends with the time or the
 * calls, whichever runs out first.
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
