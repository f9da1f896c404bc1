import type { PlaceIndex } from "./place-index.ts";
import type { PlaceDocument } from "../place/place-document.ts";

/** A new index that grows beside the live one. Searches see nothing of it before `swap`. */
export interface IndexBuild {
  /** Tells this build from every other. */
  readonly id: string;
  /** Places that were handed over before the build broke off and was resumed; 0 for a new one. */
  readonly alreadyAdded: number;
  /**
   * The data ids under which the live index has these identities (`dataIdIdentity`): a place that moved keeps the id that
   * callers hold. Identities it does not have are absent.
   */
  knownDataIds(identities: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Hands over a batch and waits only while too many batches are under way. Throws when the engine refused one. */
  add(places: readonly PlaceDocument[]): Promise<void>;
  /** Waits for every batch. Resolves to the number of places in it. */
  finish(): Promise<number>;
  /** The new index as the server will read it, for checks before the swap. The caller closes it. */
  createReader(): PlaceIndex;
  /** Makes these places what they are in the live index, also when they are not there any more. Waits for it. */
  copyFromLive(identities: readonly string[]): Promise<void>;
  /** Makes it the live index in one step. Resolves to whether the one it replaces could be kept as the previous. */
  swap(): Promise<boolean>;
  /** Removes it; the live index is untouched. Gives up when the signal is aborted. */
  discard(signal?: AbortSignal): Promise<void>;
  /** Lets go of it as it is, to be resumed one day. */
  leave(): Promise<void>;
}
