import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { ChangeReport } from "../../../indexer/changes/change-report.ts";
import { closeRedisConnection, createRedisConnection, waitForRedis } from "../../../src/redis/connection.ts";
import { createWriteQueue, type WriteQueue } from "../../../src/redis/write-queue.ts";
import { createLogBook } from "../../support/log-lines.ts";
import { openPlaceIndex } from "../../../src/partitions/open-place-index.ts";
import { askEngine, readAdded, readAllPlaces, readLiveUid, asStored } from "./live-documents.ts";
import { expireLease, useOwnEngines } from "./own-engines.ts";
import type { StartedProgram } from "../../support/run-in-process.ts";
import { runIndex, startIndex, startIndexProcess } from "./run-index.ts";

const own = useOwnEngines("apply");
const { env } = own;

const location = { latitude: 10.7, longitude: 106.7 };
const dataIdOf = (id: number): string => `0x1:0x${id.toString(16)}`;
const jsonLine = (value: object): string => `${JSON.stringify(value)}\n`;
const record = (id: number, title: string): string => jsonLine({ title, data_id: dataIdOf(id), location });
const deletion = (id: number): string => jsonLine({ op: "delete", data_id: dataIdOf(id) });

/** The titles of the live index by the number of the place. */
async function liveTitles(): Promise<Record<string, unknown>> {
  const places = await readAllPlaces(own.engines.meilisearch);
  return Object.fromEntries(places.map((place) => [Number(place["id"]), asStored(place).title]));
}

async function run(args: string[], input = "") {
  const { exitCode, stdout, stderr } = await runIndex([...args, "--json"], env, input);
  return { exitCode, stderr, report: JSON.parse(stdout || "{}") as ChangeReport };
}

const importPlaces = async (...lines: string[]): Promise<void> => {
  expect((await run(["import", "-", "--force"], lines.join(""))).exitCode).toBe(0);
};

/** No more than a test leaves of its own. */
const FEW = 10;

/** Makes them all places of the live index. Few that a test has left are changed back: an import is more work. */
async function restorePlaces(...lines: string[]): Promise<void> {
  const places = await readAllPlaces(own.engines.meilisearch);
  if (places.length === 0 || places.length > FEW) return importPlaces(...lines);
  const deletions = places.map(({ id }) => jsonLine({ op: "delete", data_id: `0x1:${String(id)}` }));
  expect((await run(["apply", "-"], [...deletions, ...lines].join(""))).exitCode).toBe(0);
}

test("apply fails without an index", async () => {
  const { exitCode, stderr } = await run(["apply", "-"], record(1, "A"));
  expect(exitCode).toBe(1);
  expect(stderr).toContain("import places first");
});

describe("apply", () => {
  beforeEach(() => restorePlaces(record(1, "One"), record(2, "Two")));

  test("a patch changes the fields that it names, of the place as the lines before it left it", async () => {
    const patch = (id: number, fields: object): string =>
      jsonLine({ op: "patch", data_id: dataIdOf(id), ...fields });
    const input = [
      patch(1, { title: "Uno" }),
      patch(1, { rating: 4.5 }),
      record(3, "Three"),
      patch(3, { title: "Tres" }),
      patch(2, { rating: "good" }),
      deletion(2),
      patch(2, { title: "Dos" }),
      patch(9, { title: "Nine" }),
    ];
    const { report } = await run(["apply", "-", "--max-rejects", "50"], input.join(""));
    expect(report).toMatchObject({ applied: 2, deleted: 1, unknown: { total: 1, names: [dataIdOf(9)] } });
    expect(await liveTitles()).toEqual({ 1: "Uno", 3: "Tres" });
    const places = await readAllPlaces(own.engines.meilisearch);
    expect(places.map(asStored).find(({ title }) => title === "Uno")).toMatchObject({ rating: 4.5 });
  });

  test("a table adds its places to those that are there", async () => {
    const path = join(own.folder, "more.csv");
    writeFileSync(
      path,
      "tên,vĩ độ,kinh độ,loại\nLặng,10.7123,106.7123,café\nPhin,10.7234,106.7234,RESTARANT\nx,,,\n",
    );
    const { exitCode, report } = await run(["apply", path]);
    expect(exitCode).toBe(0);
    expect(report).toMatchObject({
      applied: 2,
      rejected: { total: 1, reasons: [{ reason: "no coordinates", examples: [{ number: 4 }] }] },
      fields: [{ field: 'type "RESTARANT"', examples: [{ number: 3 }] }],
    });
    expect(new Set(Object.values(await liveTitles()))).toEqual(new Set(["Lặng", "One", "Phin", "Two"]));
  });

  test("a table without coordinates gets them from the addresses of the live index, where that is asked for", async () => {
    const address = (street: string) => ({
      street,
      city: "Hồ Chí Minh",
      full: `${street}, Quận 1, Hồ Chí Minh`,
    });
    const known = (id: number, street: string, longitude: number): string =>
      jsonLine({
        title: street,
        data_id: dataIdOf(id),
        location: { latitude: 10.775, longitude, address: address(street) },
      });
    await importPlaces(known(1, "10 Lê Lợi", 106.701), known(2, "20 Lê Lợi", 106.702));
    const path = join(own.folder, "addresses.csv");
    writeFileSync(path, 'id,name,address\n7,Lặng,"14 Lê Lợi, Quận 1, Hồ Chí Minh"\n');
    const refused = await run(["apply", path, "--max-rejects", "100"]);
    expect(refused.report).toMatchObject({
      applied: 0,
      rejected: { reasons: [{ reason: "no coordinates" }] },
    });
    const { report } = await run(["apply", path, "--geocode"]);
    expect(report).toMatchObject({
      applied: 1,
      geocoded: { total: 1, house: 1, places: [{ title: "Lặng" }] },
    });
    const { stdout } = await runIndex(["export"], env);
    const lang = stdout.split("\n").find((line) => line.includes("Lặng")) ?? "{}";
    expect(JSON.parse(lang)).toMatchObject({ location: { longitude: 106.7014, estimated_from: "house" } });
  });

  test("edit changes fields of one place, and nothing where a value cannot be read", async () => {
    expect(await run(["edit", dataIdOf(1), "tên=Uno", "giờ mở cửa=7h-22h"])).toMatchObject({ exitCode: 0 });
    expect(await run(["edit", dataIdOf(9), "title=Nine"])).toMatchObject({ exitCode: 3 });
    for (const field of ["rating=9", "type=RESTARANT", "giờ=soon", "mood=calm", "title=", "title"]) {
      const { exitCode, stderr } = await run(["edit", dataIdOf(2), field]);
      expect([field, exitCode]).toEqual([field, 1]);
      expect(stderr).toMatch(/rating|RESTAURANT|soon|mood|title/);
    }
    expect(await liveTitles()).toEqual({ 1: "Uno", 2: "Two" });
  });

  test("places are deleted by the ids of their source", async () => {
    const named = jsonLine({ title: "Named", source: "survey", source_id: "shops/1", location });
    await run(["apply", "-"], named);
    expect(await run(["delete", "--source-id", "shops/1"])).toMatchObject({ exitCode: 3 });
    expect(await run(["delete", "--source", "survey", "--source-id", "shops/1"])).toMatchObject({
      exitCode: 0,
      report: { deleted: 1 },
    });
    expect(await liveTitles()).toEqual({ 1: "One", 2: "Two" });
  });

  test("adds, replaces and removes places, and reports each count", async () => {
    const input = [record(1, "Uno"), record(3, "Tres"), deletion(2), deletion(9), record(3, "Three")].join(
      "",
    );
    const { exitCode, report } = await run(["apply", "-"], input);
    expect(exitCode).toBe(0);
    expect(report).toMatchObject({
      outcome: "done",
      read: 5,
      applied: 2,
      deleted: 1,
      superseded: 1,
      unknown: { total: 1, names: [dataIdOf(9)] },
      rejected: { total: 0 },
    });
    expect(await liveTitles()).toEqual({ 1: "Uno", 3: "Three" });
  });

  test("in one engine, changes store nothing but their places", async () => {
    const countDocuments = async () =>
      (
        await askEngine<{ total: number }>(
          own.engines.meilisearch,
          `indexes/${await readLiveUid(own.engines.meilisearch)}/documents?limit=0`,
        )
      )?.total;
    const before = await countDocuments();
    await run(["apply", "-"], record(3, "Three") + deletion(2) + deletion(9));
    expect(before).toBeGreaterThan(2);
    expect(await countDocuments()).toBe(before);
  });

  test("applying the same lines twice gives the same index", async () => {
    const path = join(own.folder, "changes.jsonl");
    writeFileSync(path, record(1, "Uno") + deletion(2) + record(4, "Four"));
    await run(["apply", path]);
    const once = await readAllPlaces(own.engines.meilisearch);
    await run(["apply", path]);
    expect(await readAllPlaces(own.engines.meilisearch)).toEqual(once);
  });

  test("invalid lines are reported and make the run fail; the others are applied", async () => {
    const { exitCode, report, stderr } = await run(
      ["apply", "-", "--max-rejects", "0"],
      `x\n${record(1, "Uno")}`,
    );
    expect(exitCode).toBe(1);
    expect(report).toMatchObject({ outcome: "failed", applied: 1, rejected: { total: 1 } });
    expect(stderr).toContain("1 of 2 records were rejected");
    expect(await liveTitles()).toEqual({ 1: "Uno", 2: "Two" });
  });

  test("changes from a stream are live while it continues, and Ctrl-C keeps them", async () => {
    const { stdin, signal, ended } = startIndexProcess(["apply", "-", "--json"], env);
    stdin.write(record(1, "Uno"));
    await expect.poll(liveTitles, { timeout: 20_000 }).toMatchObject({ 1: "Uno" });
    stdin.write(record(3, "Three"));
    await expect.poll(liveTitles, { timeout: 20_000 }).toMatchObject({ 3: "Three" });
    signal("SIGINT");
    const { exitCode, stdout } = await ended;
    expect(exitCode).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "interrupted", applied: 2 });
  });

  test("a place without a data_id in the file keeps its id when it moves", async () => {
    const named = { title: "Xe Bánh Mì", source: "ours", source_id: "7" };
    await run(["apply", "-"], jsonLine({ ...named, location }));
    const before = await readAllPlaces(own.engines.meilisearch);
    await run(["apply", "-"], jsonLine({ ...named, location: { latitude: 10.8, longitude: 106.8 } }));
    const after = await readAllPlaces(own.engines.meilisearch);
    expect(after.map(({ data_id }) => data_id)).toEqual(before.map(({ data_id }) => data_id));
    const moved = after.map(asStored).filter(({ title }) => title === named.title);
    expect(moved).toMatchObject([{ _geo: { lat: 10.8 } }]);
    const { report } = await run(["apply", "-"], jsonLine({ op: "delete", source: "ours", source_id: "7" }));
    expect(report.deleted).toBe(1);
  });
});

/** A lease of a dead process has to expire. */
const SLOW = { timeout: 240_000 };

test("an apply that was killed on its way and is run again ends as one that was not", SLOW, async () => {
  await importPlaces(record(1, "One"));
  const ids = Array.from({ length: 60 }, (_, id) => id);
  const patch = (id: number): string =>
    jsonLine({ op: "patch", data_id: dataIdOf(id), title: `Patched ${id}` });
  const parts = [
    ids.map((id) => record(id, `Added ${id}`)),
    ids.filter((id) => id % 3 === 0).map(deletion),
    ids.filter((id) => id % 3 === 1).map(patch),
  ].map((lines) => lines.join(""));
  const { child, ended } = startIndexProcess(["apply", "-"], env);
  for (const part of parts) {
    child.stdin.write(part);
    await expect.poll(liveTitles, { timeout: 60_000 }).toHaveProperty("2", "Added 2");
    // A batch is sent after half a second.
    await sleep(700);
  }
  child.kill("SIGKILL");
  await ended;
  expect((await run(["apply", "-"], parts.join(""))).exitCode).toBe(0);
  const expected = ids
    .filter((id) => id % 3 > 0)
    .map((id) => [id, id % 3 === 1 ? `Patched ${id}` : `Added ${id}`]);
  expect(await liveTitles()).toEqual(Object.fromEntries(expected));
});

/** The queue in which a server leaves what callers write. */
async function openQueue(): Promise<WriteQueue> {
  const { logger } = createLogBook();
  const url = own.engines.redis?.url ?? "";
  const redis = createRedisConnection({ url, logger, commandTimeoutMs: 5_000 });
  onTestFinished(() => closeRedisConnection(redis));
  await waitForRedis(redis, 5_000);
  return createWriteQueue(redis, "places");
}

/** More than two batches of the import (a thousand each), so that some are handed over before the input has ended. */
const MANY = 2_100;
/** A place of the first batch, which the live index does not have. */
const IMPORTED = 900;

/** Begins an import of many places, and resolves when some are in the new index and more input is waited for. */
async function startImport<T extends StartedProgram>(
  start: (args: readonly string[], env: typeof own.env) => T,
): Promise<{ process: T; first: string; rest: string }> {
  const lines = Array.from({ length: MANY }, (_, id) => record(id, `Imported ${id}`));
  const [first, rest] = [lines.slice(0, -100).join(""), lines.slice(-100).join("")];
  const process = start(["import", "-", "--force"], env);
  process.stdin.write(first);
  await expect.poll(() => readAdded(own.engines.meilisearch), { timeout: 60_000 }).toBeGreaterThan(0);
  return { process, first, rest };
}

describe("while an import runs", SLOW, () => {
  beforeEach(() => importPlaces(record(1, "One"), record(2, "Two"), record(99_999, "Of old")));

  test("changes and deletions are in the live index at once and in the new one after the swap", async () => {
    const { process, rest } = await startImport(startIndex);
    const input = [
      record(1, "Changed"),
      record(200_000, "New"),
      deletion(2),
      deletion(IMPORTED),
      deletion(99_999),
    ];
    const { report } = await run(["apply", "-"], input.join(""));
    // Of the three one is not in the live index yet.
    expect(report).toMatchObject({ applied: 2, deleted: 2, unknown: { total: 1 } });
    expect(await liveTitles()).toEqual({ 1: "Changed", 200_000: "New" });
    process.stdin.end(rest);
    expect((await process.ended).exitCode).toBe(0);
    const titles = await liveTitles();
    expect(titles).toMatchObject({ 1: "Changed", 200_000: "New", 3: "Imported 3" });
    for (const id of [2, IMPORTED, 99_999]) expect(titles).not.toHaveProperty(String(id));
    expect(Object.keys(titles)).toHaveLength(MANY + 1 - 2);
  });

  test("writes of callers wait for the worker, are done at once and in the new index after the swap", async () => {
    const queue = await openQueue();
    const { process, rest } = await startImport(startIndex);
    const records = [
      { data_id: dataIdOf(1), title: "Written", location },
      { op: "patch", data_id: dataIdOf(2), rating: 4.5 },
      { op: "delete", data_id: dataIdOf(99_999) },
      { op: "delete", data_id: dataIdOf(IMPORTED) },
    ];
    const write = { id: "w", callerId: "c", records: records.map((value) => ({ value })) };
    await queue.accept(write);
    const { stdout } = await runIndex(["status", "--json"], env);
    expect(JSON.parse(stdout)).toMatchObject({ writes_waiting: 1 });
    const acceptedAfterMs = Date.UTC(2026, 0);
    expect((await queue.readWaiting()).oldestAtMs).toBeGreaterThan(acceptedAfterMs);
    expect((await runIndex(["status"], env)).stdout).toContain("1 wait for the worker");
    const worker = startIndexProcess(["write"], env);
    const outcomesOf = async () => (await queue.readState("w"))?.outcomes?.map(({ outcome }) => outcome);
    await expect.poll(outcomesOf, { timeout: 60_000 }).toEqual(["replaced", "changed", "deleted", "unknown"]);
    expect(await queue.readWaiting()).toStrictEqual({ count: 0 });
    expect(await liveTitles()).toEqual({ 1: "Written", 2: "Two" });
    process.stdin.end(rest);
    expect((await process.ended).exitCode).toBe(0);
    const titles = await liveTitles();
    expect(titles).toMatchObject({ 1: "Written", 2: "Two", 3: "Imported 3" });
    for (const id of [IMPORTED, 99_999]) expect(titles).not.toHaveProperty(String(id));
    worker.signal("SIGTERM");
    expect(await worker.ended).toMatchObject({ exitCode: 0 });
  });

  test("changes survive a crash of the import and are in the resumed index", async () => {
    const { process, first, rest } = await startImport(startIndexProcess);
    await run(["apply", "-"], record(1, "Before the crash"));
    process.child.kill("SIGKILL");
    await process.ended;
    await run(["apply", "-"], record(3, "After the crash") + deletion(4));
    await expireLease(own.engines);
    const { exitCode, stderr } = await run(["import", "-", "--resume", "--force"], first + rest);
    expect(stderr).toContain("is resumed");
    expect(exitCode).toBe(0);
    const titles = await liveTitles();
    expect(titles).toMatchObject({ 1: "Before the crash", 3: "After the crash", 5: "Imported 5" });
    expect(titles).not.toHaveProperty("4");
  });

  test("searches see the old dataset or the new one, never a mix", async () => {
    const index = openPlaceIndex(own.engines.index);
    onTestFinished(() => index.close());
    const totals = new Set<number>();
    let isOver = false;
    const searching = (async () => {
      while (!isOver) {
        const [answer] = await index.findPlaces([{ filter: {}, limit: 1 }], AbortSignal.timeout(5_000));
        totals.add(answer?.total ?? Number.NaN);
      }
    })();
    const { process, rest } = await startImport(startIndex);
    process.stdin.end(rest);
    await process.ended;
    await index.readState();
    const latest = await index.findPlaces([{ filter: {}, limit: 1 }], AbortSignal.timeout(5_000));
    totals.add(latest[0]?.total ?? Number.NaN);
    isOver = true;
    await searching;
    // The three places of before, then those of the import.
    expect([...totals]).toEqual([3, MANY]);
  });
});

describe("delete", () => {
  beforeEach(() =>
    restorePlaces(
      record(1, "One"),
      record(2, "Two"),
      jsonLine({ title: "Ours", source: "ours", data_id: dataIdOf(3), location }),
    ),
  );

  test("removes places by data_id, including old ones of places that moved", async () => {
    const { exitCode, report } = await run(["delete", "0x77:0x1", "0x1:0x2"]);
    expect(exitCode).toBe(0);
    expect(report).toMatchObject({ deleted: 2, unknown: { total: 0 } });
    expect(await liveTitles()).toEqual({ 3: "Ours" });
  });

  test("lists missing ids, removes the rest, and reports both in its exit code", async () => {
    const { exitCode, report } = await run(["delete", dataIdOf(1), dataIdOf(8)]);
    expect(exitCode).toBe(3);
    expect(report).toMatchObject({ deleted: 1, unknown: { total: 1, names: [dataIdOf(8)] } });
    expect(await liveTitles()).toEqual({ 2: "Two", 3: "Ours" });
  });

  test("reads data ids from a file and reports lines without one", async () => {
    const { exitCode, report } = await run(["delete", "--file", "-"], `${dataIdOf(1)}\n\nnonsense\n`);
    expect(exitCode).toBe(3);
    expect(report).toMatchObject({ deleted: 1, rejected: { total: 1 } });
    expect(await liveTitles()).toEqual({ 2: "Two", 3: "Ours" });
  });

  test("removes all places of a source", async () => {
    expect((await run(["delete", "--source", "ours"])).report.deleted).toBe(1);
    expect(await liveTitles()).toEqual({ 1: "One", 2: "Two" });
    const again = await run(["delete", "--source", "ours"]);
    expect(again.exitCode).toBe(3);
    expect(again.stderr).toContain('There is no source "ours" in the index.');
    expect(again.report.error).toBe(
      'There is no source "ours" in the index. Its sources are no name (2 places).',
    );
  });
});

// They are refused before the index is read, which needs no places of its own for each.
test.each([
  ["nothing to delete", []],
  ["two ways at once", [dataIdOf(1), "--source", "ours"]],
  ["what is no data id", ["17"]],
])("delete: %s is a usage error", async (_, args) => {
  expect((await run(["delete", ...args])).exitCode).toBe(2);
});
