import { noTelemetry } from "./telemetry.ts";
import type { Telemetry } from "./telemetry.ts";

/** One telemetry that tells all of these, in their order. */
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
