import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import {
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  TracerProvider,
  type SpanExporter,
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "./logger.ts";
import {
  noTelemetry,
  type EndedCall,
  type RequestTracer,
  type Telemetry,
  type TracedRequest,
} from "./telemetry.ts";
import type { SamplerName } from "./telemetry.ts";

interface TracingOptions {
  /** The base URL of a collector that accepts OTLP over HTTP; `/v1/traces` is added. */
  readonly endpoint: string;
  readonly serviceName: string;
  readonly version: string;
  readonly sampler: SamplerName;
  readonly samplerRatio: number;
  readonly logger: Logger;
}

export interface Tracing {
  readonly tracer: RequestTracer;
  /** Creates spans for the calls that requests wait for. */
  readonly telemetry: Telemetry;
  /** Sends the remaining spans and stops, within two seconds. */
  readonly stop: () => Promise<void>;
}

/** The current request: the parent of the calls made while it runs. */
interface TracedContext {
  readonly context: Context;
  readonly now: () => number;
}

/**
 * The limit for one batch with all its retries. A collector is near and responds in milliseconds. One that is
 * down must not delay the end of the process, which waits for the retries whatever `stop` does.
 */
const EXPORT_TIMEOUT_MS = 2_000;
const STOP_TIMEOUT_MS = 2_000;

/**
 * Creates tracing. Only this file loads OpenTelemetry's SDK, so it is itself loaded only when tracing is on.
 */
export function createTracing(options: TracingOptions): Tracing {
  const provider = createProvider(options);
  const tracer = provider.getTracer("hereabouts", options.version);
  const running = new AsyncLocalStorage<TracedContext>();
  return {
    tracer: { traceRequest: (traceparent, answer) => traceRequest({ tracer, running, traceparent, answer }) },
    telemetry: {
      ...noTelemetry,
      callEnded(call) {
        const request = running.getStore();
        if (request) addCallSpan(tracer, request, call);
      },
    },
    async stop() {
      const stopped = provider.shutdown().catch(() => undefined);
      await Promise.race([stopped, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

function createProvider(options: TracingOptions): TracerProvider {
  const { endpoint, serviceName, version, sampler, samplerRatio, logger } = options;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  // The queue is bounded: while the collector is down, spans are dropped and memory does not grow.
  const processor = new BatchSpanProcessor({
    exporter: reportOutages(exporter, logger),
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
  return new TracerProvider({
    resource: resourceFromAttributes({ "service.name": serviceName, "service.version": version }),
    sampler: createSampler(sampler, samplerRatio),
    spanProcessors: [processor],
  });
}

interface RequestToTrace {
  readonly tracer: Tracer;
  readonly running: AsyncLocalStorage<TracedContext>;
  readonly traceparent: string;
  readonly answer: (traceId: string | undefined) => Promise<TracedRequest>;
}

async function traceRequest({ tracer, running, traceparent, answer }: RequestToTrace): Promise<void> {
  const now = createClock();
  const parent = readTraceParent(traceparent);
  const span = tracer.startSpan("request", { kind: SpanKind.SERVER, startTime: now() }, parent);
  if (!span.isRecording()) return void (await answer(undefined));
  const context = trace.setSpan(parent, span);
  try {
    const request = await running.run({ context, now }, () => answer(span.spanContext().traceId));
    describeRequest(span, request);
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end(now());
  }
}

/**
 * Wall-clock milliseconds that advance evenly from this moment, so that the spans of one request fit into
 * each other.
 */
function createClock(): () => number {
  const offset = Date.now() - performance.now();
  return () => offset + performance.now();
}

function describeRequest(span: Span, { requestId, route, method, status, results, problem }: TracedRequest) {
  span.updateName(`${method} ${route}`);
  span.setAttributes({
    "http.request.method": method,
    "http.route": route,
    "http.response.status_code": status,
    "hereabouts.request_id": requestId,
    ...(results !== undefined && { "hereabouts.results": results }),
    ...(problem !== undefined && { "error.type": problem }),
  });
  // A caller's mistake is not an error of this span (OpenTelemetry's conventions for HTTP servers).
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
}

/**
 * Adds the span of a call. Calls are reported when they end, so the span is created then, with its original
 * times.
 */
function addCallSpan(tracer: Tracer, { context, now }: TracedContext, call: EndedCall): void {
  const { dependency, operation, outcome, durationMs } = call;
  const endedAt = now();
  const span = tracer.startSpan(
    `${dependency} ${operation}`,
    {
      kind: SpanKind.CLIENT,
      startTime: endedAt - durationMs,
      attributes: {
        "db.system.name": dependency === "redis" ? "redis" : "meilisearch",
        "db.operation.name": operation,
        "hereabouts.outcome": outcome,
      },
    },
    context,
  );
  if (outcome === "failed" || outcome === "timed_out") {
    span.setAttribute("error.type", outcome);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end(endedAt);
}

/** `ExportResultCode.SUCCESS` of the SDK's core package, which is not a dependency of ours. */
const SUCCESS = 0;

/**
 * Wraps the exporter to log once when its collector fails and once when it recovers. Nothing else reports
 * this.
 */
function reportOutages(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== SUCCESS;
        if (failed && !isFailing) logger.warn({ err: result.error }, "trace_export_failing");
        if (!failed && isFailing) logger.info("trace_export_recovered");
        isFailing = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

/**
 * The sampler with a standard name (`OTEL_TRACES_SAMPLER`). `ratio`, 0 to 1, applies to those that use one.
 */
function createSampler(name: SamplerName, ratio: number): Sampler {
  switch (name) {
    case "always_on":
      return new AlwaysOnSampler();
    case "always_off":
      return new AlwaysOffSampler();
    case "traceidratio":
      return new TraceIdRatioBasedSampler(ratio);
    case "parentbased_always_on":
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case "parentbased_always_off":
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case "parentbased_traceidratio":
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
  }
}

/** Version, trace, span and flags. Later versions may append more (W3C Trace Context §3.2). */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** The caller's trace, or a new one when the header is empty or invalid. */
function readTraceParent(header: string): Context {
  const [, version, traceId = "", spanId = "", flags = "", rest] = TRACEPARENT.exec(header) ?? [];
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  const isWrong = version === "00" && rest !== undefined;
  return isWrong || !isSpanContextValid(parent) ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
}
