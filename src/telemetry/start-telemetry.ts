import packageJson from "../../package.json" with { type: "json" };
import { ConfigError, type Config } from "../config.ts";
import type { Logger } from "../logger.ts";
import { combineTelemetry, type IndexReport, type RequestTracer, type Telemetry } from "./telemetry.ts";

type TelemetryConfig = Pick<
  Config,
  | "METRICS_PORT"
  | "METRICS_HOST"
  | "OTEL_EXPORTER_OTLP_ENDPOINT"
  | "OTEL_SERVICE_NAME"
  | "OTEL_TRACES_SAMPLER"
  | "OTEL_TRACES_SAMPLER_ARG"
>;

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
  readonly stop: () => Promise<void>;
}

/** Metrics or traces. */
type Listener = Partial<RunningTelemetry> & Pick<RunningTelemetry, "telemetry" | "stop">;

const { version } = packageJson;

/**
 * Starts metrics when METRICS_PORT is set, and traces when OTEL_EXPORTER_OTLP_ENDPOINT is set. Code for what
 * is off is not even loaded.
 * @throws {ConfigError} when the metrics port is in use.
 */
export async function startTelemetry(config: TelemetryConfig, logger: Logger): Promise<RunningTelemetry> {
  const metrics = await startMetrics(config, logger);
  const tracing = await startTracing(config, logger);
  const listeners = [metrics, tracing].filter((listener) => listener !== undefined);
  return {
    telemetry: combineTelemetry(listeners.map(({ telemetry }) => telemetry)),
    ...(tracing?.tracer && { tracer: tracing.tracer }),
    watchIndex: metrics?.watchIndex ?? (() => undefined),
    async stop() {
      await Promise.all(listeners.map(({ stop }) => stop()));
    },
  };
}

async function startMetrics(
  { METRICS_PORT: port, METRICS_HOST: host }: TelemetryConfig,
  logger: Logger,
): Promise<Listener | undefined> {
  if (port === undefined) return undefined;
  const { createPrometheus, registerIndexMetrics } = await import("./prometheus.ts");
  const { startMetricsServer } = await import("./metrics-server.ts");
  const { registry, telemetry } = createPrometheus({ version });
  const server = await startMetricsServer({ registry, host, port }).catch((error: unknown) => {
    throw new ConfigError(`METRICS_PORT: cannot listen on ${host}:${port} (${String(error)}).`);
  });
  logger.info({ host, port }, "metrics_listening");
  return {
    telemetry,
    watchIndex: (index) => registerIndexMetrics({ registry, ...index }),
    stop: server.close,
  };
}

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
