import { setTimeout as sleep } from "node:timers/promises";
import type { ApiServer } from "./api-server.ts";
import type { FaultKind, Tally } from "./tally.ts";

/** A fault, and the counters that it must increase on the servers. */
export interface WatchedFault {
  readonly name: string;
  readonly kind: FaultKind;
  readonly tells?: readonly FigureName[];
}

/** Follows the servers' metrics from one fault to the next. */
export interface FiguresWatch {
  /** Call before a fault: records which counters increased in calm. */
  readonly endCalm: () => Promise<void>;
  /**
   * Call after a fault: resolves to when all breakers were closed, undefined if they do not close in time.
   */
  readonly waitUntilClosed: (withinMs: number) => Promise<number | undefined>;
  /** Call after recovery: reports counters that should have increased and did not. */
  readonly endFault: (fault: WatchedFault) => Promise<void>;
}

interface Seen {
  readonly pid: number;
  readonly figures: ServerFigures;
}

const POLL_MS = 100;

/** How much a server's counter has increased since. A restarted server counts from zero. */
const grownBy = (name: FigureName, before: Seen | undefined, { pid, figures }: Seen): number =>
  figures.counts[name] - (before?.pid === pid ? before.figures.counts[name] : 0);

export function createFiguresWatch(servers: readonly ApiServer[], tally: Tally): FiguresWatch {
  let before: readonly Seen[] = [];
  const read = (): Promise<Seen[]> =>
    Promise.all(
      servers.map(async (server) => ({ pid: server.pid(), figures: await readMetrics(server.metricsUrl) })),
    );
  return {
    async endCalm() {
      const now = await read();
      if (before.length > 0) noteCalm(before, now, tally);
      before = now;
    },
    async waitUntilClosed(withinMs) {
      const deadline = performance.now() + withinMs;
      while (performance.now() < deadline) {
        const asked = performance.now();
        if ((await read()).every(({ figures: { closed } }) => closed.engine && closed.redis)) return asked;
        await sleep(POLL_MS);
      }
      return undefined;
    },
    async endFault(fault) {
      const now = await read();
      for (const what of findUnmoved(fault, before, now)) tally.violate({ what, faults: [fault.name] });
      before = now;
    },
  };
}

/**
 * Records counters that increased in calm. The engine or Redis may be given up briefly when the machine is
 * blocked; the judge decides whether responses were right.
 */
function noteCalm(before: readonly Seen[], now: readonly Seen[], tally: Tally): void {
  for (const [number, seen] of now.entries()) {
    for (const name of Object.keys(FIGURES) as FigureName[]) {
      const count = grownBy(name, before[number], seen);
      if (count > 0) tally.note(`metrics, in calm: ${FIGURES[name]}`, count);
    }
  }
}

/**
 * The counters that must increase on the servers concerned: on each that goes on, and for a flood on one of
 * them.
 */
function findUnmoved(
  { name: fault, tells = [], kind }: WatchedFault,
  before: readonly Seen[],
  now: readonly Seen[],
): string[] {
  return tells.flatMap((name) => {
    const moved = now.map((seen, number) => grownBy(name, before[number], seen) > 0);
    const isTold = kind === "load" ? moved.some(Boolean) : moved.every(Boolean);
    return isTold ? [] : [`the metrics do not tell that during ${fault} ${FIGURES[name]}`];
  });
}

/** The metrics of a server. */
export interface ServerFigures {
  /** Whether each circuit breaker is closed, its normal state. */
  readonly closed: Readonly<Record<"engine" | "redis", boolean>>;
  readonly counts: Readonly<Record<FigureName, number>>;
}

const COUNTERS = {
  engineOpened: ["hereabouts_breaker_opened_total", 'dependency="engine"'],
  redisOpened: ["hereabouts_breaker_opened_total", 'dependency="redis"'],
  heldLocally: ["hereabouts_limit_checks_held_locally_total", ""],
  shed: ["hereabouts_requests_shed_total", ""],
} as const;

export type FigureName = keyof typeof COUNTERS;

/** Descriptions of the counters. */
const FIGURES: Readonly<Record<FigureName, string>> = {
  engineOpened: "the breaker of the engine opened",
  redisOpened: "the breaker of Redis opened",
  heldLocally: "limits were held locally",
  shed: "requests were refused",
};

const SCRAPE_WITHIN_MS = 5_000;

/** Reads a server's metrics as Prometheus does. @throws {Error} when it does not respond in time. */
async function readMetrics(url: string): Promise<ServerFigures> {
  const response = await fetch(url, { signal: AbortSignal.timeout(SCRAPE_WITHIN_MS) });
  return parseMetrics(await response.text());
}

/** Parses the text format of Prometheus. */
export function parseMetrics(text: string): ServerFigures {
  const lines = text.split("\n");
  const sum = (name: string, label: string): number =>
    lines
      .filter((line) => (line.startsWith(`${name} `) || line.startsWith(`${name}{`)) && line.includes(label))
      .reduce((total, line) => total + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
  const isClosed = (dependency: string): boolean =>
    lines.some(
      (line) =>
        line.startsWith("hereabouts_breaker_state{") &&
        line.includes(`dependency="${dependency}"`) &&
        line.includes('state="closed"') &&
        line.endsWith(" 1"),
    );
  const counts = Object.entries(COUNTERS).map(([figure, [name, label]]) => [figure, sum(name, label)]);
  return {
    closed: { engine: isClosed("engine"), redis: isClosed("redis") },
    counts: Object.fromEntries(counts) as Record<FigureName, number>,
  };
}
