import { Counter, Gauge, Histogram } from "@prometheus-io/client";
import type { Registry } from "@prometheus-io/client";
import { BREAKER_STATES, CACHE_NAMES, DEPENDENCIES } from "../telemetry.ts";
import type { Dependency, EndedCall, Telemetry } from "../telemetry.ts";

/** Seconds. A document takes half a millisecond, a search of many lookups up to a hundred; the deadline is 0.8 s. */
const ENGINE_BUCKETS = [0.0005, 0.001, 0.002, 0.004, 0.008, 0.015, 0.03, 0.06, 0.125, 0.25, 0.5, 0.8, 1];

/** Seconds. A command takes a tenth of a millisecond and is given up after 0.05 s. */
const REDIS_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1];

/** There are a dozen operations; a mistake of ours must not make as many series as there are places. */
const MAX_OPERATIONS = 30;

type DependencyMetrics = Pick<Telemetry, "callEnded" | "breakerChanged" | "cacheAsked" | "limitHeldLocally">;

/** Registers what is counted of the engine, Redis and the memories in front of them. */
export function createDependencyMetrics(registry: Registry): DependencyMetrics {
  const observe = {
    engine: createCallHistogram(registry, "engine", ENGINE_BUCKETS),
    redis: createCallHistogram(registry, "redis", REDIS_BUCKETS),
  };
  const heldLocally = new Counter({
    name: "hereabouts_limit_checks_held_locally_total",
    help: "Limits held by this process alone, since Redis did not answer.",
    registers: [registry],
  });
  return {
    callEnded: (call) => observe[call.dependency](call),
    breakerChanged: createBreakerMetrics(registry),
    cacheAsked: createCacheMetrics(registry),
    limitHeldLocally: () => heldLocally.inc(),
  };
}

function createCallHistogram(registry: Registry, dependency: Dependency, buckets: number[]) {
  const histogram = new Histogram({
    name: `hereabouts_${dependency}_call_duration_seconds`,
    help: `Time of calls to ${dependency === "redis" ? "Redis" : "the search engine"}, by operation and how they ended.`,
    labelNames: ["operation", "outcome"],
    buckets,
    registers: [registry],
  });
  const operations = new Set<string>();
  return ({ operation, outcome, durationMs }: EndedCall): void => {
    if (operations.size < MAX_OPERATIONS) operations.add(operation);
    const label = operations.has(operation) ? operation : "other";
    histogram.observe({ operation: label, outcome }, durationMs / 1000);
  };
}

function createBreakerMetrics(registry: Registry): Telemetry["breakerChanged"] {
  const state = new Gauge({
    name: "hereabouts_breaker_state",
    help: "1 for the state that the circuit breaker of a dependency is in.",
    labelNames: ["dependency", "state"],
    registers: [registry],
  });
  const opened = new Counter({
    name: "hereabouts_breaker_opened_total",
    help: "How often the circuit breaker of a dependency opened.",
    labelNames: ["dependency"],
    registers: [registry],
  });
  const show = (dependency: Dependency, current: string): void => {
    for (const each of BREAKER_STATES) state.set({ dependency, state: each }, each === current ? 1 : 0);
  };
  for (const dependency of DEPENDENCIES) {
    show(dependency, "closed");
    opened.inc({ dependency }, 0);
  }
  return (dependency, current) => {
    show(dependency, current);
    if (current === "open") opened.inc({ dependency });
  };
}

function createCacheMetrics(registry: Registry): Telemetry["cacheAsked"] {
  const asked = new Counter({
    name: "hereabouts_cache_requests_total",
    help: "Questions to a memory of this process, by whether it had the answer.",
    labelNames: ["cache", "result"],
    registers: [registry],
  });
  for (const cache of CACHE_NAMES) for (const result of ["hit", "miss"]) asked.inc({ cache, result }, 0);
  return (cache, hit) => asked.inc({ cache, result: hit ? "hit" : "miss" });
}
