import { expect, test } from "vitest";
import type { HttpContext } from "../../../../src/http/request-state.ts";
import { shedLoad } from "../../../../src/http/middleware/shed-load.ts";
import { noTelemetry } from "../../../../src/telemetry/telemetry.ts";

const ALLOWED = 20;

/** A server of which requests end when told, on an event loop that is as late as told. */
function setUp() {
  const state = { delayMs: 0 };
  const shed: string[] = [];
  const limit = { allowed: () => ALLOWED, begin: () => undefined, end: () => undefined };
  const telemetry = { ...noTelemetry, requestShed: (reason: string) => void shed.push(reason) };
  const middleware = shedLoad({ gauge: { delayMs: () => state.delayMs }, telemetry, limit });
  const endings: (() => void)[] = [];
  const ask = (path = "/api/maps/search"): Promise<unknown> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    endings.push(resolve);
    return Promise.resolve(middleware({ path } as HttpContext, () => promise));
  };
  /** Fills the server, and says how many were let in. */
  const fill = async (): Promise<number> => {
    const before = shed.length;
    const asked = Array.from({ length: 100 }, () => ask().catch(() => undefined));
    const letIn = 100 - (shed.length - before);
    for (const end of endings.splice(0)) end();
    await Promise.all(asked);
    return letIn;
  };
  return { state, shed, ask, fill };
}

const OVERLOADED = { status: 503, code: "overloaded" };

test("one more than is allowed is turned away, and let in when another has ended", async () => {
  const { shed, ask, fill } = setUp();
  expect(await fill()).toBe(ALLOWED);
  expect(new Set(shed)).toStrictEqual(new Set(["in_flight"]));
  const asked = Array.from({ length: ALLOWED }, () => ask());
  await expect(ask()).rejects.toMatchObject(OVERLOADED);
  expect(asked).toHaveLength(ALLOWED);
});

test.each([
  { delayMs: 50, letIn: 20 },
  { delayMs: 100, letIn: 10 },
  { delayMs: 200, letIn: 5 },
  { delayMs: 5_000, letIn: 4 },
])("a loop that is $delayMs ms late lets $letIn in", async ({ delayMs, letIn }) => {
  const { state, fill } = setUp();
  state.delayMs = delayMs;
  expect(await fill()).toBe(letIn);
});

test("a request that fails no longer counts", async () => {
  const limit = { allowed: () => 1, begin: () => undefined, end: () => undefined };
  const middleware = shedLoad({ gauge: { delayMs: () => 0 }, telemetry: noTelemetry, limit });
  const ask = (): Promise<unknown> =>
    Promise.resolve(middleware({ path: "/" } as HttpContext, () => Promise.reject(new Error("broken"))));
  await expect(ask()).rejects.toThrow("broken");
  await expect(ask()).rejects.toThrow("broken");
});

test.each(["/healthz", "/readyz"])("%s is always answered", async (path) => {
  const { state, shed, ask } = setUp();
  state.delayMs = 10_000;
  for (let i = 0; i < 2 * ALLOWED; i += 1) void ask(path);
  expect(shed).toStrictEqual([]);
  void ask();
  expect(shed).toStrictEqual([]);
});
