import { ROOT_CONTEXT, isSpanContextValid, trace, type Context } from "@opentelemetry/api";

/** What a span says of its request: nothing that a caller typed. */
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

/** Version, trace, span and flags; later versions may add more behind (W3C Trace Context §3.2). */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** The trace that a caller is in, or the beginning of a new one when the header is empty or wrong. */
export function readTraceParent(header: string): Context {
  const [, version, traceId = "", spanId = "", flags = "", rest] = TRACEPARENT.exec(header) ?? [];
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  const isWrong = version === "00" && rest !== undefined;
  return isWrong || !isSpanContextValid(parent) ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
}
