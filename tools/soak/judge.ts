import type { FaultPeriod, Span } from "./tally.ts";
import type { Reply, Request } from "./ask.ts";
import { checkContract } from "../../test/support/contract.ts";
import { type Caller, isInScope } from "./callers.ts";
import type { World } from "./world.ts";
import { type Build, buildOf } from "./datasets.ts";
import { type KnownQuestion, readIds } from "./corpus.ts";

/** Whose key goes with a request. */
type KeyChoice = "good" | "unknown" | "none";

/** A request, and the outcomes that are right when nothing is broken. */
export interface PlannedRequest {
  readonly name: string;
  readonly request: Request;
  readonly key: KeyChoice;
  /** As how many requests it counts against the limits; one when absent. */
  readonly units?: number;
  /** Statuses, with the code for problems: `200`, `422 invalid_parameter`. */
  readonly right: readonly string[];
  /** True when the request needs the engine, so that it fails with the engine. */
  readonly needsEngine: boolean;
  /** Returns what is wrong about the body of a 200, if anything. */
  readonly check?: (body: unknown, span: Span) => string | undefined;
}

/** A request that was sent, with everything needed to judge its response. */
export interface Asked {
  readonly planned: PlannedRequest;
  readonly caller: Caller | undefined;
  readonly server: number;
  readonly span: Span;
  readonly reply: Reply;
}

/** The outcome in short, and what is wrong about it, if anything. */
export interface Verdict {
  readonly outcome: string;
  readonly wrong?: string | undefined;
  readonly body?: unknown;
}

/** A server gives the engine 0.8 s. A response faster than this does not mean a slow engine. */
const ENGINE_TOO_SLOW_MS = 700;

/** After a slow engine, an open breaker may refuse requests for this long. */
const AFTER_SLOW_ENGINE_MS = 5_000;

/**
 * How late a response about a dead engine may be. The report's bounds require it within a second for 99 in a
 * hundred. A single one may have waited for its turn while nobody else did (2 s, src/limits/fair-queue.ts), and then
 * for the engine (0.8 s). With hundreds of additional clients they queue.
 */
const TOLD_WITHIN_MS = 3_000;

/**
 * A connection cut this soon was already closing while the request was on its way, so the server never
 * received it.
 */
const NOT_TAKEN_MS = 1_000;

/**
 * The share of responses that is checked fully against the contract. Problem responses are always checked.
 */
const CONTRACT_SHARE = 0.1;

/** Creates the judge of one run's responses. */
export function createJudge(world: World): (asked: Asked) => Verdict {
  const { faults, random } = world;
  let engineWasSlowAt = -Infinity;
  const tooSlow = ({ from, to }: Span): boolean => {
    if (to - from >= ENGINE_TOO_SLOW_MS) engineWasSlowAt = to;
    return to - engineWasSlowAt <= AFTER_SLOW_ENGINE_MS;
  };

  function isRight(outcome: string, asked: Asked, active: readonly FaultPeriod[]): boolean {
    const { planned, caller, server, span } = asked;
    const forbidden = isForbidden(asked);
    if (forbidden ? outcome === "403 missing_scope" : planned.right.includes(outcome)) return true;
    const isDrained = active.some((fault) => fault.kind === "drain" && fault.server === server);
    switch (outcome) {
      case "429 rate_limit_minute":
        return planned.key === "good" ? caller !== undefined && world.limits.mayBeRefused(caller) : true;
      case "500 engine_unavailable":
        return (
          planned.needsEngine &&
          !forbidden &&
          (active.some(({ kind }) => kind === "engine") || tooSlow(span) || wasInFlight(world.kills, span))
        );
      case "503 overloaded":
        return planned.name !== "healthz";
      case "503 shutting_down":
        return isDrained;
      // A server that has just started knows no key yet, and may stop waiting for Redis on a busy machine:
      // errors.md.
      case "500 internal_error":
        return isDrained && hasRetryAfter(asked.reply);
      default:
        return false;
    }
  }

  return (asked) => {
    const { planned, span, reply, server } = asked;
    const active = faults.during(span);
    if (reply.kind === "hung_up") return { outcome: "hung up" };
    if (reply.kind === "too_late") return { outcome: "no answer", wrong: "no answer in 20 seconds" };
    if (reply.kind === "broken") {
      const isDrained = active.some((fault) => fault.kind === "drain" && fault.server === server);
      const isCut = reply.afterHeaders || span.to - span.from > NOT_TAKEN_MS;
      if (isDrained && !isCut) return { outcome: "not taken" };
      return { outcome: "broken", wrong: `the connection broke: ${reply.error}` };
    }
    const { outcome, body, malformed } = readOutcome(reply);
    if (malformed) return { outcome, wrong: "the answer is no JSON" };
    if (!isRight(outcome, asked, active)) return { outcome, body, wrong: `${outcome} for ${planned.name}` };
    if (outcome.startsWith("500") && isToldLate(span, active))
      return { outcome, body, wrong: `${outcome} only after ${TOLD_WITHIN_MS / 1_000} seconds` };
    if (reply.headers.has("x-missing-partitions"))
      return { outcome, body, wrong: "places of a partition are missing" };
    const isSampled = outcome !== "200" || random.fraction() < CONTRACT_SHARE;
    const breach = isSampled && outcome !== "304" ? findBreach(asked, reply) : undefined;
    return { outcome, body, wrong: breach ?? (outcome === "200" ? planned.check?.(body, span) : undefined) };
  };
}

/** A request that is under way when an engine dies is repeated elsewhere; a few may be too far on for that. */
const MAY_FAIL_AT_A_KILL = 3;

function wasInFlight(kills: World["kills"], { from, to }: Span): boolean {
  const kill = kills.find(({ at }) => from <= at && at <= to);
  if (kill === undefined) return false;
  kill.failed += 1;
  return kill.failed <= MAY_FAIL_AT_A_KILL;
}

/** The key is valid, but lacks the scope. Unknown paths and methods are refused before keys are checked. */
const isForbidden = ({ caller, planned: { request } }: Asked): boolean =>
  caller !== undefined && request.method === "GET" && !isInScope(caller, request.path);

const hasRetryAfter = (reply: Reply): boolean => reply.kind === "answer" && reply.headers.has("retry-after");

const isToldLate = ({ from, to }: Span, active: readonly FaultPeriod[]): boolean =>
  to - from > TOLD_WITHIN_MS && !active.some(({ kind }) => kind === "load");

function readOutcome({ status, text }: Reply & { kind: "answer" }) {
  if (text === "") return { outcome: String(status), body: undefined, malformed: status !== 304 };
  try {
    const body: unknown = JSON.parse(text);
    const { code } = body as { code?: unknown };
    const outcome = status < 400 || typeof code !== "string" ? String(status) : `${status} ${code}`;
    return { outcome, body, malformed: false };
  } catch {
    return { outcome: String(status), body: undefined, malformed: true };
  }
}

function findBreach(
  { planned }: Asked,
  { status, headers, text }: Reply & { kind: "answer" },
): string | undefined {
  const { method, path } = planned.request;
  try {
    checkContract({ method, target: path, status, headers, text });
    return undefined;
  } catch (error) {
    return `breach of contract (${status}): ${String(error).slice(0, 300)}`;
  }
}

/** Searches are cached for five seconds. Results from the other build after this time are stale. */
const STALE_AFTER_MS = 10_000;

type Judged = Pick<World, "faults" | "live" | "tally">;

/**
 * True when a response may mix both builds around a swap: found in one build, read from the other, or
 * searched with the other's ring size. A server that could not reach the engine at that time learns of the
 * swap later.
 */
function isNearSwap({ faults }: Judged, span: Span): boolean {
  const recent = faults.during({ from: span.from - STALE_AFTER_MS, to: span.to });
  const hindered = recent.filter(({ kind }) => kind === "engine" || kind === "load");
  const from = Math.min(span.from, ...hindered.map(({ startedAt }) => startedAt)) - STALE_AFTER_MS;
  return faults.during({ from, to: span.to }).some(({ kind }) => kind === "swap");
}

/** Compares a response with those of both builds. Returns what is wrong, if anything. */
export function checkKnownAnswer(
  question: KnownQuestion,
  body: unknown,
  world: Judged,
  span: Span,
): string | undefined {
  const ids = readIds(question.operation, body);
  const builds = question.operation === "search" ? readBuilds(body) : (["a", "b"] as const);
  if (builds === undefined) return "a place of neither build is in the answer";
  const { expected } = question;
  if (question.operation === "search" && builds.length > 1) return "places of both builds are in one answer";
  const isWhole = builds.some((build) => isSame(ids, expected[build]));
  if (isWhole || (ids.length === 0 && (expected.a.length === 0 || expected.b.length === 0)))
    return checkFreshness(question.operation === "search" ? builds[0] : undefined, world, span);
  if (ids.length === 0) return `nothing was found by ${question.operation} that both builds find`;
  if (isNearSwap(world, span)) return undefined;
  return `an answer of ${question.operation} is neither build's`;
}

function checkFreshness(build: Build | undefined, { live, faults }: Judged, span: Span): string | undefined {
  const isOld = build !== undefined && build !== live.build && span.from > live.since + STALE_AFTER_MS;
  if (!isOld || faults.during(span).some(({ kind }) => kind === "swap")) return undefined;
  return "an answer of the build before, long after the swap";
}

/** The builds that the places of a search come from; undefined when a place comes from neither. */
function readBuilds(body: unknown): Build[] | undefined {
  const { local_result: places } = body as { local_result: { contacts: { website: string } }[] };
  const builds = places.map(({ contacts }) => buildOf(contacts.website));
  return builds.includes(undefined) ? undefined : [...new Set(builds as Build[])];
}

const isSame = (ids: readonly string[], others: readonly string[]): boolean =>
  ids.length === others.length && ids.every((id, index) => id === others[index]);

/** Checks place details: the requested place, from one of the builds. */
export function checkDetail(dataId: string, body: unknown): string | undefined {
  const { place_result: place } = body as {
    place_result: { data_id: string; contacts: { website: string } };
  };
  if (place.data_id !== dataId) return "the detail of another place";
  return buildOf(place.contacts.website) === undefined ? "the detail of a place of neither build" : undefined;
}
