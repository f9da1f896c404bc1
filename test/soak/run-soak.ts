import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "../bench/queries/random.ts";
import { makeGazetteers } from "./data/gazetteers.ts";
import { createFaultLog, type FaultLog } from "./faults/fault-log.ts";
import { FAULTS } from "./faults/faults.ts";
import { createFiguresWatch } from "./faults/figures-watch.ts";
import { createProber } from "./faults/recovery.ts";
import { runFaults } from "./faults/run-faults.ts";
import { createMemoryWatch, type MemoryWatch } from "./measure/memory-watch.ts";
import { createTally, type Tally } from "./measure/tally.ts";
import type { SoakOptions } from "./options.ts";
import { prepareIndex } from "./prepare.ts";
import { buildReport, type SoakReport } from "./report/build-report.ts";
import { startSystem, type System } from "./system/system.ts";
import {
  CONFIGURED_PER_MINUTE,
  ISSUED,
  issueCallers,
  makeConfiguredCallers,
  type Caller,
} from "./traffic/callers.ts";
import { startClients } from "./traffic/clients.ts";
import { createLimitWatch, type LimitWatch } from "./traffic/limit-watch.ts";
import type { World } from "./traffic/world.ts";

export interface SoakRun {
  readonly options: SoakOptions;
  readonly signal: AbortSignal;
  readonly onProgress: (what: string) => void;
}

const SERVERS = 2;

/** What a server writes when it holds limits by itself for a while. */
const HELD_LOCALLY = /rate_limiter_unavailable|redis_unavailable/;

/** Everything that is watched from the first moment on. */
interface Watches {
  readonly faults: FaultLog;
  readonly tally: Tally;
  readonly limits: LimitWatch;
  readonly memory: MemoryWatch;
}

/** Starts everything, lets it be asked and broken, ends everything, and reports. */
export async function runSoak(run: SoakRun): Promise<SoakReport> {
  const folder = mkdtempSync(join(tmpdir(), "hereabouts-soak-"));
  mkdirSync(join(folder, "logs"));
  const faults = createFaultLog();
  const watches: Watches = {
    faults,
    tally: createTally(),
    limits: createLimitWatch(faults, SERVERS),
    memory: createMemoryWatch(faults, run.options.minutes),
  };
  // What went wrong can be looked into; of a run that was interrupted nothing is left.
  let isEvidence = true;
  try {
    const report = await soakIn(folder, run, watches);
    isEvidence = report.violations.length > 0;
    return report;
  } finally {
    if (run.options.keep || (isEvidence && !run.signal.aborted))
      run.onProgress(`data and logs are left in ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

async function soakIn(folder: string, run: SoakRun, watches: Watches): Promise<SoakReport> {
  const { options, signal, onProgress } = run;
  const { tally } = watches;
  const configured = makeConfiguredCallers(CONFIGURED_PER_MINUTE, 1);
  onProgress(`gazetteers of ${options.places} places`);
  const gazetteers = await makeGazetteers({ ...options, folder, signal });
  const system = await startSystem({ folder, configured, signal, ...listenTo(watches) });
  try {
    onProgress(`${ISSUED.length} keys`);
    const callers = [...configured, ...(await issueCallers(system, ISSUED))];
    const [prober, ...askers] = callers.filter(({ role }) => role === "own") as [Caller, ...Caller[]];
    const questions = await prepareIndex({ system, gazetteers, askers, seed: options.seed, onProgress });
    const live = { build: "a" as const, since: performance.now() };
    const random = createRandom(options.seed + 1);
    const world: World = { gazetteers, questions, callers, live, random, ...watches };
    const seconds = await breakAndAsk(world, { system, prober, run, memory: watches.memory });
    const ends = await system.stop();
    for (const what of ends) tally.violate({ what, faults: [] });
    return buildReport({ options, seconds, ...watches });
  } finally {
    await system.stop();
  }
}

/** What the servers tell about themselves. */
function listenTo({
  tally,
  limits,
  memory,
}: Watches): Pick<Parameters<typeof startSystem>[0], "onMemory" | "onLog" | "onDeath"> {
  return {
    onMemory: (server, pid, report) => memory.note(server, pid, report),
    onLog(_, line) {
      if (HELD_LOCALLY.test(line)) limits.noteHeldLocally();
      const name = /"event":"(\w+)"/.exec(line)?.[1];
      tally.note(name === undefined ? "a line on standard error" : `log: ${name}`);
    },
    onDeath: (server, how) => tally.violate({ what: `server ${server} died: ${how}`, faults: [] }),
  };
}

interface BreakOptions {
  readonly system: System;
  readonly prober: Caller;
  readonly run: SoakRun;
  readonly memory: MemoryWatch;
}

/** The run itself. Resolves to how many seconds it took. */
async function breakAndAsk(
  world: World,
  { system, prober: caller, run, memory }: BreakOptions,
): Promise<number> {
  const { options, signal, onProgress } = run;
  const origins = system.servers.map(({ origin }) => origin);
  const chosen = FAULTS.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
  const prober = createProber(world, origins, caller);
  const startedAt = performance.now();
  memory.startCounting();
  const clients = startClients({ world, origins, clients: options.clients });
  try {
    const site = { system, clients, world, signal };
    const figures = createFiguresWatch(system.servers, world.tally);
    await runFaults(site, { faults: chosen, prober, figures, minutes: options.minutes, onProgress });
    return (performance.now() - startedAt) / 1_000;
  } finally {
    await clients.stop();
    await prober.close();
  }
}
