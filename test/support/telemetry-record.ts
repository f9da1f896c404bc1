import type { Telemetry } from "../../src/telemetry/telemetry.ts";

export interface TelemetryRecord {
  readonly telemetry: Telemetry;
  /** The arguments of each call of a method so far, oldest first. */
  readonly heard: (method: keyof Telemetry) => readonly (readonly unknown[])[];
}

/** A telemetry that records its calls. */
export function createTelemetryRecord(): TelemetryRecord {
  const calls: { method: keyof Telemetry; what: readonly unknown[] }[] = [];
  const note =
    (method: keyof Telemetry) =>
    (...what: unknown[]): void =>
      void calls.push({ method, what });
  return {
    telemetry: {
      requestStarted: note("requestStarted"),
      requestEnded: note("requestEnded"),
      callEnded: note("callEnded"),
      breakerChanged: note("breakerChanged"),
      cacheAsked: note("cacheAsked"),
      requestShed: note("requestShed"),
      requestCharged: note("requestCharged"),
      limitHeldLocally: note("limitHeldLocally"),
      engineChanged: note("engineChanged"),
      partitionsChanged: note("partitionsChanged"),
      partitionsAsked: note("partitionsAsked"),
    },
    heard: (method) => calls.filter((call) => call.method === method).map(({ what }) => what),
  };
}
