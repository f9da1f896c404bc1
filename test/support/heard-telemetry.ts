import { noTelemetry } from "../../src/telemetry/telemetry.ts";
import type { EndedCall, Telemetry } from "../../src/telemetry/telemetry.ts";

interface HeardTelemetry extends Telemetry {
  /** `redis open`, in the order in which it was told. */
  readonly breakers: readonly string[];
  readonly calls: readonly EndedCall[];
  /** How many checks were held by the process alone. */
  readonly localChecks: () => number;
}

/** Remembers what is told of Redis. */
export function createHeardTelemetry(): HeardTelemetry {
  const breakers: string[] = [];
  const calls: EndedCall[] = [];
  let localChecks = 0;
  return {
    ...noTelemetry,
    breakers,
    calls,
    localChecks: () => localChecks,
    breakerChanged: (dependency, state) => void breakers.push(`${dependency} ${state}`),
    callEnded: (call) => void calls.push(call),
    limitHeldLocally: () => void (localChecks += 1),
  };
}
