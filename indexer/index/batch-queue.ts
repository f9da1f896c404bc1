import type { Settings } from "meilisearch";
import { engineResponseOf, type IndexConnection } from "../../src/meilisearch/connection.ts";
import { COUNT_DEADLINE_MS, countDocuments, type DocumentCounts } from "../../src/meilisearch/manifest.ts";
import { INDEX_SETTINGS, toFillingSettings } from "../../src/meilisearch/index-form.ts";
import { EngineTaskError, REPLACED, retryWhileUnreachable, waitForTask } from "./engine-tasks.ts";

/** One request is written while another waits. Those that wait together are joined, and their places written in the reverse order. */
const MOST_UNFINISHED = 2;

/** Each write of the engine has costs that grow with the index, so requests grow with what was sent before. */
const SMALL_REQUEST_BYTES = 4 * 1024 * 1024;
const GROWTH = 0.5;

/** The engine begins early: with a thousand places or two. An import of fewer is one request. */
const FIRST_REQUEST_BYTES = 1024 * 1024;

/** Collected in our memory, of which an import takes less than 300 MB. The engine takes requests of 100 MB. */
export const MOST_REQUEST_BYTES = 24 * 1024 * 1024;

interface QueueOptions {
  readonly signal: AbortSignal;
  /** How long it waits for an engine that does not respond. */
  readonly maxSilenceMs?: number | undefined;
  readonly mostBytes?: number;
}

/**
 * Opens a queue that sends documents to an index that is being filled, in their order. Sends nothing more once a later import has
 * removed that index. Every method throws when the engine has refused a request.
 */
export function createBatchQueue(connection: IndexConnection, options: QueueOptions) {
  const { mostBytes = MOST_REQUEST_BYTES } = options;
  const tasks = createTasks(connection, options);
  const collected = createLines(mostBytes);
  let sentBytes = 0;

  const send = async (): Promise<void> => {
    const lines = collected.take();
    sentBytes += lines.length;
    if (lines.length > 0) await tasks.add(lines);
  };
  /** More will follow: the values of all are filed at the end. An index that gets all places at once files them with these. */
  const sendSome = async (): Promise<void> => {
    if (sentBytes === 0) await tasks.set(toFillingSettings(INDEX_SETTINGS));
    await send();
  };
  const finish = async (): Promise<void> => {
    await send();
    await tasks.waitUntilUnder(1);
  };
  const isEnough = (): boolean =>
    collected.bytes() >=
    (sentBytes === 0 ? FIRST_REQUEST_BYTES : Math.max(SMALL_REQUEST_BYTES, sentBytes * GROWTH));
  return {
    /** Takes documents as JSON. Those of one call are sent together, mostly with those of other calls. */
    async post(documents: readonly string[]): Promise<void> {
      if (!collected.hasRoomFor(documents)) await sendSome();
      collected.add(documents);
      // Reading goes on while the engine is busy.
      const isFull = collected.bytes() >= mostBytes;
      if (isFull || (isEnough() && !tasks.areMost())) await sendSome();
    },
    async remove(identities: readonly string[]): Promise<void> {
      await send();
      if (identities.length > 0) await tasks.remove(identities);
    },
    /** Sends what was taken, and waits until the engine has written everything. */
    finish,
    /** Finishes, and lets the engine file the values that are not filed: the index can be searched then. Takes minutes with a million places. */
    async file(): Promise<void> {
      await send();
      await tasks.set(INDEX_SETTINGS);
      await finish();
    },
  };
}

/** Enqueues tasks of the engine, of which few are unfinished at a time. */
function createTasks(
  connection: IndexConnection,
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
    await countOurs(connection, maxSilenceMs);
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
    set: (settings: Settings) => enqueue(async () => connection.client.index(uid).updateSettings(settings)),
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
    hasRoomFor: (lines: readonly string[]): boolean => used === 0 || used + mostBytesOf(lines) <= mostBytes,
    /** Only lines that there is room for. */
    add(lines: readonly string[]): void {
      const needed = used + mostBytesOf(lines);
      // It grows: 24 MB at once make Node collect garbage, even where an import fills little of it.
      if (memory.length < needed) {
        const kept = memory.subarray(0, used);
        memory = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(2 * memory.length, mostBytes)));
        kept.copy(memory);
      }
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

/**
 * What the index of a build has. No other has its name, and only a later import removes it.
 * @throws {EngineTaskError} when one has taken the place of this one.
 */
export function countOurs(connection: IndexConnection, maxSilenceMs?: number): Promise<DocumentCounts> {
  const count = () => countDocuments(connection, connection.uid, COUNT_DEADLINE_MS);
  return retryWhileUnreachable(count, undefined, maxSilenceMs).catch((error: unknown) => {
    throw engineResponseOf(error)?.code === "index_not_found" ? new EngineTaskError(REPLACED) : error;
  });
}
