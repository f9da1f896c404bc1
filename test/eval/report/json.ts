import type { KindResult } from "../evaluate.ts";
import { isMiss } from "./misses.ts";

/** What a run measured it with. */
export interface RunFacts {
  readonly gazetteer: string;
  readonly places: number;
  readonly seed: number;
  readonly queries: number;
  readonly durationMs: number;
}

const DECIMALS = 10_000;
const COORDINATES: ReadonlySet<string> = new Set(["latitude", "longitude"]);

/** One JSON object; of the cases only up to `misses` wrong ones of each row are in it. */
export function formatJson(facts: RunFacts, results: readonly KindResult[], misses: number): string {
  const { durationMs, ...rest } = facts;
  const report = {
    ...rest,
    duration_seconds: Math.round(durationMs / 100) / 10,
    results: results.map(({ outcomes, idealMeters, ...figures }) => ({
      ...figures,
      ...(idealMeters !== undefined && { ideal_meters: idealMeters }),
      ...(misses > 0 && { misses: outcomes.filter(isMiss).slice(0, misses) }),
    })),
  };
  return JSON.stringify(report, (name, value: unknown) =>
    typeof value === "number" && !COORDINATES.has(name) ? Math.round(value * DECIMALS) / DECIMALS : value,
  );
}
