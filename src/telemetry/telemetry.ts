/** Something outside this process that may fail, and is left alone for a while when it does. */
export type Dependency = "engine" | "redis";

export type BreakerState = "closed" | "open" | "half_open";

/** How a call to the engine or to Redis ended. `aborted`: nobody waited for it any more, which says nothing about the engine. */
export type CallOutcome = "ok" | "failed" | "timed_out" | "rejected" | "aborted";

/** Why a request was turned away with 503. */
export type ShedReason = "event_loop" | "in_flight" | "engine_queue" | "draining";

export type CacheName = "search" | "suggest" | "place" | "key";

export interface EndedRequest {
  /** The pattern of the route, never the path that was asked for; `none` where no route matched. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly durationMs: number;
}

export interface EndedCall {
  readonly dependency: Dependency;
  /** What was asked for, one of few fixed words: `search`, `document`, `minute_limit`. */
  readonly operation: string;
  readonly outcome: CallOutcome;
  readonly durationMs: number;
}

/**
 * What the parts of the server tell about themselves, once, whoever listens: metrics, traces or nobody. A method returns at once
 * and never throws.
 */
export interface Telemetry {
  requestEnded(request: EndedRequest): void;
  callEnded(call: EndedCall): void;
  breakerChanged(dependency: Dependency, state: BreakerState): void;
  cacheAsked(cache: CacheName, hit: boolean): void;
  requestShed(reason: ShedReason): void;
  /** A limit was held by this process alone, since Redis did not answer. */
  limitHeldLocally(): void;
}

/** Nobody listens. */
export const noTelemetry: Telemetry = {
  requestEnded() {},
  callEnded() {},
  breakerChanged() {},
  cacheAsked() {},
  requestShed() {},
  limitHeldLocally() {},
};
