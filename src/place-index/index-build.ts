import type { PlaceIndex } from "./place-index.ts";
import type { PlaceDocument } from "../place/place-document.ts";
import type { Redirect } from "./redirect.ts";

interface Replacement {
  readonly places: readonly PlaceDocument[];
  /** From places that are there, to these. */
  readonly redirects: readonly Redirect[];
}

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
  /** All places in it, in pages, and some of them by their identities: once `finish` has waited for them. */
  readAll(): AsyncGenerator<PlaceDocument[]>;
  readSome(identities: readonly string[]): Promise<PlaceDocument[]>;
  /** Writes places that are there anew, and makes other ids lead to them; all of it or nothing. `finish` waits for it. */
  replace(changes: Replacement): Promise<void>;
  /** How many ids in it lead to another place. */
  countRedirects(): Promise<number>;
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
