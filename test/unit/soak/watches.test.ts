import { expect, test } from "vitest";
import { type PhaseReport, checkBounds } from "../../../tools/soak/report.ts";
import { parseMetrics } from "../../../tools/soak/figures-watch.ts";
import { createPrometheus } from "../../../src/telemetry/prometheus.ts";

const phase = (name: string, outcomes: Record<string, number>, refusalP99Ms = 10): PhaseReport => ({
  name,
  requests: Object.values(outcomes).reduce((sum, count) => sum + count, 0),
  outcomes,
  p50Ms: 1,
  p99Ms: 1,
  refusalP99Ms,
});

const WELL = { minutes: 2, phases: [phase("calm", { "200": 1_000 })], memory: [], limits: { withRedis: 1 } };

const slope = (perMinute: number, plusMinus: number) => ({ perMinute, plusMinus, samples: 100 });
const grown = (perMinute: number, plusMinus: number) => ({
  server: 0,
  pid: 1,
  rssMb: slope(perMinute, plusMinus),
  heapMb: undefined,
  peakRssMb: 200,
  lastRssMb: 200,
  keptMb: [],
});

test("a run in which all was well breaks no bound", () => {
  expect(checkBounds(WELL)).toStrictEqual([]);
});

test.each([
  ["calm", { "200": 985, "503 overloaded": 15 }],
  ["redis-hung", { "200": 970, "500 engine_unavailable": 30 }],
  ["keys-changed", { "200": 970, "503 overloaded": 30 }],
])("many 5xx are told of %s", (name, outcomes) => {
  const phases = [phase(name, outcomes), ...(name === "calm" ? [] : WELL.phases)];
  expect(checkBounds({ ...WELL, phases })).toStrictEqual([
    "1.50 % of the answers were 5xx while nothing took capacity away",
  ]);
});

test("fewer are right in a short run and wrong in a long one", () => {
  const phases = [phase("calm", { "200": 995, "503 overloaded": 5 })];
  expect(checkBounds({ ...WELL, phases })).toStrictEqual([]);
  expect(checkBounds({ ...WELL, minutes: 30, phases })).toHaveLength(1);
});

test("a flood and a dead engine are answered with 5xx", () => {
  const phases = [
    ...WELL.phases,
    phase("overload", { "503 overloaded": 10 }),
    phase("engine-killed", { "500 engine_unavailable": 10 }),
  ];
  expect(checkBounds({ ...WELL, phases })).toStrictEqual([]);
});

test("a dead engine that is told late is told of", () => {
  const phases = [...WELL.phases, phase("engine-hung", { "500 engine_unavailable": 10 }, 1_251)];
  expect(checkBounds({ ...WELL, phases })).toStrictEqual([
    "p99 of the failures during engine-hung was 1251 ms",
  ]);
});

test("limits that nobody reached, and a run without calm, prove nothing", () => {
  expect(checkBounds({ ...WELL, limits: { withRedis: 0.99 } })).toHaveLength(1);
  expect(checkBounds({ ...WELL, phases: [] })).toHaveLength(1);
});

test("memory that surely grows is told of in a long run, what may be chance is not", () => {
  expect(checkBounds({ ...WELL, minutes: 30, memory: [grown(2, 0.5)] })).toHaveLength(1);
  expect(checkBounds({ ...WELL, minutes: 30, memory: [grown(2, 1.5)] })).toStrictEqual([]);
  expect(checkBounds({ ...WELL, minutes: 2, memory: [grown(12, 3)] })).toStrictEqual([]);
});

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
  telemetry.requestShed("engine_queue");
  expect(parseMetrics(await registry.metrics())).toStrictEqual({
    closed: { engine: true, redis: false },
    counts: { engineOpened: 1, redisOpened: 1, heldLocally: 2, shed: 2 },
  });
});

test("what is no metrics tells of nothing that is well", () => {
  expect(parseMetrics("See /metrics.\n").closed).toStrictEqual({ engine: false, redis: false });
});
