import type { IndexBuild } from "../index/index-build.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { dataIdIdentity } from "../../src/place/document/data-id.ts";
import { untilAborted } from "../../src/cli/interruption.ts";
import { findMerges, type Merge, type FindOptions } from "./find-merges.ts";
import type { MergeTally } from "./merge-tally.ts";
import { mergePlaces } from "./merged-place.ts";
import { toStoredSignature, createSignatureStore } from "./signature-store.ts";

interface MergeOptions {
  readonly sources: readonly string[];
  readonly merges: MergeTally;
  /** The folder for the temporary signatures. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** The part of a new index that the merging reads and writes. */
type MergedBuild = Pick<IndexBuild, "readAll" | "readSome" | "replace">;

/** Merges in one write. Each holds two or three records in memory. */
const MERGES_AT_ONCE = 250;

/**
 * Merges the records that several sources have of one place, once all are in the new index. The index itself
 * is compared, so replaced records count in their final state, also after a resumed import. Places without a
 * name are never merged: two toilets side by side may be two.
 */
export async function mergeBuild(build: MergedBuild, options: MergeOptions): Promise<void> {
  const { signal, folder } = options;
  const store = createSignatureStore(folder);
  try {
    for await (const places of build.readAll()) {
      signal.throwIfAborted();
      for (const place of places) if (place.title !== "") store.put(toStoredSignature(place));
    }
    let waiting: Merge[] = [];
    for await (const merge of findMerges(store, options)) {
      waiting.push(merge);
      if (waiting.length < MERGES_AT_ONCE) continue;
      await writeMerges(build, waiting, signal);
      waiting = [];
    }
    await writeMerges(build, waiting, signal);
  } finally {
    store.close();
  }
}

async function writeMerges(build: MergedBuild, merges: readonly Merge[], signal: AbortSignal): Promise<void> {
  if (merges.length === 0) return;
  const identities = merges.flat().map(({ identity }) => identity);
  const read = await untilAborted(() => build.readSome(identities), signal);
  const records = new Map(read.map((place) => [dataIdIdentity(place.data_id), place]));
  const merged = merges.flatMap((merge) => {
    const [base, ...others] = merge.flatMap(({ identity }) => records.get(identity) ?? []);
    return base && others.length > 0 ? [{ place: mergePlaces([base, ...others]), losers: others }] : [];
  });
  const places = merged.map(({ place }) => place);
  const redirects = merged.flatMap(({ place, losers }) =>
    losers.map((loser: PlaceDocument) => ({ from: loser.data_id, to: place.data_id })),
  );
  await untilAborted(() => build.replace({ places, redirects }), signal);
}

/** Finds what an import would merge, without an index. */
export type MergePreview = ReturnType<typeof createMergePreview>;

/** Creates a preview. It keeps its signatures in a file in the folder, which `close` removes. */
export function createMergePreview(folder: string) {
  const store = createSignatureStore(folder);
  return {
    add(places: readonly PlaceDocument[]): void {
      for (const place of places) if (place.title !== "") store.put(toStoredSignature(place));
    },
    /** Counts the merges among the places so far. */
    async find(options: FindOptions): Promise<void> {
      if (options.sources.length < 2) return;
      for await (const merge of findMerges(store, options)) if (merge.length < 2) return;
    },
    close: () => store.close(),
  };
}
