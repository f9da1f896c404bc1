import type { LiveIndex } from "../../src/place-index/live-index.ts";
import { ImportError } from "../import-error.ts";
import type { PlaceTable } from "./place-table.ts";
import { MAX_EXAMPLES } from "./sync-report.ts";

/** The places that are to go. */
export interface Deletions {
  readonly length: number;
  /** The first of them, to be shown. */
  readonly first: readonly string[];
  /** Their identities, some thousands at a time. */
  batches(): AsyncIterable<readonly string[]>;
}

interface DeletionOptions {
  readonly onlySource?: string | undefined;
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/** From one release to the next a few places in a hundred close; when more are missing, so is a part of the snapshot. */
const MAX_DELETED_PERCENT = 5;

/** One write of the engine. */
const BATCH = 10_000;

/** The places of the index that the snapshot does not have. */
export async function findDeletions(
  table: PlaceTable,
  live: LiveIndex,
  options: DeletionOptions,
): Promise<Deletions> {
  const { onlySource, signal } = options;
  if (onlySource === undefined) {
    const first = [...table.unmet().take(MAX_EXAMPLES)];
    return { length: table.counts().unmet, first, batches: () => inBatches(table.unmet()) };
  }
  const ofSource: string[] = [];
  for await (const identities of inBatches(table.unmet(), SOURCES_AT_ONCE)) {
    signal.throwIfAborted();
    for (const { id, source } of await live.readSourcesOf(identities))
      if (source === onlySource) ofSource.push(id);
  }
  const first = ofSource.slice(0, MAX_EXAMPLES);
  return { length: ofSource.length, first, batches: () => inBatches(ofSource) };
}

/** The long texts of a place come with its source. */
const SOURCES_AT_ONCE = 1_000;

async function* inBatches(identities: Iterable<string>, size = BATCH): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for (const identity of identities) {
    batch.push(identity);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * `met` is how many places of the index the snapshot has.
 * @throws {ImportError} when so many would go that the snapshot is more likely incomplete.
 */
export function checkDeletions(toDelete: number, met: number, { force, dryRun }: DeletionOptions): void {
  if (force || dryRun) return;
  const percent = (100 * toDelete) / Math.max(1, toDelete + met);
  if (percent <= MAX_DELETED_PERCENT) return;
  throw new ImportError(
    `${toDelete} places are not in the snapshot, ${percent.toFixed(1)} % of those it could have: more than the ` +
      `${MAX_DELETED_PERCENT} % that go without a question. Is it complete? --dry-run shows them, --force deletes them.`,
  );
}
