import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { nodeEnvironment } from "../../support/node-environment.ts";

const MAIN = fileURLToPath(new URL("../../../tools/soak/fuzz/main.ts", import.meta.url));

test(
  "the search for expensive requests prints the ten worst, the worst first",
  { timeout: 120_000 },
  async () => {
    const options = ["--expensive", "--requests", "14", "--places", "300", "--seed", "3"];
    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...options], {
      env: { ...nodeEnvironment, TMPDIR: inject("enginesFolder") },
    });
    const [responses, heading, ...worst] = stdout.trimEnd().split("\n");
    expect(responses).toMatch(/^Responses: .*\d+ × 200/);
    expect(heading).toBe("CPU in ms: all, API, engine; status; request");
    const rows = worst.map((line) => /^ +(\d+) +\d+ +\d+ {2}(\d{3}) {2}\/api\/maps\//.exec(line));
    expect(rows).toHaveLength(10);
    expect(rows).not.toContain(null);
    const costs = rows.map((row) => Number(row?.[1]));
    expect(costs).toStrictEqual(costs.toSorted((one, other) => other - one));
    expect(costs[0]).toBeGreaterThan(0);
  },
);
