import type { Random } from "../../test/support/random.ts";
import type { Build, Datasets } from "./datasets.ts";
import type { FaultLog, Tally } from "./tally.ts";
import type { Caller, LimitWatch } from "./callers.ts";
import type { KnownQuestion } from "./corpus.ts";

/** The live build, and since when (`performance.now()`). */
interface LiveBuild {
  build: Build;
  since: number;
}

/** An engine was killed, one of several. */
interface Kill {
  readonly at: number;
  /** How many requests under way at that moment failed. */
  failed: number;
}

/** Everything needed to create requests and to judge responses. */
export interface World {
  readonly datasets: Datasets;
  readonly questions: readonly KnownQuestion[];
  readonly callers: readonly Caller[];
  readonly faults: FaultLog;
  readonly limits: LimitWatch;
  readonly tally: Tally;
  readonly live: LiveBuild;
  /** Of single engines, where another has the same places. */
  readonly kills: Kill[];
  readonly random: Random;
}
