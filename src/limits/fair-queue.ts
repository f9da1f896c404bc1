import { availableParallelism } from "node:os";

/** Why a request was refused. The names are those of the metric. */
type RefusalReason = "in_flight" | "event_loop";

/** Runs requests concurrently, and shares the capacity between callers. */
export interface FairQueue {
  /**
   * Runs `work` when it is the caller's turn. Rejects with the error of `refuse` when the caller has too many
   * requests waiting or one has waited too long, and with the signal's reason when that is aborted.
   */
  readonly run: <T>(callerId: string, work: () => Promise<T>, signal: AbortSignal) => Promise<T>;
}

export interface FairQueueOptions {
  /** How late the event loop runs, in milliseconds. */
  readonly delayMs: () => number;
  /** Creates the error for a refused request. */
  readonly refuse: (reason: RefusalReason) => Error;
  /** The cores that work on searches; by default those of this machine. */
  readonly cores?: number;
  /** How many processes of this server share those cores; 1 when absent. Each then has its part of every bound. */
  readonly processes?: number;
  /** Milliseconds on a monotonic clock. */
  readonly clock?: () => number;
}

/**
 * Concurrent requests per core for a caller that is alone. They keep every core busy; more would only wait
 * inside the engine.
 */
const ALONE_PER_CORE = 4;

/**
 * Concurrent requests per core when callers share. A request that runs next to them takes about twice as long
 * as alone.
 */
const SHARED_PER_CORE = 2;

/** A caller whose requests take more than twice as long as those of the others may have one per core. */
const DEAR = 2;
const DEAR_PER_CORE = 1;

/** The minimum, so that small machines, and engines on larger ones, still get a few requests at once. */
const MIN_CORES = 2;

/** A program with more requests waiting than this does not wait for responses before it sends the next. */
const MAX_WAITING_PER_CALLER = 32;

/** Each waiting request takes a few kilobytes. */
const MAX_WAITING = 512;

/**
 * Longer than the engine's deadline (800 ms): when the engine hangs, waiting requests fail because of the
 * engine, not of a queue.
 */
const MAX_WAIT_MS = 1_000;

/** For about this long a caller's use counts, and the caller counts as active. */
const RECENT_MS = 1_000;

/** A late event loop delays every request, three to five times in a search. */
const CALM_DELAY_MS = 50;

/** How often idle callers are removed. */
const SWEEP_MS = 250;

/** One caller: its requests under way and waiting, and the time that its recent requests have taken. */
interface Share extends Use {
  inFlight: number;
  readonly waiting: Set<Waiting>;
}

/** Requests and the time they took, as of `usedAtMs`. Both count less the longer ago they ended. */
interface Use {
  usedMs: number;
  requests: number;
  usedAtMs: number;
}

interface Waiting {
  readonly begin: () => void;
  readonly refuse: () => void;
}

/** What each of several processes may have of these bounds, but at least one. */
const partsOf = <Bounds extends readonly number[]>(bounds: Bounds, processes: number) =>
  bounds.map((bound) => Math.ceil(bound / processes)) as { [At in keyof Bounds]: number };

/** The state of all callers: who is active, and how many requests each may have under way. */
function createShares({
  delayMs,
  cores,
  processes,
  clock,
}: Required<Pick<FairQueueOptions, "delayMs" | "cores" | "processes" | "clock">>) {
  const usedCores = Math.max(MIN_CORES, cores);
  const perCore = [ALONE_PER_CORE, SHARED_PER_CORE, DEAR_PER_CORE] as const;
  const [alone, shared, dear] = partsOf(perCore, processes / usedCores);
  const active = new Map<string, Share>();
  const all: Use = { usedMs: 0, requests: 0, usedAtMs: clock() };
  let sweptAtMs = clock();

  const fade = ({ usedAtMs }: Use): number => Math.exp((usedAtMs - clock()) / RECENT_MS);
  const usedBy = (use: Use): number => use.usedMs * fade(use);
  const slowdown = (): number => Math.min(1, CALM_DELAY_MS / Math.max(1, delayMs()));

  return {
    /** Callers with the least use first. */
    byUse: (callers: Iterable<Share>): Share[] =>
      [...callers].sort((one, other) => usedBy(one) - usedBy(other)),
    isLate: () => slowdown() < 1,
    /** Of one caller, and of all. */
    mostWaiting: partsOf([MAX_WAITING_PER_CALLER, MAX_WAITING] as const, processes),
    /**
     * Includes what another caller started while it was alone, so that a new caller need not wait for that.
     */
    most: alone + shared,
    of(callerId: string): Share {
      const nowMs = clock();
      if (nowMs - sweptAtMs >= SWEEP_MS) forgetIdle(active, (sweptAtMs = nowMs));
      const unused = { usedMs: 0, requests: 0, usedAtMs: nowMs };
      const share = active.get(callerId) ?? { inFlight: 0, waiting: new Set(), ...unused };
      active.set(callerId, share);
      return share;
    },
    /** How many requests of this caller may be under way. */
    allowed(share: Share): number {
      if (active.size === 1) return Math.max(1, Math.floor(alone * slowdown()));
      const othersMs = usedBy(all) - usedBy(share);
      const othersRequests = all.requests * fade(all) - share.requests * fade(share);
      const isDear = share.usedMs * othersRequests > DEAR * othersMs * share.requests;
      const places = isDear ? dear : shared;
      const equal = places / active.size;
      // What the others do not need: on average they had this many under way, and at times may have twice as
      // many.
      const spare = places - (2 * othersMs) / RECENT_MS;
      return Math.max(1, Math.floor(Math.max(equal, spare) * slowdown()));
    },
    addUse(share: Share, tookMs: number): void {
      for (const use of [share, all]) {
        const [usedMs, requests] = [usedBy(use) + tookMs, use.requests * fade(use) + 1];
        Object.assign(use, { usedMs, requests, usedAtMs: clock() });
      }
    },
  };
}

function forgetIdle(active: Map<string, Share>, nowMs: number): void {
  for (const [callerId, share] of active) {
    const isIdle = share.inFlight === 0 && share.waiting.size === 0;
    if (isIdle && nowMs - share.usedAtMs >= RECENT_MS) active.delete(callerId);
  }
}

/** The waiting requests of all callers. */
interface Line {
  readonly callers: Set<Share>;
  length: number;
}

/** Resolves when the request may begin. Rejects when it is refused, has waited too long or is aborted. */
function waitInLine(line: Line, share: Share, refusal: () => Error, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      share.waiting.delete(waiting);
      if (share.waiting.size === 0) line.callers.delete(share);
      line.length -= 1;
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
    };
    const waiting: Waiting = {
      begin() {
        leave();
        resolve();
      },
      refuse() {
        leave();
        reject(refusal());
      },
    };
    const giveUp = (): void => {
      leave();
      reject(signal.reason as Error);
    };
    const timer = setTimeout(waiting.refuse, MAX_WAIT_MS);
    signal.addEventListener("abort", giveUp, { once: true });
    share.waiting.add(waiting);
    line.callers.add(share);
    line.length += 1;
  });
}

/**
 * A fair queue in front of the engine. Active callers each have an equal number of requests under way;
 * capacity that one does not use goes to the others. The next turn goes to the caller whose requests took the
 * least time recently, so a caller with expensive requests gets fewer of them. When too many wait, the caller
 * with the highest use is refused first.
 */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { refuse, clock = () => performance.now() } = options;
  const shares = createShares({ cores: availableParallelism(), processes: 1, ...options, clock });
  const line: Line = { callers: new Set(), length: 0 };
  let inFlight = 0;

  const refusal = (): Error => refuse(shares.isLate() ? "event_loop" : "in_flight");
  const mayBegin = (share: Share): boolean =>
    inFlight < shares.most && share.inFlight < shares.allowed(share);
  const count = (share: Share, requests: 1 | -1): void => {
    share.inFlight += requests;
    inFlight += requests;
  };

  const beginNext = (): void => {
    const next = shares.byUse(line.callers).find(mayBegin);
    const [first] = next?.waiting ?? [];
    if (next === undefined || first === undefined) return;
    count(next, 1);
    first.begin();
    beginNext();
  };

  /** Makes room for one more waiting request of a caller. Returns whether it could. */
  const makeRoom = (share: Share): boolean => {
    if (share.waiting.size >= shares.mostWaiting[0]) return false;
    if (line.length < shares.mostWaiting[1]) return true;
    const heaviest = shares.byUse([...line.callers, share]).at(-1);
    if (heaviest === undefined || heaviest === share) return false;
    [...heaviest.waiting].at(-1)?.refuse();
    return true;
  };

  return {
    async run(callerId, work, signal) {
      signal.throwIfAborted();
      const share = shares.of(callerId);
      if (share.waiting.size === 0 && mayBegin(share)) count(share, 1);
      else if (makeRoom(share)) await waitInLine(line, share, refusal, signal);
      else throw refusal();
      const startedAtMs = clock();
      try {
        return await work();
      } finally {
        count(share, -1);
        shares.addUse(share, clock() - startedAtMs);
        beginNext();
      }
    },
  };
}
