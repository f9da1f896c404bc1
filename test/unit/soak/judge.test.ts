import { SECURITY_HEADERS } from "../../support/contract.ts";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../support/random.ts";
import { type FaultKind, createFaultLog, createTally } from "../../../tools/soak/tally.ts";
import type { Reply } from "../../../tools/soak/ask.ts";
import { type Caller, createLimitWatch } from "../../../tools/soak/callers.ts";
import {
  type PlannedRequest,
  checkDetail,
  checkKnownAnswer,
  createJudge,
} from "../../../tools/soak/judge.ts";
import type { World } from "../../../tools/soak/world.ts";
import type { Build } from "../../../tools/soak/datasets.ts";
import type { KnownQuestion } from "../../../tools/soak/corpus.ts";

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
  const datasets = { folder: "", files: { a: "", b: "" }, known: [], onlyIn: { a: [], b: [] } };
  return {
    datasets,
    questions: [],
    callers: [CALLER],
    faults,
    limits: createLimitWatch(faults, 2),
    tally: createTally(),
    live: { build: "a", since: 0 },
    random: createRandom(1),
    kills: [],
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
const FORBIDDEN = problem(403, "missing_scope");
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
    { what: "a failure that comes after three seconds", reply: GONE, fault: "engine", tookMs: 3_100 },
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

test("three requests under way at the kill of one of several engines may fail, not a fourth, and none later", () => {
  const world = worldWith("loss");
  const judgeIn = createJudge(world);
  const ask = (from: number, to: number) =>
    judgeIn({ planned: SEARCH, caller: CALLER, server: 0, span: { from, to }, reply: GONE }).wrong;
  world.kills.push({ at: 1_000, failed: 0 });
  expect(ask(1_001, 1_050)).toBeTypeOf("string");
  expect([1, 2, 3].map(() => ask(990, 1_050))).toEqual([undefined, undefined, undefined]);
  expect(ask(990, 1_050)).toBeTypeOf("string");
});

test("a response without the places of a partition is wrong", () => {
  const headers = new Headers({ "x-missing-partitions": "3" });
  const reply: Reply = { kind: "answer", status: 200, headers, text: "{}" };
  expect(judge({ reply })).toBe("places of a partition are missing");
});

const QUESTION: KnownQuestion = {
  operation: "search",
  text: "cafe",
  latitude: 10,
  longitude: 106,
  expected: { a: ["0x1:0x1", "0x1:0x2"], b: ["0x1:0x2", "0x1:0x3"] },
};

const place = (id: string, build: string) => ({
  data_id: id,
  contacts: { website: `https://${build}.soak.example/1` },
});

const answer = (...places: readonly (readonly [string, string])[]) => ({
  local_result: places.map(([id, build]) => place(id, build)),
});

function check(
  body: unknown,
  { fault, live = "a" }: { fault?: FaultKind; live?: Build } = {},
): string | undefined {
  const faults = createFaultLog();
  if (fault) faults.begin({ name: fault, kind: fault, server: undefined });
  const now = performance.now();
  const world = { faults, tally: createTally(), live: { build: live, since: now - 60_000 } };
  return checkKnownAnswer(QUESTION, body, world, { from: now, to: now + 10 });
}

const WHOLE_A = answer(["0x1:0x1", "a"], ["0x1:0x2", "a"]);
const PART_OF_A = answer(["0x1:0x1", "a"]);

test("the answer of the build that is live is right", () => expect(check(WHOLE_A)).toBeUndefined());

test("while the index is swapped a mix of what one build found and the other tells is right", () => {
  expect(check(answer(["0x1:0x2", "b"]), { fault: "swap" })).toBeUndefined();
});

describe("wrong is", () => {
  test.each([
    { what: "a part of an answer", body: PART_OF_A },
    { what: "another order", body: answer(["0x1:0x2", "a"], ["0x1:0x1", "a"]) },
    {
      what: "the answer of one build with the places of the other",
      body: answer(["0x1:0x1", "b"], ["0x1:0x2", "b"]),
    },
    { what: "no place where both builds have some", body: answer() },
    { what: "a place of no build", body: answer(["0x1:0x1", "c"], ["0x1:0x2", "a"]) },
  ])("$what", ({ body }) => expect(check(body)).toBeTypeOf("string"));

  test("an empty answer, also while the index is swapped", () => {
    expect(check(answer(), { fault: "swap" })).toBeTypeOf("string");
  });

  test("places of both builds in one answer, also while the index is swapped", () => {
    expect(check(answer(["0x1:0x1", "a"], ["0x1:0x2", "b"]), { fault: "swap" })).toBeTypeOf("string");
  });

  test("the answer of the build before, a minute after the swap", () => {
    expect(check(WHOLE_A, { live: "b" })).toContain("long after the swap");
  });
});

test("a detail must be of the place that was asked for, and of one of the builds", () => {
  expect(checkDetail("0x1:0x1", { place_result: place("0x1:0x1", "b") })).toBeUndefined();
  expect(checkDetail("0x1:0x1", { place_result: place("0x1:0x2", "b") })).toBeTypeOf("string");
  expect(checkDetail("0x1:0x1", { place_result: place("0x1:0x1", "c") })).toBeTypeOf("string");
});

const GREEDY_CALLER: Caller = { name: "greedy-0", key: "k", perMinute: 10, role: "greedy" };

/** Requests that were let through, `apart` milliseconds one after the other, from now on. The last one's verdict. */
async function letThrough(
  limits: ReturnType<typeof createLimitWatch>,
  count: number,
  apart: number,
): Promise<string | undefined> {
  const now = performance.now();
  let verdict: Promise<string | undefined> | undefined;
  for (let number = 0; number < count; number += 1) {
    const from = now + number * apart;
    verdict = limits.noteAccepted(GREEDY_CALLER, { from, to: from + 5 });
  }
  return verdict;
}

test("as many as the limit allows are right", async () => {
  expect(await letThrough(createLimitWatch(createFaultLog(), 2), 10, 100)).toBeUndefined();
});

test("one more within a minute is not", async () => {
  expect(await letThrough(createLimitWatch(createFaultLog(), 2), 11, 100)).toContain("11 requests");
});

test("one more is right when the minute is over", async () => {
  expect(await letThrough(createLimitWatch(createFaultLog(), 2), 30, 6_100)).toBeUndefined();
});

test("while Redis is gone each of the two servers may let as many through in both of its minutes that 60 seconds touch, and no more", async () => {
  const faults = createFaultLog();
  faults.begin({ name: "redis-killed", kind: "redis", server: undefined });
  expect(await letThrough(createLimitWatch(faults, 2), 40, 100)).toBeUndefined();
  expect(await letThrough(createLimitWatch(faults, 2), 41, 100)).toContain("41 requests");
});

test("a server whose log tells a moment later that it was alone may have let one more through", async () => {
  const limits = createLimitWatch(createFaultLog(), 2);
  const verdict = letThrough(limits, 11, 100);
  limits.noteHeldLocally();
  expect(await verdict).toBeUndefined();
  expect(limits.highest.withRedis).toBe(1);
});

test("another fault allows nothing", async () => {
  const faults = createFaultLog();
  faults.begin({ name: "engine-killed", kind: "engine", server: undefined });
  expect(await letThrough(createLimitWatch(faults, 2), 11, 100)).toContain("11 requests");
});

test("a caller may be refused only when he has asked as often as he may", () => {
  const limits = createLimitWatch(createFaultLog(), 2);
  for (let number = 0; number < 9; number += 1) limits.noteAttempt(GREEDY_CALLER);
  expect(limits.mayBeRefused(GREEDY_CALLER)).toBe(false);
  expect(limits.leftTo(GREEDY_CALLER)).toBe(1);
  limits.noteAttempt(GREEDY_CALLER);
  expect(limits.mayBeRefused(GREEDY_CALLER)).toBe(true);
});
