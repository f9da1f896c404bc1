import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { CheckResult } from "../../../indexer/checks/check-result.ts";
import { findDeadPort } from "../../support/dead-servers.ts";
import { useOwnEngines } from "../import/own-engines.ts";
import { runIndex } from "../import/run-index.ts";

const folder = mkdtempSync(join(tmpdir(), "hereabouts-checks-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** So many places, one a line. */
const records = (count: number, more: object = {}): string =>
  Array.from({ length: count }, (_, number) =>
    JSON.stringify({
      data_id: `0x1:0x${(number + 1).toString(16)}`,
      title: `Quán số ${number}`,
      contacts: { phone: "+84 28 3829 0000" },
      location: { latitude: 10.7 + number / 1000, longitude: 106.7 },
      ...more,
    }),
  )
    .map((line) => `${line}\n`)
    .join("");

const parse = <T>(text: string): T => JSON.parse(text) as T;

describe("validate", () => {
  const env = { DATA_DIR: join(folder, "none"), MEILISEARCH_URL: "http://127.0.0.1:1" };

  test("reports like an import, without an engine", async () => {
    const input = `${records(20)}${records(1)}{"title":"Nowhere","source_id":"1"}\n`;
    const { exitCode, stdout, stderr } = await runIndex(["validate", "-", "--json"], env, input);
    expect(exitCode).toBe(0);
    expect(stderr).toContain("An import would accept these files.");
    expect(parse(stdout)).toMatchObject({
      outcome: "valid",
      read: 22,
      indexed: 0,
      places_about: 20,
      rejected: { total: 1, reasons: [{ field: "location" }] },
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    ["too many wrong records", ["--max-rejects", "0"], `${records(3)}x\n`, "1 of 4 records were rejected"],
    ["a broken end", [], records(2).slice(0, -5), "ends in the middle of line 2"],
    ["nothing in it", [], "\n\n", "There are no places in these files"],
    ["no input", [], "", "is empty"],
  ])("refuses %s", async (_, args, input, message) => {
    const { exitCode, stderr } = await runIndex(["validate", "-", "--format", "native", ...args], env, input);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).toContain("Nothing was written.");
  });
});

describe("with an engine", () => {
  const { env } = useOwnEngines("checks");

  test("a data team's usual sequence of commands works", { timeout: 240_000 }, async () => {
    const first = await runIndex(["import", "-"], env, records(100));
    expect(first.exitCode).toBe(0);

    const nothing = await runIndex(["rollback"], env);
    expect(nothing).toMatchObject({ exitCode: 1, stdout: "" });
    expect(nothing.stderr).toContain("There is no previous index");

    const cut = await runIndex(["import", "-", "--json"], env, records(80));
    expect(cut.exitCode).toBe(1);
    expect(cut.stderr).toContain("80 places where the live index has 100, 20 % fewer");
    expect(cut.stderr).toContain("The live index is unchanged.");

    const forced = await runIndex(["import", "-", "--json", "--force"], env, records(80));
    expect(forced.exitCode).toBe(0);
    expect(parse(forced.stdout)).toMatchObject({
      outcome: "imported",
      indexed: 80,
      overridden: [expect.stringContaining("20 % fewer")],
    });

    const back = await runIndex(["rollback", "--json"], env);
    expect(back.exitCode).toBe(0);
    expect(parse(back.stdout)).toMatchObject({
      live: { places: 100 },
      previous: { places: 80 },
      overridden: [],
    });
    expect(back.stderr).toContain("Live now: 100 places");

    const status = await runIndex(["status", "--json"], env);
    expect(status.exitCode).toBe(0);
    expect(parse(status.stdout)).toMatchObject({
      engine: { version: expect.any(String) as string, queue: { enqueued: 0, processing: 0 } },
      indexes: { live: { places: 100, is_readable: true }, next: null, previous: { places: 80 } },
      import_under_way: false,
      runs: [
        { command: "rollback", outcome: "done" },
        { command: "import", outcome: "done", counts: { indexed: 80 } },
        { command: "import", outcome: "failed" },
        { command: "import", outcome: "done" },
      ],
    });

    const path = join(folder, "places.jsonl");
    const exported = await runIndex(["export", "-o", path, "--json"], env);
    expect(exported.exitCode).toBe(0);
    expect(parse(exported.stdout)).toMatchObject({ outcome: "exported", places: 100, file: path });
    const printed = await runIndex(["export"], env);
    expect(printed.stdout).toBe(readFileSync(path, "utf8"));
    expect(printed.stdout.trimEnd().split("\n")).toHaveLength(100);

    const check = await runIndex(["check", "--json"], env);
    const { ok, checks } = parse<{ ok: boolean; checks: CheckResult[] }>(check.stdout);
    // How full the disk is depends on the machine.
    const states = checks.filter(({ name }) => name !== "disk").map(({ name, state }) => `${name} ${state}`);
    const names = "engine index settings documents search cells age previous rebuild redis".split(" ");
    expect(states).toEqual(names.map((name) => `${name} ok`));
    expect(checks.at(-1)?.name).toBe("disk");
    expect(ok).toBe(true);
    expect(check.exitCode).toBe(0);
  });

  test("check fails when a case fails, and names the case", { timeout: 120_000 }, async () => {
    const path = join(folder, "cases.jsonl");
    const one = { q: "quan so 7", lat: 10.707, lng: 106.7, expect: "Quán số 7" };
    writeFileSync(path, `${JSON.stringify(one)}\n${JSON.stringify({ ...one, expect: "Chợ" })}\n`);
    await runIndex(["import", "-", "--force"], env, records(100));
    const { exitCode, stdout } = await runIndex(["check", "--cases", path], env);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /problem +cases +1 of 2 cases fail: "quan so 7" should find Chợ first; Quán số 7 came first/,
    );
    const refused = await runIndex(["import", "-", "--cases", path], env, records(100));
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain("1 of 2 cases fail");
  });
});

describe("without an engine", () => {
  test.each([
    ["export", 1, "ECONNREFUSED"],
    ["rollback", 1, "ECONNREFUSED"],
    ["status", 1, "not known"],
    ["check", 1, "Meilisearch does not answer"],
  ])("%s ends with %i and says so", async (command, expected, message) => {
    const port = await findDeadPort();
    const env = { DATA_DIR: join(folder, "gone"), MEILISEARCH_URL: `http://127.0.0.1:${port}` };
    const { exitCode, stdout, stderr } = await runIndex([command], env);
    expect(exitCode).toBe(expected);
    expect(stdout + stderr).toContain(message);
  });

  test.each(["export", "rollback", "status", "check"])(
    "%s starts none where there never was one",
    async (command) => {
      const { exitCode, stderr } = await runIndex([command], { DATA_DIR: join(folder, "never") });
      expect(exitCode).toBe(1);
      expect(stderr).toContain("There is no index");
      expect(readdirSync(folder)).not.toContain("never");
    },
  );
});

test.each("import sync apply delete validate export status check rollback".split(" "))(
  "%s --help tells of its exit status",
  async (command) => {
    const { exitCode, stdout } = await runIndex([command, "--help"], {});
    expect(exitCode).toBe(0);
    expect(stdout).toContain("Exit status");
    expect(stdout).toContain("Examples");
    expect(stdout).toContain("--json");
  },
);

test("an export to the standard output cannot also print a report", async () => {
  const { exitCode, stderr } = await runIndex(["export", "--json"], {});
  expect(exitCode).toBe(2);
  expect(stderr).toContain("--json needs --output");
});
