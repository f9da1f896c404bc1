import { setTimeout as sleep } from "node:timers/promises";
import type { Tally } from "./tally.ts";
import type { ApiServer } from "./api-server.ts";
import type { Fault } from "./faults.ts";

/** Follows what the servers tell about themselves from one fault to the next. */
export interface FiguresWatch {
  /** Before a fault begins: what has moved in calm is noted. */
  readonly endCalm: () => Promise<void>;
  /** After a fault: resolves to when all breakers were seen closed, undefined if they are not in time. */
  readonly waitUntilClosed: (withinMs: number) => Promise<number | undefined>;
  /** After a fault was got over: says what should have moved with it and did not. */
  readonly endFault: (fault: Fault) => Promise<void>;
}

interface Seen {
  readonly pid: number;
  readonly figures: ServerFigures;
}

const POLL_MS = 100;

/** Which counters a server has moved since. One that was started anew counts from nothing. */
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

/** Either may be given up for a moment when the machine stands still. Whether an answer was right then the judge says. */
function noteCalm(before: readonly Seen[], now: readonly Seen[], tally: Tally): void {
  for (const [number, seen] of now.entries()) {
    for (const name of Object.keys(FIGURES) as FigureName[]) {
      const count = grownBy(name, before[number], seen);
      if (count > 0) tally.note(`metrics, in calm: ${FIGURES[name]}`, count);
    }
  }
}

/** What a fault must be seen by on the servers it concerns: each that goes on, and for a flood one of them. */
function findUnmoved(
  { name: fault, tells = [], kind }: Fault,
  before: readonly Seen[],
  now: readonly Seen[],
): string[] {
  return tells.flatMap((name) => {
    const moved = now.map((seen, number) => grownBy(name, before[number], seen) > 0);
    const isTold = kind === "load" ? moved.some(Boolean) : moved.every(Boolean);
    return isTold ? [] : [`the metrics do not tell that during ${fault} ${FIGURES[name]}`];
  });
}

/** What a server says on its port for metrics. */
export interface ServerFigures {
  /** Closed is well. */
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

/** The counters, in words. */
const FIGURES: Readonly<Record<FigureName, string>> = {
  engineOpened: "the breaker of the engine opened",
  redisOpened: "the breaker of Redis opened",
  heldLocally: "limits were held locally",
  shed: "requests were turned away",
};

const SCRAPE_WITHIN_MS = 5_000;

/** Scrapes a server as Prometheus does. @throws {Error} when it does not answer in time. */
async function readMetrics(url: string): Promise<ServerFigures> {
  const response = await fetch(url, { signal: AbortSignal.timeout(SCRAPE_WITHIN_MS) });
  return parseMetrics(await response.text());
}

/** Reads the text form of Prometheus. */
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
