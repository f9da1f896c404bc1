import type { IndexConnection } from "../../src/meilisearch/connection.ts";
import { PATIENT_DEADLINE_MS, readManifest, type Manifest } from "../../src/meilisearch/manifest.ts";
import { INDEX_SETTINGS } from "../../src/meilisearch/index-form.ts";
import { EngineTaskError, REPLACED, retryWhileUnreachable, waitForTask } from "./engine-tasks.ts";

/** One request is written while another waits. Those that wait together are joined, and their places written in the reverse order. */
const MOST_UNFINISHED = 2;

/** Each write of the engine has costs that grow with the index, so requests grow with what was sent before. */
const SMALL_REQUEST_BYTES = 4 * 1024 * 1024;
const GROWTH = 0.5;

/** The first is sent with the second batch, for the engine to begin early. An import of one batch is one request. */
const FIRST_REQUEST_BATCHES = 2;

/** Collected in our memory, of which an import takes less than 300 MB. The engine takes requests of 100 MB. */
export const MOST_REQUEST_BYTES = 24 * 1024 * 1024;

interface QueueOptions {
  readonly signal: AbortSignal;
  /** How long it waits for an engine that does not respond. */
  readonly maxSilenceMs?: number | undefined;
  readonly mostBytes?: number;
}

/**
 * Opens a queue that sends documents to the index of this manifest, which is being filled, in their order. Sends nothing more once a
 * later import has replaced that index. Every method throws when the engine has refused a request.
 */
export function createBatchQueue(connection: IndexConnection, manifest: Manifest, options: QueueOptions) {
  const { mostBytes = MOST_REQUEST_BYTES } = options;
  const tasks = createTasks(connection, manifest, options);
  const collected = createLines(mostBytes);
  let sentBytes = 0;
  let batches = 0;

  const send = async (): Promise<void> => {
    const lines = collected.take();
    sentBytes += lines.length;
    if (lines.length > 0) await tasks.add(lines);
  };
  const finish = async (): Promise<void> => {
    await send();
    await tasks.waitUntilUnder(1);
  };
  const isEnough = (): boolean =>
    sentBytes === 0
      ? batches >= FIRST_REQUEST_BATCHES
      : collected.bytes() >= Math.max(SMALL_REQUEST_BYTES, sentBytes * GROWTH);
  return {
    /** Takes documents as JSON. Those of one call are sent together, mostly with those of other calls. */
    async post(documents: readonly string[]): Promise<void> {
      if (!collected.hasRoomFor(documents)) await send();
      collected.add(documents);
      batches += 1;
      // Reading goes on while the engine is busy.
      const isFull = collected.bytes() >= mostBytes;
      if (isFull || (isEnough() && !tasks.areMost())) await send();
    },
    async remove(identities: readonly string[]): Promise<void> {
      await send();
      if (identities.length > 0) await tasks.remove(identities);
    },
    /** Sends what was taken, and waits until the engine has written everything. */
    finish,
    /** Finishes, and lets the engine file the values of all places: the index can be searched then. Takes minutes with a million places. */
    async file(): Promise<void> {
      await send();
      await tasks.file();
      await finish();
    },
  };
}

/** Enqueues tasks of the engine, of which few are unfinished at a time. */
function createTasks(
  connection: IndexConnection,
  manifest: Manifest,
  { signal, maxSilenceMs }: Pick<QueueOptions, "signal" | "maxSilenceMs">,
) {
  const { uid } = connection;
  const unfinished: Promise<void>[] = [];
  let running = 0;
  const watch = async (taskUid: number): Promise<void> => {
    running += 1;
    try {
      await waitForTask(connection, taskUid, signal, maxSilenceMs);
    } finally {
      running -= 1;
    }
  };
  const waitUntilUnder = async (count: number): Promise<void> => {
    while (unfinished.length >= count) {
      await unfinished[0];
      void unfinished.shift();
    }
  };
  const enqueue = async (ask: () => Promise<{ readonly taskUid: number }>): Promise<void> => {
    await waitUntilUnder(MOST_UNFINISHED);
    await checkStillOurs(connection, manifest, maxSilenceMs);
    const { taskUid } = await retryWhileUnreachable(ask, signal, maxSilenceMs);
    const ended = watch(taskUid);
    // Whoever waits for it next gets its error.
    ended.catch(() => undefined);
    unfinished.push(ended);
  };
  return {
    /** Whether the next one has to wait. After a failure it does not, and gets the error. */
    areMost: (): boolean => running >= MOST_UNFINISHED,
    waitUntilUnder,
    add: (lines: Buffer) => enqueue(() => connection.addDocuments(uid, lines)),
    remove: (ids: readonly string[]) =>
      enqueue(async () => connection.client.index(uid).deleteDocuments([...ids])),
    file: () => enqueue(async () => connection.client.index(uid).updateSettings(INDEX_SETTINGS)),
  };
}

/** The most bytes that UTF-8 takes for a character of a string. */
const MOST_BYTES_OF_CHARACTER = 3;

const LINE_FEED = 0x0a;

const mostBytesOf = (lines: readonly string[]): number =>
  lines.reduce((sum, { length }) => sum + MOST_BYTES_OF_CHARACTER * length + 1, 0);

/** Lines of JSON in one piece of memory, which is used again after each request. `mostBytes`: as many as are usually collected. */
function createLines(mostBytes: number) {
  let memory = Buffer.alloc(0);
  let used = 0;
  return {
    bytes: () => used,
    hasRoomFor: (lines: readonly string[]): boolean =>
      used === 0 || used + mostBytesOf(lines) <= memory.length,
    /** Only lines that there is room for. */
    add(lines: readonly string[]): void {
      const needed = mostBytesOf(lines);
      // The system gives memory when it is written to, so a small import takes little.
      if (memory.length < needed) memory = Buffer.allocUnsafeSlow(Math.max(mostBytes, needed));
      for (const line of lines) {
        used += memory.write(line, used);
        memory[used] = LINE_FEED;
        used += 1;
      }
    },
    /** All that was added. Valid until more is added. */
    take(): Buffer {
      const taken = memory.subarray(0, used);
      used = 0;
      return taken;
    },
  };
}

/** Whether the index that is filled is the one of this manifest. Asked while the engine writes, which may take all of its time. */
async function isStillOurs(connection: IndexConnection, manifest: Manifest): Promise<boolean> {
  const found = await readManifest(connection, connection.uid, PATIENT_DEADLINE_MS);
  return found?.built_at === manifest.built_at;
}

/**
 * Checks that no later import has replaced this build: it would have removed what this one built.
 * @throws {EngineTaskError} when a later import has taken its place.
 */
export async function checkStillOurs(
  connection: IndexConnection,
  manifest: Manifest,
  maxSilenceMs?: number,
): Promise<void> {
  if (await retryWhileUnreachable(() => isStillOurs(connection, manifest), undefined, maxSilenceMs)) return;
  throw new EngineTaskError(REPLACED);
}
