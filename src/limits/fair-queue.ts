import { availableParallelism } from "node:os";
import { measureCost, type Cost } from "../telemetry/request-cost.ts";

interface QueuedCaller {
  readonly callerId: string;
  /** Its part of the cores, as a multiple of that of others; 1 when absent. */
  readonly weight?: number | undefined;
}

export interface FairQueueOptions {
  /** Creates the error for a refused request. */
  readonly refuse: () => Error;
  /** Hears what each request has cost. */
  readonly charged?: (callerId: string, cost: Cost) => void;
  /** The cores that work on searches; by default those of this machine. */
  readonly cores?: number;
  /** How many processes of this server share those cores; 1 when absent. Each then has its part of every bound. */
  readonly processes?: number;
}

/** Concurrent requests per core for a caller that is alone. They keep every core busy; more would only wait in the engine. */
const ALONE_PER_CORE = 4;

/** Concurrent requests per core of callers who share. A request beside them takes about twice as long as alone. */
const SHARED_PER_CORE = 2;

/** The minimum, so that small machines, and engines on larger ones, still get a few requests at once. */
const MIN_CORES = 2;

/** A program with more requests waiting than this does not wait for responses before it sends the next. */
const MAX_WAITING_PER_CALLER = 32;

/** Each waiting request takes a few kilobytes. */
const MAX_WAITING = 512;

/** Longer than the engine's deadline (800 ms): when the engine hangs, waiting requests fail because of it, not of a queue. */
const MAX_WAIT_MS = 1_000;

/** So long as nobody else waits, a request may wait as long as one may take that is alone. */
const MAX_WAIT_ALONE_MS = 2_000;

/** For this long a caller counts as active, and about this long its use counts. */
const RECENT_MS = 1_000;

/** With this much of a core's time in debt a caller may still begin: some ten ordinary searches. */
const QUANTUM_MS = 20;

/** A caller that had the server for itself waits no longer than this for its turn, once, when others come. */
const MAX_DEBT_MS = 1_000;

/** What a request is taken to cost before it ends, for a caller without earlier ones: an ordinary search. */
const USUAL_COST_MS = 10;

/** How much the latest request counts in the mean of a caller. */
const LATEST_WEIGHT = 0.3;

/**
 * What others leave may be used by who needs more. A caller that waits for each response before it sends the next uses
 * less the longer it waits; so four times what the others used is kept for them.
 */
const KEPT_FOR_OTHERS = 4;

/** One caller: its requests under way and waiting, and what its requests have cost. */
interface Share {
  readonly callerId: string;
  weight: number;
  inFlight: number;
  readonly waiting: Set<Waiting>;
  /** What it used of the cores beyond its part, as of `atMs`, in milliseconds of a core. */
  debtMs: number;
  /** What its recent requests cost, as of `atMs`; less the longer ago. */
  usedMs: number;
  atMs: number;
  /** When its last request began or ended. */
  activeAtMs: number;
  /** The mean cost of its requests. */
  meanMs: number;
}

interface Waiting {
  readonly begin: (estimateMs: number) => void;
  readonly refuse: () => void;
}

/** Sums over all active callers, so that the part of each takes no look at every other. */
interface Totals {
  readonly weight: number;
  readonly usedMs: number;
  /** Callers with requests waiting. */
  readonly waiting: number;
}

const sumUp = (active: ReadonlyMap<string, Share>): Totals => ({
  weight: active.values().reduce((sum, share) => sum + share.weight, 0),
  usedMs: active.values().reduce((sum, share) => sum + share.usedMs, 0),
  waiting: active.values().reduce((sum, share) => sum + Math.sign(share.waiting.size), 0),
});

/** The part of the cores that a caller may use, of a capacity in milliseconds of cores in a millisecond. */
function rateOf({ weight, waiting, usedMs }: Share, totals: Totals, capacity: number): number {
  const equal = (capacity * weight) / totals.weight;
  if (totals.waiting > Math.sign(waiting.size)) return equal;
  return Math.max(equal, capacity - (KEPT_FOR_OTHERS * (totals.usedMs - usedMs)) / RECENT_MS);
}

/**
 * Who is active, and what each owes. A caller's debt grows by what its requests cost and shrinks by its part of the cores
 * (deficit round robin, by the clock): while others are active, it may begin when it owes next to nothing.
 */
function createShares({ cores, processes }: Required<Pick<FairQueueOptions, "cores" | "processes">>) {
  const usedCores = Math.max(MIN_CORES, cores);
  const partOf = (bound: number): number => Math.max(1, Math.ceil(bound / processes));
  const [alone, shared] = [partOf(ALONE_PER_CORE * usedCores), partOf(SHARED_PER_CORE * usedCores)];
  const capacity = usedCores / processes;
  /** The callers with requests under way or waiting, or lately, by id. */
  const active = new Map<string, Share>();
  let totals = sumUp(active);
  const shares = {
    /** Of one caller, and of all. */
    mostWaiting: [partOf(MAX_WAITING_PER_CALLER), partOf(MAX_WAITING)] as const,
    /** Includes what another caller started while it was alone, so that a new caller need not wait for that. */
    most: alone + shared,
    /** Brings what all callers owe and used up to this moment, and forgets those who are no longer active. */
    settle(): void {
      const nowMs = performance.now();
      for (const { callerId, inFlight, waiting, activeAtMs } of active.values())
        if (inFlight === 0 && waiting.size === 0 && nowMs - activeAtMs >= RECENT_MS) active.delete(callerId);
      totals = sumUp(active);
      for (const share of active.values()) {
        const passedMs = nowMs - share.atMs;
        share.debtMs = Math.max(0, share.debtMs - passedMs * rateOf(share, totals, capacity));
        share.usedMs *= Math.exp(-passedMs / RECENT_MS);
        share.atMs = nowMs;
      }
      totals = sumUp(active);
    },
    isAlone: (share: Share) =>
      active.values().every((other) => other === share || (other.inFlight === 0 && other.waiting.size === 0)),
    of({ callerId, weight = 1 }: QueuedCaller): Share {
      // First, since it forgets who was not active lately.
      shares.settle();
      const share = active.getOrInsertComputed(callerId, () => createShare(callerId, performance.now()));
      share.weight = weight;
      totals = sumUp(active);
      return share;
    },
    /** In how many milliseconds the caller may begin a request, if none of its own ends before; 0 for now. */
    untilTurn(share: Share): number {
      if (active.size === 1) return share.inFlight < alone ? 0 : Infinity;
      const rate = rateOf(share, totals, capacity);
      const places = Math.max(1, Math.floor((shared * rate) / capacity));
      if (share.inFlight >= places) return Infinity;
      return Math.max(0, share.debtMs - QUANTUM_MS) / rate;
    },
    /** Adds to what a caller owes; a negative number takes back. */
    owe(share: Share, costMs: number): void {
      share.debtMs = Math.min(MAX_DEBT_MS, Math.max(0, share.debtMs + costMs));
      share.activeAtMs = performance.now();
    },
  };
  return shares;
}

const createShare = (callerId: string, nowMs: number): Share => ({
  callerId,
  weight: 1,
  inFlight: 0,
  waiting: new Set(),
  debtMs: 0,
  usedMs: 0,
  atMs: nowMs,
  activeAtMs: nowMs,
  meanMs: USUAL_COST_MS,
});

/** Callers who owe least first. */
const byDebt = (callers: Iterable<Share>): Share[] =>
  [...callers].sort((one, other) => one.debtMs / one.weight - other.debtMs / other.weight);

/** The waiting requests of all callers. */
interface Line {
  readonly callers: Set<Share>;
  length: number;
}

interface Wait {
  readonly refuse: () => Error;
  readonly signal: AbortSignal;
  readonly isAlone: () => boolean;
}

/** Resolves when the request has begun, with what `begin` charged. Rejects when it is refused, has waited too long or is aborted. */
function waitInLine(line: Line, share: Share, { refuse, signal, isAlone }: Wait): Promise<number> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      share.waiting.delete(waiting);
      if (share.waiting.size === 0) line.callers.delete(share);
      line.length -= 1;
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
    };
    const waiting: Waiting = {
      begin(estimateMs) {
        leave();
        resolve(estimateMs);
      },
      refuse() {
        leave();
        reject(refuse());
      },
    };
    const giveUp = (): void => {
      leave();
      reject(signal.reason as Error);
    };
    let timer = setTimeout(() => {
      if (isAlone()) timer = setTimeout(waiting.refuse, MAX_WAIT_ALONE_MS - MAX_WAIT_MS);
      else waiting.refuse();
    }, MAX_WAIT_MS);
    signal.addEventListener("abort", giveUp, { once: true });
    share.waiting.add(waiting);
    line.callers.add(share);
    line.length += 1;
  });
}

/** Makes room for one more waiting request of a caller. Returns whether it could. */
function makeRoom(line: Line, share: Share, [ofCaller, ofAll]: readonly [number, number]): boolean {
  if (share.waiting.size >= ofCaller) return false;
  if (line.length < ofAll) return true;
  const heaviest = byDebt([...line.callers, share]).at(-1);
  if (heaviest === undefined || heaviest === share) return false;
  [...heaviest.waiting].at(-1)?.refuse();
  return true;
}

/** Begins requests as callers may, now and whenever that changes. */
function createTurns(shares: ReturnType<typeof createShares>, line: Line) {
  let inFlight = 0;
  let timer: NodeJS.Timeout | undefined;
  const turns = {
    mayBegin: (share: Share): boolean => inFlight < shares.most && shares.untilTurn(share) === 0,
    /** Returns the estimate that is charged. */
    begin(share: Share): number {
      share.inFlight += 1;
      inFlight += 1;
      shares.owe(share, share.meanMs);
      return share.meanMs;
    },
    /** Charges what the request has cost instead of the estimate. */
    end(share: Share, costMs: number, estimateMs: number): void {
      // While it is under way: else a caller would be forgotten with what a long request costs.
      shares.settle();
      share.inFlight -= 1;
      inFlight -= 1;
      shares.owe(share, costMs - estimateMs);
      share.usedMs += costMs;
      share.meanMs += LATEST_WEIGHT * (costMs - share.meanMs);
      turns.beginNext();
    },
    beginNext(): void {
      clearTimeout(timer);
      for (;;) {
        shares.settle();
        const next = byDebt(line.callers).find(turns.mayBegin);
        const [first] = next?.waiting ?? [];
        if (next === undefined || first === undefined) break;
        first.begin(turns.begin(next));
      }
      const untilNext = Math.min(...[...line.callers].map((share) => shares.untilTurn(share)));
      if (inFlight < shares.most && Number.isFinite(untilNext))
        timer = setTimeout(() => turns.beginNext(), Math.ceil(untilNext));
    },
  };
  return turns;
}

/**
 * The one queue before the engine. Active callers share the cores by what their requests cost; what one does not use
 * goes to the others. The next turn is that of the caller who owes least. When too many wait, the caller who owes most
 * is refused first.
 */
export function createFairQueue(options: FairQueueOptions) {
  const { refuse, charged, cores = availableParallelism(), processes = 1 } = options;
  const shares = createShares({ cores, processes });
  const line: Line = { callers: new Set(), length: 0 };
  const turns = createTurns(shares, line);
  const begin = (share: Share, signal: AbortSignal): number | Promise<number> => {
    if (share.waiting.size === 0 && turns.mayBegin(share)) return turns.begin(share);
    if (!makeRoom(line, share, shares.mostWaiting)) throw refuse();
    const begun = waitInLine(line, share, { refuse, signal, isAlone: () => shares.isAlone(share) });
    turns.beginNext();
    return begun;
  };
  return {
    /**
     * Runs `work` when it is the caller's turn. Rejects with the error of `refuse` when the caller has too many
     * requests waiting or one has waited too long, and with the signal's reason when that is aborted.
     */
    async run<T>(caller: QueuedCaller, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
      signal.throwIfAborted();
      const share = shares.of(caller);
      const estimateMs = await begin(share, signal);
      const onEnd = (cost: Cost): void => {
        turns.end(share, cost.apiMs + cost.engineMs, estimateMs);
        charged?.(caller.callerId, cost);
      };
      const onLate = (cost: Cost): void => {
        shares.owe(shares.of(caller), cost.engineMs);
        charged?.(caller.callerId, cost);
      };
      return measureCost(work, { isAlone: () => shares.isAlone(share), onEnd, onLate });
    },
  };
}
