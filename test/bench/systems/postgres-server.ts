import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { findFreePorts } from "../../../src/local-engines/own-engines.ts";
import type { SqlTarget } from "../load/target.ts";
import { findPostgresFolder, findServerUser } from "./postgres-programs.ts";

export interface PostgresServer {
  readonly target: SqlTarget;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** It is not installed, or not all of it: the bench goes on without. */
export class PostgisMissing extends Error {
  override readonly name = "PostgisMissing";
}

const USER = "bench";
const READY_WITHIN_MS = 30_000;
const READY_POLL_MS = 100;
const MEGABYTE = 1024 * 1024;

/** A quarter of the memory is the manual's advice; no table of the bench needs more than this. */
const MAX_SHARED_BUFFERS_MB = 4_096;

/** Settings that any guide gives for a machine with a fast disk that serves reads. */
function buildSettings(port: number, folder: string): string[] {
  const memoryMb = Math.floor(totalmem() / MEGABYTE);
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: folder,
    shared_buffers: `${Math.min(Math.floor(memoryMb / 4), MAX_SHARED_BUFFERS_MB)}MB`,
    effective_cache_size: `${Math.floor(memoryMb / 2)}MB`,
    work_mem: "32MB",
    maintenance_work_mem: "512MB",
    random_page_cost: 1.1,
    effective_io_concurrency: 200,
    max_wal_size: "4GB",
    // Compiling a query takes longer than these queries do.
    jit: "off",
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/**
 * Starts a cluster of its own in the folder, on a free loopback port; makes it when there is none yet.
 * @throws {PostgisMissing} when PostgreSQL is not installed; {Error} when it does not start.
 */
export async function startPostgres(folder: string): Promise<PostgresServer> {
  const programs = findPostgresFolder();
  if (programs === undefined) throw new PostgisMissing("no PostgreSQL server is installed");
  const cluster = join(folder, "cluster");
  const password = ensureCluster({ programs, folder, cluster });
  const [port] = await findFreePorts();
  const server = spawn(join(programs, "postgres"), ["-D", cluster, ...buildSettings(port, folder)], {
    stdio: ["ignore", "ignore", "ignore"],
    cwd: folder,
    ...findServerUser(),
  });
  const target: SqlTarget = { via: "sql", port, user: USER, password };
  const stop = (): Promise<void> => stopServer(server);
  try {
    await waitUntilReady(target, server);
    return { target, pid: server.pid ?? 0, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Cluster {
  readonly programs: string;
  readonly folder: string;
  readonly cluster: string;
}

/** Makes the cluster unless it is there, and returns the password of its user. */
function ensureCluster({ programs, folder, cluster }: Cluster): string {
  const passwordFile = join(folder, "password");
  const user = findServerUser();
  const run = (program: string, args: readonly string[]) =>
    spawnSync(join(programs, program), args, { cwd: folder, encoding: "utf8", ...user });
  if (existsSync(join(cluster, "PG_VERSION"))) {
    // One that outlived a bench that was killed.
    if (existsSync(join(cluster, "postmaster.pid"))) run("pg_ctl", ["-D", cluster, "stop", "-m", "fast"]);
    return readFileSync(passwordFile, "utf8");
  }
  writeFileSync(passwordFile, randomBytes(24).toString("hex"), { mode: 0o600 });
  if (user) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);
  const how = ["--auth=scram-sha-256", `--pwfile=${passwordFile}`, "--encoding=UTF8", "--locale=C.UTF-8"];
  const made = run("initdb", ["-D", cluster, "-U", USER, "--no-sync", ...how]);
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
  return readFileSync(passwordFile, "utf8");
}

/** A connection for what is done once; the load has connections of its own. */
export const connectTo = ({ port, user, password }: SqlTarget) =>
  postgres({ host: "127.0.0.1", port, user, password, database: "postgres", max: 1, onnotice: () => {} });

async function waitUntilReady(target: SqlTarget, server: ChildProcess): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const sql = connectTo(target);
    try {
      await sql`select 1`;
      return;
    } catch (error) {
      if (server.exitCode !== null || performance.now() > deadline) throw error;
    } finally {
      await sql.end();
    }
    await sleep(READY_POLL_MS);
  }
}

/** SIGINT is PostgreSQL's fast shutdown: it does not wait for clients to leave. */
async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, "exit");
  server.kill("SIGINT");
  await ended;
}
