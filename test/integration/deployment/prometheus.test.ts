import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { findDeadPort } from "../../support/dead-servers.ts";
import { buildGeneration, putMap } from "../../support/divided-index.ts";
import { startMeilisearchServer, type MeilisearchServer } from "../../support/meilisearch-server.ts";
import { isExpected, programPath, SYSTEM_PATH } from "../../support/program.ts";
import { startRedisServer, type RedisServer } from "../../support/redis-server.ts";
import { SAMPLE_PLACES } from "../../support/sample-places.ts";
import { API_KEY, startServerProcess, type ServerProcess } from "../process/server-process.ts";

const CONFIGURATION = programPath("docs/monitoring/prometheus.yaml");
const RULE_TESTS = programPath("test/integration/deployment/alerts.test.yaml");

interface Alerts {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[];
}
interface RuleTests {
  readonly tests: readonly {
    readonly alert_rule_test: readonly {
      readonly alertname: string;
      readonly exp_alerts: readonly unknown[];
    }[];
  }[];
}
interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

const { groups } = parse(readFileSync(programPath("docs/monitoring/alerts.yaml"), "utf8")) as Alerts;
const { panels } = JSON.parse(
  readFileSync(programPath("docs/monitoring/grafana-dashboard.json"), "utf8"),
) as Dashboard;
const ruleTests = (parse(readFileSync(RULE_TESTS, "utf8")) as RuleTests).tests.flatMap(
  ({ alert_rule_test }) => alert_rule_test,
);

test.each(groups.flatMap(({ rules }) => rules))(
  "$alert has a case in which it fires and one in which it does not",
  ({ alert }) => {
    const cases = ruleTests.filter(({ alertname }) => alertname === alert);
    const fires = cases.map(({ exp_alerts }) => exp_alerts.length > 0);
    expect(fires).toEqual([true, false]);
  },
);

describe.runIf(isExpected("promtool"))("promtool", () => {
  const promtool = (...args: readonly string[]) =>
    spawnSync("promtool", args, { env: { PATH: SYSTEM_PATH }, encoding: "utf8" });

  test("accepts the configuration and its rules", () => {
    const { status, stdout, stderr } = promtool("check", "config", CONFIGURATION);
    expect(stdout + stderr).toContain(`${groups.flatMap(({ rules }) => rules).length} rules found`);
    expect(status).toBe(0);
  });

  test("confirms for every case whether the alert fires", () => {
    const { status, stdout, stderr } = promtool("test", "rules", RULE_TESTS);
    expect(stdout + stderr).not.toContain("FAILED");
    expect(status).toBe(0);
  });
});

/** The name of a panel's expression, and the expression with Grafana's variables filled in. */
const expressions = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({
    title,
    query: expr.replaceAll("$instance", ".*").replaceAll("$__rate_interval", "1m"),
  })),
);

describe.runIf(isExpected("prometheus"))("Prometheus with the documented configuration", () => {
  let folder: string;
  let engine: MeilisearchServer;
  let redis: RedisServer;
  let server: ServerProcess;
  let url: string;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hereabouts-prometheus-"));
    engine = await startMeilisearchServer();
    // An index in two partitions: the dashboard shows several engines, too.
    const topology = {
      engines: [{ name: "one", ...engine.address }],
      partitions: 2,
      replicas: 1,
      prefix: "places",
    };
    await putMap(topology, { sequence: 1, live: await buildGeneration(topology, SAMPLE_PLACES, "a") });
    const topologyFile = join(folder, "topology.json");
    const { url: engineUrl, key } = engine.address;
    writeFileSync(
      topologyFile,
      JSON.stringify({ engines: [{ name: "one", url: engineUrl, key }], partitions: 2 }),
    );
    redis = await startRedisServer();
    const metricsPort = await findDeadPort();
    server = await startServerProcess({
      TOPOLOGY: topologyFile,
      MEILISEARCH_URL: "",
      MEILISEARCH_KEY: "",
      REDIS_URL: redis.url,
      METRICS_PORT: String(metricsPort),
      RATE_LIMIT_PER_MINUTE: "200",
    });
    ({ url, stop } = await startPrometheus(folder, metricsPort));
    await expectScrape(url);
    await makeTraffic();
  });
  afterAll(async () => {
    await stop();
    await server[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
    await engine[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  const ask = async (target: string, key = API_KEY): Promise<unknown> =>
    (await fetch(`${server.url}/api/maps/${target}`, { headers: { "x-api-key": key } })).arrayBuffer();

  /** Everything that the dashboard shows: responses of all kinds, then faults of the engine and of Redis. */
  async function makeTraffic(): Promise<void> {
    // A rate needs a rise between two scrapes, and perhaps no search below succeeds: the engine counts as away for a while.
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 5; i++) {
        await ask(`search?q=pho&limit=${i + 1}`);
        await ask(`autocomplete?q=ph&limit=${i + 1}`);
        await ask("place?data_id=0x1:0x1");
        await ask("search?q=zzzzzz");
        await ask("search?q=pho", "wrong");
      }
      await expectScrape(url);
    }
    engine.hang();
    await Promise.all(["trung", "tiem", "may"].map((q) => ask(`search?q=${q}`)));
    engine.goOn();
    await redis.kill();
    for (let i = 0; i < 220; i++) await ask("search?q=pho");
    await expectScrape(url);
    await expectScrape(url);
  }

  test("scrapes the server", async () => {
    expect(await query(url, 'up{job="hereabouts"}')).toEqual([1]);
  });

  test("evaluates all rules without an error", async () => {
    const { data } = (await (await fetch(`${url}/api/v1/rules`)).json()) as {
      data: { groups: { rules: { name: string; health: string }[] }[] };
    };
    const rules = data.groups.flatMap((group) => group.rules);
    expect(rules.filter(({ health }) => health !== "ok")).toEqual([]);
    expect(rules).toHaveLength(groups.flatMap((group) => group.rules).length);
  });

  test.each(expressions)("$title: $query", async ({ query: text }) => {
    const values = await query(url, text);
    expect(values.length).toBeGreaterThan(0);
    expect(values.some((value) => Number.isFinite(value))).toBe(true);
  });

  test.each([
    "Failures of the API",
    "Calls that failed or were cut off",
    "Limit checks by one process alone",
    "Requests over a limit",
  ])("%s are seen", async (title) => {
    const { query: text = "" } = expressions.find((each) => each.title === title) ?? {};
    expect(text).not.toBe("");
    expect(Math.max(...(await query(url, text)))).toBeGreaterThan(0);
  });
});

/** Starts Prometheus on the documented configuration, with the port of a test and an interval that a test can wait for. */
async function startPrometheus(folder: string, metricsPort: number) {
  cpSync(programPath("docs/monitoring"), folder, { recursive: true });
  const file = join(folder, "prometheus.yaml");
  const documented = readFileSync(file, "utf8");
  writeFileSync(file, documented.replaceAll("9464", String(metricsPort)).replaceAll(": 15s", ": 1s"));
  const address = `127.0.0.1:${await findDeadPort()}`;
  const child = spawn(
    "prometheus",
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=${address}`,
    ],
    { env: { PATH: SYSTEM_PATH }, stdio: ["ignore", "ignore", "pipe"] },
  );
  let written = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (written += chunk));
  const ended = once(child, "close");
  const url = `http://${address}`;
  while ((await fetch(`${url}/-/ready`).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null) throw new Error(`Prometheus has ended: ${written}`);
    await sleep(50);
  }
  return {
    url,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Waits until Prometheus has what the server has counted by now. */
async function expectScrape(url: string): Promise<void> {
  const begun = Date.now();
  const lastScrape = async (): Promise<number> => {
    const { data } = (await (await fetch(`${url}/api/v1/targets`)).json()) as {
      data: { activeTargets: { lastScrape: string; health: string }[] };
    };
    const [target] = data.activeTargets;
    return target?.health === "up" ? Date.parse(target.lastScrape) : 0;
  };
  const first = await lastScrape();
  while ((await lastScrape()) === first || (await lastScrape()) === 0) {
    if (Date.now() - begun > 20_000)
      throw new Error(
        `Prometheus does not scrape the server: ${await (await fetch(`${url}/api/v1/targets`)).text()}`,
      );
    await sleep(100);
  }
}

/** The values of an instant query, one for each series. */
async function query(url: string, text: string): Promise<number[]> {
  const response = await fetch(`${url}/api/v1/query?${String(new URLSearchParams({ query: text }))}`);
  const { data, error } = (await response.json()) as {
    data?: { result: { value: [number, string] }[] };
    error?: string;
  };
  if (!data) throw new Error(error);
  return data.result.map(({ value: [, value] }) => Number(value));
}
