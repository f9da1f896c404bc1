import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Command } from "commander";
import { EXIT } from "../../src/cli/errors.ts";
import { runTool, type Tool } from "../../src/cli/run-program.ts";
import { findDeadPort } from "../../test/support/dead-servers.ts";
import { startMeilisearchServer } from "../../test/support/meilisearch-server.ts";
import { nodeEnvironment } from "../../test/support/node-environment.ts";
import { createRandom } from "../../test/support/random.ts";
import { startRedisServer } from "../../test/support/redis-server.ts";

/** Sends changes to the write API while the worker, Redis, the engine and the server are killed (SIGKILL), and compares what is left. */

interface KillOptions {
  readonly changes: number;
  readonly kills: number;
  readonly places: number;
  readonly seed: number;
  readonly onProgress: (what: string) => void;
  /** Ends the run and everything that it has started. */
  readonly signal: AbortSignal;
}

export interface KillReport {
  /** How often each part was killed. */
  readonly killed: Readonly<Record<string, number>>;
  /** Changes that were accepted, or done at once. */
  readonly answered: number;
  /** Requests that were sent again, with the same key, because no answer came or it was a 5xx. */
  readonly repeated: number;
  /** Writes that have no outcome, another outcome than one application in order has, and places that are not as the last change left them. */
  readonly lost: number;
  readonly wrongOutcomes: number;
  readonly wrongPlaces: number;
  readonly seconds: number;
}

/** A change of one place, and what it must do. */
interface Change {
  readonly method: "PUT" | "PATCH" | "DELETE";
  readonly body?: object;
  readonly outcome: string;
}

/** What a place must be. */
interface Model {
  title: string;
  description: string;
}

/** What is read of the answers. */
interface WriteAnswer {
  readonly write: {
    readonly id: string;
    readonly state: string;
    readonly results?: readonly { readonly outcome: string }[];
  };
}

interface PlaceAnswer {
  readonly place_result: Readonly<Model>;
}

const location = { latitude: 10.77, longitude: 106.7 };

/** The next change of a place; applies it to the model. */
function nextChange(models: (Model | undefined)[], at: number, number: number, random: () => number): Change {
  const before = models[at];
  const kind = random();
  if (kind < 0.4) {
    models[at] = { title: `Put ${number}`, description: "" };
    const body = { title: `Put ${number}`, location };
    return { method: "PUT", body, outcome: before ? "replaced" : "created" };
  }
  if (kind < 0.8) {
    if (before) models[at] = { ...before, description: `Patch ${number}` };
    const body = { description: `Patch ${number}` };
    return { method: "PATCH", body, outcome: before ? "changed" : "unknown" };
  }
  models[at] = undefined;
  return { method: "DELETE", outcome: before ? "deleted" : "unknown" };
}

/** A program of ours that may be killed. */
interface Killable {
  readonly kill: () => Promise<void>;
  readonly revive: () => Promise<void> | void;
}

function startProgram(args: readonly string[], env: Readonly<Record<string, string>>): Killable {
  const launch = (): ChildProcess =>
    spawn(process.execPath, args, { env: { ...nodeEnvironment, ...env }, stdio: "ignore" });
  let child = launch();
  return {
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
    revive() {
      child = launch();
    },
  };
}

/** Long enough for requests to fail meanwhile. */
const DOWN_MS = 300;
const RETRY_MS = 50;
const CALLERS = 16;

/** A killed worker keeps its lease for fifteen seconds, and each of them may be killed again. */
const PATIENCE_MS = 120_000;

/**
 * Runs everything and compares. Ends all that it has started.
 * @throws the signal's reason, and an error when no answer comes.
 */
export async function runWriteKills(options: KillOptions): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), "hereabouts-write-kills-"));
  const engine = await startMeilisearchServer();
  const redis = await startRedisServer({ dataDir: folder });
  const port = await findDeadPort();
  const env = {
    MEILISEARCH_URL: engine.address.url,
    MEILISEARCH_KEY: engine.address.key,
    REDIS_URL: redis.url,
  };
  await engine.fill([]);
  const server = startProgram(["src/main.ts"], {
    ...env,
    PORT: String(port),
    WRITE_API: "on",
    RATE_LIMIT_PER_MINUTE: "1000000",
    RATE_LIMIT_PER_DAY: "0",
  });
  const worker = startProgram(["indexer/main.ts", "write"], env);
  const create = ["src/key-commands/main.ts", "create", "--name", "kills", "--scopes", "place,write"];
  const key = await readOutput(create, { REDIS_URL: redis.url });
  try {
    const parts = { worker, redis, engine, server };
    return await changeAndKill({ ...options, origin: `http://127.0.0.1:${port}`, key, parts });
  } finally {
    await worker.kill();
    await server.kill();
    await engine[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function readOutput(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(process.execPath, args, {
    env: { ...nodeEnvironment, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let text = "";
  for await (const chunk of child.stdout) text += String(chunk);
  return text.trim();
}

interface Init {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Run extends KillOptions {
  readonly origin: string;
  readonly key: string;
  readonly parts: Readonly<Record<string, Killable>>;
}

async function changeAndKill({
  changes,
  kills,
  places,
  seed,
  origin,
  key,
  parts,
  onProgress,
  signal,
}: Run): Promise<KillReport> {
  const startedAt = performance.now();
  const draws = createRandom(seed);
  const random = (): number => draws.fraction();
  const models: (Model | undefined)[] = Array.from({ length: places });
  const killed: Record<string, number> = {};
  const expected = new Map<string, string>();
  let sent = 0;
  let repeated = 0;
  let answered = 0;
  const ask = async (path: string, init: Init = {}): Promise<Response> => {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        const headers = { "x-api-key": key, ...init.headers };
        const response = await fetch(origin + path, {
          ...init,
          headers,
          signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
        });
        if (response.status < 500 && response.status !== 401 && response.status !== 429) return response;
        await response.body?.cancel();
      } catch (error) {
        signal.throwIfAborted();
        if (performance.now() > deadline) throw error;
      }
      if (performance.now() > deadline) throw new Error(`${path} gets no answer.`);
      repeated += 1;
      await sleep(RETRY_MS, undefined, { signal });
    }
  };
  /** Each caller changes places of its own, one change after the other, and does not wait until one is done. */
  const call = async (caller: number): Promise<void> => {
    while (sent < changes) {
      sent += 1;
      const number = sent;
      const at = caller + CALLERS * Math.floor(random() * Math.floor(places / CALLERS));
      const { method, body, outcome } = nextChange(models, at, number, random);
      const headers = {
        "content-type": "application/json",
        "idempotency-key": `change-${number}`,
        prefer: "respond-async",
      };
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const response = await ask(`/api/maps/places/${dataIdOf(at)}`, init);
      const answer = (await response.json()) as Partial<WriteAnswer>;
      // What was done in the meantime is told by its status.
      const id = answer.write?.id;
      answered += 1;
      if (id !== undefined) expected.set(id, outcome);
      else if (response.status !== 404 || outcome !== "unknown")
        throw new Error(`A change was answered with ${response.status}: ${JSON.stringify(answer)}`);
    }
  };
  const kill = async (): Promise<void> => {
    const names = Object.keys(parts);
    for (let done = 0; done < kills; done += 1) {
      while (sent < (changes * (done + 1)) / (kills + 1)) await sleep(10, undefined, { signal });
      const name = names[done % names.length]!;
      killed[name] = (killed[name] ?? 0) + 1;
      onProgress(`killing the ${name} after ${sent} changes`);
      await parts[name]!.kill();
      await sleep(DOWN_MS, undefined, { signal });
      await parts[name]!.revive();
    }
  };
  await Promise.all([kill(), ...Array.from({ length: CALLERS }, (_, caller) => call(caller))]);
  onProgress("all changes accepted");

  let lost = 0;
  let wrongOutcomes = 0;
  for (const [id, outcome] of expected) {
    const result = await waitForResult(() => ask(`/api/maps/writes/${id}`), signal);
    if (result === undefined) lost += 1;
    else if (result !== outcome) wrongOutcomes += 1;
  }
  onProgress("all outcomes read");
  // What the server keeps of places for a second.
  await sleep(1_500);
  let wrongPlaces = 0;
  for (const [at, model] of models.entries()) {
    const response = await ask(`/api/maps/place?data_id=${encodeURIComponent(dataIdOf(at))}`);
    const { place_result: place } = (await response.json()) as Partial<PlaceAnswer>;
    const isAsLeft = place?.title === model?.title && place?.description === model?.description;
    if (!isAsLeft) wrongPlaces += 1;
  }
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  return { killed, answered, repeated, lost, wrongOutcomes, wrongPlaces, seconds };
}

/** The outcome of a write; `undefined` when nobody knows it, or it does not come. */
async function waitForResult(ask: () => Promise<Response>, signal: AbortSignal): Promise<string | undefined> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const response = await ask();
    if (response.status !== 200) return undefined;
    const { write } = (await response.json()) as WriteAnswer;
    if (write.state === "done") return write.results?.[0]?.outcome;
    await sleep(RETRY_MS, undefined, { signal });
  }
  return undefined;
}

const dataIdOf = (at: number): string => `0x1:0x${(at + 1).toString(16)}`;

/** The report as a table for people. */
export const formatKillReport = ({ killed, ...counts }: KillReport): string =>
  [
    ...Object.entries(killed).map(([name, times]) => [`kills of the ${name}`, times] as const),
    ["changes", counts.answered] as const,
    ["requests sent again", counts.repeated] as const,
    ["changes without an outcome (lost)", counts.lost] as const,
    ["changes with another outcome (twice, or out of order)", counts.wrongOutcomes] as const,
    ["places not as the last change left them", counts.wrongPlaces] as const,
    ["seconds", counts.seconds] as const,
  ]
    .map(([name, count]) => `${name.padEnd(55)}${String(count).padStart(8)}`)
    .join("\n");

async function main({ onProgress, signal }: Tool): Promise<number> {
  const options = new Command("write-kills")
    .description(
      "Counts changes that are lost or applied twice while parts are killed. Exit status 1: some were.",
    )
    .option("--changes <number>", "changes to send", Number, 10_000)
    .option("--kills <number>", "kills, of the parts in turn", Number, 20)
    .option("--places <number>", "places that are changed", Number, 400)
    .option("--seed <number>", "which changes", Number, 1)
    .exitOverride()
    .parse()
    .opts<Omit<KillOptions, "onProgress" | "signal">>();
  const report = await runWriteKills({ ...options, onProgress, signal });
  process.stdout.write(`${formatKillReport(report)}\n`);
  return report.lost + report.wrongOutcomes + report.wrongPlaces === 0 ? EXIT.done : EXIT.failed;
}

if (import.meta.main) await runTool(main);
