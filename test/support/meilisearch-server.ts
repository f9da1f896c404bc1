import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectEngine } from "../../src/meilisearch/connection.ts";
import { startChild } from "../../src/local-engines/engine-process.ts";
import { findMeilisearch, buildMeilisearchCommand } from "../../src/local-engines/meilisearch-process.ts";
import { oneEngine, type Topology } from "../../src/partitions/topology.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { findDeadPort } from "./dead-servers.ts";
import { importInto } from "./divided-index.ts";
import { makeEngineFolder } from "./engine-folder.ts";

export interface MeilisearchServer extends AsyncDisposable {
  readonly address: { readonly url: string; readonly key: string };
  /** An index in it. */
  readonly topology: Topology;
  /** Where it keeps its data. */
  readonly dataDir: string;
  /** The files of its indexes. */
  readonly listIndexFiles: () => string[];
  /** Suspends it at once: connections stay open without responses. */
  readonly hang: () => void;
  readonly goOn: () => void;
  readonly kill: () => Promise<void>;
  /** Restarts it on the same port with the same data. */
  readonly revive: () => Promise<void>;
  /** Builds an index of the places and makes it live. */
  readonly fill: (places: readonly PlaceDocument[]) => Promise<void>;
}

interface LaunchedServer extends MeilisearchServer {
  /** Makes it as it was at its start: running and without indexes. */
  readonly restore: () => Promise<void>;
}

/** Those that no test uses. With its first index, a new engine loads its dictionaries, which takes longer than most tests. */
const free: LaunchedServer[] = [];

/** A Meilisearch without indexes that tests may kill and revive, unlike the shared one of the test run. Its dispose leaves it to others. */
export async function startMeilisearchServer(): Promise<MeilisearchServer> {
  const server = free.pop() ?? keptForOthers.use(await launchMeilisearchServer());
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server.restore();
      free.push(server);
    },
  };
}

/** The same for a test that damages its data. Its dispose ends it. */
export async function launchMeilisearchServer(): Promise<LaunchedServer> {
  const dataDir = makeEngineFolder("engine");
  mkdirSync(join(dataDir, "logs"));
  const command = buildMeilisearchCommand(dataDir, await findDeadPort(), findMeilisearch(dataDir));
  const launch = () => startChild(command, new AbortController().signal);
  const address = { url: command.url, key: command.key };
  const topology = oneEngine(address);
  let server = await launch();

  const send = (signal: NodeJS.Signals): void => {
    if (server.pid !== undefined && server.isRunning()) process.kill(server.pid, signal);
  };
  const kill = async (): Promise<void> => {
    send("SIGKILL");
    await server.ended;
  };
  return {
    address,
    topology,
    dataDir,
    listIndexFiles: () => listIndexFiles(dataDir),
    hang: () => send("SIGSTOP"),
    goOn: () => send("SIGCONT"),
    kill,
    async revive() {
      server = await launch();
    },
    fill: (places) => importInto(topology, places),
    async restore() {
      send("SIGCONT");
      if (!server.isRunning()) server = await launch();
      await removeIndexes(address);
    },
    async [Symbol.asyncDispose]() {
      await kill();
      // The kernel may still be closing its files.
      await sleep(50);
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** More than any test creates. */
const MANY = 1_000;

async function removeIndexes(address: MeilisearchServer["address"]): Promise<void> {
  const connection = connectEngine(address);
  const { client } = connection;
  try {
    await client.tasks.cancelTasks({ statuses: ["enqueued", "processing"] }).waitTask();
    const { results } = await client.getRawIndexes({ limit: MANY });
    const tasks = await Promise.all(results.map(({ uid }) => client.deleteIndex(uid)));
    await client.tasks.waitForTasks(tasks);
  } finally {
    await connection.close();
  }
}

/** The files in which a Meilisearch on this data directory keeps its indexes, the largest first. */
export function listIndexFiles(dataDir: string): string[] {
  const indexes = join(dataDir, "meilisearch", "indexes");
  const files = readdirSync(indexes).map((name) => join(indexes, name, "data.mdb"));
  return files.toSorted((one, other) => statSync(other).size - statSync(one).size);
}
