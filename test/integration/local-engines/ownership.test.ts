import { oneEngine } from "../../../src/partitions/topology.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { acquireEngines } from "../../../src/local-engines/acquire-engines.ts";
import { tryLockDataDir, writeRuntimeFile } from "../../../src/local-engines/data-dir.ts";
import { describeTrouble, LocalEnginesError } from "../../../src/local-engines/engine-process.ts";
import { isMeilisearchHealthy } from "../../../src/local-engines/meilisearch-process.ts";
import { acquire, makeTemporaryFolder, nameDataDir, readRuntime, useProgram } from "./data-dirs.ts";
import { startOwner } from "./owners.ts";

test.each([
  ["another server runs", "server"],
  ["an import runs", "indexer"],
] as const)("a server is refused with the message that %s there", async (words, role) => {
  const dataDir = nameDataDir();
  const owner = await startOwner(dataDir, role);
  const attempt = acquire(dataDir);
  await expect(attempt).rejects.toBeInstanceOf(LocalEnginesError);
  await expect(attempt).rejects.toThrow(`${words} on ${dataDir} (process ${owner.pid})`);
});

test("a second server in the same process is also refused", async () => {
  const dataDir = nameDataDir();
  await acquire(dataDir);
  await expect(acquire(dataDir)).rejects.toThrow(`another server runs on ${dataDir}`);
});

test("an indexer uses the server's engines and leaves them running", async () => {
  const dataDir = nameDataDir();
  const owner = await startOwner(dataDir);
  const borrowed = await acquire(dataDir, { role: "indexer", needs: { redis: false } });
  expect(borrowed).toMatchObject({ isLocal: true, isOwner: false });
  await borrowed.stop();
  expect(await isMeilisearchHealthy(borrowed.meilisearch.url, borrowed.meilisearch.key ?? "")).toBe(true);
  expect(readRuntime(dataDir).owner).toEqual({ pid: owner.pid, role: "server" });
});

test("an indexer waits for a starting server", async () => {
  const dataDir = nameDataDir();
  const [server, indexer] = await Promise.all([acquire(dataDir), acquire(dataDir, { role: "indexer" })]);
  expect(indexer.meilisearch).toEqual(server.meilisearch);
  expect(indexer.isOwner).toBe(false);
});

test("an indexer starts engines when the process that it waited for gives up", async () => {
  const dataDir = makeTemporaryFolder();
  const lock = tryLockDataDir(dataDir);
  const waiting = acquire(dataDir, { role: "indexer", needs: { redis: false } });
  await sleep(200);
  lock?.release();
  expect(await waiting).toMatchObject({ isOwner: true });
});

test("an indexer gets the advice to set the URL when the server's Meilisearch has one", async () => {
  const dataDir = nameDataDir();
  await acquire(dataDir, { index: oneEngine({ url: "http://search.example:7700", key: undefined }) });
  await expect(acquire(dataDir, { role: "indexer" })).rejects.toThrow("Set the same MEILISEARCH_URL");
});

test("a server waits for a stopping one", async () => {
  const dataDir = nameDataDir();
  const first = await acquire(dataDir);
  const stopping = first.stop();
  const second = await acquire(dataDir);
  await stopping;
  expect(second.isOwner).toBe(true);
  expect(second.meilisearch.key).not.toBe(first.meilisearch.key);
});

test("a foreign process that reads the lock file is named", async () => {
  const dataDir = makeTemporaryFolder();
  tryLockDataDir(dataDir)?.release();
  const foreign = spawn(process.execPath, ["-e", HOLD_SHARED_LOCK, join(dataDir, "lock.sqlite")]);
  onTestFinished(() => void foreign.kill("SIGKILL"));
  await once(foreign.stdout, "data");
  await expect(acquire(dataDir)).rejects.toThrow(
    new RegExp(`Process ${foreign.pid} \\(.+\\) has locked ${dataDir}/lock\\.sqlite.*set DATA_DIR`),
  );
});

/** As a database browser or a backup does. */
const HOLD_SHARED_LOCK = `
const { DatabaseSync } = require("node:sqlite");
const database = new DatabaseSync(process.argv[1]);
database.exec("BEGIN; SELECT * FROM sqlite_master");
console.log("locked");
setInterval(() => database.isOpen, 1000);`;

const modeOf = (folder: string): string => (statSync(folder).mode & 0o777).toString(8);

test("an existing data directory that others can read becomes private", async () => {
  const dataDir = makeTemporaryFolder();
  writeFileSync(join(dataDir, "lock.sqlite"), "");
  chmodSync(dataDir, 0o755);
  const { events } = await acquire(dataDir, {
    index: oneEngine({ url: "http://search.example:7700", key: undefined }),
  });
  expect(modeOf(dataDir)).toBe("700");
  expect(events).toContainEqual({ name: "data_dir_closed", dataDir, mode: "755" });
});

test("a folder with other files keeps its mode, and a warning reports it", async () => {
  const dataDir = makeTemporaryFolder();
  writeFileSync(join(dataDir, "notes.txt"), "");
  chmodSync(dataDir, 0o750);
  const { events } = await acquire(dataDir, {
    index: oneEngine({ url: "http://search.example:7700", key: undefined }),
  });
  expect(modeOf(dataDir)).toBe("750");
  const event = { name: "data_dir_open", dataDir, mode: "750" } as const;
  expect(events).toContainEqual(event);
  expect(describeTrouble(event)).toContain("chmod 700");
});

test("the runtime file of a dead owner is ignored", async () => {
  const dataDir = makeTemporaryFolder();
  const owner = await startOwner(nameDataDir());
  await owner.kill();
  const lock = tryLockDataDir(dataDir);
  writeRuntimeFile(dataDir, { state: "running", owner: { pid: owner.pid, role: "server" } });
  const waiting = acquire(dataDir);
  await sleep(200);
  lock?.release();
  expect(await waiting).toMatchObject({ isOwner: true });
});

test("an engine that was killed during its very first start is started again", async () => {
  const dataDir = nameDataDir();
  for (const name of ["auth", "tasks"]) mkdirSync(join(dataDir, "meilisearch", name), { recursive: true });
  writeFileSync(join(dataDir, "meilisearch", "auth", "data.mdb"), "");
  expect(await acquire(dataDir, { needs: { redis: false } })).toMatchObject({ isOwner: true });
});

test("an aborted start stops its engines and releases the directory", async () => {
  useProgram("redis-server", "#!/bin/sh\nexec /bin/sleep 60\n");
  const dataDir = nameDataDir();
  const interrupted = acquireEngines({
    dataDir,
    role: "server",
    needs: { redis: true },
    onEvent: () => {},
    signal: AbortSignal.timeout(300),
  });
  await expect(interrupted).rejects.toMatchObject({ name: "TimeoutError" });
  const { isOwner, events } = await acquire(dataDir, { needs: { redis: false } });
  expect(isOwner).toBe(true);
  expect(events.map((event) => event.name)).not.toContain("orphan_ended");
});
