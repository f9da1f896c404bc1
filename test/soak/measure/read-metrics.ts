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
export const FIGURES: Readonly<Record<FigureName, string>> = {
  engineOpened: "the breaker of the engine opened",
  redisOpened: "the breaker of Redis opened",
  heldLocally: "limits were held locally",
  shed: "requests were turned away",
};

const SCRAPE_WITHIN_MS = 5_000;

/** Scrapes a server as Prometheus does. @throws {Error} when it does not answer in time. */
export async function readMetrics(url: string): Promise<ServerFigures> {
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
