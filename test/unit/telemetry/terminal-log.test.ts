import { stripVTControlCharacters } from "node:util";
import { beforeEach, expect, test } from "vitest";
import { createLogger } from "../../../src/telemetry/logger.ts";
import { createTerminalLog } from "../../../src/telemetry/terminal-log.ts";

let written: string[];
const destination = () => createTerminalLog({ isTTY: true, write: (text) => written.push(String(text)) > 0 });
const lines = (): string[] =>
  written.map((line) => stripVTControlCharacters(line).replace(/^\d\d:\d\d:\d\d {2}/, ""));

beforeEach(() => {
  written = [];
});

const request = {
  route: "/api/maps/search",
  status: 200,
  request_id: "1-2",
  method: "GET",
  duration_ms: 12.3,
};

test("an error has its stack, and a warning what it is about", () => {
  const logger = createLogger({ level: "info", destination: destination() });
  logger.error({ err: new Error("the disk is full") }, "request_failed");
  logger.warn({ origin: "https://app.example", setting: "CORS_ORIGINS" }, "origin_refused");
  expect(lines()[0]).toMatch(
    /^error: request failed\n {2}Error: the disk is full\n.*terminal-log\.test\.ts/s,
  );
  expect(lines()[1]).toBe("warn: origin refused origin=https://app.example setting=CORS_ORIGINS\n");
});

test("a request is one short line", () => {
  const logger = createLogger({ level: "info", destination: destination() });
  logger.info({ ...request, results: 20, bytes: 4000, caller_id: "demo" }, "request");
  logger.info({ ...request, status: 429, code: "rate_limit_minute" }, "request");
  expect(lines()).toEqual([
    "GET /api/maps/search 200  12.3 ms  20 results\n",
    "GET /api/maps/search 429  12.3 ms  rate_limit_minute\n",
  ]);
});

test.each(["/", "/playground/:version/*path", "/docs/:page", "/readyz", "/healthz"])(
  "%s has no line, unless it fails",
  (route) => {
    const logger = createLogger({ level: "info", destination: destination() });
    logger.info({ ...request, route }, "request");
    expect(lines()).toEqual([]);
    logger.info({ ...request, route, status: 500 }, "request");
    expect(lines()).toHaveLength(1);
  },
);

test("the address and the key come again before they leave the screen", () => {
  const log = destination();
  const logger = createLogger({ level: "info", destination: log });
  log.remindOf("http://127.0.0.1:8080  API key: hab_demo_x");
  for (let count = 0; count < 45; count++) logger.info(request, "request");
  const reminders = lines().filter((line) => line.includes("hab_demo_x"));
  expect(reminders).toHaveLength(2);
  expect(lines().findIndex((line) => line.includes("hab_demo_x"))).toBeLessThan(24);
});
