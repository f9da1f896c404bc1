import type { Logger } from "./logger.ts";
import { reportWorst, type PartitionsState, type Telemetry } from "./telemetry.ts";

/** How a process reports on several engines as it does on one. */
export interface ClusterTelemetry {
  /** For what guards one of the engines. */
  readonly of: (engine: string) => { readonly telemetry: Telemetry; readonly logger: Logger };
  readonly onEngine: (engine: string, isUp: boolean, problem?: unknown) => void;
  readonly onPartitions: (state: PartitionsState) => void;
  readonly onAsked: (partitions: number, isFirst: boolean) => void;
}

/** Reports to the telemetry and the log. The breaker "of the engine" is in the worst state of those of all engines. */
export function createClusterTelemetry(telemetry: Telemetry, logger: Logger): ClusterTelemetry {
  const reportBreaker = reportWorst((state) => telemetry.breakerChanged("engine", state));
  let lost: readonly number[] = [];
  return {
    of: (engine) => ({
      telemetry: { ...telemetry, breakerChanged: (_dependency, state) => reportBreaker(engine, state) },
      logger: logger.child({ engine }),
    }),
    onEngine(engine, isUp, problem) {
      telemetry.engineChanged(engine, isUp);
      if (isUp) logger.info({ engine }, "engine_up");
      else logger.error({ engine, ...(problem !== undefined && { err: problem }) }, "engine_down");
    },
    onPartitions(state) {
      telemetry.partitionsChanged(state);
      if (state.lost.join() !== lost.join()) {
        if (state.lost.length > 0) logger.error({ partitions: state.lost }, "partitions_lost");
        else logger.info({ partitions: lost }, "partitions_back");
      }
      lost = state.lost;
    },
    onAsked: (partitions, isFirst) => telemetry.partitionsAsked(partitions, isFirst),
  };
}
