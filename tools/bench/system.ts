import type { Call, Target } from "./senders.ts";
import type { BenchRequest } from "./requests.ts";

/** In display order. */
export const SYSTEM_NAMES = ["naive", "naive-plain", "floor", "api", "postgis"] as const;

export type SystemName = (typeof SYSTEM_NAMES)[number];

/** The systems that use the plain index. */
export const PLAIN_SYSTEMS: readonly SystemName[] = ["naive", "naive-plain", "floor"];

/** A running system that handles the requests of the bench. */
export interface System {
  readonly name: SystemName;
  readonly target: Target;
  /** Turns a request into the system's own call. */
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
