import { extname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { CommandError } from "../../src/cli/errors.ts";
import { fieldsInUse, type OwnField } from "../../src/place/document/own-fields.ts";
import { kindsInUse, type OwnKind } from "../../src/place/document/type-codes.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import type { NoteField, PlaceDraft, Rejection } from "./place-draft.ts";

/** What the threads need to know besides the drafts. */
export interface CleaningSetup {
  /** An ISO date: rules such as "closed in winter" are evaluated for the year from then on. */
  readonly today: string;
  /** GeoJSON files of `--areas`. */
  readonly areas: readonly string[];
  /** Whether the documents for the engine are built as well. */
  readonly withDocuments: boolean;
}

/** What a thread gets, with the kinds and fields of the data team that the process uses. */
export interface ThreadSetup extends CleaningSetup {
  readonly kinds: readonly OwnKind[];
  readonly fields: readonly OwnField[];
}

/** A draft after its cleaning. */
export interface CleanedDraft {
  readonly result: PlaceDocument | Rejection;
  /** The place as the engine stores it, as JSON. */
  readonly document?: string;
  readonly notes: readonly Parameters<NoteField>[];
}

/** Threads that clean drafts. */
export interface CleaningThreads {
  /** So many batches keep all of them busy. More would only wait in memory. */
  readonly batches: number;
  /**
   * Cleans a batch. The result has an entry for each draft, in the same order.
   * @throws {CommandError} when a thread ends.
   */
  clean(drafts: readonly PlaceDraft[]): Promise<readonly CleanedDraft[]>;
  close(): Promise<void>;
}

/** A `.ts` file as this one, or a `.js` file in the npm package. */
const THREAD = join(import.meta.dirname, `cleaning-thread${extname(import.meta.filename)}`);

/** One batch is cleaned while the next one arrives. */
const BATCHES_PER_THREAD = 2;

/** The reading thread cleans itself (docs/decisions/0028-threads-that-clean.md). */
export const DEFAULT_WORKERS = 1;

/** Starts the threads of `--workers`; none when the reading thread is to clean itself. */
export function startWorkers(count: number, setup: CleaningSetup): CleaningThreads | undefined {
  return count > 1 ? startCleaningThreads(count, setup) : undefined;
}

/** Starts threads that clean drafts. Each loads the tables that it needs. */
export function startCleaningThreads(
  count: number,
  setup: CleaningSetup,
  filename: string = THREAD,
): CleaningThreads {
  const threads = Array.from({ length: count }, () => startThread(filename, setup));
  return {
    batches: count * BATCHES_PER_THREAD,
    clean(drafts) {
      const idlest = threads.reduce((best, other) => (other.waiting() < best.waiting() ? other : best));
      return idlest.clean(drafts);
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

/** The tables take most of a heap. The small young generation is that of the indexer (package.json). */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 24 };

/** One thread, which cleans its batches in their order. */
function startThread(filename: string, setup: CleaningSetup) {
  const worker = new Worker(filename, {
    workerData: { ...setup, kinds: kindsInUse(), fields: [...fieldsInUse().values()] } satisfies ThreadSetup,
    resourceLimits: LIMITS,
  });
  const waiting: PromiseWithResolvers<readonly CleanedDraft[]>[] = [];
  let failure: CommandError | undefined;
  const fail = (reason: string): void => {
    failure ??= new CommandError(`A thread that cleans records has ended: ${reason}.`);
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  worker.on("message", (cleaned: readonly CleanedDraft[]) => waiting.shift()?.resolve(cleaned));
  worker.on("error", (error: Error) => fail(error.message));
  worker.on("exit", (code) => fail(`it exited with ${code}`));
  return {
    waiting: () => waiting.length,
    async clean(drafts: readonly PlaceDraft[]): Promise<readonly CleanedDraft[]> {
      if (failure) throw failure;
      const cleaned = Promise.withResolvers<readonly CleanedDraft[]>();
      waiting.push(cleaned);
      worker.postMessage(drafts);
      return cleaned.promise;
    },
    close: () => worker.terminate(),
  };
}
