import type { ProblemCode } from "../errors.ts";
import type { Cost } from "./request-cost.ts";

/** Which requests are traced, with the names of OpenTelemetry. `parentbased` follows the caller's trace, if there is one. */
export const SAMPLER_NAMES = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

export type SamplerName = (typeof SAMPLER_NAMES)[number];

/** The services that the server depends on, and stops calling for a while when they fail. */
export const DEPENDENCIES = ["engine", "redis"] as const;
export type Dependency = (typeof DEPENDENCIES)[number];

export const BREAKER_STATES = ["closed", "open", "half_open"] as const;
export type BreakerState = (typeof BREAKER_STATES)[number];

const WORST_FIRST: readonly BreakerState[] = ["open", "half_open", "closed"];

/** Reports several breakers of one dependency as one, which is in the worst state of theirs. */
export function reportWorst(
  report: (state: BreakerState) => void,
): (breaker: string, state: BreakerState) => void {
  const states = new Map<string, BreakerState>();
  let reported: BreakerState = "closed";
  return (breaker, state) => {
    states.set(breaker, state);
    const worst = WORST_FIRST.find((one) => states.values().some((other) => other === one)) ?? state;
    if (worst !== reported) report(worst);
    reported = worst;
  };
}

/**
 * How a call to the engine or to Redis ended. `aborted` means that the caller hung up, which says nothing
 * about the engine.
 */
export type CallOutcome = "ok" | "failed" | "timed_out" | "rejected" | "aborted";

/** Why a request was refused with 503. */
export const SHED_REASONS = ["in_flight", "engine_queue", "key_lookups", "draining"] as const;
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
  /** True for a search whose first page is empty. */
  readonly foundNothing?: boolean | undefined;
}

export interface EndedCall {
  readonly dependency: Dependency;
  /** One of a few fixed names: `search`, `document`, `take_limits`. */
  readonly operation: string;
  readonly outcome: CallOutcome;
  readonly durationMs: number;
}

/**
 * Receives reports from the server's parts, whether metrics, traces or neither are on. A method returns at
 * once and never throws.
 */
export interface Telemetry {
  /** One `requestEnded` always follows. */
  requestStarted(): void;
  requestEnded(request: EndedRequest): void;
  /** Called in the async context of the request that waited for the call, so that a trace can assign it. */
  callEnded(call: EndedCall): void;
  breakerChanged(dependency: Dependency, state: BreakerState): void;
  /** `hit`: the value was cached, or already being fetched for another request. */
  cacheAsked(cache: CacheName, hit: boolean): void;
  requestShed(reason: ShedReason): void;
  /** What a request of a caller has cost. */
  requestCharged(callerId: string, cost: Cost): void;
  /** A limit was enforced by this process alone, because Redis did not respond. */
  limitHeldLocally(): void;
  /** One of several engines responds from now on, or does not. */
  engineChanged(engine: string, isUp: boolean): void;
  /** The state of an index in several engines changed. */
  partitionsChanged(state: PartitionsState): void;
  /** A search asked so many partitions that it had not asked before; `isFirst` for the first time. */
  partitionsAsked(partitions: number, isFirst: boolean): void;
}

export interface PartitionsState {
  /** The numbers of the partitions that no engine can read. */
  readonly lost: readonly number[];
  /** How many replicas on engines that respond are missing or have missed writes, and so are not read. */
  readonly behind: number;
}

/** Telemetry that is switched off. */
export const noTelemetry: Telemetry = {
  requestStarted() {},
  requestEnded() {},
  callEnded() {},
  breakerChanged() {},
  cacheAsked() {},
  requestShed() {},
  requestCharged() {},
  limitHeldLocally() {},
  engineChanged() {},
  partitionsChanged() {},
  partitionsAsked() {},
};

/** Combines listeners into one that reports to all of them, in order. */
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
    requestCharged(callerId, cost) {
      one.requestCharged(callerId, cost);
      other.requestCharged(callerId, cost);
    },
    limitHeldLocally() {
      one.limitHeldLocally();
      other.limitHeldLocally();
    },
    engineChanged(engine, isUp) {
      one.engineChanged(engine, isUp);
      other.engineChanged(engine, isUp);
    },
    partitionsChanged(state) {
      one.partitionsChanged(state);
      other.partitionsChanged(state);
    },
    partitionsAsked(partitions, isFirst) {
      one.partitionsAsked(partitions, isFirst);
      other.partitionsAsked(partitions, isFirst);
    },
  };
}

/** What a span records about its request: nothing that a caller typed. */
export interface TracedRequest {
  readonly requestId: string;
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly results?: number | undefined;
  readonly problem?: string | undefined;
}

/** Creates a span for each request. Present only when tracing is on. */
export interface RequestTracer {
  /**
   * Runs a request inside a span. The span continues the caller's trace when `traceparent` (W3C Trace
   * Context, may be empty) names one. `answer` receives the trace id, or nothing for a request that is not
   * sampled, and returns the outcome of the request.
   */
  traceRequest(
    traceparent: string,
    answer: (traceId: string | undefined) => Promise<TracedRequest>,
  ): Promise<void>;
}

/** The writes that wait for the worker, of all servers together. */
export interface WaitingWrites {
  readonly count: number;
  /** When the oldest was accepted, in milliseconds of Unix time; absent when none waits. */
  readonly oldestAtMs?: number;
}

/** What the metrics report about the index. */
export type IndexReport =
  | { readonly state: "ready"; readonly places: number; readonly builtAt: string; readonly checkedAt: string }
  | { readonly state: "wrong_version"; readonly found: string }
  | { readonly state: "missing" | "damaged" | "unreachable" };
