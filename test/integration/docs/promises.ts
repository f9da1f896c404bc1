import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Outcome } from "./shell.ts";

interface Run extends Outcome {
  readonly command: string;
  readonly cwd: string;
}

/** What the text around a command promises of its outcome, beside the exit status 0. */
interface Promised {
  readonly of: RegExp;
  readonly isKept: (run: Run) => void;
}

const answer = ({ stdout }: Run): Record<string, unknown> => {
  const body = JSON.parse(stdout) as Record<string, unknown>;
  expect(body).not.toHaveProperty("code");
  return body;
};

const list = (run: Run, member: string): unknown[] => answer(run)[member] as unknown[];

/** A search for places that are open may rightly find none at night. */
const asksForOpenPlaces = ({ command }: Run): boolean => /open_(?:now|at)=/.test(command);

const fileIn = ({ command, cwd }: Run, option: RegExp): string =>
  readFileSync(join(cwd, option.exec(command)?.[1] ?? "no file is named"), "utf8");

/** The first that fits counts. A command that none fits is a fault of this table. */
const PROMISES: readonly Promised[] = [
  {
    of: /^([A-Z]+)=/,
    isKept: ({ command, environment }) =>
      expect(environment[command.slice(0, command.indexOf("="))]).not.toBe(""),
  },
  {
    of: /index -- basemap /,
    isKept: (run) => expect(fileIn(run, /--output (\S+)/)).toMatch(/^PMTiles/),
  },
  {
    of: /^curl .*format=geojson.* > /,
    isKept: (run) =>
      expect(JSON.parse(fileIn(run, />\s*(\S+)/))).toHaveProperty("features.0.properties.title"),
  },
  {
    of: /^curl .*\/mcp /,
    isKept: ({ stdout }) => expect(stdout).toMatch(/"structuredContent":\{"local_result":\[\{/),
  },
  {
    of: /^curl .*\/(?:search|nearby)[?"]/,
    isKept: (run) =>
      expect(list(run, "local_result").length).toBeGreaterThanOrEqual(asksForOpenPlaces(run) ? 0 : 1),
  },
  {
    of: /^curl .*\/match"/,
    isKept: (run) => expect(list(run, "matches")).toHaveLength(1),
  },
  {
    of: /index -- match /,
    isKept: (run) => expect(fileIn(run, /-o (\S+)/)).toMatch(/,data_id,confidence\n/),
  },
  {
    of: /^curl .*\/autocomplete[?"]/,
    isKept: (run) => expect(list(run, "suggestions").length).toBeGreaterThan(0),
  },
  {
    of: /^curl .*\/kinds\?/,
    isKept: (run) => expect(list(run, "kinds").length).toBeGreaterThan(0),
  },
  {
    of: /^curl .*\/places\?/,
    isKept: (run) =>
      expect(list(run, "place_results")).toMatchObject([{ title: expect.any(String) as string }]),
  },
  {
    of: /^curl .*(?:maps|API)\/reverse\?/,
    isKept: (run) => expect(answer(run)).toHaveProperty("reverse_result.address.full"),
  },
  {
    of: /^curl .*\/photon\/\w+\?/,
    isKept: (run) => expect(answer(run)).toHaveProperty("features.0.properties.name"),
  },
  { of: /^curl .*\/place[?"]/, isKept: (run) => expect(answer(run)).toHaveProperty("place_result.title") },
  {
    // Without a problem in it; a busy machine answers that it waits.
    of: /^curl -X (?:PUT|PATCH|POST|DELETE) .*\$PLACES/,
    isKept: (run) => expect(answer(run)).toHaveProperty("write.id"),
  },
  { of: /^curl .*\/api\/usage/, isKept: (run) => expect(answer(run)).toHaveProperty("usage.day.used") },
  { of: /^curl .*\/readyz/, isKept: (run) => expect(answer(run)).toHaveProperty("status", "ready") },
  {
    of: /index -- (?:import|sync) /,
    isKept: ({ stdout, stderr }) => expect(stdout + stderr).toMatch(/^indexed +[1-9]/m),
  },
  {
    of: /index -- (?:validate|check|status|apply|export) /,
    isKept: ({ stdout, stderr }) => expect((stdout + stderr).trim()).not.toBe(""),
  },
  {
    of: /index -- words (?:add|remove) /,
    isKept: ({ stdout, stderr }) => expect(stdout + stderr).toMatch(/tiệm nước đen|cf cóc/),
  },
  { of: /index -- words list$/, isKept: ({ stdout }) => expect(stdout).toContain("kind,COFFEE,vi,") },
  {
    of: /keys -- create /,
    isKept: ({ stdout }) => expect(stdout).toMatch(/^hab_[0-9a-z]{12}_[0-9A-Za-z]{49}\n$/),
  },
  { of: /keys -- rotate (\w+)/, isKept: ({ stdout }) => expect(stdout).toMatch(/^hab_7c1m0q2zt4xa_/m) },
  { of: /keys -- list$/, isKept: ({ stdout }) => expect(stdout).toContain("Acme app") },
  {
    of: /keys -- (?:show|limit|revoke) (\w+)/,
    isKept: ({ stdout, stderr }) => expect(stdout + stderr).toContain("7c1m0q2zt4xa"),
  },
  {
    of: /keys -- export -o (\S+)/,
    isKept: (run) => expect(fileIn(run, /-o (\S+)/)).toContain('"7c1m0q2zt4xa"'),
  },
  {
    of: /keys -- import /,
    isKept: ({ stdout, stderr }) => expect(stdout + stderr).toMatch(/[1-9]\d* (?:keys? )?\w+/),
  },
  {
    of: /eval .*--json > /,
    isKept: (run) => expect(JSON.parse(fileIn(run, />\s*(\S+)/))).toBeTypeOf("object"),
  },
  { of: / eval .*--match\b/, isKept: ({ stdout }) => expect(stdout).toContain("precision") },
  { of: / eval\b/, isKept: ({ stdout }) => expect(stdout).toContain("MRR") },
];

const findPromise = (command: string): Promised | undefined => PROMISES.find(({ of }) => of.test(command));

export const hasPromise = (command: string): boolean => findPromise(command) !== undefined;

/** Looks at the outcome of a command as its reader would. */
export function expectPromiseKept(run: Run): void {
  const promised = findPromise(run.command);
  if (promised === undefined) throw new Error(`Nothing in promises.ts fits: ${run.command}`);
  promised.isKept(run);
}
