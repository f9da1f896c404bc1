import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endProcess } from "./end-process.ts";
import type { EngineName } from "./engine-event.ts";
import { LocalEnginesError } from "./local-engines-error.ts";

/** All that is needed to start one engine, and to start it again in the same way. */
export interface EngineCommand {
  readonly engine: EngineName;
  readonly url: string;
  readonly port: number;
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Written to the engine's standard input. */
  readonly input: string;
  readonly logFile: string;
  readonly isHealthy: () => Promise<boolean>;
}

/** One run of an engine, from its start to its end. */
export interface EngineChild {
  readonly pid: number | undefined;
  readonly isRunning: () => boolean;
  /** Resolves with the reason when the process has ended or could not be started. Never rejects. */
  readonly ended: Promise<string>;
}

/** A large index on a cold disk opens in seconds; half a minute without an answer means that something is wrong. */
const HEALTHY_WITHIN_MS = 30_000;

const HEALTH_POLL_MS = 25;

const LOG_TAIL_LINES = 12;

function spawnChild(command: EngineCommand): EngineChild {
  const log = openSync(command.logFile, "a", 0o600);
  // Its own process group: a Ctrl-C in the terminal reaches only the owner, who ends the engines in order.
  const child = spawn(command.file, command.args, {
    detached: true,
    env: command.env,
    stdio: ["pipe", log, log],
  });
  closeSync(log);
  // An engine that dies before it has read its input is reported by its end, not by the broken pipe.
  child.stdin?.on("error", () => {});
  child.stdin?.end(command.input);
  let running = true;
  const endWithOwner = (): void => void child.kill("SIGTERM");
  process.once("exit", endWithOwner);
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`could not be started (${error.message})`));
    child.once("exit", (code, signal) => resolve(`ended with ${signal ?? `code ${code}`}`));
  }).finally(() => {
    running = false;
    process.off("exit", endWithOwner);
  });
  return { pid: child.pid, isRunning: () => running, ended };
}

/** Ends the child as gently as it lets us. Returns when it is gone. */
export async function endChild(child: EngineChild): Promise<void> {
  if (child.pid !== undefined && child.isRunning()) await endProcess(child.pid, child.isRunning);
}

/** With less an engine cannot even begin, nor write into its log why. */
const LEAST_FREE_BYTES = 1024 * 1024;

function isDiskFull(file: string): boolean {
  const { bavail, bsize } = statfsSync(dirname(file));
  return bavail * bsize < LEAST_FREE_BYTES;
}

function startError(command: EngineCommand, reason: string): LocalEnginesError {
  if (isDiskFull(command.logFile))
    return new LocalEnginesError(
      `${command.engine} ${reason}: the disk of ${dirname(dirname(command.logFile))} is full. Make room and start again.`,
    );
  const lines = readFileSync(command.logFile, "utf8").trimEnd().split("\n");
  const tail = lines.slice(-LOG_TAIL_LINES).join("\n");
  return new LocalEnginesError(
    `${command.engine} ${reason}. Its log, ${command.logFile}, ends with:\n${tail}`,
  );
}

async function waitUntilHealthy(
  child: EngineChild,
  command: EngineCommand,
  signal: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + HEALTHY_WITHIN_MS;
  while (!(await command.isHealthy())) {
    signal.throwIfAborted();
    if (!child.isRunning()) throw startError(command, await child.ended);
    if (performance.now() > deadline) {
      throw startError(command, `did not answer within ${HEALTHY_WITHIN_MS / 1000} seconds`);
    }
    await sleep(HEALTH_POLL_MS);
  }
  signal.throwIfAborted();
}

/**
 * Starts an engine and waits until it answers; one that does not is ended.
 * @throws {LocalEnginesError} that quotes the end of the engine's log; the signal's reason when that is aborted.
 */
export async function startChild(command: EngineCommand, signal: AbortSignal): Promise<EngineChild> {
  const child = spawnChild(command);
  try {
    await waitUntilHealthy(child, command, signal);
    return child;
  } catch (error) {
    await endChild(child);
    throw error;
  }
}
