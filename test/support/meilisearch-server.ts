import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startChild } from "../../src/local-engines/engine-process.ts";
import { findMeilisearch, buildMeilisearchCommand } from "../../src/local-engines/meilisearch-process.ts";
import { oneEngine, type Topology } from "../../src/partitions/topology.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { findDeadPort } from "./dead-servers.ts";
import { importInto } from "./divided-index.ts";

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

/** A Meilisearch that tests may break, unlike the shared one of the test run. */
export async function startMeilisearchServer(): Promise<MeilisearchServer> {
  const dataDir = mkdtempSync(join(tmpdir(), "hereabouts-engine-"));
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
    async [Symbol.asyncDispose]() {
      await kill();
      // The kernel may still be closing its files.
      await sleep(50);
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The files in which a Meilisearch on this data directory keeps its indexes, the largest first. */
export function listIndexFiles(dataDir: string): string[] {
  const indexes = join(dataDir, "meilisearch", "indexes");
  const files = readdirSync(indexes).map((name) => join(indexes, name, "data.mdb"));
  return files.toSorted((one, other) => statSync(other).size - statSync(one).size);
}
