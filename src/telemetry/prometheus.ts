import { Gauge, Registry, collectDefaultMetrics, Counter, Histogram } from "@prometheus-io/client";
import {
  type Telemetry,
  BREAKER_STATES,
  CACHE_NAMES,
  DEPENDENCIES,
  type CallOutcome,
  type Dependency,
  type EndedCall,
  SHED_REASONS,
  type IndexReport,
  type WaitingWrites,
  type EndedRequest,
} from "./telemetry.ts";
import { PROBLEMS } from "../errors.ts";
import { setTimeout as sleep } from "node:timers/promises";

export interface Prometheus {
  readonly registry: Registry;
  readonly telemetry: Telemetry;
}

/** With several processes, what all of them say of the same thing is not added up. */
const ALIKE = "max";

/**
 * Creates this process's metrics: what its parts report, and Node's own on memory, event loop and garbage
 * collection.
 */
export function createPrometheus(build: { readonly version: string }): Prometheus {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "hereabouts_build_info",
    help: "Always 1; its label is the version of this server.",
    labelNames: ["version"],
    registers: [registry],
    aggregator: ALIKE,
  }).set({ version: build.version }, 1);
  return {
    registry,
    telemetry: {
      ...createRequestMetrics(registry),
      requestCharged: createCostMetrics(registry),
      ...createDependencyMetrics(registry),
      ...createPartitionMetrics(registry),
    },
  };
}

/**
 * In seconds. Reading a document takes half a millisecond, a search with many lookups up to a hundred. The
 * deadline is 0.8 s.
 */
const ENGINE_BUCKETS = [0.0005, 0.001, 0.002, 0.004, 0.008, 0.015, 0.03, 0.06, 0.125, 0.25, 0.5, 0.8, 1];

/** In seconds. A command takes a tenth of a millisecond; the server stops waiting after 0.05 s. */
const REDIS_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1];

/** There are a dozen operations. The limit keeps a bug from creating as many series as there are places. */
const MAX_OPERATIONS = 30;

type DependencyMetrics = Pick<Telemetry, "callEnded" | "breakerChanged" | "cacheAsked" | "limitHeldLocally">;

/** Registers the metrics of the engine, Redis and the caches in front of them. */
function createDependencyMetrics(registry: Registry): DependencyMetrics {
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

/**
 * Prometheus does not see a series rise that begins above 0, and so would miss the first failures. Therefore
 * what an alert or the dashboard counts begins at 0.
 */
const FAILURES: readonly CallOutcome[] = ["failed", "timed_out"];

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
    if (operations.size < MAX_OPERATIONS && !operations.has(operation)) {
      operations.add(operation);
      for (const failure of FAILURES) histogram.zero({ operation, outcome: failure });
    }
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
    aggregator: ALIKE,
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

type PartitionMetrics = Pick<Telemetry, "engineChanged" | "partitionsChanged" | "partitionsAsked">;

/** Registers the metrics of an index in several engines. */
function createPartitionMetrics(registry: Registry): PartitionMetrics {
  const registers = [registry];
  const engines = new Gauge({
    name: "hereabouts_engine_up",
    help: "1 for each of several engines that answers, 0 for one that does not.",
    labelNames: ["engine"],
    registers,
    aggregator: ALIKE,
  });
  const lost = new Gauge({
    name: "hereabouts_partitions_lost",
    help: "Partitions of the index that no engine can read.",
    registers,
    aggregator: ALIKE,
  });
  const behind = new Gauge({
    name: "hereabouts_replicas_behind",
    help: "Replicas of partitions that are missing or missed writes, on engines that answer.",
    registers,
    aggregator: ALIKE,
  });
  const searches = new Counter({
    name: "hereabouts_partitioned_searches_total",
    help: "Searches of an index in several engines.",
    registers,
  });
  const asked = new Counter({
    name: "hereabouts_partitions_asked_total",
    help: "Partitions asked by these searches.",
    registers,
  });
  return {
    engineChanged: (engine, isUp) => engines.set({ engine }, isUp ? 1 : 0),
    partitionsChanged(state) {
      lost.set(state.lost.length);
      behind.set(state.behind);
    },
    partitionsAsked(partitions, isFirst) {
      asked.inc(partitions);
      if (isFirst) searches.inc();
    },
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

/**
 * In seconds. A response from cache takes about a millisecond and a search a little more, so the lower steps
 * are close together. The engine's deadline is 0.8 s; only a fault takes more than a second.
 */
const REQUEST_BUCKETS = [0.001, 0.002, 0.004, 0.008, 0.015, 0.03, 0.06, 0.125, 0.25, 0.5, 0.8, 1, 2];

/** All other methods are refused. The fixed set keeps callers from inventing labels. */
const KNOWN_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

type RequestMetrics = Pick<Telemetry, "requestStarted" | "requestEnded" | "requestShed">;

/** Registers the request metrics. All labels come from fixed sets: route patterns, known methods, codes. */
function createRequestMetrics(registry: Registry): RequestMetrics {
  const registers = [registry];
  const observe = createRequestHistogram(registry);
  let inFlight = 0;
  new Gauge({
    name: "hereabouts_http_requests_in_flight",
    help: "Requests that wait for their answer.",
    registers,
    collect() {
      this.set(inFlight);
    },
  });
  const problems = new Counter({
    name: "hereabouts_http_problems_total",
    help: "Answers that are not a success, by the code of their body.",
    labelNames: ["code"],
    registers,
  });
  for (const code of Object.keys(PROBLEMS)) problems.inc({ code }, 0);
  const empty = new Counter({
    name: "hereabouts_empty_searches_total",
    help: "Searches whose first page was empty.",
    registers,
  });
  const shed = new Counter({
    name: "hereabouts_requests_shed_total",
    help: "Requests refused with 503, by reason.",
    labelNames: ["reason"],
    registers,
  });
  for (const reason of SHED_REASONS) shed.inc({ reason }, 0);

  return {
    requestStarted() {
      inFlight += 1;
    },
    requestEnded(request) {
      inFlight -= 1;
      observe(request);
      if (request.problem !== undefined) problems.inc({ code: request.problem });
      if (request.foundNothing === true) empty.inc();
    },
    requestShed: (reason) => shed.inc({ reason }),
  };
}

/** Callers with series of their own. The others share one, so that keys do not create series without end. */
const MAX_CALLERS = 100;

/** Registers what the requests of each caller cost. */
function createCostMetrics(registry: Registry): Telemetry["requestCharged"] {
  const cost = new Counter({
    name: "hereabouts_caller_cost_seconds_total",
    help: "Time that the requests of a caller took, of this process (api) and of the search engine.",
    labelNames: ["caller", "part"],
    registers: [registry],
  });
  const callers = new Set<string>();
  return (callerId, { apiMs, engineMs }) => {
    if (callers.size < MAX_CALLERS) callers.add(callerId);
    const caller = callers.has(callerId) ? callerId : "other";
    cost.inc({ caller, part: "api" }, apiMs / 1_000);
    cost.inc({ caller, part: "engine" }, engineMs / 1_000);
  };
}

/**
 * Passes labels on every call, because looking up a bound series takes longer than the client's own way (0.5
 * against 0.4 µs).
 */
function createRequestHistogram(registry: Registry): (request: EndedRequest) => void {
  const histogram = new Histogram({
    name: "hereabouts_http_request_duration_seconds",
    help: "Time from a request's headers to its answer, by route, method and class of status.",
    labelNames: ["route", "method", "status"],
    buckets: REQUEST_BUCKETS,
    registers: [registry],
  });
  const routes = new Set<string>();
  return ({ route, method, status, durationMs }) => {
    if (!routes.has(route)) {
      routes.add(route);
      histogram.zero({ route, method: "GET", status: "5xx" });
    }
    histogram.observe(
      {
        route,
        method: KNOWN_METHODS.has(method) ? method : "other",
        status: `${Math.floor(status / 100)}xx`,
      },
      durationMs / 1000,
    );
  };
}

interface IndexMetricsOptions {
  readonly registry: Registry;
  readonly readState: () => Promise<IndexReport>;
  /** The version of the live index. */
  readonly version: string;
  /** Milliseconds on a monotonic clock. */
  readonly clock?: () => number;
}

/** The index changes every few hours, so several scrapers need not keep the engine busy. */
const MAX_AGE_MS = 10_000;

/** The longest that a scrape waits for the engine. The other metrics matter most when the engine hangs. */
const MAX_WAIT_MS = 1_000;

const STATES: readonly IndexReport["state"][] = [
  "ready",
  "missing",
  "wrong_version",
  "damaged",
  "unreachable",
];

/** Returns a function that registers a gauge whose values are read on a scrape. */
const createReadGauge =
  <State>(registry: Registry, read: () => Promise<State>) =>
  <T extends string>(
    { name, help, labelNames }: { name: string; help: string; labelNames?: readonly T[] },
    show: (gauge: Gauge<T>, state: State) => unknown,
  ): void => {
    new Gauge<T>({
      name,
      help,
      ...(labelNames && { labelNames }),
      registers: [registry],
      aggregator: ALIKE,
      async collect() {
        const state = await read();
        // Unknown values are left out instead of repeated from before. A reset gauge without labels would be
        // 0.
        this.reset();
        if (labelNames === undefined) this.remove();
        show(this, state);
      },
    });
  };

/** Registers the metrics of the index. They are read on a scrape, at most every ten seconds. */
export function registerIndexMetrics(options: IndexMetricsOptions): void {
  const { version } = options;
  const unreachable: IndexReport = { state: "unreachable" };
  const read = createReader({ read: options.readState, otherwise: unreachable, clock: options.clock });
  const gauge = createReadGauge(options.registry, read);

  gauge(
    {
      name: "hereabouts_index_state",
      help: "1 for the state that the index is in.",
      labelNames: ["state"],
    },
    (shown, { state }) => STATES.forEach((each) => shown.set({ state: each }, each === state ? 1 : 0)),
  );
  gauge(
    {
      name: "hereabouts_index_info",
      help: "Always 1; its label is the version of the index's form.",
      labelNames: ["version"],
    },
    (shown, state) => {
      if (state.state === "ready") shown.set({ version }, 1);
      if (state.state === "wrong_version") shown.set({ version: state.found.slice(0, 40) }, 1);
    },
  );
  gauge({ name: "hereabouts_index_places", help: "Places in the index." }, (shown, state) => {
    if (state.state === "ready") shown.set(state.places);
  });
  gauge(
    { name: "hereabouts_index_built_timestamp_seconds", help: "When the index was built, in Unix time." },
    (shown, state) => {
      if (state.state === "ready") shown.set(Date.parse(state.builtAt) / 1000);
    },
  );
  gauge(
    {
      name: "hereabouts_index_checked_timestamp_seconds",
      help: "When the index was last known to be that of its sources, in Unix time.",
    },
    (shown, state) => {
      if (state.state === "ready") shown.set(Date.parse(state.checkedAt) / 1000);
    },
  );
}

interface ReaderOptions<T> {
  readonly read: () => Promise<T>;
  /** What is shown while nothing can be read. */
  readonly otherwise: T;
  /** Milliseconds on a monotonic clock. */
  readonly clock?: (() => number) | undefined;
}

/** Reads at most every ten seconds, once for all metrics, and makes no scrape wait for longer than a second. */
function createReader<T>({ read, otherwise, clock = () => performance.now() }: ReaderOptions<T>) {
  let known = otherwise;
  let readAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<T> | undefined;

  const readNow = async (): Promise<T> => {
    known = await read().catch(() => otherwise);
    readAt = clock();
    underWay = undefined;
    return known;
  };

  return (): Promise<T> => {
    if (underWay === undefined && clock() - readAt < MAX_AGE_MS) return Promise.resolve(known);
    underWay ??= readNow();
    return Promise.race([underWay, sleep(MAX_WAIT_MS, otherwise, { ref: false })]);
  };
}

interface WriteMetricsOptions {
  readonly registry: Registry;
  /** Of all servers with this index: they share the queue. */
  readonly readWaiting: () => Promise<WaitingWrites>;
  /** Milliseconds on a monotonic clock. */
  readonly clock?: () => number;
}

/** Registers the metrics of the write API. They are read on a scrape, at most every ten seconds. */
export function registerWriteMetrics({ registry, readWaiting, clock }: WriteMetricsOptions): void {
  const read = createReader<WaitingWrites | undefined>({ read: readWaiting, otherwise: undefined, clock });
  const gauge = createReadGauge(registry, read);
  gauge(
    { name: "hereabouts_writes_waiting", help: "Writes that the worker has not applied yet." },
    (shown, waiting) => waiting && shown.set(waiting.count),
  );
  gauge(
    {
      name: "hereabouts_oldest_write_timestamp_seconds",
      help: "When the oldest waiting write was accepted, in Unix time.",
    },
    (shown, waiting) => waiting?.oldestAtMs !== undefined && shown.set(waiting.oldestAtMs / 1_000),
  );
}
