import { beforeEach, describe, expect, test } from "vitest";
import { overloaded } from "../../../src/errors.ts";
import { connectEngines, type ClusterEngine } from "../../../src/partitions/cluster-engines.ts";
import { openGeneration, type LiveGeneration } from "../../../src/partitions/live-generation.ts";
import { readPartitions } from "../../../src/partitions/read-partitions.ts";

const topology = {
  engines: ["one", "two"].map((name) => ({ name, url: `http://${name}.invalid`, key: undefined })),
  partitions: 1,
  replicas: 2,
  prefix: "places",
};
const live = {
  generation: "g1",
  index_version: "1",
  built_at: "2026-11-22T03:00:00Z",
  partitions: [{ first_cell: 0, engines: ["one", "two"] }],
};

let engines: readonly ClusterEngine[];
let generation: LiveGeneration;
let gone: string[];
let checks: number;
/** What a check finds. */
let onCheck: () => void;

const watch = {
  noteGone(engine: ClusterEngine): void {
    engine.isUp = false;
    gone.push(engine.name);
  },
  async check(): Promise<void> {
    checks += 1;
    onCheck();
  },
};

beforeEach(() => {
  engines = connectEngines(topology, (ask) => ask);
  generation = openGeneration({ sequence: 1, live }, { engines, prefix: "places", before: undefined });
  for (const engine of engines) engine.isUp = true;
  for (const replica of generation.partitions[0]!.replicas) replica.writes = 0;
  gone = [];
  checks = 0;
  onCheck = () => undefined;
});

/** Reads the only partition; each engine responds as told, by its name. */
async function read(
  respond: (engine: string, signal: AbortSignal) => Promise<string>,
  signal = new AbortController().signal,
) {
  const { values, lost } = await readPartitions(generation, watch, {
    partitions: [0],
    signal,
    read: async ({ name }, _, limit) => [await respond(name, limit)],
  });
  return { value: values.get(0), lost };
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });

const closed = Object.assign(new Error("closed"), { code: "ECONNREFUSED" });
const resting = Object.assign(new Error("resting"), { name: "EngineRestingError" });

test("an engine that refuses connections is noted as gone, and its twin is asked", async () => {
  const found = await read(async (name) => {
    if (name === "one") throw closed;
    return name;
  });
  expect(found).toEqual({ value: "two", lost: [] });
  expect(gone).toEqual(["one"]);
});

test("an engine that hangs leaves its twin half of the time that a request has", async () => {
  const request = new AbortController();
  // Timers end in the order of their times, however busy the machine is.
  const timer = setTimeout(() => request.abort(new Error("too late")), 400);
  const found = await read(
    (name, limit) => (name === "one" ? untilAborted(limit) : Promise.resolve(name)),
    request.signal,
  );
  clearTimeout(timer);
  expect(found).toEqual({ value: "two", lost: [] });
  expect(gone).toEqual([]);
});

describe("says nothing of the engine, which others may go on asking", () => {
  test("a read whose own time is up", async () => {
    const signal = AbortSignal.timeout(20);
    generation.partitions[0]!.replicas[1]!.writes = undefined;
    await expect(read((_, limit) => untilAborted(limit), signal)).rejects.toThrow("timeout");
    expect(gone).toEqual([]);
  });

  test("an engine that rests after failures in a row: its twin is asked", async () => {
    const found = await read(async (name) => {
      if (name === "one") throw resting;
      return name;
    });
    expect(found.value).toBe("two");
    expect(gone).toEqual([]);
  });
});

test("engines that were late, each with another partition, are asked again where there is no third", async () => {
  const named = [...topology.engines, { name: "three", url: "http://three.invalid", key: undefined }];
  const three = connectEngines({ ...topology, engines: named }, (ask) => ask);
  const partitions = [
    { first_cell: 0, engines: ["one", "two"] },
    { first_cell: 1, engines: ["two", "three"] },
  ];
  const map = { sequence: 1, live: { ...live, partitions } };
  const divided = openGeneration(map, { engines: three, prefix: "places", before: undefined });
  for (const engine of three) engine.isUp = true;
  for (const { replicas } of divided.partitions) for (const replica of replicas) replica.writes = 0;
  const late = new Set<string>();
  const { values, lost } = await readPartitions(divided, watch, {
    partitions: [0, 1],
    signal: new AbortController().signal,
    read: async ({ name }, wanted, limit) => {
      if (late.size < 2) {
        late.add(name);
        return untilAborted(limit);
      }
      return wanted.map(({ number }) => number);
    },
  });
  expect([...late]).toEqual(["one", "two"]);
  expect(new Set(values.keys())).toEqual(new Set([0, 1]));
  expect(lost).toEqual([]);
});

describe("an engine with a full queue", () => {
  test("has a twin that is asked", async () => {
    const found = await read(async (name) => {
      if (name === "one") throw overloaded();
      return name;
    });
    expect(found.value).toBe("two");
  });

  test("without a twin is an overload, and no fault", async () => {
    generation.partitions[0]!.replicas[1]!.writes = undefined;
    await expect(read(() => Promise.reject(overloaded()))).rejects.toMatchObject({ code: "overloaded" });
  });
});

describe("when no engine can be read", () => {
  beforeEach(() => {
    for (const engine of engines) engine.isUp = false;
  });

  test("and the last check did not say so, another check comes first, and may find one", async () => {
    onCheck = () => (engines[1]!.isUp = true);
    expect(await read(async (name) => name)).toEqual({ value: "two", lost: [] });
    expect(checks).toBe(1);
  });

  test("the partition is lost when the check finds none either", async () => {
    expect(await read(async (name) => name)).toEqual({ value: undefined, lost: [0] });
  });

  test("and the last check said so, the partition is lost without another", async () => {
    generation.partitions[0]!.isKnownLost = true;
    expect(await read(async (name) => name)).toEqual({ value: undefined, lost: [0] });
    expect(checks).toBe(0);
  });
});

test("a request waits for an engine that hangs once, however many reads it needs", async () => {
  const failed = new Set<ClusterEngine>();
  const asked: string[] = [];
  const readOnce = () =>
    readPartitions(generation, watch, {
      partitions: [0],
      signal: new AbortController().signal,
      failed,
      read: async ({ name }, _, limit) => {
        asked.push(name);
        return name === "one" ? untilAborted(limit) : [name];
      },
    });
  await readOnce();
  await readOnce();
  expect(asked).toEqual(["one", "two", "two"]);
});
