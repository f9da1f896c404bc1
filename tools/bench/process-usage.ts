import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { indexingFingerprint } from "./builds.ts";

/** The unit of processor time, a hundredth of a second on every current Linux (`getconf CLK_TCK`). */
const TICK_MS = 10;

/** Places in /proc/<pid>/stat, counted after the command's name: proc(5) fields 4, 14 and 15. */
const PARENT = 1;
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/** A process's memory, in kilobytes. */
export interface MemoryUsage {
  /** The memory it has allocated. */
  readonly anonKb: number;
  /** Mapped pages of files: for the engine its index, which the kernel reclaims when memory is short. */
  readonly fileKb: number;
  readonly residentKb: number;
  /** The largest `residentKb` so far. */
  readonly peakKb: number;
}

/** A process that has ended has no such file. */
function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** The command's name may hold spaces and brackets; what follows its last bracket does not. */
function readStat(pid: number | string): number[] | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  return stat
    ?.slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
}

/** The process and all its descendants. */
export function listProcessTree(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const parent = readStat(name)?.[PARENT];
    if (parent !== undefined) parents.set(Number(name), parent);
  }
  const tree = [pid];
  for (const member of tree) {
    for (const [child, parent] of parents) if (parent === member) tree.push(child);
  }
  return tree;
}

/** Processor time of the processes so far, in user mode and in the kernel together. */
export function readCpuMs(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    const stat = readStat(pid);
    return stat === undefined ? 0 : stat[USER_TICKS]! + stat[SYSTEM_TICKS]!;
  });
  return ticks.reduce((sum, value) => sum + value, 0) * TICK_MS;
}

/** Processor time that the whole machine has spent so far, all cores together. */
export function readMachineCpuMs(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = (readProc("/proc/stat") ?? "")
    .slice("cpu ".length, 200)
    .trim()
    .split(/\s+/)
    .map(Number);
  return (user + nice + system + irq + softIrq) * TICK_MS;
}

/** The memory of one process; zeros when it has ended. */
export function readMemory(pid: number): MemoryUsage {
  const status = readProc(`/proc/${pid}/status`) ?? "";
  const kb = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0);
  return {
    anonKb: kb("RssAnon"),
    fileKb: kb("RssFile"),
    residentKb: kb("VmRSS"),
    peakKb: kb("VmHWM"),
  };
}

/** Resets `peakKb`, where the kernel allows it. */
export function resetPeakMemory(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    // A kernel without this feature, or another user's process: the peak then counts from the start.
  }
}

const BYTES_PER_GIGABYTE = 1024 ** 3;

/** The machine's properties that absolute numbers depend on. */
export interface Machine {
  readonly at: string;
  readonly node: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  /** Distinguishes indexes that were built by different code. */
  readonly indexingCode: string;
}

export function describeMachine(): Machine {
  return {
    at: Temporal.Now.instant().toString({ smallestUnit: "second" }),
    node: process.version,
    processor: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / BYTES_PER_GIGABYTE),
    indexingCode: indexingFingerprint(),
  };
}
