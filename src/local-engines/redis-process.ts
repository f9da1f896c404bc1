import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { EngineCommand } from "./engine-process.ts";

const HEALTH_TIMEOUT_MS = 1_000;

/** The arguments that identify this Redis's data on the command line; `endOrphans` looks for them. */
export const redisDataArguments = (dataDir: string): string[] => ["--dir", join(dataDir, "redis")];

/**
 * Everything but the folder goes through standard input: every user could read a password on the command
 * line.
 */
const buildRedisConfig = (port: number, password: string): string =>
  [
    "bind 127.0.0.1",
    `port ${port}`,
    `requirepass ${password}`,
    "appendonly yes",
    // The append-only file is enough; snapshots would fork the process from time to time.
    'save ""',
    // Keeps the command line unchanged.
    "set-proc-title no",
    "",
  ].join("\n");

/**
 * True when the Redis on this port accepts the password and responds to PING. Another server, or one still
 * loading, does not.
 */
export function pingRedis(port: number, password: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let reply = "";
    const finish = (isHealthy: boolean): void => {
      socket.destroy();
      resolve(isHealthy);
    };
    socket.setTimeout(HEALTH_TIMEOUT_MS, () => finish(false));
    socket.on("error", () => finish(false));
    socket.on("close", () => finish(false));
    socket.on("data", (chunk) => {
      reply += chunk.toString("latin1");
      if (reply.split("\r\n").length > 2) finish(reply === "+OK\r\n+PONG\r\n");
    });
    socket.write(`AUTH ${password}\r\nPING\r\n`);
  });
}

/**
 * The command for a Redis on this port, with a new password and its data in the data directory. Creates the
 * folder.
 */
export function buildRedisCommand(dataDir: string, port: number, file: string): EngineCommand {
  const password = randomBytes(24).toString("hex");
  const dataArguments = redisDataArguments(dataDir);
  mkdirSync(join(dataDir, "redis"), { recursive: true });
  return {
    engine: "redis",
    port,
    url: `redis://:${password}@127.0.0.1:${port}`,
    file,
    args: [...dataArguments, "-"],
    env: {},
    input: buildRedisConfig(port, password),
    logFile: join(dataDir, "logs", "redis.log"),
    isHealthy: () => pingRedis(port, password),
  };
}
