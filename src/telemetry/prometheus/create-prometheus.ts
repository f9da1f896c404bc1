import { Gauge, Registry, collectDefaultMetrics } from "@prometheus-io/client";
import type { Telemetry } from "../telemetry.ts";
import { createDependencyMetrics } from "./dependency-metrics.ts";
import { createRequestMetrics } from "./request-metrics.ts";

export interface Prometheus {
  readonly registry: Registry;
  readonly telemetry: Telemetry;
}

/** Creates the metrics of this process: what its parts tell, and what Node says of memory, event loop and collections. */
export function createPrometheus(build: { readonly version: string }): Prometheus {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "hereabouts_build_info",
    help: "Always 1; its label is the version of this server.",
    labelNames: ["version"],
    registers: [registry],
  }).set({ version: build.version }, 1);
  return {
    registry,
    telemetry: { ...createRequestMetrics(registry), ...createDependencyMetrics(registry) },
  };
}
