import type { LoopResult } from "./closed-loop.ts";
import type { Call, Target } from "./target.ts";

/** What the load process is told to do. */
export interface LoadJob {
  readonly target: Target;
  readonly connections: number;
  readonly warmUp: readonly Call[];
  readonly measured: readonly Call[];
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

/** What it answers: it is warm and waits for the word, then its result, then that its connections are closed. */
export type LoadReply =
  | { readonly state: "warm" }
  | { readonly state: "done"; readonly result: LoopResult }
  | { readonly state: "closed" }
  | { readonly state: "failed"; readonly error: string };
