import { addAbortListener } from "node:events";
import { availableParallelism } from "node:os";
import { LONE_REQUEST_MS, measureCost, type Cost, type Company } from "../telemetry/request-cost.ts";

interface QueuedCaller {
  readonly callerId: string;
  /** Its part of the cores, as a multiple of that of others; 1 when absent. */
  readonly weight?: number | undefined;
}

interface FairQueueOptions {
  /** Creates the error for a refused request. */
  readonly refuse: () => Error;
  /** Hears what each request has cost. */
  readonly charged: (callerId: string, cost: Cost) => void;
  /** The cores that work on searches; by default those of this machine. */
  readonly cores?: number;
  /** How many processes of this server share those cores. Each has its part of every bound. */
  readonly processes: number;
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

/** For this long a caller counts as active, and about this long its use counts. */
const RECENT_MS = 1_000;

/** With this much of a core's time in debt a caller may still begin: some ten ordinary searches. */
const QUANTUM_MS = 20;

/** A caller that had the server for itself waits no longer than this for its turn, once, when others come. */
const MAX_DEBT_MS = 1_000;

/**
 * What others leave may be used by who needs more. A caller that waits for each response before it sends the next uses
 * less the longer it waits; so four times what the others used is kept for them.
 */
const KEPT_FOR_OTHERS = 4;

/** A waiting caller gains this many milliseconds on what others owe in each, so that its turn comes before its request is refused. */
const WAITED_WEIGHT = 2;

/** What a caller may do changes while nothing begins or ends: others are forgotten, and what they used counts less. */
const LOOK_AGAIN_MS = 50;

/** One caller: its requests under way and waiting, and what its requests have cost. */
class Share {
  weight = 0;
  inFlight = 0;
  /** Each is resolved when it begins. */
  readonly waiting = new Set<PromiseWithResolvers<void>>();
  /** What it used of the cores beyond its part, in milliseconds of a core. */
  debtMs = 0;
  /** What its recent requests cost; less the longer ago. */
  usedMs = 0;
  /** When its last request began or ended. */
  activeAtMs = performance.now();
  /** When it began to wait, or its last request began. */
  waitsSinceMs = performance.now();

  isBusy = (): boolean => this.inFlight > 0 || this.waiting.size > 0;

  owed = (): number => this.debtMs / this.weight;

  /** The least goes first: what it owes, less what it has waited until whatever moment. */
  rank = (): number => this.owed() + WAITED_WEIGHT * this.waitsSinceMs;
}

/**
 * The one queue before the engine. Active callers share the cores by what their requests cost; what one does not use goes to the others
 * (deficit round robin, by the clock): a caller's debt grows by what its requests cost and shrinks by its part of the cores. While others
 * are active, it may begin when it owes next to nothing. Where a core is idle and several callers wait, one begins whatever it owes:
 * the one who owes least, or has waited longest. When too many wait, the caller who owes most is refused first.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  /** Those that work for this process; a part of one, where processes share fewer. */
  readonly #cores: number;
  /** The callers with requests under way or waiting, or lately, by id. */
  readonly #active = new Map<string, Share>();
  readonly #waiting = new Set<Share>();
  /** Sums over the active, so that the part of each takes no look at every other. */
  #all = { weight: 0, usedMs: 0 };
  #settledAtMs = performance.now();
  #inFlight = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    const { cores = availableParallelism(), processes } = options;
    this.#cores = Math.max(MIN_CORES, cores) / processes;
  }

  /**
   * Runs `work` when it is the caller's turn. Rejects with the error of `refuse` when the caller has too many requests waiting or one has
   * waited too long, and with the signal's reason when that is aborted.
   */
  async run<T>(caller: QueuedCaller, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const share = this.#shareOf(caller);
    await this.#waitForTurn(share, signal);
    const charge = (cost: Cost): void => this.#charge(caller, cost);
    try {
      return await measureCost(work, { companyOf: () => this.#companyOf(share), charge });
    } finally {
      // After it is charged: else a caller would be forgotten with what a long request costs.
      share.inFlight -= 1;
      this.#inFlight -= 1;
      this.#beginNext();
    }
  }

  #shareOf({ callerId, weight = 1 }: QueuedCaller): Share {
    // First, since it forgets who was not active lately.
    this.#settle();
    const share = this.#active.getOrInsertComputed(callerId, () => new Share());
    this.#all.weight += weight - share.weight;
    share.weight = weight;
    return share;
  }

  #companyOf(share: Share): Company {
    if (!this.#isAlone(share)) return "others";
    return share.inFlight > 1 ? "own" : "none";
  }

  #isAlone = (share: Share): boolean =>
    this.#active.values().every((other) => other === share || !other.isBusy());

  /** Brings what all callers owe and used up to this moment, and forgets those who are no longer active. */
  #settle(): void {
    const nowMs = performance.now();
    const passedMs = nowMs - this.#settledAtMs;
    this.#settledAtMs = nowMs;
    const kept = Math.exp(-passedMs / RECENT_MS);
    const all = { weight: 0, usedMs: 0 };
    for (const [callerId, share] of this.#active) {
      share.debtMs = Math.max(0, share.debtMs - passedMs * this.#coresOf(share));
      share.usedMs *= kept;
      if (!share.isBusy() && nowMs - share.activeAtMs >= RECENT_MS) {
        this.#active.delete(callerId);
        continue;
      }
      all.weight += share.weight;
      all.usedMs += share.usedMs;
    }
    this.#all = all;
  }

  /** A caller's part of the cores, in milliseconds of a core in a millisecond: an equal one, by weight, or what the others leave when none of them waits. */
  #coresOf(share: Share): number {
    const equal = (this.#cores * share.weight) / this.#all.weight;
    if (this.#waiting.size > Number(this.#waiting.has(share))) return equal;
    return Math.max(equal, this.#cores - (KEPT_FOR_OTHERS * (this.#all.usedMs - share.usedMs)) / RECENT_MS);
  }

  /** In how many milliseconds the caller may begin a request, if none ends before; 0 for now. */
  #untilTurn(share: Share): number {
    // The bound on all includes what another caller started while it was alone: a new caller need not wait for that.
    if (this.#inFlight >= (ALONE_PER_CORE + SHARED_PER_CORE) * this.#cores) return Infinity;
    if (this.#active.size === 1) return share.inFlight < ALONE_PER_CORE * this.#cores ? 0 : Infinity;
    return this.#hasPlace(share) ? Math.max(0, share.debtMs - QUANTUM_MS) / this.#coresOf(share) : Infinity;
  }

  /** Whether the caller has fewer requests under way than its part of the cores can work on. */
  #hasPlace = (share: Share): boolean =>
    share.inFlight < Math.max(1, Math.floor(SHARED_PER_CORE * this.#coresOf(share)));

  /**
   * Charges the part of what a request takes most of: of all cores, or of the one thread on which this process works for everybody. Who
   * has half of that thread has half of the server, however idle the other cores are.
   */
  #charge(caller: QueuedCaller, cost: Cost): void {
    this.#options.charged(caller.callerId, cost);
    const share = this.#shareOf(caller);
    const { apiMs, engineMs } = cost;
    const costMs = Math.max(apiMs * this.#cores, apiMs + engineMs);
    share.debtMs = Math.min(MAX_DEBT_MS, share.debtMs + costMs);
    share.usedMs += costMs;
    this.#all.usedMs += costMs;
    share.activeAtMs = performance.now();
  }

  /** Whose request begins now, if any may. */
  #next(): Share | undefined {
    const waiting = [...this.#waiting].sort((one, other) => one.rank() - other.rank());
    // A single caller who waits leaves an idle core to whoever sends the next request after a response.
    const isCoreFree = waiting.length > 1 && this.#inFlight < this.#cores;
    return (
      waiting.find((share) => this.#untilTurn(share) === 0) ??
      (isCoreFree ? waiting.find(this.#hasPlace) : undefined)
    );
  }

  /** Begins requests as callers may, now and whenever that changes. What they owe must be settled. */
  #beginNext(): void {
    clearTimeout(this.#timer);
    for (let share = this.#next(); share; share = this.#next()) {
      const [turn] = share.waiting;
      this.#leave(share, turn!);
      share.inFlight += 1;
      this.#inFlight += 1;
      share.activeAtMs = share.waitsSinceMs = performance.now();
      turn!.resolve();
    }
    const untilNext = Math.min(...this.#waiting.values().map((share) => this.#untilTurn(share)));
    if (!Number.isFinite(untilNext)) return;
    const lookAgain = (): void => {
      this.#settle();
      this.#beginNext();
    };
    this.#timer = setTimeout(lookAgain, Math.min(LOOK_AGAIN_MS, Math.ceil(untilNext)));
  }

  /** Takes a request out of those that wait, if it still does. */
  #leave(share: Share, turn: PromiseWithResolvers<void>): void {
    share.waiting.delete(turn);
    if (share.waiting.size === 0) this.#waiting.delete(share);
  }

  #refuse(share: Share, turn: PromiseWithResolvers<void>, error = this.#options.refuse()): void {
    this.#leave(share, turn);
    turn.reject(error);
  }

  /** Resolves when the request has begun. Rejects when it is refused, has waited too long or is aborted. */
  async #waitForTurn(share: Share, signal: AbortSignal): Promise<void> {
    const turn = Promise.withResolvers<void>();
    if (share.waiting.size === 0) share.waitsSinceMs = performance.now();
    share.waiting.add(turn);
    this.#waiting.add(share);
    this.#beginNext();
    if (!share.waiting.has(turn)) return;
    this.#refuseOneTooMany(share);
    const refuse = (): void => this.#refuse(share, turn);
    using ends = new DisposableStack();
    ends.use(addAbortListener(signal, () => this.#refuse(share, turn, signal.reason as Error)));
    ends.adopt(
      setTimeout(() => this.#isAlone(share) || refuse(), MAX_WAIT_MS),
      clearTimeout,
    );
    ends.adopt(setTimeout(refuse, LONE_REQUEST_MS), clearTimeout);
    await turn.promise;
  }

  /** Refuses the newest request of a caller with too many, or when too many wait in all, of the caller who owes most. */
  #refuseOneTooMany(share: Share): void {
    const { processes } = this.#options;
    const waiting = [...this.#waiting];
    const count = waiting.reduce((sum, one) => sum + one.waiting.size, 0);
    const hasTooMany = share.waiting.size > Math.ceil(MAX_WAITING_PER_CALLER / processes);
    if (!hasTooMany && count <= Math.ceil(MAX_WAITING / processes)) return;
    const refused = hasTooMany ? share : waiting.sort((one, other) => one.owed() - other.owed()).at(-1)!;
    this.#refuse(refused, [...refused.waiting].at(-1)!);
  }
}
