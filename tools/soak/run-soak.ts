import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Random, createRandom } from "../../test/support/random.ts";
import { type Build, type Datasets, makeDatasets } from "./datasets.ts";
import { type FaultLog, type Tally, createFaultLog, createTally } from "./tally.ts";
import { LOSS_FAULTS } from "./engine-loss.ts";
import { FAULTS, runFaults } from "./faults.ts";
import { createFiguresWatch } from "./figures-watch.ts";
import { createProber } from "./recovery.ts";
import { type MemoryWatch, createMemoryWatch } from "./memory-watch.ts";
import type { SoakOptions } from "./options.ts";
import { type SoakReport, buildReport } from "./report.ts";
import { type System, startSystem } from "./system.ts";
import {
  CONFIGURED_PER_MINUTE,
  type Caller,
  ISSUED,
  type LimitWatch,
  createLimitWatch,
  issueCallers,
  makeConfiguredCallers,
} from "./callers.ts";
import { startClients } from "./clients.ts";
import type { World } from "./world.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { openLine } from "./ask.ts";
import { type KnownQuestion, type Question, makeQuestions, readIds, toPath } from "./corpus.ts";

export interface SoakRun {
  readonly options: SoakOptions;
  readonly signal: AbortSignal;
  readonly onProgress: (what: string) => void;
}

const SERVERS = 2;

/** The log line of a server that enforces limits alone for a while. */
const HELD_LOCALLY = /rate_limiter_unavailable|redis_unavailable/;

/** Everything that is watched from the start. */
interface Watches {
  readonly faults: FaultLog;
  readonly tally: Tally;
  readonly limits: LimitWatch;
  readonly memory: MemoryWatch;
}

/** Starts everything, runs load and faults, ends everything, and reports. */
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
  // Keeps the files when something went wrong, but not those of an interrupted run.
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
  onProgress(`datasets of ${options.places} places`);
  const datasets = await makeDatasets({ ...options, folder, signal });
  const system = await startSystem({
    folder,
    configured,
    engineCount: options.engines,
    signal,
    ...listenTo(watches),
  });
  try {
    onProgress(`${ISSUED.length} keys`);
    const callers = [...configured, ...(await issueCallers(system, ISSUED))];
    const [prober, ...askers] = callers.filter(({ role }) => role === "own") as [Caller, ...Caller[]];
    const questions = await prepareIndex({ system, datasets, askers, seed: options.seed, onProgress });
    const live = { build: "a" as const, since: performance.now() };
    const random = createRandom(options.seed + 1);
    const world: World = { datasets, questions, callers, live, random, kills: [], ...watches };
    const seconds = await breakAndAsk(world, { system, prober, run, memory: watches.memory });
    const ends = await system.stop();
    for (const what of ends) tally.violate({ what, faults: [] });
    return buildReport({ options, seconds, ...watches });
  } finally {
    await system.stop();
  }
}

/** Watches the servers' logs and memory reports. */
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

/** Runs load and faults. Resolves to the seconds they took. */
async function breakAndAsk(
  world: World,
  { system, prober: caller, run, memory }: BreakOptions,
): Promise<number> {
  const { options, signal, onProgress } = run;
  const origins = system.servers.map(({ origin }) => origin);
  const all = options.engines > 1 ? LOSS_FAULTS : FAULTS;
  const chosen = all.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
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

interface PrepareOptions {
  readonly system: System;
  readonly datasets: Datasets;
  /** Two callers, because one may not send that many requests in a minute. */
  readonly askers: readonly Caller[];
  readonly seed: number;
  readonly onProgress: (what: string) => void;
}

/** More than any cache holds, so that most repeated questions reach the engine again. */
const QUESTIONS = 400;

/** How long a server may size its rings by the previous index's counts, and a little more. */
const COUNTED_AFTER_MS = 11_500;

/** A newly started server counts at once. */
const COUNTED_MS = 1_000;

/**
 * Imports both builds, and records each one's results for the same questions. At the end build `a` is live.
 */
async function prepareIndex(options: PrepareOptions): Promise<KnownQuestion[]> {
  const { system, datasets, seed, onProgress } = options;
  const random = createRandom(seed);
  const questions = makeQuestions(datasets.known, random, QUESTIONS);
  const learn = async (build: Build): Promise<string[][]> => {
    // The first requests make a server count the places.
    await askAll(questions.slice(0, 20), options, random);
    await sleep(COUNTED_MS);
    onProgress(`answers of build ${build}`);
    return askAll(questions, options, random);
  };
  const load = (build: Build): Promise<void> => {
    onProgress(`import of build ${build}`);
    return system.index("import", datasets.files[build], "--format", "native");
  };
  await load("b");
  await system.startServers();
  const b = await learn("b");
  await load("a");
  await sleep(COUNTED_AFTER_MS);
  const a = await learn("a");
  return questions.map((question, index) => ({
    ...question,
    expected: { a: a[index] ?? [], b: b[index] ?? [] },
  }));
}

async function askAll(
  questions: readonly Question[],
  options: PrepareOptions,
  random: Random,
): Promise<string[][]> {
  const answers: string[][] = [];
  for (const { origin } of options.system.servers.toReversed()) {
    const line = openLine(origin, 4);
    answers.length = 0;
    try {
      for (const question of questions)
        answers.push(await askOne(question, { ...options, ask: line.ask, random }));
    } finally {
      await line.close();
    }
  }
  return answers;
}

interface AskOptions extends PrepareOptions {
  readonly ask: ReturnType<typeof openLine>["ask"];
  readonly random: Random;
}

/** There is no other load yet: a server that does not respond now cannot be tested. */
async function askOne(question: Question, { ask, askers, random }: AskOptions): Promise<string[]> {
  for (let attempt = 1; ; attempt += 1) {
    const path = toPath(question, random, true);
    const headers = { "x-api-key": random.pick(askers).key };
    const reply = await ask({ method: "GET", path, headers });
    if (reply.kind === "answer" && reply.status === 200)
      return readIds(question.operation, JSON.parse(reply.text));
    if (attempt === 5) throw new Error(`No answer in calm: ${path} ${JSON.stringify(reply).slice(0, 500)}`);
    await sleep(500);
  }
}
