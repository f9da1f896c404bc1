import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { buildKey } from "../../support/build-key.ts";
import { fakePlaces } from "../../support/fake-places.ts";
import { findDeadPort, startSilentServer } from "../../support/dead-servers.ts";
import { startRedisServer, type RedisServer } from "../../support/redis-server.ts";
import { startTestApp } from "../../support/test-app.ts";
import { startOwner } from "../local-engines/owners.ts";
import { readKeys, runKeys, runKeysOnFullDisk } from "./run-keys.ts";
import { makeEngineFolder } from "../../support/engine-folder.ts";

const KEY = /^hab_[0-9a-z]{12}_[0-9A-Za-z]{49}\n$/;

interface Reported {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly state: string;
}

let redis: RedisServer;
let env: Record<string, string>;

beforeAll(async () => {
  redis = await startRedisServer();
  env = { REDIS_URL: redis.url };
});

afterAll(() => redis[Symbol.asyncDispose]());

function makeFolder(): string {
  const folder = makeEngineFolder("test-keys");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const create = (name: string, ...args: string[]): Promise<Reported> =>
  readKeys<Reported>(["create", "--name", name, ...args], env);

test.each([
  [["create"]],
  [["create", "--name", ""]],
  [["create", "--name", "x", "--scopes", "all"]],
  [["create", "--name", "x", "--expires", "yesterday"]],
  [["create", "--name", "x", "--per-minute", "0"]],
  [["show"]],
  [["show", "not-an-id"]],
  [["limit", "0123456789ab"]],
  [["limit", "0123456789ab", "--weight", "0"]],
  [["limit", "0123456789ab", "--weight", "101"]],
  [["limit", "0123456789ab", "--weight", "1.5"]],
  [["limit", "0123456789ab", "--weight", "much"]],
  [["rotate", "0123456789ab", "--grace", "soon"]],
  [["export", "--json"]],
  [["destroy"]],
])("%j is a usage error and creates nothing", async (args) => {
  const { exitCode, stdout, stderr } = await runKeys(args, env);
  expect([exitCode, stdout]).toStrictEqual([2, ""]);
  expect(stderr).toContain("error:");
});

test.each([["show"], ["rotate"], ["revoke"], ["limit", "--per-day", "1"]])(
  "%s of a key that is not there fails, and says so",
  async (command, ...options) => {
    const { exitCode, stdout, stderr } = await runKeys([command, "0123456789ab", ...options, "--json"], env);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("No key has the id 0123456789ab.");
    expect(JSON.parse(stdout)).toStrictEqual({ error: stderr.trim() });
  },
);

test("all invalid settings are reported together", async () => {
  const { exitCode, stderr } = await runKeys(["list"], { REDIS_URL: "http://x", PORT: "x" });
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/PORT.*\n.*REDIS_URL/);
});

test("only the key goes to the standard output, messages to the error output", async () => {
  const { exitCode, stdout, stderr } = await runKeys(["create", "--name", "Acme app"], env);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(KEY);
  expect(stderr).toContain('"Acme app"');
  expect(stderr).not.toContain(stdout.trim().slice(-20));
  const list = await runKeys(["list"], env);
  expect(list.stdout).toContain("Acme app");
  expect(list.stdout).not.toContain(stdout.trim().slice(-20));
});

test("an unreachable or silent Redis is reported in a sentence without its password", async () => {
  await using silent = await startSilentServer();
  for (const port of [await findDeadPort(), silent.port]) {
    const { exitCode, stdout, stderr } = await runKeys(["create", "--name", "x"], {
      REDIS_URL: `redis://:hunter2@127.0.0.1:${port}`,
    });
    expect([exitCode, stdout]).toStrictEqual([1, ""]);
    expect(stderr).toMatch(new RegExp(`^Redis at 127\\.0\\.0\\.1:${port} does not respond.*REDIS_URL.*\n$`));
    expect(stderr).not.toContain("hunter2");
  }
});

test("of many simultaneous commands, none is lost", async () => {
  const { id } = await create("busy");
  const changes = [
    ["limit", id, "--per-minute", "7"],
    ["limit", id, "--per-day", "8"],
    ["limit", id, "--scopes", "search"],
    ["rotate", id],
    ["limit", id, "--expires", "3d"],
  ];
  const ended = await Promise.all(changes.map((args) => runKeys(args, env)));
  expect(ended.map(({ exitCode }) => exitCode)).toStrictEqual([0, 0, 0, 0, 0]);
  expect(await readKeys(["show", id], env)).toMatchObject({
    limits: { per_minute: 7, per_day: 8 },
    scopes: ["search"],
    expires_at: expect.any(String) as unknown,
    secrets: [{}, { ends_at: expect.any(String) as unknown }],
    revision: 6,
  });
});

test("a backup restores the keys on an empty Redis, and they work", async () => {
  await using first = await startRedisServer();
  await using second = await startRedisServer();
  const file = join(makeFolder(), "keys.jsonl");
  const { key, id } = await readKeys<Reported>(["create", "--name", "kept"], { REDIS_URL: first.url });
  const { key: newer } = await readKeys<Reported>(["rotate", id], { REDIS_URL: first.url });
  const gone = await readKeys<Reported>(["create", "--name", "gone"], { REDIS_URL: first.url });
  await readKeys(["revoke", gone.id], { REDIS_URL: first.url });
  const report = await readKeys(["export", "-o", file], { REDIS_URL: first.url });
  expect(report).toMatchObject({ outcome: "exported", keys: 2 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).not.toContain(key.slice(-20));

  const imported = await readKeys(["import", file], { REDIS_URL: second.url });
  expect(imported).toStrictEqual({ outcome: "imported", added: 2, replaced: 0, unchanged: 0 });
  const again = await runKeys(
    ["import", "-", "--json"],
    { REDIS_URL: second.url },
    readFileSync(file, "utf8"),
  );
  expect(JSON.parse(again.stdout)).toMatchObject({ unchanged: 2 });
  await using app = await startTestApp({ ...fakePlaces(), redisUrl: second.url });
  const statuses = [];
  for (const one of [key, newer, gone.key])
    statuses.push((await app.ask("/api/maps/search?q=pho", { headers: { "x-api-key": one } })).status);
  expect(statuses).toStrictEqual([200, 200, 401]);
});

test("restoring a backup does not reactivate a revoked key and is not partial, except on request", async () => {
  const file = join(makeFolder(), "keys.jsonl");
  const { id, key } = await create("regretted");
  await readKeys(["export", "-o", file], env);
  const lines = readFileSync(file, "utf8");
  await readKeys(["revoke", key], env);

  writeFileSync(file, `${lines}{"version":1}\n`);
  const broken = await runKeys(["import", file, "--replace"], env);
  expect([broken.exitCode, broken.stderr]).toStrictEqual([
    1,
    expect.stringContaining("Nothing was imported."),
  ]);
  writeFileSync(file, lines);
  const refused = await runKeys(["import", file], env);
  expect([refused.exitCode, refused.stderr]).toStrictEqual([1, expect.stringContaining(id)]);
  expect(await readKeys(["show", id], env)).toMatchObject({ state: "revoked" });
  expect(await readKeys(["import", file, "--replace"], env)).toMatchObject({ replaced: 1 });
  expect(await readKeys(["show", id], env)).toMatchObject({ state: "active" });
});

test("a backup of thousands of keys is checked completely before anything is written", async () => {
  await using server = await startRedisServer();
  const own = { REDIS_URL: server.url };
  const folder = makeFolder();
  const records = Array.from({ length: 2_500 }, () => buildKey().record);
  const last = records.slice(-1);
  const write = (name: string, some: typeof records): string => {
    const file = join(folder, name);
    writeFileSync(file, some.map((record) => `${JSON.stringify(record)}\n`).join(""));
    return file;
  };
  await readKeys(["import", write("one", last)], own);
  await readKeys(["revoke", last[0]?.id ?? ""], own);
  const all = write("all", records);
  const refused = await runKeys(["import", all], own);
  expect([refused.exitCode, refused.stderr]).toStrictEqual([1, expect.stringContaining(last[0]?.id ?? "?")]);
  expect(await readKeys(["list"], own)).toHaveLength(1);
  expect(await readKeys(["import", all, "--replace"], own)).toMatchObject({ added: 2_499, replaced: 1 });
  expect(await readKeys(["list"], own)).toHaveLength(2_500);
});

test("a backup that cannot be written keeps the earlier one, and an unreadable one is reported", async () => {
  const folder = makeFolder();
  const missing = join(folder, "none", "keys.jsonl");
  const written = await runKeys(["export", "-o", missing], env);
  expect([written.exitCode, written.stderr]).toStrictEqual([
    1,
    `Cannot write ${missing}: there is no directory ${join(folder, "none")}.\n`,
  ]);
  const earlier = join(folder, "keys.jsonl");
  writeFileSync(earlier, "earlier\n");
  const dead = { REDIS_URL: `redis://127.0.0.1:${await findDeadPort()}` };
  expect((await runKeys(["export", "-o", earlier], dead)).exitCode).toBe(1);
  expect(readFileSync(earlier, "utf8")).toBe("earlier\n");
  const read = await runKeys(["import", missing], env);
  expect([read.exitCode, read.stderr]).toStrictEqual([1, `Cannot read ${missing}: ENOENT.\n`]);
});

test("a backup to a full disk fails and says so", async () => {
  await create("on a full disk");
  const { exitCode, stderr } = runKeysOnFullDisk(["export"], env);
  expect(exitCode).toBe(1);
  expect(stderr).toBe("Cannot write to standard output: ENOSPC. It is incomplete.\n");
});

test("without a Redis it starts one temporarily, and the keys stay", async () => {
  const own = { DATA_DIR: makeFolder() };
  const made = await runKeys(["create", "--name", "newcomer"], own);
  expect(made.stdout).toMatch(KEY);
  expect(made.stderr).toContain("its Redis is started for this command");
  expect(await readKeys(["list"], own)).toMatchObject([{ name: "newcomer", state: "active" }]);
});

test("two simultaneous commands on one data directory wait for each other", async () => {
  const own = { DATA_DIR: makeFolder() };
  const ended = await Promise.all(["a", "b"].map((name) => runKeys(["create", "--name", name], own)));
  expect(ended.map(({ exitCode }) => exitCode)).toStrictEqual([0, 0]);
  expect(await readKeys(["list"], own)).toHaveLength(2);
});

test("while a server runs on the data directory, its Redis is used", async () => {
  const dataDir = makeFolder();
  await startOwner(dataDir);
  const made = await runKeys(["create", "--name", "beside"], { DATA_DIR: dataDir });
  expect(made.stdout).toMatch(KEY);
  expect(made.stderr).not.toContain("started");
});

test.each(["create", "list", "show", "rotate", "limit", "revoke", "export", "import"])(
  "the help of %s has examples, and says what it does and how it ends",
  async (command) => {
    const { exitCode, stdout } = await runKeys([command, "--help"], {});
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`$ npm run -s keys -- ${command}`.replace("import", "import backup"));
    expect(stdout).toContain("Exit status: 0 done; 1 failed");
  },
);
