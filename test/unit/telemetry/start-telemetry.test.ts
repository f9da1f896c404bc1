import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { ConfigError } from "../../../src/errors.ts";
import { readConfig } from "../../../src/config.ts";
import { startTelemetry } from "../../../src/telemetry/start-telemetry.ts";
import { noTelemetry } from "../../../src/telemetry/telemetry.ts";
import { findDeadPort, startSilentServer } from "../../support/dead-servers.ts";
import { createLogBook } from "../../support/log-lines.ts";
import { nodeEnvironment } from "../../support/node-environment.ts";
import { startTraceCollector } from "../../support/trace-collector.ts";

const start = (env: Record<string, string>) => startTelemetry(readConfig(env), createLogBook().logger);

/** What a process that imports these modules has loaded once telemetry runs with each of the environments, one after the other. */
async function readLoadedLibraries(
  modules: readonly string[],
  environments: readonly Record<string, string>[],
): Promise<string[][]> {
  const program = fileURLToPath(new URL("./list-loaded-modules.ts", import.meta.url));
  const args = [program, JSON.stringify(modules), JSON.stringify(environments)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: nodeEnvironment });
  return JSON.parse(stdout) as string[][];
}

describe("what is off", () => {
  test("is not loaded by the server, neither all nor one of the two", async () => {
    const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };
    const metrics = { METRICS_PORT: String(await findDeadPort()) };
    const [[off, traced], [measured]] = await Promise.all([
      readLoadedLibraries(["server/serve.ts"], [{}, traces]),
      readLoadedLibraries([], [metrics]),
    ]);
    expect(off).toEqual([]);
    expect(traced).toContain("@opentelemetry/sdk-trace");
    expect(traced).not.toContain("@prometheus-io/client");
    expect(measured).toContain("@prometheus-io/client");
    expect(measured).not.toContain("@opentelemetry/sdk-trace");
  });

  test("talks to nobody", async () => {
    const running = await start({});
    expect(running.telemetry).toBe(noTelemetry);
    expect(running.tracer).toBeUndefined();
    running.watchIndex({ readState: () => Promise.reject(new Error("nobody asks")), version: "0" });
    await running.stop();
  });
});

test("metrics and traces hear of the same things", async () => {
  await using collector = await startTraceCollector();
  const port = await findDeadPort();
  const { telemetry, tracer, watchIndex, stop } = await start({
    METRICS_PORT: String(port),
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
  });
  watchIndex({ readState: () => Promise.resolve({ state: "missing" }), version: "0" });
  await tracer?.traceRequest("", () => {
    telemetry.callEnded({ dependency: "engine", operation: "search", outcome: "ok", durationMs: 1 });
    return Promise.resolve({ requestId: "1", route: "/a", method: "GET", status: 200 });
  });
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(text).toContain('hereabouts_engine_call_duration_seconds_count{operation="search",outcome="ok"} 1');
  expect(text).toContain('hereabouts_index_state{state="missing"} 1');
  await stop();
  expect(collector.spans.map(({ name }) => name)).toEqual(["engine search", "GET /a"]);
  await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow("fetch failed");
});

test("a port that is taken is told by the name of its variable", async () => {
  await using other = await startSilentServer();
  const started = start({ METRICS_PORT: String(other.port) });
  await expect(started).rejects.toThrow(ConfigError);
  await expect(started).rejects.toThrow(/^METRICS_PORT: cannot listen on 127\.0\.0\.1:.*EADDRINUSE/);
});
