import { setTimeout as sleep } from "node:timers/promises";
import packageJson from "../../package.json" with { type: "json" };
import { ConfigError } from "../errors.ts";
import type { Registry } from "@prometheus-io/client";
import type { Logger } from "./logger.ts";
import type { MetricsSource } from "./metrics-server.ts";
import {
  combineTelemetry,
  type IndexReport,
  type RequestTracer,
  type SamplerName,
  type Telemetry,
  type WaitingWrites,
} from "./telemetry.ts";

/** Settings of the environment. */
interface TelemetryConfig {
  readonly METRICS_PORT?: number | undefined;
  readonly METRICS_HOST: string;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_SERVICE_NAME: string;
  readonly OTEL_TRACES_SAMPLER: SamplerName;
  readonly OTEL_TRACES_SAMPLER_ARG: number;
}

interface WatchedIndex {
  readonly readState: () => Promise<IndexReport>;
  /** The format version of the live index. */
  readonly version: string;
}

export interface RunningTelemetry {
  /** Receives the reports of the server's parts. */
  readonly telemetry: Telemetry;
  /** Present only when tracing is on. */
  readonly tracer?: RequestTracer;
  /** Adds the index metrics. */
  readonly watchIndex: (index: WatchedIndex) => void;
  /** Adds the metrics of the write API. */
  readonly watchWrites: (writes: { readonly readWaiting: () => Promise<WaitingWrites> }) => void;
  readonly stop: () => Promise<void>;
}

/** Metrics or traces. */
type Listener = Partial<RunningTelemetry> & Pick<RunningTelemetry, "telemetry" | "stop">;

const { version } = packageJson;

/**
 * Starts metrics when METRICS_PORT is set, and traces when OTEL_EXPORTER_OTLP_ENDPOINT is set. Code for what
 * is off is not even loaded.
 * @param isWorker whether this is one of several processes, whose metrics another process serves (`startSharedMetrics`).
 * @throws {ConfigError} when the metrics port is in use.
 */
export async function startTelemetry(
  config: TelemetryConfig,
  logger: Logger,
  isWorker = false,
): Promise<RunningTelemetry> {
  const metrics = await startMetrics(config, logger, isWorker);
  const tracing = await startTracing(config, logger);
  const listeners = [metrics, tracing].filter((listener) => listener !== undefined);
  return {
    telemetry: combineTelemetry(listeners.map(({ telemetry }) => telemetry)),
    ...(tracing?.tracer && { tracer: tracing.tracer }),
    watchIndex: metrics?.watchIndex ?? (() => undefined),
    watchWrites: metrics?.watchWrites ?? (() => undefined),
    async stop() {
      await Promise.all(listeners.map(({ stop }) => stop()));
    },
  };
}

async function startMetrics(
  config: TelemetryConfig,
  logger: Logger,
  isWorker: boolean,
): Promise<Listener | undefined> {
  if (config.METRICS_PORT === undefined) return undefined;
  const { createPrometheus, registerIndexMetrics, registerWriteMetrics } = await import("./prometheus.ts");
  const { registry, telemetry } = createPrometheus({ version });
  const stop = isWorker ? await shareMetrics(registry) : await serveMetrics(registry, config, logger);
  return {
    telemetry,
    watchIndex: (index) => registerIndexMetrics({ registry, ...index }),
    watchWrites: ({ readWaiting }) => registerWriteMetrics({ registry, readWaiting }),
    stop,
  };
}

async function serveMetrics(
  source: MetricsSource,
  { METRICS_PORT: port = 0, METRICS_HOST: host }: TelemetryConfig,
  logger: Logger,
): Promise<() => Promise<void>> {
  const { startMetricsServer } = await import("./metrics-server.ts");
  const server = await startMetricsServer({ source, host, port }).catch((error: unknown) => {
    throw new ConfigError(`METRICS_PORT: cannot listen on ${host}:${port} (${String(error)}).`);
  });
  logger.info({ host, port }, "metrics_listening");
  return server.close;
}

/**
 * Serves the metrics of all workers of this process, added up, when METRICS_PORT is set. Returns how to stop.
 * @throws {ConfigError} when the port is in use.
 */
export async function startSharedMetrics(
  config: TelemetryConfig,
  logger: Logger,
): Promise<() => Promise<void>> {
  if (config.METRICS_PORT === undefined) return async () => {};
  const { AggregatorRegistry } = await import("@prometheus-io/client");
  const all = new AggregatorRegistry();
  return serveMetrics({ contentType: all.contentType, metrics: () => all.clusterMetrics() }, config, logger);
}

/** Lets the primary process ask for the metrics of this worker. What it has counted stays in the sums when it ends. */
async function shareMetrics(registry: Registry): Promise<() => Promise<void>> {
  const { AggregatorRegistry, Registry } = await import("@prometheus-io/client");
  AggregatorRegistry.setRegistries(registry);
  const shared = new AggregatorRegistry();
  return async () => {
    const counts = new Registry();
    for (const { name, type } of registry.getMetricsAsArray("sum")) {
      const metric = registry.getSingleMetric(name);
      // Gauges, such as memory, end with the process.
      if (metric && String(type) !== "gauge") counts.registerMetric(metric);
    }
    AggregatorRegistry.setRegistries(counts);
    const told = shared.shutdown().catch(() => undefined);
    await Promise.race([told, sleep(GOODBYE_MS, undefined, { ref: false })]);
  };
}

/** The primary process responds within a millisecond. */
const GOODBYE_MS = 500;

async function startTracing(config: TelemetryConfig, logger: Logger): Promise<Listener | undefined> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  const { createTracing } = await import("./tracing.ts");
  return createTracing({
    endpoint,
    serviceName: config.OTEL_SERVICE_NAME,
    version,
    sampler: config.OTEL_TRACES_SAMPLER,
    samplerRatio: config.OTEL_TRACES_SAMPLER_ARG,
    logger,
  });
}
