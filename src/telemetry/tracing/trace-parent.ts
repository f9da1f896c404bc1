import { ROOT_CONTEXT, isSpanContextValid, trace } from "@opentelemetry/api";
import type { Context } from "@opentelemetry/api";

/** Version, trace, span and flags; later versions may add more behind (W3C Trace Context §3.2). */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** The trace that a caller is in, or the beginning of a new one when the header is empty or wrong. */
export function readTraceParent(header: string): Context {
  const [, version, traceId = "", spanId = "", flags = "", rest] = TRACEPARENT.exec(header) ?? [];
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  const isWrong = version === "00" && rest !== undefined;
  return isWrong || !isSpanContextValid(parent) ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
}
