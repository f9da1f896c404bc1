import { readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  acquireEngines,
  type AcquireOptions,
  type Engines,
} from "../../../src/local-engines/acquire-engines.ts";
import type { EngineEvent } from "../../../src/local-engines/engine-process.ts";
import type { Runtime } from "../../../src/local-engines/data-dir.ts";
import { makeEngineFolder } from "../../support/engine-folder.ts";

/** A folder that is removed after the test. */
export function makeTemporaryFolder(): string {
  const folder = realpathSync(makeEngineFolder("local-engines"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The PATH is this folder alone until the test is over. Engines get no environment, so a script in it needs a full `#!` line. */
export function usePath(folder: string): void {
  const before = process.env["PATH"];
  process.env["PATH"] = folder;
  onTestFinished(() => void (process.env["PATH"] = before));
}

/** Puts a program of this name, and nothing else, on the PATH for the rest of the test. */
export function useProgram(name: string, script: string): void {
  const folder = makeTemporaryFolder();
  writeFileSync(join(folder, name), script, { mode: 0o755 });
  usePath(folder);
}

/** A data directory that does not exist yet. */
export const nameDataDir = (): string => join(makeTemporaryFolder(), "data");

export interface Acquired extends Engines {
  readonly events: readonly EngineEvent[];
}

/** Engines as a server gets them, stopped after the test; options replace the defaults. */
export async function acquire(dataDir: string, options: Partial<AcquireOptions> = {}): Promise<Acquired> {
  const events: EngineEvent[] = [];
  const engines = await acquireEngines({
    dataDir,
    role: "server",
    needs: { redis: true },
    onEvent: (event) => events.push(event),
    ...options,
  });
  onTestFinished(engines.stop);
  return { ...engines, events };
}

export const readRuntime = (dataDir: string): Runtime =>
  JSON.parse(readFileSync(join(dataDir, "runtime.json"), "utf8")) as Runtime;

/** The process ids of the engines, as the runtime file has them. */
export function readPids(dataDir: string): { meilisearch: number; redis: number } {
  const { meilisearch, redis } = readRuntime(dataDir);
  return { meilisearch: meilisearch?.pid ?? 0, redis: redis?.pid ?? 0 };
}

/** Whether the process exists and is no zombie that only waits to be collected. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
