import type { Random } from "../../bench/queries/random.ts";
import type { Build, Gazetteers } from "../data/gazetteers.ts";
import type { FaultLog } from "../faults/fault-log.ts";
import type { Tally } from "../measure/tally.ts";
import type { Caller } from "./callers.ts";
import type { KnownQuestion } from "./corpus.ts";
import type { LimitWatch } from "./limit-watch.ts";

/** Which build is searched by now, and since when (`performance.now()`). */
interface LiveBuild {
  build: Build;
  since: number;
}

/** All that requests are made from and answers are judged by. */
export interface World {
  readonly gazetteers: Gazetteers;
  readonly questions: readonly KnownQuestion[];
  readonly callers: readonly Caller[];
  readonly faults: FaultLog;
  readonly limits: LimitWatch;
  readonly tally: Tally;
  readonly live: LiveBuild;
  readonly random: Random;
}
