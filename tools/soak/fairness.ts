import { spawn } from "node:child_process";
import { Command } from "commander";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread, Worker, workerData, parentPort } from "node:worker_threads";
import { Pool } from "undici";
import { findFreePorts } from "../../src/local-engines/own-engines.ts";
import { scriptArguments } from "../../test/support/program.ts";
import { heavySearch, somewhere } from "./unfair-callers.ts";

/**
 * Measures how much one caller slows down another, on one machine: a server with demo places, and callers
 * that send one request after the other on each connection and ignore `Retry-After`.
 */

/** The load of one caller, or of several in turn: a number of connections, with one request after the other on each. */
interface Load {
  readonly name: string;
  /** Whose requests these are: of several keys, in turn. */
  readonly keys: readonly string[];
  readonly connections: number;
  readonly requests: "normal" | "heavy";
}

interface Figures {
  readonly statuses: Readonly<Record<number, number>>;
  /** The duration of every response with 200, in milliseconds. */
  readonly durationsMs: readonly number[];
}

interface Job {
  readonly origin: string;
  readonly load: Load;
  readonly seconds: number;
}

const NORMAL_QUERIES = [
  "cafe",
  "pho",
  "nha thuoc",
  "highlands coffee",
  "bun bo",
  "atm",
  "quan an",
  "khach san",
];

const toPath = (requests: Load["requests"], count: number): string =>
  requests === "heavy"
    ? heavySearch()
    : `/api/maps/search?q=${encodeURIComponent(NORMAL_QUERIES[count % NORMAL_QUERIES.length]!)}${somewhere()}`;

async function putLoad({ origin, load, seconds }: Job): Promise<Figures> {
  const pool = new Pool(origin, { connections: load.connections });
  const statuses: Record<number, number> = {};
  const durationsMs: number[] = [];
  const deadline = performance.now() + seconds * 1_000;
  let sent = 0;
  const askInTurn = async (): Promise<void> => {
    for (let count = 0; performance.now() < deadline; count += 1) {
      const startedAt = performance.now();
      try {
        const path = toPath(load.requests, count);
        const key = load.keys[sent++ % load.keys.length]!;
        const response = await pool.request({ path, method: "GET", headers: { "x-api-key": key } });
        await response.body.dump({ limit: Infinity });
        statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1;
        if (response.statusCode === 200) durationsMs.push(performance.now() - startedAt);
      } catch {
        statuses[0] = (statuses[0] ?? 0) + 1;
      }
    }
  };
  await Promise.all(Array.from({ length: load.connections }, askInTurn));
  await pool.destroy();
  return { statuses, durationsMs };
}

async function runLoads(origin: string, seconds: number, loads: readonly Load[]): Promise<Figures[]> {
  return Promise.all(
    loads.map(async (load) => {
      const worker = new Worker(new URL(import.meta.url), {
        workerData: { origin, load, seconds } satisfies Job,
      });
      // A worker that ends at once may be gone before a later listener hears of it.
      const [message] = await Promise.all([once(worker, "message"), once(worker, "exit")]);
      const [figures] = message as [Figures];
      return figures;
    }),
  );
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;

function describe(load: Load, { statuses, durationsMs }: Figures, seconds: number): string {
  const sorted = durationsMs.toSorted((a, b) => a - b);
  const all = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const good = statuses[200] ?? 0;
  return [
    `${load.name} (${load.connections} connections, ${load.requests})`.padEnd(44),
    `${(good / seconds).toFixed(1)}/s`.padStart(9),
    `${((100 * good) / Math.max(1, all)).toFixed(2)} % 200s`.padStart(14),
    `p50 ${percentile(sorted, 0.5).toFixed(0)} ms`.padStart(11),
    `p99 ${percentile(sorted, 0.99).toFixed(0)} ms`.padStart(12),
    ` ${JSON.stringify(statuses)}`,
  ].join(" ");
}

const NORMAL = { name: "normal", keys: ["hab_normal_0000000000"], requests: "normal" } as const;
const OTHER = { name: "other", keys: ["hab_other_00000000000"], requests: "normal" } as const;
const ATTACKER = { name: "attacker", keys: ["hab_attacker_00000000"], requests: "heavy" } as const;
const FLOOD = { name: "flood", keys: ["hab_invalid_000000000"], requests: "normal" } as const;

/** Twenty callers with the requests of one: together they should get as much as it gets alone. */
const MANY = {
  name: "twenty in turn",
  keys: Array.from({ length: 20 }, (_, index) => `hab_many_${String(index).padStart(12, "0")}`),
  requests: "heavy",
} as const;

const SCENARIOS: readonly (readonly Load[])[] = [
  [{ ...NORMAL, connections: 1 }],
  ...[4, 8, 20, 50].map((connections) => [
    { ...NORMAL, connections: 1 },
    { ...ATTACKER, connections },
  ]),
  [
    { ...NORMAL, connections: 1 },
    { ...FLOOD, connections: 50 },
  ],
  [
    { ...NORMAL, connections: 8 },
    { ...OTHER, connections: 8 },
  ],
  [{ ...NORMAL, connections: 8 }],
  [{ ...NORMAL, connections: 32 }],
  [{ ...ATTACKER, connections: 8 }],
  [{ ...MANY, connections: 8 }],
  [
    { ...NORMAL, connections: 1 },
    { ...OTHER, requests: "heavy", connections: 10 },
    { ...ATTACKER, connections: 10 },
  ],
];

async function waitUntilReady(origin: string): Promise<void> {
  for (;;) {
    const isReady = await fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await sleep(200);
  }
}

async function main(): Promise<void> {
  const values = new Command("fairness")
    .description("Measures how well normal callers are served next to callers that send too many requests.")
    .option("--seconds <number>", "how long each load takes", "5")
    .option("--places <number>", "size of the demo dataset", "10000")
    .option("--data <folder>", "where the server keeps its data", "/tmp/hereabouts-fairness")
    .option("--only <numbers>", "only these loads, separated by commas; 0 is the normal caller alone")
    .parse()
    .opts<{ seconds: string; places: string; data: string; only?: string }>();
  const seconds = Number(values.seconds);
  const [port] = await findFreePorts();
  const origin = `http://127.0.0.1:${port}`;
  mkdirSync(values.data, { recursive: true });
  const server = spawn(process.execPath, scriptArguments("start"), {
    cwd: values.data,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: values.data,
      DEMO_PLACES: values.places,
      API_KEYS: [NORMAL, OTHER, ATTACKER, MANY].flatMap(({ keys }) => keys).join(","),
      // No caller should reach a limit: this measures what else protects callers.
      RATE_LIMIT_PER_MINUTE: "1000000",
      RATE_LIMIT_PER_DAY: "0",
      LOG_LEVEL: "fatal",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  try {
    await waitUntilReady(origin);
    await runLoads(origin, 3, [{ ...NORMAL, connections: 4 }]);
    for (const [index, loads] of SCENARIOS.entries()) {
      if (values.only !== undefined && !values.only.split(",").includes(String(index))) continue;
      const figures = await runLoads(origin, seconds, loads);
      console.log(`\n${index}`);
      for (const [position, load] of loads.entries())
        console.log(describe(load, figures[position]!, seconds));
      await sleep(2_000);
    }
  } finally {
    server.kill("SIGTERM");
    await once(server, "exit");
  }
}

if (isMainThread) await main();
else parentPort?.postMessage(await putLoad(workerData as Job));
