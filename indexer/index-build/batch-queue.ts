import type { EngineConnection } from "../../src/meilisearch/connection.ts";
import { readManifest, type Manifest } from "../../src/meilisearch/manifest.ts";
import { EngineTaskError, REPLACED, retryWhileUnreachable, waitForTask } from "./engine-tasks.ts";
import { BORDER_IDS, BORDERS } from "./page-borders.ts";

/**
 * One request is written while another waits. Requests that wait together are joined, and their places written in the reverse order of
 * the requests: then the pages of the engine stay half empty (docs/decisions/0030).
 */
const MOST_UNFINISHED = 2;

/** Each write of the engine has costs that grow with the index, so requests grow with what was sent before. */
const SMALL_REQUEST_BYTES = 4 * 1024 * 1024;
const GROWTH = 0.5;

/** The first is sent with the second batch, for the engine to begin early. An import of one batch is one request, without borders. */
const FIRST_REQUEST_BATCHES = 2;

/** Collected in our memory. The engine takes 100 MB. */
export const MOST_REQUEST_BYTES = 32 * 1024 * 1024;

interface QueueOptions {
  readonly signal: AbortSignal;
  /** How long it waits for an engine that does not respond. */
  readonly maxSilenceMs?: number | undefined;
  readonly mostBytes?: number;
}

/** Sends documents to an index that is being filled, in their order. Every method throws when the engine has refused a request. */
export interface BatchQueue {
  /** Takes documents as JSON. Those of one call are sent together, mostly with those of other calls. */
  post(documents: readonly string[]): Promise<void>;
  remove(identities: readonly string[]): Promise<void>;
  /** Sends what was taken, and waits until the engine has written everything. */
  finish(): Promise<void>;
}

/** Opens a queue for the index of this manifest. Sends nothing more once a later import has replaced that index. */
export function createBatchQueue(
  connection: EngineConnection,
  manifest: Manifest,
  options: QueueOptions,
): BatchQueue {
  const { mostBytes = MOST_REQUEST_BYTES } = options;
  const tasks = createTasks(connection, manifest, options);
  const collected = createLines(mostBytes);
  let sentBytes = 0;
  let batches = 0;
  // An import that was interrupted has sent them before.
  let hasBorders = (manifest.build?.added ?? 0) > 0;
  let needsBorders = !hasBorders;

  const sendBorders = async (): Promise<void> => {
    needsBorders = false;
    hasBorders = true;
    await tasks.add(Buffer.from(BORDERS.join("\n")));
    // Joined with the first places, they would be written after them.
    await tasks.waitUntilUnder(1);
  };
  const send = async ({ isLast }: { readonly isLast: boolean }): Promise<void> => {
    if (needsBorders && !isLast) await sendBorders();
    const lines = collected.take();
    sentBytes += lines.length;
    if (lines.length > 0) await tasks.add(lines);
  };
  const isEnough = (): boolean =>
    sentBytes === 0
      ? batches >= FIRST_REQUEST_BATCHES
      : collected.bytes() >= Math.min(mostBytes, Math.max(SMALL_REQUEST_BYTES, sentBytes * GROWTH));
  return {
    async post(documents) {
      const text = `${documents.join("\n")}\n`;
      if (!collected.hasRoomFor(text)) await send({ isLast: false });
      collected.add(text);
      batches += 1;
      if (isEnough()) await send({ isLast: false });
    },
    async remove(identities) {
      await send({ isLast: true });
      if (identities.length > 0) await tasks.remove(identities);
    },
    async finish() {
      await send({ isLast: true });
      if (hasBorders) await tasks.remove(BORDER_IDS);
      needsBorders = false;
      hasBorders = false;
      await tasks.waitUntilUnder(1);
    },
  };
}

/** Enqueues tasks of the engine, of which few are unfinished at a time. */
function createTasks(
  connection: EngineConnection,
  manifest: Manifest,
  { signal, maxSilenceMs }: Pick<QueueOptions, "signal" | "maxSilenceMs">,
) {
  const { nextUid } = connection;
  const unfinished: number[] = [];
  const waitUntilUnder = async (count: number): Promise<void> => {
    while (unfinished.length >= count) {
      await waitForTask(connection, unfinished[0]!, signal, maxSilenceMs);
      unfinished.shift();
    }
  };
  const enqueue = async (ask: () => Promise<{ readonly taskUid: number }>): Promise<void> => {
    await waitUntilUnder(MOST_UNFINISHED);
    await checkStillOurs(connection, manifest, maxSilenceMs);
    unfinished.push((await retryWhileUnreachable(ask, signal, maxSilenceMs)).taskUid);
  };
  return {
    waitUntilUnder,
    add: (lines: Buffer) => enqueue(() => connection.addDocuments(nextUid, lines)),
    remove: (ids: readonly string[]) =>
      enqueue(async () => connection.client.index(nextUid).deleteDocuments([...ids])),
  };
}

/** UTF-8 takes at most so many bytes for a character of a string. */
const MOST_BYTES_OF_CHARACTER = 3;

/** Lines in one piece of memory, which is used again after each request. `mostBytes`: as many as are usually collected. */
function createLines(mostBytes: number) {
  let memory = Buffer.alloc(0);
  let used = 0;
  return {
    bytes: () => used,
    hasRoomFor: (text: string): boolean =>
      used === 0 || used + text.length * MOST_BYTES_OF_CHARACTER <= memory.length,
    /** Only text that there is room for. */
    add(text: string): void {
      const needed = text.length * MOST_BYTES_OF_CHARACTER;
      // The system gives memory when it is written to, so a small import takes little.
      if (memory.length < needed) memory = Buffer.allocUnsafeSlow(Math.max(mostBytes, needed));
      used += memory.write(text, used);
    },
    /** All that was added. Valid until more is added. */
    take(): Buffer {
      const taken = memory.subarray(0, used);
      used = 0;
      return taken;
    },
  };
}

/** Whether the index that is filled is the one of this manifest. */
export async function isStillOurs(connection: EngineConnection, manifest: Manifest): Promise<boolean> {
  const found = await readManifest(connection, connection.nextUid);
  return found?.built_at === manifest.built_at;
}

/**
 * Checks that no later import has replaced this build: it would have removed what this one built.
 * @throws {EngineTaskError} when a later import has taken its place.
 */
export async function checkStillOurs(
  connection: EngineConnection,
  manifest: Manifest,
  maxSilenceMs?: number,
): Promise<void> {
  if (await retryWhileUnreachable(() => isStillOurs(connection, manifest), undefined, maxSilenceMs)) return;
  throw new EngineTaskError(REPLACED);
}
