import { once } from "node:events";
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LocalEnginesError } from "../../../src/local-engines/engine-process.ts";
import { isMeilisearchHealthy } from "../../../src/local-engines/meilisearch-process.ts";
import {
  acquire,
  isRunning,
  makeTemporaryFolder,
  nameDataDir,
  readPids,
  readRuntime,
  useProgram,
} from "./data-dirs.ts";
import { importInto } from "../../support/divided-index.ts";
import { buildPlace } from "../../support/build-place.ts";
import { listIndexFiles } from "../../support/meilisearch-server.ts";
import { startOwner } from "./owners.ts";

test("the next start stops the engines of a killed owner", async () => {
  const dataDir = nameDataDir();
  const owner = await startOwner(dataDir);
  const orphans = Object.values(readPids(dataDir));
  await owner.kill();
  expect(orphans.map(isRunning)).toEqual([true, true]);

  const { events } = await acquire(dataDir);
  expect(orphans.map(isRunning)).toEqual([false, false]);
  expect(events.filter((event) => event.name === "orphan_ended").map((event) => event.pid)).toEqual(
    expect.arrayContaining(orphans),
  );
});

test("a suspended orphan is also stopped", async () => {
  const dataDir = nameDataDir();
  const owner = await startOwner(dataDir);
  const { meilisearch } = readPids(dataDir);
  process.kill(meilisearch, "SIGSTOP");
  await owner.kill();
  await acquire(dataDir);
  expect(isRunning(meilisearch)).toBe(false);
});

test.each(["", "{", '{"state":"running"}', "null", "\u0000\u0001"])(
  "a runtime file that holds %j does not hide the orphans nor break the start",
  async (content) => {
    const dataDir = nameDataDir();
    const owner = await startOwner(dataDir);
    const orphans = Object.values(readPids(dataDir));
    await owner.kill();
    writeFileSync(join(dataDir, "runtime.json"), content);
    await acquire(dataDir);
    expect(orphans.map(isRunning)).toEqual([false, false]);
    expect(readRuntime(dataDir).owner.pid).toBe(process.pid);
  },
);

test("the orphans of another data directory are left alone", async () => {
  const otherDataDir = nameDataDir();
  await startOwner(otherDataDir);
  await acquire(nameDataDir());
  expect(Object.values(readPids(otherDataDir)).map(isRunning)).toEqual([true, true]);
});

test("an owner that exits stops its engines", async () => {
  const dataDir = nameDataDir();
  const owner = await startOwner(dataDir);
  const pids = Object.values(readPids(dataDir));
  owner.process.stdin?.write("exit\n");
  await once(owner.process, "exit");
  await expect.poll(() => pids.map(isRunning), { timeout: 5_000 }).toEqual([false, false]);
});

test("a killed Meilisearch restarts on the same port with the same key", async () => {
  const dataDir = nameDataDir();
  const { meilisearch, events } = await acquire(dataDir);
  const killed = readPids(dataDir).meilisearch;
  process.kill(killed, "SIGKILL");
  await expect
    .poll(() => events.map((event) => event.name), { timeout: 10_000 })
    .toContain("engine_restarted");
  expect(await isMeilisearchHealthy(meilisearch.url, meilisearch.key ?? "")).toBe(true);
  expect(events).toContainEqual({
    name: "engine_died",
    engine: "meilisearch",
    reason: "ended with SIGKILL",
  });
  expect(readPids(dataDir).meilisearch).not.toBe(killed);
});

test("a Meilisearch with truncated data is not restarted until the data is restored", async () => {
  const dataDir = nameDataDir();
  const { index, events, isDataDamaged } = await acquire(dataDir);
  await importInto(index, [buildPlace({ title: "Phở Thìn" })]);
  const [file = ""] = listIndexFiles(dataDir);
  const whole = readFileSync(file);
  truncateSync(file, 0);
  process.kill(readPids(dataDir).meilisearch, "SIGKILL");
  await expect.poll(() => isDataDamaged?.(), { timeout: 10_000 }).toBe(true);
  expect(events).toContainEqual({
    name: "engine_restart_failed",
    engine: "meilisearch",
    isDataDamaged: true,
    reason: expect.stringContaining("import again: delete") as string,
  });
  writeFileSync(file, whole);
  await expect.poll(() => isDataDamaged?.(), { timeout: 20_000 }).toBe(false);
  expect(await isMeilisearchHealthy(index.engines[0]!.url, index.engines[0]!.key ?? "")).toBe(true);
});

test("an engine that is stopped before its restart stays down", async () => {
  const dataDir = nameDataDir();
  const engines = await acquire(dataDir);
  process.kill(readPids(dataDir).redis, "SIGKILL");
  await expect.poll(() => engines.events.map((event) => event.name)).toContain("engine_died");
  await engines.stop();
  expect(engines.events.map((event) => event.name)).not.toContain("engine_restarted");
});

/** Answers like a Redis and takes no notice of SIGTERM. */
const UNSTOPPABLE_REDIS = `#!${process.execPath}
process.on("SIGTERM", () => {});
const port = /^port (\\d+)$/m.exec(require("node:fs").readFileSync(0, "utf8"))[1];
require("node:net").createServer((socket) => socket.end("+OK\\r\\n+PONG\\r\\n")).listen(port, "127.0.0.1");
`;

test("a Redis that does not stop in time is killed", async () => {
  useProgram("redis-server", UNSTOPPABLE_REDIS);
  const dataDir = nameDataDir();
  const engines = await acquire(dataDir);
  const { redis } = readPids(dataDir);
  await engines.stop();
  expect(isRunning(redis)).toBe(false);
});

test("a Redis that cannot start fails with its message, and Meilisearch is stopped", async () => {
  useProgram("redis-server", "#!/bin/sh\necho 'Bad file format'\nexit 1\n");
  const dataDir = nameDataDir();
  const attempt = acquire(dataDir);
  await expect(attempt).rejects.toBeInstanceOf(LocalEnginesError);
  await expect(attempt).rejects.toThrow(
    /redis ended with code 1\. Its log, .*redis\.log, ends with:\nBad file format/,
  );
  await expect(acquire(dataDir)).rejects.toThrow("redis ended with code 1");
});

test("a data directory that cannot be created is reported with a fix", async () => {
  const file = join(makeTemporaryFolder(), "file");
  writeFileSync(file, "");
  await expect(acquire(join(file, "data"))).rejects.toThrow(/Cannot make the data directory .*Set DATA_DIR/);
});

test("a data directory with an unexpected file in an engine's place is reported", async () => {
  const dataDir = makeTemporaryFolder();
  mkdirSync(join(dataDir, "bin"));
  writeFileSync(join(dataDir, "logs"), "");
  await expect(acquire(dataDir)).rejects.toThrow(`Cannot prepare ${dataDir}`);
});
