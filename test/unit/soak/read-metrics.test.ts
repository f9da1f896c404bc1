import { expect, test } from "vitest";
import { parseMetrics } from "../../soak/measure/read-metrics.ts";
import { createPrometheus } from "../../../src/telemetry/prometheus.ts";

test("a server that has nothing to tell has all its breakers closed", async () => {
  const { registry } = createPrometheus({ version: "1" });
  expect(parseMetrics(await registry.metrics())).toStrictEqual({
    closed: { engine: true, redis: true },
    counts: { engineOpened: 0, redisOpened: 0, heldLocally: 0, shed: 0 },
  });
});

test("what happened is read from the server's own words", async () => {
  const { registry, telemetry } = createPrometheus({ version: "1" });
  telemetry.breakerChanged("redis", "open");
  telemetry.breakerChanged("engine", "open");
  telemetry.breakerChanged("engine", "half_open");
  telemetry.breakerChanged("engine", "closed");
  telemetry.limitHeldLocally();
  telemetry.limitHeldLocally();
  telemetry.requestShed("in_flight");
  telemetry.requestShed("event_loop");
  expect(parseMetrics(await registry.metrics())).toStrictEqual({
    closed: { engine: true, redis: false },
    counts: { engineOpened: 1, redisOpened: 1, heldLocally: 2, shed: 2 },
  });
});

test("what is no metrics tells of nothing that is well", () => {
  expect(parseMetrics("See /metrics.\n").closed).toStrictEqual({ engine: false, redis: false });
});
