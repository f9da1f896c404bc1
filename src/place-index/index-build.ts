import type { PlaceIndex } from "./place-index.ts";
import type { PlaceDocument } from "../place/place-document.ts";

/** A new index that grows beside the live one. Searches see nothing of it before `swap`. */
export interface IndexBuild {
  /**
   * The data ids under which the live index has these identities (`dataIdIdentity`): a place that moved keeps the id that
   * callers hold. Identities it does not have are absent.
   */
  knownDataIds(identities: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Hands over a batch and waits only while too many batches are under way. Throws when the engine refused one. */
  add(places: readonly PlaceDocument[]): Promise<void>;
  /** Waits for every batch, stamps the index with its version. Resolves to the number of places in it. */
  finish(): Promise<number>;
  /** The new index as the server will read it, for checks before the swap. The caller closes it. */
  createReader(): PlaceIndex;
  /** Makes it the live index in one step. Resolves to whether the one it replaces could be kept as the previous. */
  swap(): Promise<boolean>;
  /** Removes it; the live index is untouched. */
  discard(): Promise<void>;
}
