import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { endProcess } from "./end-process.ts";
import type { EngineName, OnEngineEvent } from "./engine-event.ts";
import { LocalEnginesError } from "./local-engines-error.ts";
import { meilisearchDataArguments } from "./meilisearch-process.ts";
import { redisDataArguments } from "./redis-process.ts";

interface Orphan {
  readonly engine: EngineName;
  readonly pid: number;
}

/** The arguments of a process, joined by NUL. Empty for one that is gone or a zombie. */
function readCommandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

const listLinuxProcesses = (): [number, string][] =>
  readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => [Number(entry), readCommandLine(Number(entry))]);

const listOtherProcesses = (): [number, string][] =>
  execFileSync("ps", ["-axww", "-o", "pid=,command="], { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 })
    .split("\n")
    .map((line) => [Number.parseInt(line, 10), line.trimStart().replace(/^\d+ +/, "")]);

const listProcesses = (): [number, string][] =>
  existsSync("/proc/self/cmdline") ? listLinuxProcesses() : listOtherProcesses();

/** `ps` separates arguments by spaces, the kernel by NUL: for the comparison they are the same. */
const toWords = (commandLine: string): string => `\0${commandLine}\0`.replaceAll(" ", "\0");

const shows = (commandLine: string, engineArguments: readonly string[]): boolean =>
  toWords(commandLine).includes(toWords(engineArguments.join(" ")));

function findOrphans(dataDir: string): Orphan[] {
  const marks: [EngineName, readonly string[]][] = [
    ["meilisearch", meilisearchDataArguments(dataDir)],
    ["redis", redisDataArguments(dataDir)],
  ];
  return listProcesses().flatMap(([pid, commandLine]) =>
    marks.filter(([, mark]) => shows(commandLine, mark)).map(([engine]) => ({ engine, pid })),
  );
}

/**
 * Ends every engine that still works on this data directory. The caller holds the directory's lock, so they are orphans of an
 * owner that was killed. They are found by their command lines, not by the runtime file: that may be broken, stale or older.
 * @throws {LocalEnginesError} for one that cannot be ended.
 */
export async function endOrphans(dataDir: string, onEvent: OnEngineEvent): Promise<void> {
  await Promise.all(
    findOrphans(dataDir).map(async ({ engine, pid }) => {
      const isRunning = (): boolean => findOrphans(dataDir).some((orphan) => orphan.pid === pid);
      if (!(await endProcess(pid, isRunning))) {
        throw new LocalEnginesError(
          `A ${engine} of an earlier run (process ${pid}) still uses ${dataDir} and cannot be ended. End it, then start again.`,
        );
      }
      onEvent({ name: "orphan_ended", engine, pid });
    }),
  );
}
