import { checkContract } from "../../support/contract.ts";
import type { FaultPeriod, Span } from "../faults/fault-log.ts";
import type { Reply } from "./ask.ts";
import { isInScope, type Caller } from "./callers.ts";
import type { PlannedRequest } from "./planned-request.ts";
import type { World } from "./world.ts";

/** A request that was asked, with all that its answer is judged by. */
export interface Asked {
  readonly planned: PlannedRequest;
  readonly caller: Caller | undefined;
  readonly server: number;
  readonly span: Span;
  readonly reply: Reply;
}

/** What came back in short, and what is wrong about it, if anything. */
export interface Verdict {
  readonly outcome: string;
  readonly wrong?: string | undefined;
  readonly body?: unknown;
}

/** A server gives the engine 0.8 s; one that answers within that is not too slow. */
const ENGINE_TOO_SLOW_MS = 700;

/** A breaker may answer for an engine that was just too slow. */
const AFTER_SLOW_ENGINE_MS = 5_000;

/**
 * A dead engine is told within a second, which the report's bounds ask of 99 in a hundred. A single answer may be late because the
 * machine stood still, but not by more than another. With hundreds of clients more they queue.
 */
const TOLD_WITHIN_MS = 2_000;

/** A connection that is cut this soon was being closed while the request was on its way: nobody had taken it. */
const NOT_TAKEN_MS = 1_000;

/** All answers of this share are checked against the contract to the last member; of problems all are. */
const CONTRACT_SHARE = 0.1;

/** Judges answers of one run. */
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
    if (forbidden ? outcome === "401 invalid_api_key" : planned.right.includes(outcome)) return true;
    const isDrained = active.some((fault) => fault.kind === "drain" && fault.server === server);
    switch (outcome) {
      case "429 rate_limit_minute":
        return planned.key === "good" ? caller !== undefined && world.limits.mayBeRefused(caller) : true;
      case "500 engine_unavailable":
        return (
          planned.needsEngine && !forbidden && (active.some(({ kind }) => kind === "engine") || tooSlow(span))
        );
      case "503 overloaded":
        return planned.name !== "healthz";
      case "503 shutting_down":
        return isDrained;
      // A server that has just started knows no key yet, and may give up waiting for Redis on a busy machine: errors.md.
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
    const isSampled = outcome !== "200" || random.fraction() < CONTRACT_SHARE;
    const breach = isSampled && outcome !== "304" ? findBreach(asked, reply) : undefined;
    return { outcome, body, wrong: breach ?? (outcome === "200" ? planned.check?.(body, span) : undefined) };
  };
}

/** The key is good, but not for this. What is no operation, or no way to ask for one, is told before keys are looked at. */
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
