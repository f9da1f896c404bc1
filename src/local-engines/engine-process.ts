import { once } from "node:events";
import { writeFileSync, closeSync, openSync, readFileSync, statfsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { spawn } from "node:child_process";
import { dirname } from "node:path";

/** An engine that is kept alive. */
export interface EngineProcess {
  /** Ends the engine for good. May be called more than once. */
  readonly stop: () => Promise<void>;
}

interface KeepOptions {
  readonly onEvent: OnEngineEvent;
  readonly signal: AbortSignal;
}

const FIRST_RESTART_DELAY_MS = 250;
const MAX_RESTART_DELAY_MS = 5_000;

/** An engine that held out this long is well again: its next death begins with the short delay. */
const STABLE_AFTER_MS = 30_000;

/** Tries until the engine answers again. Rejects only when the signal is aborted. */
async function restart(
  command: EngineCommand,
  firstDelayMs: number,
  { onEvent, signal }: KeepOptions,
): Promise<EngineChild> {
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, MAX_RESTART_DELAY_MS)) {
    await sleep(delayMs, undefined, { signal });
    try {
      return await startChild(command, signal);
    } catch (error) {
      signal.throwIfAborted();
      onEvent({ name: "engine_restart_failed", engine: command.engine, reason: String(error) });
    }
  }
}

/** Starts the engine again whenever it dies, until the signal is aborted; then ends it. */
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
 * Starts an engine, waits until it answers and keeps it alive: one that dies is started again, on the same port with the same key.
 * @param options.signal gives up the first start; after that `stop()` ends the engine.
 * @throws {LocalEnginesError} when the first start fails.
 */
export async function startEngineProcess(
  command: EngineCommand,
  options: KeepOptions,
): Promise<EngineProcess> {
  const { onEvent } = options;
  // Each run begins a new log, so that logs do not grow for ever.
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

/** Both engines end within a second on SIGTERM when they are well; Redis may have a log to flush. */
const GRACE_MS = 5_000;

/** A killed process is gone at once unless the kernel holds it in a disk wait; there is no point in waiting longer. */
const KILLED_MS = 2_000;

const POLL_MS = 20;

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself, or is not ours: what counts is whether it still runs.
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

/** Asks a process to end, also one that was stopped (SIGSTOP), and kills it when it does not. Returns whether it is gone. */
export async function endProcess(pid: number, isRunning: () => boolean): Promise<boolean> {
  send(pid, "SIGTERM");
  // A stopped process acts on the first signal only when it goes on.
  send(pid, "SIGCONT");
  if (await hasEndedWithin(GRACE_MS, isRunning)) return true;
  send(pid, "SIGKILL");
  return hasEndedWithin(KILLED_MS, isRunning);
}

export type EngineName = "meilisearch" | "redis";

/** What the caller may want to log. No member ever holds a key or a password. */
export type EngineEvent =
  | {
      readonly name: "engine_started";
      readonly engine: EngineName;
      readonly pid: number;
      readonly port: number;
    }
  | { readonly name: "engine_died"; readonly engine: EngineName; readonly reason: string }
  | { readonly name: "engine_restarted"; readonly engine: EngineName; readonly pid: number }
  | { readonly name: "engine_restart_failed"; readonly engine: EngineName; readonly reason: string }
  | { readonly name: "orphan_ended"; readonly engine: EngineName; readonly pid: number }
  | { readonly name: "redis_unavailable"; readonly reason: string }
  | { readonly name: "runtime_file_failed"; readonly reason: string };

export type OnEngineEvent = (event: EngineEvent) => void;

/** What the person at a terminal should know of an event; undefined for a start, which is expected. */
export function describeTrouble(event: EngineEvent): string | undefined {
  if (event.name === "engine_started" || event.name === "redis_unavailable") return undefined;
  const reason = "reason" in event ? `: ${event.reason}` : "";
  return event.name.replaceAll("_", " ") + reason;
}

/** The engines cannot be had. The message is for the person at the terminal and says what to do about it. */
export class LocalEnginesError extends Error {
  override readonly name = "LocalEnginesError";
}
