import { Counter, Gauge, Histogram } from "@prometheus-io/client";
import type { Registry } from "@prometheus-io/client";
import { SHED_REASONS } from "../telemetry.ts";
import type { EndedRequest, Telemetry } from "../telemetry.ts";

/**
 * Seconds. An answer from memory takes about a millisecond and a search some more, so the lower steps are close; the engine's
 * deadline is 0.8 s, and nothing but a fault takes more than one.
 */
const REQUEST_BUCKETS = [0.001, 0.002, 0.004, 0.008, 0.015, 0.03, 0.06, 0.125, 0.25, 0.5, 0.8, 1, 2];

/** Every other method is refused, and callers must not make up labels. */
const KNOWN_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

type RequestMetrics = Pick<Telemetry, "requestStarted" | "requestEnded" | "requestShed">;

/** Registers what is counted of requests. All labels are from fixed sets: patterns of routes, known methods, codes. */
export function createRequestMetrics(registry: Registry): RequestMetrics {
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
  const empty = new Counter({
    name: "hereabouts_empty_searches_total",
    help: "Searches whose first page was empty.",
    registers,
  });
  const shed = new Counter({
    name: "hereabouts_requests_shed_total",
    help: "Requests turned away with 503, by reason.",
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

/** Labels are handed over each time: looking up a series that was bound before takes longer than the client's own way (0.5 to 0.4 µs). */
function createRequestHistogram(registry: Registry): (request: EndedRequest) => void {
  const histogram = new Histogram({
    name: "hereabouts_http_request_duration_seconds",
    help: "Time from a request's headers to its answer, by route, method and class of status.",
    labelNames: ["route", "method", "status"],
    buckets: REQUEST_BUCKETS,
    registers: [registry],
  });
  return ({ route, method, status, durationMs }) =>
    histogram.observe(
      {
        route,
        method: KNOWN_METHODS.has(method) ? method : "other",
        status: `${Math.floor(status / 100)}xx`,
      },
      durationMs / 1000,
    );
}
