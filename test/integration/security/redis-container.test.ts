import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readComposeFile } from "../../unit/deployment/deployment-files.ts";
import { findDeadPort } from "../../support/dead-servers.ts";

// The command and the health check of docker-compose.yml, run by this machine's shell and Redis instead of the container's.

const PASSWORD = "0123456789abcdef";
const { redis: service } = readComposeFile().services;

let folder = "";
let port = 0;
let server: ChildProcess | undefined;

/** Where the container has its own folders and port, this machine has others. */
const adapt = (script: string): string =>
  script
    .replaceAll("$$", "$")
    .replaceAll("/tmp/", `${folder}/tmp/`)
    .replaceAll("/data", `${folder}/data`)
    .replace("--appendonly", `--bind 127.0.0.1 --port ${port} --appendonly`)
    .replace("redis-cli", `redis-cli -p ${port}`);

function start(): ChildProcess {
  const [shell = "", ...rest] = service?.command ?? [];
  server = spawn(shell, rest.map(adapt), { env: { PATH: process.env["PATH"], REDISCLI_AUTH: PASSWORD } });
  return server;
}

function checkHealth(): number | null {
  const check = service?.healthcheck;
  const script = check && "test" in check ? check.test[1] : undefined;
  const env = { PATH: process.env["PATH"], REDISCLI_AUTH: PASSWORD };
  return spawnSync("sh", ["-c", adapt(script ?? "")], { env }).status;
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "hereabouts-redis-"));
  for (const name of ["tmp", "data"]) mkdirSync(join(folder, name));
  port = await findDeadPort();
});

afterEach(async () => {
  if (server?.exitCode === null && server.signalCode === null) {
    server.kill("SIGKILL");
    await once(server, "exit");
  }
  rmSync(folder, { recursive: true });
});

test("it is unhealthy until it responds, and requires the password", async () => {
  expect(checkHealth()).not.toBe(0);
  start();
  await expect.poll(checkHealth, { timeout: 10_000 }).toBe(0);
  const stranger = new Redis({ port, maxRetriesPerRequest: 0, lazyConnect: true });
  stranger.on("error", () => undefined);
  await expect(stranger.get("x")).rejects.toThrow("NOAUTH");
  stranger.disconnect();
});

test("Redis replaces the shell and has no password on its command line", async () => {
  const { pid } = start();
  await expect.poll(checkHealth, { timeout: 10_000 }).toBe(0);
  const commandLine = readFileSync(`/proc/${pid}/cmdline`, "utf8");
  expect(commandLine).toContain("redis-server");
  expect(commandLine).not.toContain(PASSWORD);
});

test("it evicts nothing, and writes survive a SIGTERM, and a SIGKILL a second later", async () => {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    const child = start();
    await expect.poll(checkHealth, { timeout: 10_000 }).toBe(0);
    const redis = new Redis({ port, password: PASSWORD });
    expect(await redis.config("GET", "maxmemory-policy")).toContain("noeviction");
    await redis.set(signal, "kept");
    // The log is written to the disk each second.
    await new Promise((resolve) => setTimeout(resolve, signal === "SIGKILL" ? 1_500 : 0));
    redis.disconnect();
    child.kill(signal);
    await once(child, "exit");
  }
  start();
  await expect.poll(checkHealth, { timeout: 10_000 }).toBe(0);
  const redis = new Redis({ port, password: PASSWORD });
  expect(await redis.mget("SIGTERM", "SIGKILL")).toEqual(["kept", "kept"]);
  redis.disconnect();
});
