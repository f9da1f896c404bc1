import { AsyncLocalStorage } from "node:async_hooks";

/** What a request has cost, in milliseconds. */
export interface Cost {
  /** In which this process worked on it. */
  readonly apiMs: number;
  /** In which the engine did, as its responses say. */
  readonly engineMs: number;
}

/** Who else has requests that the server works on, or that wait: nobody, the same caller only, or other callers. */
export type Company = "none" | "own" | "others";

/** A request under way. */
interface Measured {
  apiMs: number;
  engineMs: number;
  /** For how many responses it waits. */
  waits: number;
  /** When this process began to work on it; meaningless while it waits. */
  workedSince: number;
  hasEnded: boolean;
  readonly companyOf: () => Company;
  readonly charge: (cost: Cost) => void;
}

interface CostOptions {
  /** Who else has requests at the moment. */
  readonly companyOf: () => Company;
  /**
   * Gets the cost, whether the work succeeds or not; and again what it costs afterwards: a search that others wait for goes on when the
   * caller that began it has left.
   */
  readonly charge: (cost: Cost) => void;
}

/** A request of a caller who has the server for itself may take this long, and the next one wait as long for its turn. */
export const LONE_REQUEST_MS = 2_000;

const requests = new AsyncLocalStorage<Measured>();

/**
 * Runs the work of a request and measures what it costs: the time between two waits (`whileWaiting`), which one thread gives to
 * one request, and what the engine reports (`chargeEngine`).
 */
export async function measureCost<T>(work: () => Promise<T>, options: CostOptions): Promise<T> {
  const workedSince = performance.now();
  const request: Measured = { apiMs: 0, engineMs: 0, waits: 0, workedSince, hasEnded: false, ...options };
  try {
    return await requests.run(request, work);
  } finally {
    if (request.waits === 0) request.apiMs += performance.now() - request.workedSince;
    request.hasEnded = true;
    options.charge(request);
  }
}

/** Runs work that no request has to pay for, such as a look at the engine for all of them. */
export const atNoCost = <T>(work: () => T): T => requests.exit(work);

/** Waits for something that costs this process nothing: a response of the engine, or another request's search. */
export async function whileWaiting<T>(wait: () => Promise<T>): Promise<T> {
  const request = requests.getStore();
  if (request === undefined) return wait();
  if (request.waits === 0) request.apiMs += performance.now() - request.workedSince;
  request.waits += 1;
  try {
    return await wait();
  } finally {
    request.waits -= 1;
    request.workedSince = performance.now();
  }
}

/** Adds time of the engine to the cost of the request that it worked for. */
export function chargeEngine(milliseconds: number): void {
  const request = requests.getStore();
  if (request?.hasEnded) request.charge({ apiMs: 0, engineMs: milliseconds });
  else if (request) request.engineMs += milliseconds;
}

/** Tells at any later moment who else has requests; undefined outside of requests, such as in an import. */
export const watchOthers = (): (() => Company) | undefined => requests.getStore()?.companyOf;
