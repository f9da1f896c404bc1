import type { PlaceDocument } from "../place/place-document.ts";
import { connectEngine, type EngineAddress, type EngineConnection } from "./engine-connection.ts";
import { readEngineSummary, type EngineSummary } from "./engine-summary.ts";
import { readIndexSummary, type IndexSummary } from "./index-summary.ts";
import { readPlaces, samplePlaces } from "./read-pages.ts";
import { readSettingsDrift } from "./settings-drift.ts";
import { swapWithPrevious } from "./swap-with-previous.ts";

/** Which of the indexes: the one that is searched, the one a build fills, the one that was live before. */
export type IndexRole = "live" | "next" | "previous";

/** Looks at the indexes from outside, for those who keep them. Every method rejects with what the engine says. */
export interface IndexAdmin {
  readEngine(): Promise<EngineSummary>;
  /** `undefined` when there is none, or only the empty one that stood in for it before the first import. */
  readIndex(role: IndexRole): Promise<IndexSummary | undefined>;
  /** The settings that are not as a build sets them, by name. */
  readSettingsDrift(role: IndexRole): Promise<string[]>;
  /**
   * All places in pages, as many in memory as a page has.
   * @throws {IndexChangedError} when the index is swapped meanwhile, or changes faster than it can be followed.
   */
  readPlaces(role: IndexRole): AsyncGenerator<PlaceDocument[]>;
  /** About so many places from all over the index; all of them when there are fewer. */
  samplePlaces(role: IndexRole, size: number): Promise<PlaceDocument[]>;
  /** Live and previous change places in one step of the engine. */
  swapWithPrevious(): Promise<void>;
  /** Where a `PlaceIndex` of one of them is made. */
  addressOf(role: IndexRole): EngineAddress;
  close(): Promise<void>;
}

/** Opens its sockets with the first question. */
export function createIndexAdmin(address: EngineAddress): IndexAdmin {
  const connection = connectEngine(address);
  const uidOf = (role: IndexRole): string => uidOfRole(connection, role);
  return {
    readEngine: () => readEngineSummary(connection),
    readIndex: (role) => readIndexSummary(connection, uidOf(role)),
    readSettingsDrift: (role) => readSettingsDrift(connection, uidOf(role)),
    readPlaces: (role) => readPlaces(connection, uidOf(role)),
    samplePlaces: (role, size) => samplePlaces(connection, uidOf(role), size),
    swapWithPrevious: () => swapWithPrevious(connection),
    addressOf: (role) => ({ ...address, prefix: uidOf(role) }),
    close: () => connection.close(),
  };
}

function uidOfRole({ liveUid, nextUid, previousUid }: EngineConnection, role: IndexRole): string {
  return { live: liveUid, next: nextUid, previous: previousUid }[role];
}
