import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SyncReport } from "../../../indexer/sync/sync-report.ts";
import { askEngine, asStored, readAdded, readAllPlaces, readLiveUid } from "./live-documents.ts";
import { expireLease, useOwnEngines } from "./own-engines.ts";
import { runIndex, startIndexProcess } from "./run-index.ts";

const own = useOwnEngines("sync");
const { env } = own;

const location = { latitude: 10.7, longitude: 106.7 };
const record = (id: number, more: object = {}): string =>
  `${JSON.stringify({ title: `Place ${id}`, source: "ours", source_id: String(id), location, ...more })}\n`;
const recordsOf = (count: number): string[] => Array.from({ length: count }, (_, id) => record(id + 1));

async function sync(lines: readonly string[], ...args: string[]) {
  const { exitCode, stdout, stderr } = await runIndex(["sync", "-", "--json", ...args], env, lines.join(""));
  return { exitCode, stderr, report: JSON.parse(stdout) as SyncReport };
}

const readIndex = () => readAllPlaces(own.engines.meilisearch);

/** How many writes the engine has had so far. */
async function countWrites(): Promise<number> {
  const types = "documentAdditionOrUpdate,documentDeletion";
  const path = `tasks?indexUids=${await readLiveUid(own.engines.meilisearch)}&types=${types}&limit=1`;
  return (await askEngine<{ total: number }>(own.engines.meilisearch, path))?.total ?? Number.NaN;
}

const SNAPSHOT = recordsOf(60);

const KEY = { source: "ours", source_id: "1" };

async function importSnapshot(): Promise<void> {
  // The test before may have left more places, which an import does not replace without --force.
  const { exitCode, stderr } = await runIndex(["import", "-", "--force"], env, SNAPSHOT.join(""));
  if (exitCode !== 0) throw new Error(stderr);
}

describe("nothing is written", () => {
  // What writes nothing leaves it for the next. The last test, which does write, has its own.
  beforeAll(importSnapshot);

  test("for an unchanged snapshot", async () => {
    const before = await countWrites();
    const { exitCode, report } = await sync(SNAPSHOT.toReversed());
    expect(exitCode).toBe(0);
    expect(report).toMatchObject({ outcome: "synced", read: 60, unchanged: 60, new: 0, written: 0, gone: 0 });
    expect(await countWrites()).toBe(before);
  });

  test.each([
    ["breaks off", [...SNAPSHOT, record(61).slice(0, -9)], "ends in the middle of line 61"],
    ["has too many wrong records", [record(61), ...Array.from({ length: 90 }, () => "x\n")], "were rejected"],
  ])("for a snapshot that %s", async (_, lines, message) => {
    const before = await readIndex();
    const { exitCode, stderr } = await sync(lines);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
    expect(await readIndex()).toEqual(before);
  });

  test("by a dry run, which says and ends as the sync would, and names the places", async () => {
    const before = await readIndex();
    const lines = [record(1, { rating: 4 }), record(61)];
    const refused = await sync(lines, "--dry-run");
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain("A sync would be refused: 59 places are not in the snapshot");
    expect(refused.stderr).not.toContain("--dry-run");
    expect(refused.stderr).toMatch(/gone {8}59\n {2}0x[0-9a-f:x]+ Place \d+\n/);
    const { exitCode, report } = await sync(lines, "--dry-run", "--force");
    expect(exitCode).toBe(0);
    expect(report).toMatchObject({
      outcome: "compared",
      new: 1,
      changed: 1,
      gone: 59,
      written: 0,
      deleted: 0,
    });
    expect(report.examples.new).toMatchObject([{ title: "Place 61" }]);
    expect(new Set(report.examples.gone.map(({ title }) => title))).toEqual(
      new Set(Array.from({ length: 59 }, (_, id) => `Place ${id + 2}`)),
    );
    expect(await readIndex()).toEqual(before);
  });

  test("for a snapshot that lacks too many places, unless forced", async () => {
    await importSnapshot();
    const before = await readIndex();
    const part = [record(1, { title: "Changed" }), ...SNAPSHOT.slice(1, 40)];
    const refused = await sync(part);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain("33.3 %");
    expect(refused.stderr).toContain("Nothing was written.");
    expect(await readIndex()).toEqual(before);
    expect((await sync(part, "--force")).report).toMatchObject({ written: 1, deleted: 20 });
    expect(await readIndex()).toHaveLength(40);
  });
});

describe("sync", () => {
  beforeEach(importSnapshot);

  test("gives the same index as an import of the snapshot", async () => {
    const changed = [
      ...SNAPSHOT.slice(2, 50),
      record(51, { title: "Renamed" }),
      record(52, { location: { latitude: 10.9, longitude: 106.9 } }),
      ...SNAPSHOT.slice(52),
      record(61, { title: "Early" }),
      record(61, { title: "Late" }),
    ];
    const { exitCode, report } = await sync(changed);
    expect(exitCode).toBe(0);
    expect(report).toMatchObject({ new: 1, changed: 2, gone: 2, duplicates: 1, unchanged: 56, deleted: 2 });
    const synced = await readIndex();
    await runIndex(["import", "-"], env, changed.join(""));
    expect(await readIndex()).toEqual(synced);
    expect((await sync(changed)).report).toMatchObject({ changed: 1, duplicates: 1, deleted: 0 });
  });

  test("puts back a place that was changed otherwise, although its record is the same", async () => {
    await runIndex(["apply", "-"], env, `${JSON.stringify({ op: "patch", ...KEY, rating: 2 })}\n`);
    expect((await sync(SNAPSHOT)).report).toMatchObject({ changed: 1, unchanged: 59, written: 1 });
    expect((await sync(SNAPSHOT)).report).toMatchObject({ changed: 0, unchanged: 60, written: 0 });
  });

  test("cleans every record again when the areas have changed", async () => {
    const ring = [106, 107, 107, 106, 106].map((longitude, at) => [longitude, at > 1 && at < 4 ? 11 : 10]);
    const geometry = { type: "Polygon", coordinates: [ring] };
    const properties = { id: "harbour", name: "Harbour", level: "district" };
    const path = join(own.folder, "areas.geojson");
    writeFileSync(
      path,
      JSON.stringify({ type: "FeatureCollection", features: [{ type: "Feature", properties, geometry }] }),
    );
    expect((await sync(SNAPSHOT, "--areas", path)).report).toMatchObject({ changed: 60, unchanged: 0 });
  });

  test("counts records that repeat, also where the first of them is the one that the index has", async () => {
    const again = [...SNAPSHOT, record(1), record(2, { rating: 3 }), record(2)];
    expect((await sync(again)).report).toMatchObject({
      duplicates: 3,
      unchanged: 60,
      changed: 0,
      written: 1,
    });
    expect((await sync(SNAPSHOT)).report).toMatchObject({ unchanged: 60, written: 0 });
  });

  test("deletes only places of the source given by --source", async () => {
    await runIndex(["apply", "-"], env, record(1, { source: "theirs" }));
    const { exitCode, report } = await sync(SNAPSHOT.slice(0, 59), "--source", "ours");
    expect(exitCode).toBe(0);
    expect(report).toMatchObject({ unchanged: 59, gone: 1, deleted: 1 });
    expect(await readIndex()).toHaveLength(60);
  });

  test("is refused while an import runs, as another import is, with the name of the holder", async () => {
    const importing = startIndexProcess(["import", "-"], env);
    // More than is read to see what it is.
    importing.child.stdin.write(SNAPSHOT.join("").repeat(20));
    await expect.poll(() => readAdded(own.engines.meilisearch), { timeout: 30_000 }).toBe(0);
    for (const command of ["sync", "import"]) {
      const { exitCode, stderr } = await runIndex([command, "-"], env, SNAPSHOT.join(""));
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`\`import\` (process ${importing.child.pid} on `);
    }
    importing.child.stdin.end();
    expect((await importing.ended).exitCode).toBe(0);
  });
});

describe("a killed sync loses nothing, and the next one ends with what an import of the snapshot has, when it was killed", () => {
  // Changes of more than a batch of a thousand. The few that go are less than the 5 % that need --force.
  const before = recordsOf(1_130);
  const after = [
    ...Array.from({ length: 1_050 }, (_, id) => record(id + 1, { title: `Renamed ${id + 1}` })),
    ...before.slice(1_050, 1_100),
    ...Array.from({ length: 60 }, (_, id) => record(id + 1_131)),
  ];
  const titlesOf = (lines: readonly string[]): string[] =>
    lines.map((line) => (JSON.parse(line) as { title: string }).title);
  const known = new Set(titlesOf([...before, ...after]));

  /** What an import of the snapshot has. */
  let imported: Awaited<ReturnType<typeof readIndex>>;
  beforeAll(async () => {
    await runIndex(["import", "-", "--force"], env, after.join(""));
    imported = await readIndex();
  });

  test.each([
    ["before it wrote", async () => Promise.resolve()],
    [
      "after its first write",
      async (writes: number) => {
        await expect.poll(countWrites, { interval: 10 }).toBeGreaterThan(writes);
      },
    ],
  ])("%s", async (_, untilThen) => {
    await runIndex(["import", "-", "--force"], env, before.join(""));
    const writes = await countWrites();
    const { child, ended, hasSaid } = startIndexProcess(["sync", "-"], env);
    child.stdin.end(after.join(""));
    await hasSaid("Writing 1,110 places and deleting 30.");
    await untilThen(writes);
    child.kill("SIGKILL");
    expect((await ended).exitCode).toBeNull();

    const left = (await readIndex()).map((place) => asStored(place).title);
    expect(left.filter((title) => !known.has(title))).toStrictEqual([]);
    expect(left.length).toBeGreaterThanOrEqual(1_100);
    await expireLease(own.engines);

    const again = await sync(after);
    expect(again).toMatchObject({ exitCode: 0 });
    expect(await readIndex()).toEqual(imported);
    expect(imported).toHaveLength(1_160);
  });
});

test("every command with --quiet says nothing unless something is wrong", async () => {
  await importSnapshot();
  const path = join(own.folder, "quiet.jsonl");
  writeFileSync(path, SNAPSHOT.join(""));
  for (const command of ["import", "validate", "sync", "apply"])
    expect(await runIndex([command, path, "--quiet"], env)).toEqual({
      exitCode: 0,
      stdout: "",
      stderr: "",
    });
  const cut = join(own.folder, "cut.jsonl");
  writeFileSync(cut, record(1) + record(2).slice(0, -9));
  const { exitCode, stderr } = await runIndex(["import", cut, "-q"], env);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("read        1 record (");
  expect(stderr).toContain("ends in the middle of line 2");
});

test("an import names its phases, each in one line where there is no terminal", async () => {
  await importSnapshot();
  const { stderr } = await runIndex(["import", "-"], env, SNAPSHOT.join(""));
  expect(stderr.split("\nread ")[0]?.split("\n")).toEqual([
    "Reading stdin (native).",
    "60 places written; waiting for the engine to index.",
    "Checking that the new index has what was read.",
    "Comparing the new index with the live one.",
    "The new index passed its checks. Adding the changes made meanwhile, then swapping.",
  ]);
});
