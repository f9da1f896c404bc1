import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectEngines, type ClusterEngine } from "../../../src/partitions/cluster-engines.ts";
import { watchCluster, type ClusterWatch } from "../../../src/partitions/cluster-watch.ts";
import { enginesToAsk, healthyEngines, lostPartitions } from "../../../src/partitions/live-generation.ts";

/** What an engine that holds the only partition says of itself. */
class StubEngine {
  /** Longer than any deadline of a check, or none. */
  delayMs = 0;
  /** Only when it is asked for this. */
  delayed = "";
  /** What it closes the connection at, as an engine does that is killed. */
  cutOffAt = "none";
  writes = 1;
  map: object = { sequence: 1, live: LIVE };
  readonly #server: Server = createServer((request, response) => {
    if (request.url?.includes(this.cutOffAt)) request.socket.destroy();
    else void this.#respond(request.url ?? "", response);
  });

  async #respond(path: string, response: { end: (body: string) => void }): Promise<void> {
    if (this.delayMs > 0 && path.includes(this.delayed)) await sleep(this.delayMs);
    response.end(
      JSON.stringify(path.includes("_map/") ? { _map: this.map } : { _writes: { count: this.writes } }),
    );
  }

  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const LIVE = {
  generation: "g1",
  index_version: "1",
  built_at: "2026-11-18T03:00:00Z",
  partitions: [{ first_cell: 0, engines: ["one", "two"] }],
};

/** A replica was noted as behind: the same generation, another map. */
const withBehind = (sequence: number, behind: string[]): object => ({
  sequence,
  live: { ...LIVE, partitions: [{ ...LIVE.partitions[0], behind }] },
});

/** Another import is live. */
const NEXT = { sequence: 2, live: { ...LIVE, generation: "g2" } };

const TOO_LATE_MS = 700;

let stubs: { one: StubEngine; two: StubEngine };
let engines: readonly ClusterEngine[];
let watch: ClusterWatch;

beforeEach(async () => {
  stubs = { one: new StubEngine(), two: new StubEngine() };
  const named = [
    { name: "one", url: await stubs.one.start(), key: undefined },
    { name: "two", url: await stubs.two.start(), key: undefined },
  ];
  const topology = { engines: named, partitions: 1, replicas: 2, prefix: "places" };
  engines = connectEngines(topology, (ask) => ask);
  watch = watchCluster({ engines, prefix: "places", events: {} });
  await watch.check();
});

afterEach(async () => {
  watch.close();
  await Promise.all(engines.map(({ connection }) => connection.close()));
  stubs.one.stop();
  stubs.two.stop();
});

const healthy = (): string[] => {
  const partition = watch.latest()?.partitions[0];
  return partition === undefined ? [] : healthyEngines(partition).map(({ name }) => name);
};

test("an engine that is late in one check may be asked on, and no more after the second", async () => {
  stubs.two.delayMs = TOO_LATE_MS;
  await watch.check();
  expect(healthy()).toEqual(["one", "two"]);
  await watch.check();
  expect(healthy()).toEqual(["one"]);
  stubs.two.delayMs = 0;
  await sleep(TOO_LATE_MS);
  await watch.check();
  expect(healthy()).toEqual(["one", "two"]);
});

test("a check that this process was too busy for loses no partition", async () => {
  stubs.one.delayMs = TOO_LATE_MS;
  stubs.two.delayMs = TOO_LATE_MS;
  await watch.check();
  expect(lostPartitions(watch.latest()!)).toEqual([]);
});

test("an engine that is late and has missed a write is not read", async () => {
  stubs.one.writes = 2;
  stubs.two.delayMs = TOO_LATE_MS;
  await watch.check();
  expect(healthy()).toEqual(["one"]);
});

test("an engine that is gone is not read from the next check on", async () => {
  stubs.two.stop();
  await watch.check();
  expect(healthy()).toEqual(["one"]);
});

test("the only engine of a partition is asked on, also when it was killed in the middle of a check", async () => {
  for (const stub of [stubs.one, stubs.two])
    stub.map = {
      sequence: 2,
      live: { ...LIVE, generation: "g2", partitions: [{ first_cell: 0, engines: ["one"] }] },
    };
  await watch.check();
  stubs.one.cutOffAt = "/writes";
  await watch.check();
  stubs.one.stop();
  await watch.check();
  expect(enginesToAsk(watch.latest()!.partitions[0]!).map(({ name }) => name)).toEqual(["one"]);
});

test("while one replica is slow to tell of a write, the one that told of it stays in use", async () => {
  stubs.one.writes = 2;
  stubs.two.writes = 2;
  stubs.two.delayMs = 150;
  const checking = watch.check();
  let hasLost = false;
  const look = setInterval(() => (hasLost ||= healthy().length === 0), 5);
  await checking;
  clearInterval(look);
  expect(hasLost).toBe(false);
  expect(healthy()).toEqual(["one", "two"]);
});

test("a map that only notes which replica is behind makes nobody forget what is known of the others", async () => {
  for (const stub of [stubs.one, stubs.two]) {
    stub.map = withBehind(2, ["two"]);
    stub.delayMs = TOO_LATE_MS;
    stub.delayed = "/writes";
  }
  await watch.check();
  expect(watch.latest()?.map.sequence).toBe(2);
  expect(healthy()).toEqual(["one"]);
});

test("a replica that is behind and has had more writes, from before it was restored, does not outdo the others", async () => {
  stubs.two.writes = 5;
  stubs.one.map = withBehind(2, ["two"]);
  await watch.check();
  expect(healthy()).toEqual(["one"]);
});

describe("a new import whose engines are late to say that they have it", () => {
  beforeEach(() => {
    for (const stub of [stubs.one, stubs.two]) {
      stub.map = NEXT;
      stub.delayMs = TOO_LATE_MS;
      stub.delayed = "g2_0";
    }
  });

  test("is not taken into use before: the one before stays readable", async () => {
    await watch.check();
    expect(watch.latest()?.map.live.generation).toBe("g1");
    expect(healthy()).toEqual(["one", "two"]);
    stubs.two.delayMs = 0;
    await watch.check();
    expect(watch.latest()?.map.live.generation).toBe("g2");
    expect(healthy()).toEqual(["two"]);
  });

  test("is taken into use after some checks even so", async () => {
    for (let checks = 0; checks < 6; checks += 1) await watch.check();
    expect(watch.latest()?.map.live.generation).toBe("g2");
    expect(lostPartitions(watch.latest()!)).toEqual([0]);
  });
});
