import { OperatorError } from "../errors.ts";
import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../telemetry/logger.ts";
import type { Topology } from "../partitions/topology.ts";

/** What all processes of a server share. One of them has started it. */
export interface SharedByProcesses {
  readonly index: Topology;
  readonly redisUrl: string | undefined;
  readonly apiKeys: readonly string[];
  /** True when the engines are our own, not those of a URL. */
  readonly isLocal: boolean;
}

/** The workers ended again and again, or one could not start. They have logged or printed why. */
class WorkersError extends OperatorError {
  override readonly name = "WorkersError";
}

/** A `.ts` file as this one, or a `.js` file in the npm package. */
const WORKER = join(import.meta.dirname, `worker${extname(import.meta.filename)}`);

/** A message to a worker. */
type Order =
  | { readonly order: "serve"; readonly worker: number; readonly shared: SharedByProcesses }
  | { readonly order: "note"; readonly isDataDamaged: boolean }
  | { readonly order: "stop" | "finish" };

/** A message from a worker: it waits for its orders, it serves requests, it does not listen any more. */
type Report = { readonly report: "waiting" | "serving" | "closed" };

/** More crashes than this in a minute, for each worker, mean that starting another one does not help. */
const MAX_CRASHES_PER_WORKER = 5;
const CRASHES_COUNT_MS = 60_000;

/** A worker that ended before it served a request may need something that is about to come back. */
const PAUSE_AFTER_FAILED_START_MS = 1_000;

/** Longer than a worker waits for requests under way, after its delay. */
const KILL_AFTER_MS = 20_000;

/** How often workers learn whether the engine's data is damaged. */
const NOTE_MS = 1_000;

interface WorkersOptions {
  readonly count: number;
  readonly shared: SharedByProcesses;
  readonly isDataDamaged?: (() => boolean) | undefined;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

export interface Workers {
  /** Rejects with a `WorkersError` when they crash again and again. Never resolves. */
  readonly failed: Promise<never>;
  /** Lets all of them finish their requests and end. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts processes that serve requests, and replaces those that end. Resolves when all of them serve.
 * @throws {WorkersError} when one ends before.
 */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { count, logger, signal } = options;
  cluster.setupPrimary({ exec: WORKER, args: [] });
  const failure = Promise.withResolvers<never>();
  // It may happen while nobody waits for it.
  failure.promise.catch(() => undefined);
  const countCrash = createCrashCount(count);
  let isStopping = false;

  const keep = async (number: number, first: StartedWorker): Promise<void> => {
    for (let current = first; ; current = startWorker(number, options)) {
      const { hasServed, ...how } = await current.ended;
      if (isStopping) return;
      logger.error({ worker: number, ...how }, "worker_ended");
      if (countCrash())
        return failure.reject(new WorkersError("The server's processes crash again and again."));
      if (!hasServed) await sleep(PAUSE_AFTER_FAILED_START_MS, undefined, { ref: false });
      if (isStopping) return;
    }
  };
  const notes = setInterval(() => tellAll({ order: "note", isDataDamaged: isDamaged(options) }), NOTE_MS);
  const stop = async (): Promise<void> => {
    isStopping = true;
    clearInterval(notes);
    const workers = listWorkers();
    const ended = workers.map(untilEnd);
    // Callers whose connections end connect again. While one process still listens, it would take them and lose some.
    await Promise.all(workers.map(closePort));
    tellAll({ order: "finish" });
    await Promise.all(ended);
  };

  const workers = Array.from({ length: count }, (_, at) => startWorker(at + 1, options));
  try {
    await Promise.all(workers.map((worker) => untilServing(worker, signal)));
  } catch (error) {
    await stop();
    throw error;
  }
  workers.forEach((worker, at) => void keep(at + 1, worker));
  return { failed: failure.promise, stop };
}

const isDamaged = ({ isDataDamaged = () => false }: WorkersOptions): boolean => isDataDamaged();

const listWorkers = (): Worker[] =>
  Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

/** A worker that has just ended no longer listens. */
const tell = (worker: Worker, order: Order): void => {
  if (worker.isConnected()) worker.send(order, () => undefined);
};

const tellAll = (order: Order): void => listWorkers().forEach((worker) => tell(worker, order));

interface End {
  readonly hasServed: boolean;
  readonly code: number | null;
  readonly signal: string | null;
}

interface StartedWorker {
  /** Resolves when it serves requests. */
  readonly serving: Promise<void>;
  readonly ended: Promise<End>;
}

function startWorker(number: number, options: WorkersOptions): StartedWorker {
  const worker = cluster.fork();
  const serving = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<End>();
  let hasServed = false;
  worker.on("message", ({ report }: Report) => {
    if (report === "waiting") {
      tell(worker, { order: "serve", worker: number, shared: options.shared });
      tell(worker, { order: "note", isDataDamaged: isDamaged(options) });
    }
    if (report === "serving") {
      hasServed = true;
      serving.resolve();
    }
  });
  worker.once("exit", (code: number | null, signal: string | null) =>
    ended.resolve({ hasServed, code, signal }),
  );
  return { serving: serving.promise, ended: ended.promise };
}

/** Resolves when the worker serves requests, or is not needed any more. @throws {WorkersError} when it ends before. */
async function untilServing({ serving, ended }: StartedWorker, signal: AbortSignal): Promise<void> {
  const stopped = signal.aborted ? undefined : once(signal, "abort");
  const endedEarly = ended.then(() => {
    if (!signal.aborted) throw new WorkersError("A process of the server could not start.");
  });
  await Promise.race([serving, endedEarly, stopped]);
}

/** Resolves when the worker does not listen any more. */
async function closePort(worker: Worker): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    worker.on("message", ({ report }: Report) => report === "closed" && resolve());
    worker.once("exit", () => resolve());
  });
  tell(worker, { order: "stop" });
  if (!worker.isDead()) await closed;
}

async function untilEnd(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const killing = setTimeout(() => worker.process.kill("SIGKILL"), KILL_AFTER_MS);
  await once(worker, "exit");
  clearTimeout(killing);
}

/** Counts a crash. Returns whether there were too many lately. */
function createCrashCount(workers: number): () => boolean {
  let times: number[] = [];
  return () => {
    const now = performance.now();
    times = [...times.filter((time) => now - time < CRASHES_COUNT_MS), now];
    return times.length > MAX_CRASHES_PER_WORKER * workers;
  };
}

/** What a worker got to know when it reported for work. */
export interface Assignment {
  /** From 1. */
  readonly worker: number;
  readonly shared: SharedByProcesses;
  readonly isDataDamaged: () => boolean;
  readonly reportServing: () => void;
  /** Called when this worker does not listen any more. Resolves when none does; at once when only this one ends. */
  readonly untilPortIsClosed: () => Promise<void>;
}

const report = (what: Report["report"]): void => {
  if (process.connected) process.send?.({ report: what });
};

/** Called in a worker: gets its orders from the process that started it. From then on, that process also ends it. */
export async function reportForWork(stopping: AbortController): Promise<Assignment> {
  const serving = Promise.withResolvers<Extract<Order, { order: "serve" }>>();
  const finishing = Promise.withResolvers<void>();
  let isDataDamaged = false;
  let isToldToStop = false;
  process.on("message", (order: Order) => {
    if (order.order === "serve") serving.resolve(order);
    else if (order.order === "note") ({ isDataDamaged } = order);
    else if (order.order === "finish") finishing.resolve();
    else if (order.order === "stop") {
      isToldToStop = true;
      stopping.abort();
    }
  });
  report("waiting");
  const { worker, shared } = await serving.promise;
  return {
    worker,
    shared,
    isDataDamaged: () => isDataDamaged,
    reportServing: () => report("serving"),
    async untilPortIsClosed() {
      report("closed");
      if (isToldToStop) await finishing.promise;
    },
  };
}
