import type { PlaceDocument, PlaceSummaryDocument } from "../place/place-document.ts";

/** One question to the engine: words in one way of reading them, in one ring of cells. */
export interface PlaceLookup {
  /** Folded or raw words; empty asks for every place of the ring, the prominent first. */
  readonly words: string;
  /** `names` reads words in titles, other names, types and addresses; `joined_names` reads names without their spaces. */
  readonly field: "names" | "joined_names";
  /** H3 cells the place must lie in; absent means everywhere. */
  readonly cells?: readonly string[];
  /** Type codes the place must have one of; absent means any. */
  readonly types?: readonly string[];
  readonly limit: number;
}

/** Whether the index can be asked, and why not. */
export type IndexState =
  | { readonly state: "ready"; readonly places: number; readonly builtAt: string }
  | { readonly state: "missing" | "unreachable" }
  | { readonly state: "wrong_version"; readonly found: number; readonly wanted: number };

/** The gazetteer as the server reads it. Every method but `readState` rejects with `engine_unavailable` on failure. */
export interface PlaceIndex {
  /** One round trip; the answers stand in the order of the lookups. */
  findPlaces(lookups: readonly PlaceLookup[]): Promise<PlaceSummaryDocument[][]>;
  /** `dataId` in its canonical form. `undefined` when no place has it. */
  getPlace(dataId: string): Promise<PlaceDocument | undefined>;
  readState(): Promise<IndexState>;
  close(): Promise<void>;
}
