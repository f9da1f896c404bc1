import type { Build } from "../data/gazetteers.ts";
import type { Clients } from "../traffic/clients.ts";
import type { World } from "../traffic/world.ts";
import type { System } from "../system/system.ts";
import type { FigureName } from "../measure/read-metrics.ts";
import type { FaultKind } from "./fault-log.ts";

/** What a fault may break. */
export interface Site {
  readonly system: System;
  readonly clients: Clients;
  readonly world: World;
  readonly signal: AbortSignal;
}

/** Something that is broken for a while. `run` returns when it is whole again, or begins to be. */
export interface Fault {
  readonly name: string;
  readonly kind: FaultKind;
  readonly server?: number;
  /** The counters of the servers that it must move. */
  readonly tells?: readonly FigureName[];
  readonly run: (site: Site) => Promise<void>;
}

export const otherBuild = (build: Build): Build => (build === "a" ? "b" : "a");
