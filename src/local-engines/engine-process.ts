import { OperatorError } from "../errors.ts";
import { once } from "node:events";
import { writeFileSync, closeSync, openSync, readFileSync, statfsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { spawn } from "node:child_process";
import { dirname } from "node:path";

/** An engine process that is restarted whenever it dies. */
export interface EngineProcess {
  /** Stops the engine without restarting it. May be called more than once. */
  readonly stop: () => Promise<void>;
}

interface KeepOptions {
  readonly onEvent: OnEngineEvent;
  readonly signal: AbortSignal;
}

const FIRST_RESTART_DELAY_MS = 250;
const MAX_RESTART_DELAY_MS = 5_000;

/** An engine that runs this long is healthy again: after its next death the delay starts short. */
const STABLE_AFTER_MS = 30_000;

/** Restarts the engine until it responds again. Rejects only when the signal is aborted. */
async function restart(
  command: EngineCommand,
  firstDelayMs: number,
  { onEvent, signal }: KeepOptions,
): Promise<EngineChild> {
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, MAX_RESTART_DELAY_MS)) {
    await sleep(delayMs, undefined, { signal });
    try {
      command.checkData?.();
      return await startChild(command, signal);
    } catch (error) {
      signal.throwIfAborted();
      const isDataDamaged = error instanceof DamagedDataError;
      const reason = isDataDamaged ? error.message : String(error);
      onEvent({ name: "engine_restart_failed", engine: command.engine, reason, isDataDamaged });
    }
  }
}

/** Restarts the engine whenever it dies, until the signal is aborted; then ends it. */
async function keepAlive(first: EngineChild, command: EngineCommand, options: KeepOptions): Promise<void> {
  const { onEvent, signal } = options;
  const stopped = once(signal, "abort");
  let child = first;
  let delayMs = FIRST_RESTART_DELAY_MS;
  try {
    for (;;) {
      const startedAt = performance.now();
      const reason = await Promise.race([child.ended, stopped]);
      if (typeof reason !== "string") return;
      onEvent({ name: "engine_died", engine: command.engine, reason });
      if (performance.now() - startedAt > STABLE_AFTER_MS) delayMs = FIRST_RESTART_DELAY_MS;
      child = await restart(command, delayMs, options);
      delayMs = Math.min(delayMs * 2, MAX_RESTART_DELAY_MS);
      onEvent({ name: "engine_restarted", engine: command.engine, pid: child.pid ?? 0 });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await endChild(child);
  }
}

/**
 * Starts an engine, waits until it responds and keeps it alive: one that dies is restarted on the same port
 * with the same key.
 * @param options.signal cancels the first start; after that `stop()` ends the engine.
 * @throws {LocalEnginesError} when the first start fails.
 */
export async function startEngineProcess(
  command: EngineCommand,
  options: KeepOptions,
): Promise<EngineProcess> {
  const { onEvent } = options;
  // Each run starts a new log, so that logs do not grow without limit.
  writeFileSync(command.logFile, "", { mode: 0o600 });
  const child = await startChild(command, options.signal);
  onEvent({ name: "engine_started", engine: command.engine, pid: child.pid ?? 0, port: command.port });
  const stopping = new AbortController();
  const ended = keepAlive(child, command, { onEvent, signal: stopping.signal });
  return {
    stop() {
      stopping.abort();
      return ended;
    },
  };
}

/** Everything needed to start one engine, and to restart it in the same way. */
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
  /**
   * Checks the engine's data before a restart: an engine that starts on a truncated file may treat it as empty.
   * @throws {DamagedDataError} when it is damaged.
   */
  readonly checkData?: () => void;
}

/** One run of an engine process, from start to end. */
export interface EngineChild {
  readonly pid: number | undefined;
  readonly isRunning: () => boolean;
  /** Resolves with the reason when the process has ended or could not start. Never rejects. */
  readonly ended: Promise<string>;
}

/**
 * A large index on a cold disk opens in seconds; no response within half a minute means that something is
 * wrong.
 */
const HEALTHY_WITHIN_MS = 30_000;

const HEALTH_POLL_MS = 25;

const LOG_TAIL_LINES = 12;

function spawnChild(command: EngineCommand): EngineChild {
  const log = openSync(command.logFile, "a", 0o600);
  // A separate process group: Ctrl-C in the terminal reaches only the owner, which ends the engines in order.
  const child = spawn(command.file, command.args, {
    detached: true,
    env: command.env,
    stdio: ["pipe", log, log],
  });
  closeSync(log);
  // When an engine dies before it has read its input, its end is what gets reported, not the broken pipe.
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

/** Ends the child, gently if possible. Returns when it is gone. */
export async function endChild(child: EngineChild): Promise<void> {
  if (child.pid !== undefined && child.isRunning()) await endProcess(child.pid, child.isRunning);
}

/** With less free space an engine cannot even start, nor log why. */
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
 * Starts an engine and waits until it responds; ends one that does not.
 * @throws {LocalEnginesError} that quotes the end of the engine's log; the signal's reason when that is
 *   aborted.
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

/** Healthy engines end within a second of SIGTERM; Redis may have a log to flush. */
const GRACE_MS = 5_000;

/**
 * A killed process disappears at once unless the kernel holds it in a disk wait, and waiting longer does not
 * help then.
 */
const KILLED_MS = 2_000;

const POLL_MS = 20;

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself, or belongs to another user: what matters is whether it still runs.
  }
}

async function hasEndedWithin(timeoutMs: number, isRunning: () => boolean): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isRunning()) {
    if (performance.now() >= deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/**
 * Ends a process, even a suspended one (SIGSTOP), and kills it when it does not end. Returns whether it is
 * gone.
 */
export async function endProcess(pid: number, isRunning: () => boolean): Promise<boolean> {
  send(pid, "SIGTERM");
  // A suspended process handles the first signal only when it continues.
  send(pid, "SIGCONT");
  if (await hasEndedWithin(GRACE_MS, isRunning)) return true;
  send(pid, "SIGKILL");
  return hasEndedWithin(KILLED_MS, isRunning);
}

/** Several engines are numbered. */
export type EngineName = "meilisearch" | "redis" | `engine-${number}`;

/** Events for the caller to log. No field ever holds a key or a password. */
export type EngineEvent =
  | {
      readonly name: "engine_started";
      readonly engine: EngineName;
      readonly pid: number;
      readonly port: number;
    }
  | { readonly name: "engine_died"; readonly engine: EngineName; readonly reason: string }
  | { readonly name: "engine_restarted"; readonly engine: EngineName; readonly pid: number }
  | {
      readonly name: "engine_restart_failed";
      readonly engine: EngineName;
      readonly reason: string;
      readonly isDataDamaged: boolean;
    }
  | { readonly name: "orphan_ended"; readonly engine: EngineName; readonly pid: number }
  /** Others could read the data directory (its mode, in octal): now they cannot, or the operator must see to it. */
  | { readonly name: "data_dir_closed" | "data_dir_open"; readonly dataDir: string; readonly mode: string }
  | { readonly name: "redis_unavailable"; readonly reason: string }
  | { readonly name: "runtime_file_failed"; readonly reason: string };

export type OnEngineEvent = (event: EngineEvent) => void;

/** The message about an event for the person at a terminal; undefined for an expected start. */
export function describeTrouble(event: EngineEvent): string | undefined {
  if (event.name === "engine_started" || event.name === "redis_unavailable") return undefined;
  if (event.name === "data_dir_closed") return undefined;
  if (event.name === "data_dir_open")
    return `Other users can read ${event.dataDir} (mode ${event.mode}). It holds keys: close it with chmod 700.`;
  const reason = "reason" in event ? `: ${event.reason}` : "";
  return event.name.replaceAll("_", " ") + reason;
}

/** The engines are not available. The message is for the person at the terminal and says how to fix it. */
export class LocalEnginesError extends OperatorError {
  override readonly name: string = "LocalEnginesError";
}

/** The engine's data on disk is damaged. The message names the folder and the ways to fix it. */
export class DamagedDataError extends LocalEnginesError {}
