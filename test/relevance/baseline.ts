import { readFileSync, writeFileSync } from "node:fs";

/** Cases that fail, each with the reason why that is borne with. */
export type Baseline = Readonly<Record<string, string>>;

const FILE = new URL("./baseline.json", import.meta.url);

/** What a new entry says until a person gives the reason. */
export const NO_REASON = "TODO: why is this borne with?";

/** Set to `write`, the run makes the baseline what it sees instead of comparing with it. */
export const isRewriting = process.env["RELEVANCE_BASELINE"] === "write";

export const HOW_TO_REWRITE = "RELEVANCE_BASELINE=write npm run -s test:relevance";

export const readBaseline = (): Baseline => JSON.parse(readFileSync(FILE, "utf8")) as Baseline;

/** Keeps the reasons of cases that still fail and drops the cases that do not. */
export function rewriteBaseline(failed: readonly string[]): void {
  const before = readBaseline();
  const entries = failed.toSorted().map((id) => [id, before[id] ?? NO_REASON]);
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`);
}
