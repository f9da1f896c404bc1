import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";

const pid = v.pipe(v.number(), v.integer(), v.minValue(1));

const runtimeSchema = v.object({
  state: v.picklist(["starting", "running", "stopping"]),
  owner: v.object({ pid, role: v.picklist(["server", "indexer", "keys"]) }),
  meilisearch: v.optional(v.object({ url: v.string(), key: v.string(), pid: v.optional(pid) })),
  redis: v.optional(v.object({ url: v.string(), pid: v.optional(pid) })),
});

/** What the owner of a data directory tells other processes: who it is and where its engines are. */
export type Runtime = v.InferOutput<typeof runtimeSchema>;

const runtimePath = (dataDir: string): string => join(dataDir, "runtime.json");

const isAlive = (processId: number): boolean => {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

/** Replaces the runtime file in one step, so that a reader never sees half of it. Only its user may read it: it holds keys. */
export function writeRuntimeFile(dataDir: string, runtime: Runtime): void {
  const aside = join(dataDir, `runtime.json.${process.pid}`);
  // The mode applies only to a file that is created.
  rmSync(aside, { force: true });
  writeFileSync(aside, `${JSON.stringify(runtime, null, 2)}\n`, { mode: 0o600 });
  renameSync(aside, runtimePath(dataDir));
}

/** The runtime of an owner that is alive; undefined when there is none, or its file is missing or broken. */
export function readRuntimeFile(dataDir: string): Runtime | undefined {
  try {
    const runtime = v.parse(runtimeSchema, JSON.parse(readFileSync(runtimePath(dataDir), "utf8")));
    return isAlive(runtime.owner.pid) ? runtime : undefined;
  } catch {
    return undefined;
  }
}

export function removeRuntimeFile(dataDir: string): void {
  rmSync(runtimePath(dataDir), { force: true });
}
