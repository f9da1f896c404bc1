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
