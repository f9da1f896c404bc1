import { setTimeout as sleep } from "node:timers/promises";
import type { Fault, Site } from "./fault.ts";
import type { FiguresWatch } from "./figures-watch.ts";
import { RECOVERED_WITHIN_MS, type Prober } from "./recovery.ts";

export interface RunOptions {
  readonly faults: readonly Fault[];
  readonly prober: Prober;
  readonly figures: FiguresWatch;
  /** Of the run without its preparation. */
  readonly minutes: number;
  readonly onProgress: (what: string) => void;
}

/** Calm before the first fault: caches fill and code gets warm. */
const WARM_UP_MS = 12_000;

/** Calm between faults; in a long run more of it, so that there is calm enough to see whether memory grows. */
const CALM_MS = { short: 4_000, long: 10_000 };
const LONG_RUN_MINUTES = 10;

/** Most faults take about this long with the calm behind them: one that began later would end after the time. */
const LAST_FAULT_MS = 20_000;

/** Lets every fault happen at least once, and all of them again until the time is over. */
export async function runFaults(site: Site, options: RunOptions): Promise<void> {
  const { faults, minutes, onProgress } = options;
  const { signal } = site;
  const endsAt = performance.now() + minutes * 60_000 - LAST_FAULT_MS;
  const calmMs = minutes >= LONG_RUN_MINUTES ? CALM_MS.long : CALM_MS.short;
  await sleep(WARM_UP_MS, undefined, { signal });
  let happened = 0;
  do {
    for (const fault of faults) {
      if (happened >= faults.length && performance.now() > endsAt) return;
      onProgress(fault.name);
      await runFault(fault, site, options);
      happened += 1;
      await sleep(calmMs, undefined, { signal });
    }
  } while (performance.now() < endsAt);
}

async function runFault(fault: Fault, site: Site, options: RunOptions): Promise<void> {
  const { tally, faults } = site.world;
  const { prober, figures } = options;
  await figures.endCalm();
  const period = faults.begin(fault);
  try {
    await fault.run(site);
  } catch (error) {
    site.signal.throwIfAborted();
    tally.violate({ what: `${fault.name} could not be done: ${String(error)}`, faults: [fault.name] });
  }
  period.endedAt = performance.now();
  const withinMs = RECOVERED_WITHIN_MS[fault.kind];
  const times = await Promise.all([
    prober.waitUntilWell(site.signal, withinMs),
    figures.waitUntilClosed(withinMs),
  ]);
  const wellAt = times.includes(undefined) ? undefined : Math.max(...(times as number[]));
  if (wellAt === undefined)
    tally.violate({
      what: `no recovery from ${fault.name} within ${withinMs / 1_000} s`,
      faults: [fault.name],
    });
  period.recoveredAt = wellAt === undefined ? performance.now() : Math.max(wellAt, period.endedAt);
  await figures.endFault(fault);
}
