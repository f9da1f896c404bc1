import { SECURITY_HEADERS } from "../../support/contract.ts";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../bench/queries/random.ts";
import { createFaultLog, type FaultKind } from "../../soak/faults/fault-log.ts";
import { createTally } from "../../soak/measure/tally.ts";
import type { Reply } from "../../soak/traffic/ask.ts";
import type { Caller } from "../../soak/traffic/callers.ts";
import { createJudge } from "../../soak/traffic/judge.ts";
import { createLimitWatch } from "../../soak/traffic/limit-watch.ts";
import type { PlannedRequest } from "../../soak/traffic/planned-request.ts";
import type { World } from "../../soak/traffic/world.ts";

const CALLER: Caller = { name: "steady-0", key: "k", perMinute: 10, role: "steady" };

const SEARCH: PlannedRequest = {
  name: "search",
  request: { method: "GET", path: "/api/maps/search?q=cafe", headers: {} },
  key: "good",
  right: ["200"],
  needsEngine: true,
};

function worldWith(fault?: FaultKind): World {
  const faults = createFaultLog();
  if (fault) faults.begin({ name: fault, kind: fault, server: fault === "drain" ? 1 : undefined });
  const gazetteers = { files: { a: "", b: "" }, known: [], onlyIn: { a: [], b: [] } };
  return {
    gazetteers,
    questions: [],
    callers: [CALLER],
    faults,
    limits: createLimitWatch(faults, 2),
    tally: createTally(),
    live: { build: "a", since: 0 },
    random: createRandom(1),
  };
}

const problem = (status: number, code: string, headers: Record<string, string> = {}): Reply => ({
  kind: "answer",
  status,
  headers: new Headers({
    "content-type": "application/problem+json",
    ...SECURITY_HEADERS,
    "cache-control": "private, no-store",
    "x-request-id": "r",
    ...headers,
  }),
  text: JSON.stringify({
    type: `http://test.invalid/docs/errors#${code}`,
    title: "t",
    status,
    detail: "d",
    instance: "/api/maps/search",
    code,
    request_id: "r",
  }),
});

interface Given {
  readonly reply: Reply;
  readonly caller?: Caller;
  readonly fault?: FaultKind;
  readonly server?: number;
  readonly tookMs?: number;
}

function judge({ reply, fault, caller = CALLER, server = 0, tookMs = 10 }: Given): string | undefined {
  const world = worldWith(fault);
  const to = performance.now();
  const span = { from: to - tookMs, to };
  return createJudge(world)({ planned: SEARCH, caller, server, span, reply }).wrong;
}

const READER: Caller = { ...CALLER, scopes: ["place"] };
const FORBIDDEN = problem(401, "invalid_api_key", { "www-authenticate": "ApiKey" });
const OKAY: Reply = { kind: "answer", status: 200, headers: new Headers(), text: "{}" };
const UNCHECKED = problem(500, "internal_error", { "retry-after": "1" });
const BROKEN: Reply = { kind: "broken", error: "ECONNREFUSED", afterHeaders: false };
const CUT: Reply = { kind: "broken", error: "terminated", afterHeaders: true };
const SHED = problem(503, "overloaded", { "retry-after": "1" });
const DRAINING = problem(503, "shutting_down", { "retry-after": "1" });
const GONE = problem(500, "engine_unavailable");

describe("right is", () => {
  test.each<Given & { what: string }>([
    { what: "a quick failure while the engine is broken", reply: GONE, fault: "engine" },
    { what: "a failure of an engine that was too slow", reply: GONE, tookMs: 800 },
    { what: "a refusal of a server that is too busy", reply: SHED, fault: "load" },
    { what: "a refusal of a server that ends", reply: DRAINING, fault: "drain", server: 1 },
    { what: "no connection to a server that ends", reply: BROKEN, fault: "drain", server: 1 },
    { what: "a refusal of a key that is not good for this", reply: FORBIDDEN, caller: READER },
    {
      what: "a key that a server that just started could not check",
      reply: UNCHECKED,
      fault: "drain",
      server: 1,
    },
    { what: "nothing at all for who has hung up", reply: { kind: "hung_up" } },
  ])("$what", (given) => expect(judge(given)).toBeUndefined());
});

describe("wrong is", () => {
  test.each<Given & { what: string }>([
    { what: "a failure of the engine in calm", reply: GONE },
    { what: "a failure of the engine while Redis is broken", reply: GONE, fault: "redis" },
    { what: "a failure that comes after two seconds", reply: GONE, fault: "engine", tookMs: 2_100 },
    { what: "a mistake of ours, whatever is broken", reply: problem(500, "internal_error"), fault: "engine" },
    { what: "a refusal without Retry-After", reply: problem(503, "overloaded"), fault: "load" },
    { what: "a refusal because of an end that is none", reply: DRAINING },
    {
      what: "a 429 for a caller who has hardly asked",
      reply: problem(429, "rate_limit_minute", { "retry-after": "1" }),
    },
    { what: "a 401 for a good key", reply: problem(401, "invalid_api_key", { "www-authenticate": "x" }) },
    { what: "an answer to a key that is not good for this", reply: OKAY, caller: READER },
    { what: "a key that could not be checked in calm", reply: UNCHECKED },
    { what: "no connection in calm", reply: BROKEN },
    { what: "no connection to the server that does not end", reply: BROKEN, fault: "drain", server: 0 },
    { what: "an answer that is cut while draining", reply: CUT, fault: "drain", server: 1 },
    { what: "a request that was taken and dropped", reply: BROKEN, fault: "drain", server: 1, tookMs: 5_000 },
    { what: "no answer at all", reply: { kind: "too_late" }, fault: "engine" },
    {
      what: "half an answer",
      reply: { kind: "answer", status: 200, headers: new Headers(), text: '{"local_' },
    },
  ])("$what", (given) => expect(judge(given)).toBeTypeOf("string"));
});
