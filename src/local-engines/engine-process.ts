import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { endChild, startChild, type EngineChild, type EngineCommand } from "./engine-child.ts";
import type { OnEngineEvent } from "./engine-event.ts";

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
