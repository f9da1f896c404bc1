import type { Call, Target } from "./senders.ts";
import type { BenchRequest } from "./requests.ts";

/** In the order in which they are shown. */
export const SYSTEM_NAMES = ["naive", "naive-plain", "floor", "api", "postgis"] as const;

export type SystemName = (typeof SYSTEM_NAMES)[number];

/** Those that ask the plain index. */
export const PLAIN_SYSTEMS: readonly SystemName[] = ["naive", "naive-plain", "floor"];

/** Something that answers the requests of the bench and runs by now. */
export interface System {
  readonly name: SystemName;
  readonly target: Target;
  /** The same request in the system's own words. */
  readonly toCall: (request: BenchRequest) => Call;
  /** The process of our API; the other systems have none. */
  readonly apiPid?: number;
  /** The processes of the engine or the database. They may change with the connections. */
  readonly enginePids: () => number[];
}

/** A system that was started for the bench alone. */
export interface RunningSystem {
  readonly system: System;
  readonly stop: () => Promise<void>;
}
