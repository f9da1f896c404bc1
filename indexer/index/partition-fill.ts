import { countOurs, createBatchQueue } from "./batch-queue.ts";
import { hasAnswered } from "./engine-tasks.ts";

import {
  toManifestDocument,
  type DocumentCounts,
  type UnfinishedManifest,
  type InputMark,
} from "../../src/meilisearch/manifest.ts";
import { toWritesDocument } from "../../src/partitions/writes.ts";
import { readNames, toSearchedNames } from "./added-names.ts";
import type { Replica } from "./connect-generation.ts";

export type PartitionFill = ReturnType<typeof createPartitionFill>;

interface FillOptions {
  /** That of the build. */
  readonly manifest: UnfinishedManifest;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
  /** How much may be collected for each replica before it is sent. */
  readonly mostBytes: number;
}

/** An engine that restarts is back by then. One that is given up has to be filled from its twin later. */
const PATIENCE_WITH_TWIN_MS = 8_000;

/** Fills the indexes of one partition, which are equal. One that stops responding is given up while another has everything. */
export function createPartitionFill(replicas: readonly Replica[], options: FillOptions) {
  const { manifest } = options;
  const patienceMs = replicas.length > 1 ? PATIENCE_WITH_TWIN_MS : undefined;
  const queues = createReplicaQueues(replicas, { ...options, patienceMs });
  return {
    /** A replica that has everything so far. */
    get first(): Replica {
      return queues.first;
    },
    /**
     * Takes documents as JSON, and how many places of the input have been read by then. Sends them with those of other calls, and waits
     * only while too much is in progress.
     */
    post: (documents: readonly string[], added?: number): Promise<void> =>
      queues.withAll(({ queue }) =>
        queue.post([...documents, ...(added === undefined ? [] : [toProgress(manifest, added)])]),
      ),
    remove: (identities: readonly string[]): Promise<void> =>
      queues.withAll(({ queue }) => queue.remove(identities)),
    /** Waits for every batch. Resolves to what the partition has then. */
    async finish(): Promise<DocumentCounts> {
      const counts = new Map<Replica, DocumentCounts>();
      await queues.withAll(async ({ replica, queue }) => {
        await queue.finish();
        counts.set(replica, await countOurs(replica.connection, patienceMs));
      });
      return counts.get(queues.first)!;
    },
    /** Makes it searchable: the engine files the values of all places. With a filter of its names, which says when it need not be asked. */
    async completeForSearch({ withNames }: { readonly withNames: boolean }): Promise<void> {
      await queues.withAll(async ({ queue }) => {
        await queue.post([JSON.stringify(toWritesDocument({ count: READABLE }))]);
        await queue.file();
      });
      if (!withNames) return;
      const names = JSON.stringify(toSearchedNames(await readNames(queues.first)));
      await queues.withAll(async ({ queue }) => {
        await queue.post([names]);
        await queue.finish();
      });
    },
    /** Makes it complete, with its final manifest. A replica that was given up is not. */
    seal: (mark?: InputMark): Promise<void> =>
      queues.withAll(async ({ queue }) => {
        const { version, built_at } = manifest;
        const sealed = toManifestDocument({ version, built_at, ...(mark && { mark }) });
        const documents = [sealed, toWritesDocument({ count: SEALED })];
        await queue.post(documents.map((document) => JSON.stringify(document)));
        await queue.finish();
      }),
  };
}

/** The numbers of writes of a new index. A replica that is given up in between is not taken for complete. */
const READABLE = 0;
const SEALED = 1;

const toProgress = (manifest: UnfinishedManifest, added: number): string =>
  JSON.stringify(toManifestDocument({ ...manifest, build: { ...manifest.build, added } }));

interface QueuedReplica {
  readonly replica: Replica;
  readonly queue: ReturnType<typeof createBatchQueue>;
}

/** The replicas that have everything so far. */
function createReplicaQueues(
  replicas: readonly Replica[],
  { signal, say, mostBytes, patienceMs }: FillOptions & { readonly patienceMs: number | undefined },
) {
  let active = replicas.map((replica): QueuedReplica => ({
    replica,
    queue: createBatchQueue(replica.connection, { signal, maxSilenceMs: patienceMs, mostBytes }),
  }));
  return {
    get first(): Replica {
      return active[0]!.replica;
    },
    /** Does the same with every replica. @throws when an engine refuses, or all are lost. */
    async withAll(run: (one: QueuedReplica) => Promise<void>): Promise<void> {
      const asked = active;
      const results = await Promise.allSettled(asked.map(run));
      signal.throwIfAborted();
      const reasons = results.map((result) =>
        result.status === "rejected" ? (result.reason as Error) : undefined,
      );
      const lost = asked.filter((_, index) => reasons[index] !== undefined);
      const errors = reasons.filter((reason) => reason !== undefined);
      const fatal = lost.length === asked.length ? errors[0] : errors.find(hasAnswered);
      if (fatal) throw fatal;
      for (const { replica } of lost)
        say(
          `${replica.url} does not respond: partition ${replica.partition} continues without that replica.`,
        );
      active = active.filter((one) => !lost.includes(one));
    },
  };
}
