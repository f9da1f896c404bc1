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
  weight = 1;
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

  /** The least goes first: what it owes, less what it has waited until whatever moment. */
  rank = (): number => this.debtMs / this.weight + WAITED_WEIGHT * this.waitsSinceMs;
}

const byRank = (one: Share, other: Share): number => one.rank() - other.rank();
const byDebt = (one: Share, other: Share): number => one.debtMs / one.weight - other.debtMs / other.weight;

/**
 * The one queue before the engine. Active callers share the cores by what their requests cost; what one does not use goes to the others
 * (deficit round robin, by the clock): a caller's debt grows by what its requests cost and shrinks by its part of the cores. While others
 * are active, it may begin when it owes next to nothing. Where a core is idle and several callers wait, one begins whatever it owes:
 * the one who owes least, or has waited longest. When too many wait, the caller who owes most is refused first.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  /** The callers with requests under way or waiting, or lately, by id. */
  readonly #active = new Map<string, Share>();
  /** Sums over them, so that the part of each takes no look at every other. */
  #sums = { weight: 0, usedMs: 0, waiting: 0 };
  #settledAtMs = performance.now();
  #inFlight = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Milliseconds of cores in a millisecond, and requests at most. */
  readonly #most: Readonly<
    Record<"capacity" | "cores" | "alone" | "shared" | "waitingOfOne" | "waiting", number>
  >;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    const { cores = availableParallelism(), processes = 1 } = options;
    const used = Math.max(MIN_CORES, cores);
    const partOf = (bound: number): number => Math.max(1, Math.ceil(bound / processes));
    this.#most = {
      capacity: used / processes,
      cores: partOf(used),
      alone: partOf(ALONE_PER_CORE * used),
      shared: partOf(SHARED_PER_CORE * used),
      waitingOfOne: partOf(MAX_WAITING_PER_CALLER),
      waiting: partOf(MAX_WAITING),
    };
  }

  /**
   * Runs `work` when it is the caller's turn. Rejects with the error of `refuse` when the caller has too many requests waiting or one has
   * waited too long, and with the signal's reason when that is aborted.
   */
  async run<T>(caller: QueuedCaller, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const share = this.#shareOf(caller);
    const mayBegin = share.waiting.size === 0 && this.#mayBegin(share);
    if (mayBegin) this.#begin(share);
    else await this.#waitForTurn(share, signal);
    const charge = (cost: Cost): void => this.#options.charged?.(caller.callerId, cost);
    return measureCost(work, {
      isAlone: () => this.#isAlone(share),
      onEnd: (cost) => {
        this.#end(share, this.#partOf(cost));
        charge(cost);
      },
      onLate: (cost) => {
        this.#owe(this.#shareOf(caller), this.#partOf(cost));
        charge(cost);
      },
    });
  }

  #shareOf({ callerId, weight = 1 }: QueuedCaller): Share {
    // First, since it forgets who was not active lately.
    this.#settle();
    const share = this.#active.getOrInsertComputed(callerId, () => new Share());
    share.weight = weight;
    this.#sumUp();
    return share;
  }

  /**
   * What counts of a cost is the part of what it takes most of: of all cores, or of the one thread on which this process works for
   * everybody. Who has half of that thread has half of the server, however idle the other cores are.
   */
  #partOf = ({ apiMs, engineMs }: Cost): number => Math.max(apiMs * this.#most.capacity, apiMs + engineMs);

  #isAlone = (share: Share): boolean =>
    this.#active.values().every((other) => other === share || !other.isBusy());

  #waiting = (): Share[] => [...this.#active.values()].filter(({ waiting }) => waiting.size > 0).sort(byRank);

  #sumUp(): void {
    this.#sums = { weight: 0, usedMs: 0, waiting: 0 };
    for (const share of this.#active.values()) {
      this.#sums.weight += share.weight;
      this.#sums.usedMs += share.usedMs;
      this.#sums.waiting += Math.sign(share.waiting.size);
    }
  }

  /** Brings what all callers owe and used up to this moment, and forgets those who are no longer active. */
  #settle(): void {
    const nowMs = performance.now();
    const passedMs = nowMs - this.#settledAtMs;
    this.#settledAtMs = nowMs;
    for (const [callerId, share] of this.#active) {
      share.debtMs = Math.max(0, share.debtMs - passedMs * this.#rateOf(share));
      share.usedMs *= Math.exp(-passedMs / RECENT_MS);
      if (!share.isBusy() && nowMs - share.activeAtMs >= RECENT_MS) this.#active.delete(callerId);
    }
    this.#sumUp();
  }

  /** The part of the cores that a caller may use, in milliseconds of cores in a millisecond. */
  #rateOf({ weight, waiting, usedMs }: Share): number {
    const { capacity } = this.#most;
    const equal = (capacity * weight) / this.#sums.weight;
    if (this.#sums.waiting > Math.sign(waiting.size)) return equal;
    return Math.max(equal, capacity - (KEPT_FOR_OTHERS * (this.#sums.usedMs - usedMs)) / RECENT_MS);
  }

  /** In how many milliseconds the caller may begin a request, if none of its own ends before; 0 for now. */
  #untilTurn(share: Share): number {
    if (this.#active.size === 1) return share.inFlight < this.#most.alone ? 0 : Infinity;
    if (!this.#hasPlace(share)) return Infinity;
    return Math.max(0, share.debtMs - QUANTUM_MS) / this.#rateOf(share);
  }

  /** Whether the caller has fewer requests under way than its part of the cores can work on. */
  #hasPlace = (share: Share): boolean => {
    const { shared, capacity } = this.#most;
    return share.inFlight < Math.max(1, Math.floor((shared * this.#rateOf(share)) / capacity));
  };

  /** The bound on all includes what another caller started while it was alone: a new caller need not wait for that. */
  #hasRoom = (): boolean => this.#inFlight < this.#most.alone + this.#most.shared;

  /**
   * Where several callers wait. A single one does not use it: the core is kept for who sends the next request after a response.
   */
  #hasIdleCore = (): boolean => this.#sums.waiting > 1 && this.#inFlight < this.#most.cores;

  #mayBegin = (share: Share): boolean => this.#hasRoom() && this.#untilTurn(share) === 0;

  #owe(share: Share, costMs: number): void {
    share.debtMs = Math.min(MAX_DEBT_MS, share.debtMs + costMs);
    share.activeAtMs = performance.now();
  }

  #begin(share: Share): void {
    share.inFlight += 1;
    this.#inFlight += 1;
    share.activeAtMs = share.waitsSinceMs = performance.now();
  }

  #end(share: Share, costMs: number): void {
    // While it is under way: else a caller would be forgotten with what a long request costs.
    this.#settle();
    share.inFlight -= 1;
    this.#inFlight -= 1;
    this.#owe(share, costMs);
    share.usedMs += costMs;
    this.#beginNext();
  }

  /** Begins requests as callers may, now and whenever that changes. */
  #beginNext(): void {
    clearTimeout(this.#timer);
    for (;;) {
      this.#settle();
      const waiting = this.#waiting();
      const next =
        waiting.find(this.#mayBegin) ?? (this.#hasIdleCore() ? waiting.find(this.#hasPlace) : undefined);
      const [turn] = next?.waiting ?? [];
      if (!next || !turn) break;
      next.waiting.delete(turn);
      this.#begin(next);
      turn.resolve();
    }
    const untilNext = Math.min(...this.#waiting().map((share) => this.#untilTurn(share)));
    if (this.#hasRoom() && Number.isFinite(untilNext))
      this.#timer = setTimeout(() => this.#beginNext(), Math.min(LOOK_AGAIN_MS, Math.ceil(untilNext)));
  }

  /** Resolves when the request has begun. Rejects when it is refused, has waited too long or is aborted. */
  async #waitForTurn(share: Share, signal: AbortSignal): Promise<void> {
    this.#makeRoomFor(share);
    const turn = Promise.withResolvers<void>();
    const leave = (error: Error): void => {
      share.waiting.delete(turn);
      turn.reject(error);
    };
    const giveUp = (): void => leave(signal.reason as Error);
    const refuse = (): void => leave(this.#options.refuse());
    let timer = setTimeout(() => {
      if (this.#isAlone(share)) timer = setTimeout(refuse, MAX_WAIT_ALONE_MS - MAX_WAIT_MS);
      else refuse();
    }, MAX_WAIT_MS);
    signal.addEventListener("abort", giveUp, { once: true });
    if (share.waiting.size === 0) share.waitsSinceMs = performance.now();
    share.waiting.add(turn);
    this.#beginNext();
    try {
      await turn.promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
    }
  }

  /** Makes room for one more waiting request of a caller, or throws. */
  #makeRoomFor(share: Share): void {
    const { refuse } = this.#options;
    if (share.waiting.size >= this.#most.waitingOfOne) throw refuse();
    const all = this.#waiting();
    if (all.reduce((sum, { waiting }) => sum + waiting.size, 0) < this.#most.waiting) return;
    const heaviest = [...all, share].sort(byDebt).at(-1)!;
    const last = [...heaviest.waiting].at(-1);
    if (heaviest === share || !last) throw refuse();
    heaviest.waiting.delete(last);
    last.reject(refuse());
  }
}
