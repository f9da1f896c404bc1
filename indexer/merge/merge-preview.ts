import type { PlaceDocument } from "../../src/place/place-document.ts";
import { findMerges, type FindOptions } from "./find-merges.ts";
import { toSignature } from "./signature.ts";
import { createSignatureStore } from "./signature-store.ts";

/** Finds what would be merged, without an index. */
export interface MergePreview {
  add(places: readonly PlaceDocument[]): void;
  /** Counts what would be merged of the places so far. */
  find(options: FindOptions): Promise<void>;
  close(): void;
}

/** Keeps what is compared in a file of the folder, which `close` removes. */
export function createMergePreview(folder: string): MergePreview {
  const store = createSignatureStore(folder);
  return {
    add(places) {
      for (const place of places) store.put(toSignature(place));
    },
    async find(options) {
      if (options.sources.length < 2) return;
      for await (const merge of findMerges(store, options)) if (merge.length < 2) return;
    },
    close: () => store.close(),
  };
}
