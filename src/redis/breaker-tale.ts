import { CircuitState } from "cockatiel";
import type { BreakerState, Telemetry } from "../telemetry/telemetry.ts";

const STATES: Readonly<Record<CircuitState, BreakerState>> = {
  [CircuitState.Closed]: "closed",
  [CircuitState.Open]: "open",
  [CircuitState.HalfOpen]: "half_open",
  [CircuitState.Isolated]: "open",
};

const WORST_FIRST = ["open", "half_open", "closed"] as const;

/** Tells of several breakers of Redis as of one: the worst of them. */
export function createBreakerTale(
  telemetry: Pick<Telemetry, "breakerChanged">,
): (breaker: string, state: CircuitState) => void {
  const states = new Map<string, BreakerState>();
  let told: BreakerState = "closed";
  return (breaker, state) => {
    states.set(breaker, STATES[state]);
    const worst = WORST_FIRST.find((one) => states.values().some((other) => other === one)) ?? "closed";
    if (worst !== told) telemetry.breakerChanged("redis", worst);
    told = worst;
  };
}
