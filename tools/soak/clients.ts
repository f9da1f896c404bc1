import { setTimeout as sleep } from "node:timers/promises";
import { type Line, type Reply, openLine } from "./ask.ts";
import type { Caller } from "./callers.ts";
import { type PlannedRequest, createJudge } from "./judge.ts";
import { askAndHangUp, drawRequest } from "./requests.ts";
import type { World } from "./world.ts";

export interface ClientOptions {
  readonly world: World;
  readonly origins: readonly string[];
  /** The number of concurrent clients, over all servers. */
  readonly clients: number;
}

export interface Clients {
  /**
   * Adds this many clients until the signal is aborted. With `hangUp`, they only start requests and hang up.
   */
  readonly askMore: (count: number, signal: AbortSignal, hangUp: boolean) => Promise<void>;
  /** Ends the clients. Requests under way are completed first. */
  readonly stop: () => Promise<void>;
}

/**
 * One of this many clients at each server is greedy: it shares few keys with other greedy clients and never
 * holds back.
 */
const GREEDY_EVERY = 8;

/** How long a refused caller waits, and a client whose server is away. */
const AFTER_REFUSAL_MS = 20;
const AFTER_BROKEN_MS = 100;

/**
 * Part of the limit that clients never use, because servers that count a little differently would refuse
 * them.
 */
const KEPT_BACK = 100;

/** Starts clients in a closed loop, half of them at each server. */
export function startClients({ world, origins, clients }: ClientOptions): Clients {
  const stopping = new AbortController();
  const lines = origins.map((origin) => openLine(origin, 256));
  // A client that hangs up closes its connection, so it must not share one with others.
  const hasty = origins.map((origin) => openLine(origin, 256));
  const askOnce = createAsker(world, { lines, hasty });
  const { askMore, loops } = createLoops({ world, lines, askOnce, signal: stopping.signal });
  void loops(clients);
  return {
    askMore,
    async stop() {
      stopping.abort();
      await loops(0);
      await Promise.all([...lines, ...hasty].map((line) => line.close()));
    },
  };
}

/** One per server, for clients that wait and for those that hang up. */
interface LinesOf {
  readonly lines: readonly Line[];
  readonly hasty: readonly Line[];
}

type AskOnce = (server: number, planned: PlannedRequest, caller: Caller | undefined) => Promise<string>;

/** Sends one request, judges the response and records it. Resolves to the outcome. */
function createAsker(world: World, { lines, hasty }: LinesOf): AskOnce {
  const { tally, faults, limits } = world;
  const judge = createJudge(world);
  return async (server, planned, caller) => {
    const { units = 1 } = planned;
    if (caller) limits.noteAttempt(caller, units);
    const request = {
      ...planned.request,
      headers: { ...planned.request.headers, ...toKeyHeader(planned, caller) },
    };
    const line = (request.hangUpAfterMs === undefined ? lines : hasty)[server]!;
    const from = performance.now();
    const reply = await line.ask(request);
    const span = { from, to: performance.now() };
    const verdict = judge({ planned, caller, server, span, reply });
    const { outcome } = verdict;
    const active = faults.during(span).map(({ name }) => name);
    tally.record(active.length === 0 ? ["calm"] : active, outcome, span.to - span.from);
    const wrong =
      verdict.wrong ??
      (caller && isLetThrough(reply) ? await limits.noteAccepted(caller, span, units) : undefined);
    if (wrong !== undefined) {
      const asked = `${request.method} ${request.path.slice(0, 300)} to server ${server}, ${Math.round(span.to - span.from)} ms`;
      const answer = reply.kind === "answer" ? reply.text.slice(0, 600) : reply.kind;
      tally.violate({ what: wrong, request: asked, answer, faults: active });
    }
    return outcome;
  };
}

/** True for responses to requests that a limit let through. */
const isLetThrough = (reply: Reply): boolean =>
  reply.kind === "answer" && reply.status !== 429 && reply.headers.has("x-ratelimit-limit");

/** Strangers have a different address from callers, because an address with many bad keys has to wait. */
const toKeyHeader = ({ key }: PlannedRequest, caller: Caller | undefined): Record<string, string> => {
  if (caller !== undefined) return { "x-api-key": caller.key, "x-forwarded-for": "198.51.100.1" };
  const address = { "x-forwarded-for": "203.0.113.1" };
  return key === "none" ? address : { ...address, "x-api-key": "nobody-has-this-key-at-all" };
};

interface LoopOptions {
  readonly world: World;
  readonly lines: readonly Line[];
  readonly askOnce: AskOnce;
  readonly signal: AbortSignal;
}

function createLoops({ world, lines, askOnce, signal }: LoopOptions) {
  const running: Promise<void>[] = [];
  const steady = createSteadyCallers(world);
  const greedy = world.callers.filter(({ role }) => role === "greedy");

  async function loop(number: number, until: AbortSignal, hangUp: boolean): Promise<void> {
    const server = number % lines.length;
    const isGreedy = number % GREEDY_EVERY < lines.length && !hangUp;
    while (!until.aborted && !signal.aborted) {
      const planned = hangUp ? askAndHangUp(world) : drawRequest(world);
      const caller = planned.key === "good" ? (isGreedy ? world.random.pick(greedy) : steady()) : undefined;
      const outcome = await askOnce(server, planned, caller);
      if (outcome.startsWith("429")) await sleep(AFTER_REFUSAL_MS);
      if (outcome === "not taken" || outcome === "broken") await sleep(AFTER_BROKEN_MS);
    }
  }
  const start = (count: number, until: AbortSignal, hangUp: boolean): Promise<void[]> =>
    Promise.all(Array.from({ length: count }, (_, number) => loop(number, until, hangUp)));

  return {
    askMore: async (count: number, until: AbortSignal, hangUp: boolean) =>
      void (await start(count, until, hangUp)),
    loops: async (count: number) => {
      if (count > 0) running.push(start(count, signal, false).then(() => undefined));
      await Promise.all(running);
    },
  };
}

/** Returns the steady callers in turn, and skips those close to their limit. */
function createSteadyCallers({ callers, limits }: World): () => Caller {
  const steady = callers.filter(({ role }) => role === "steady");
  let turn = 0;
  return () => {
    for (const _ of steady) {
      turn = (turn + 1) % steady.length;
      const caller = steady[turn]!;
      if (limits.leftTo(caller) > KEPT_BACK) return caller;
    }
    return steady[turn]!;
  };
}
