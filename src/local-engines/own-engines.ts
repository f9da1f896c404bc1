import { mkdirSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Role,
  type DataDirLock,
  removeRuntimeFile,
  writeRuntimeFile,
  type Runtime,
} from "./data-dir.ts";
import {
  type EngineCommand,
  type EngineName,
  type OnEngineEvent,
  startEngineProcess,
  type EngineProcess,
  LocalEnginesError,
  endProcess,
} from "./engine-process.ts";
import {
  findMeilisearch,
  buildMeilisearchCommand,
  type MeilisearchCommand,
  chooseIndexingMemory,
  meilisearchDataArguments,
} from "./meilisearch-process.ts";
import { checkSearchData, removeUnfinishedStart } from "./check-data.ts";
import {
  chooseDivision,
  engineFolders,
  hasEverHeldData,
  listEngineFolders,
  type Division,
  type EngineFolder,
  type WantedDivision,
} from "./engine-folders.ts";
import { buildRedisCommand, redisDataArguments } from "./redis-process.ts";
import { execFileSync } from "node:child_process";
import { createServer, type AddressInfo, type Server } from "node:net";

export interface OwnOptions {
  readonly dataDir: string;
  readonly lock: DataDirLock;
  readonly role: Role;
  readonly wanted: { readonly meilisearch: boolean; readonly redisFile: string | undefined };
  /** How much memory Meilisearch may use for an import, such as `512MiB`; by default a share of the machine's. */
  readonly indexingMemory: string | undefined;
  /** How many engines the settings ask for. */
  readonly division: WantedDivision;
  readonly onEvent: OnEngineEvent;
  readonly signal: AbortSignal;
}

export interface OwnEngines {
  readonly runtime: Runtime;
  /** True when the data directory has never held an index. */
  readonly isNew: boolean;
  /** True while no Meilisearch is restarted because the data of all is damaged. */
  readonly isDataDamaged: () => boolean;
  readonly stop: () => Promise<void>;
}

interface Commands {
  /** One with the whole index, or several that share it. */
  readonly meilisearch: readonly MeilisearchCommand[];
  /** Of several engines. */
  readonly division: Division | undefined;
  readonly redis: EngineCommand | undefined;
}

async function buildCommands(
  { dataDir, wanted, indexingMemory }: OwnOptions,
  { folders, division }: Chosen,
): Promise<Commands> {
  mkdirSync(join(dataDir, "logs"), { recursive: true });
  const [redisPort, ...ports] = await findFreePorts(1 + folders.length);
  const hasTwin = (division?.replicas ?? 1) > 1;
  const memory = indexingMemory ?? `${chooseIndexingMemory(folders.length)}B`;
  const meilisearch = folders.map(({ name, folder }, index) => {
    mkdirSync(join(folder, "logs"), { recursive: true });
    const options = { name, indexingMemory: memory, hasTwin };
    return buildMeilisearchCommand(folder, ports[index] ?? 0, findMeilisearch(dataDir), options);
  });
  const redis =
    wanted.redisFile === undefined ? undefined : buildRedisCommand(dataDir, redisPort, wanted.redisFile);
  return { meilisearch, division, redis };
}

interface Chosen {
  readonly folders: readonly EngineFolder[];
  readonly division: Division | undefined;
}

/** @throws {LocalEnginesError} when other engines have the index, or the data of one is damaged. */
function chooseEngines({ dataDir, wanted, division: wantedDivision }: OwnOptions): Chosen {
  if (!wanted.meilisearch) return { folders: [], division: undefined };
  const division = chooseDivision(dataDir, wantedDivision);
  const folders: EngineFolder[] = division
    ? engineFolders(dataDir, division)
    : [{ name: "meilisearch", folder: dataDir }];
  for (const { folder } of folders) {
    removeUnfinishedStart(folder);
    checkSearchData(folder, (division?.replicas ?? 1) > 1);
  }
  return { folders, division };
}

const stopAll = async (engines: readonly EngineProcess[]): Promise<void> => {
  await Promise.all(engines.map((engine) => engine.stop()));
};

/** Starts all engines at the same time. When one fails, ends the others and throws the first error. */
async function startAll(commands: readonly EngineCommand[], options: OwnOptions): Promise<EngineProcess[]> {
  const results = await Promise.allSettled(commands.map((command) => startEngineProcess(command, options)));
  const engines = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const failure = results.find((result) => result.status === "rejected");
  if (failure === undefined) return engines;
  await stopAll(engines);
  throw failure.reason;
}

interface Announcer {
  readonly runtime: () => Runtime;
  readonly announce: (state: Runtime["state"]) => void;
  readonly onEvent: OnEngineEvent;
  readonly isDataDamaged: () => boolean;
}

/**
 * Keeps the runtime file up to date while engines start, die and recover. A full disk does not stop a running
 * owner.
 */
function createAnnouncer({ dataDir, role, onEvent }: OwnOptions, commands: Commands): Announcer {
  const { meilisearch, division, redis } = commands;
  const pids = new Map<EngineName, number>();
  const damaged = new Set<EngineName>();
  const describe = (state: Runtime["state"]): Runtime => {
    const engines = meilisearch.map(({ engine, url, key }) => ({
      name: engine,
      url,
      key,
      pid: pids.get(engine),
    }));
    const [only] = engines;
    return {
      state,
      owner: { pid: process.pid, role },
      ...(division
        ? { topology: { engines, partitions: division.partitions, replicas: division.replicas } }
        : { meilisearch: only && { url: only.url, key: only.key, pid: only.pid } }),
      redis: redis && { url: redis.url, pid: pids.get("redis") },
    };
  };
  function announce(state: Runtime["state"]): void {
    try {
      writeRuntimeFile(dataDir, describe(state));
    } catch (error) {
      onEvent({ name: "runtime_file_failed", reason: String(error) });
    }
  }
  return {
    runtime: () => describe("running"),
    announce,
    isDataDamaged: () => damaged.size > 0 && damaged.size === meilisearch.length,
    onEvent(event) {
      if ("pid" in event && event.name !== "orphan_ended") pids.set(event.engine, event.pid);
      if (event.name === "engine_restarted") announce("running");
      if (event.name === "engine_restart_failed" && event.isDataDamaged) damaged.add(event.engine);
      if (event.name === "engine_restarted") damaged.delete(event.engine);
      onEvent(event);
    },
  };
}

async function startOwn(options: OwnOptions): Promise<OwnEngines> {
  const { dataDir, role } = options;
  writeRuntimeFile(dataDir, { state: "starting", owner: { pid: process.pid, role } });
  await endOrphans(dataDir, options.onEvent);
  const isNew = !hasEverHeldData(dataDir);
  const commands = await buildCommands(options, chooseEngines(options));
  const { runtime, announce, onEvent, isDataDamaged } = createAnnouncer(options, commands);
  const wanted = [...commands.meilisearch, ...(commands.redis ? [commands.redis] : [])];
  const engines = await startAll(wanted, { ...options, onEvent });
  announce("running");

  async function stop(): Promise<void> {
    announce("stopping");
    await stopAll(engines);
    giveBack(options);
  }
  let stopped: Promise<void> | undefined;
  return { runtime: runtime(), isNew, isDataDamaged, stop: () => (stopped ??= stop()) };
}

function giveBack({ dataDir, lock }: OwnOptions): void {
  try {
    removeRuntimeFile(dataDir);
  } finally {
    lock.release();
  }
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && "syscall" in error;

/**
 * Starts the wanted engines in a data directory that this process has locked, and publishes their addresses
 * to other processes. `stop()` ends the engines and releases the directory; so does a failed start.
 * @throws {LocalEnginesError} when one is missing or does not start; the signal's reason when that is
 *   aborted.
 */
export async function ownEngines(options: OwnOptions): Promise<OwnEngines> {
  try {
    return await startOwn(options);
  } catch (error) {
    giveBack(options);
    if (!isSystemError(error)) throw error;
    throw new LocalEnginesError(
      `Cannot prepare ${options.dataDir}: ${error.message}. It must be a folder that can be written, on a disk with space left.`,
      { cause: error },
    );
  }
}

interface Orphan {
  readonly engine: EngineName;
  readonly pid: number;
}

/** The arguments of a process, joined by NUL. Empty for a process that is gone or a zombie. */
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

/** `ps` separates arguments by spaces, the kernel by NUL: this makes the two comparable. */
const toWords = (commandLine: string): string => `\0${commandLine}\0`.replaceAll(" ", "\0");

const shows = (commandLine: string, engineArguments: readonly string[]): boolean =>
  toWords(commandLine).includes(toWords(engineArguments.join(" ")));

function findOrphans(dataDir: string): Orphan[] {
  const marks: [EngineName, readonly string[]][] = [
    ...listEngineFolders(dataDir).map(({ name, folder }): [EngineName, readonly string[]] => [
      name,
      meilisearchDataArguments(folder),
    ]),
    ["redis", redisDataArguments(dataDir)],
  ];
  return listProcesses().flatMap(([pid, commandLine]) =>
    marks.filter(([, mark]) => shows(commandLine, mark)).map(([engine]) => ({ engine, pid })),
  );
}

/**
 * Ends every engine that still works on this data directory. The caller holds the directory's lock, so they
 * are orphans of a killed owner. They are found by their command lines, because the runtime file may be
 * broken or outdated.
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

const listen = (): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve(server));
  });

const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

/** Two or more different free loopback ports. All are held until all are known; otherwise they could be the same. */
export async function findFreePorts(count = 2): Promise<[number, number, ...number[]]> {
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map(close));
  return ports as [number, number, ...number[]];
}
