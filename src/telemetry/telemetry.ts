import type { ProblemCode } from "../errors.ts";

/** What the server depends on and stops calling for a while when it fails. */
export const DEPENDENCIES = ["engine", "redis"] as const;
export type Dependency = (typeof DEPENDENCIES)[number];

export const BREAKER_STATES = ["closed", "open", "half_open"] as const;
export type BreakerState = (typeof BREAKER_STATES)[number];

/** How a call to the engine or to Redis ended. `aborted`: the caller hung up, which says nothing about the engine. */
export type CallOutcome = "ok" | "failed" | "timed_out" | "rejected" | "aborted";

/** Why a request was refused with 503. */
export const SHED_REASONS = ["event_loop", "in_flight", "engine_queue", "key_lookups", "draining"] as const;
type ShedReason = (typeof SHED_REASONS)[number];

export const CACHE_NAMES = ["search", "suggest", "place", "key"] as const;
type CacheName = (typeof CACHE_NAMES)[number];

export interface EndedRequest {
  /** The pattern of the route, never the requested path; `none` when no route matched. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly durationMs: number;
  /** The code of the problem body; absent for a success. */
  readonly problem?: ProblemCode | undefined;
  /** It was a search whose first page is empty. */
  readonly foundNothing?: boolean | undefined;
}

export interface EndedCall {
  readonly dependency: Dependency;
  /** One of a few fixed words: `search`, `document`, `take_limits`. */
  readonly operation: string;
  readonly outcome: CallOutcome;
  readonly durationMs: number;
}

/**
 * What the parts of the server report about themselves, whether metrics, traces or nothing is switched on. A method returns at once
 * and never throws.
 */
export interface Telemetry {
  /** Followed by one `requestEnded`, whatever happens. */
  requestStarted(): void;
  requestEnded(request: EndedRequest): void;
  /** Called in the asynchronous context of the request that waited for it, so that a trace can say whose call it was. */
  callEnded(call: EndedCall): void;
  breakerChanged(dependency: Dependency, state: BreakerState): void;
  /** `hit`: the value was cached, or already being fetched for another request. */
  cacheAsked(cache: CacheName, hit: boolean): void;
  requestShed(reason: ShedReason): void;
  /** A limit was enforced by this process alone, because Redis did not respond. */
  limitHeldLocally(): void;
}

/** Telemetry that is switched off. */
export const noTelemetry: Telemetry = {
  requestStarted() {},
  requestEnded() {},
  callEnded() {},
  breakerChanged() {},
  cacheAsked() {},
  requestShed() {},
  limitHeldLocally() {},
};

/** One telemetry that reports to all of these, in their order. */
export function combineTelemetry(listeners: readonly Telemetry[]): Telemetry {
  const [first = noTelemetry, ...others] = listeners;
  return others.reduce(both, first);
}

function both(one: Telemetry, other: Telemetry): Telemetry {
  return {
    requestStarted() {
      one.requestStarted();
      other.requestStarted();
    },
    requestEnded(request) {
      one.requestEnded(request);
      other.requestEnded(request);
    },
    callEnded(call) {
      one.callEnded(call);
      other.callEnded(call);
    },
    breakerChanged(dependency, state) {
      one.breakerChanged(dependency, state);
      other.breakerChanged(dependency, state);
    },
    cacheAsked(cache, hit) {
      one.cacheAsked(cache, hit);
      other.cacheAsked(cache, hit);
    },
    requestShed(reason) {
      one.requestShed(reason);
      other.requestShed(reason);
    },
    limitHeldLocally() {
      one.limitHeldLocally();
      other.limitHeldLocally();
    },
  };
}

/** What a span records of its request: nothing that a caller typed. */
export interface TracedRequest {
  readonly requestId: string;
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly results?: number | undefined;
  readonly problem?: string | undefined;
}

/** Makes a span of each request. Exists only where traces are switched on. */
export interface RequestTracer {
  /**
   * Runs a request inside a span, which goes on with the caller's trace when `traceparent` (W3C Trace Context, may be empty) names
   * one. `answer` gets the id of the trace, or nothing for a request that is not sampled, and tells what came of the request.
   */
  traceRequest(
    traceparent: string,
    answer: (traceId: string | undefined) => Promise<TracedRequest>,
  ): Promise<void>;
}

/** What the metrics report of the index. */
export type IndexReport =
  | { readonly state: "ready"; readonly places: number; readonly builtAt: string }
  | { readonly state: "wrong_version"; readonly found: string }
  | { readonly state: "missing" | "unreachable" };
