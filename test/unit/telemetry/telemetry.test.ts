import { expect, test } from "vitest";
import {
  combineTelemetry,
  noTelemetry,
  type Telemetry,
  reportWorst,
  type BreakerState,
} from "../../../src/telemetry/telemetry.ts";

/** Writes down what it hears, under its own name. */
function createListener(name: string, heard: unknown[]): Telemetry {
  const note =
    (method: keyof Telemetry) =>
    (...what: unknown[]): void =>
      void heard.push([name, method, ...what]);
  return {
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
  };
}

const request = { route: "/a", method: "GET", status: 200, durationMs: 1 };
const partitions = { lost: [2], behind: 1 };
const cost = { apiMs: 1, engineMs: 2 };
const call = { dependency: "redis", operation: "get", outcome: "ok", durationMs: 1 } as const;

test.each<[keyof Telemetry, unknown[], (telemetry: Telemetry) => void]>([
  ["requestStarted", [], (telemetry) => telemetry.requestStarted()],
  ["requestEnded", [request], (telemetry) => telemetry.requestEnded(request)],
  ["callEnded", [call], (telemetry) => telemetry.callEnded(call)],
  ["breakerChanged", ["engine", "open"], (telemetry) => telemetry.breakerChanged("engine", "open")],
  ["cacheAsked", ["place", true], (telemetry) => telemetry.cacheAsked("place", true)],
  ["requestShed", ["draining"], (telemetry) => telemetry.requestShed("draining")],
  ["requestCharged", ["key", cost], (telemetry) => telemetry.requestCharged("key", cost)],
  ["limitHeldLocally", [], (telemetry) => telemetry.limitHeldLocally()],
  ["engineChanged", ["two", false], (telemetry) => telemetry.engineChanged("two", false)],
  ["partitionsChanged", [partitions], (telemetry) => telemetry.partitionsChanged(partitions)],
  ["partitionsAsked", [3, true], (telemetry) => telemetry.partitionsAsked(3, true)],
])("every listener hears of %s, in their order", (method, what, tell) => {
  const heard: unknown[] = [];
  tell(combineTelemetry(["one", "two", "three"].map((name) => createListener(name, heard))));
  expect(heard).toEqual(["one", "two", "three"].map((name) => [name, method, ...what]));
});

test("of no listeners it is nobody", () => {
  expect(combineTelemetry([])).toBe(noTelemetry);
});

test("of several breakers the worst state is reported, whenever it changes", () => {
  const reported: BreakerState[] = [];
  const note = reportWorst((state) => reported.push(state));
  note("one", "open");
  note("other", "open");
  note("one", "half_open");
  note("one", "closed");
  note("other", "half_open");
  note("other", "closed");
  expect(reported).toStrictEqual(["open", "half_open", "closed"]);
});
