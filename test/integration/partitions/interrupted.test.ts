import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Change } from "../../../indexer/changes/change-queue.ts";
import { UNCOORDINATED, type Coordination } from "../../../indexer/session/coordination.ts";
import { createReplicas } from "../../../indexer/index/catch-up.ts";
import { openPlaceIndex } from "../../../src/partitions/open-place-index.ts";
import type { Topology } from "../../../src/partitions/topology.ts";
import { dataIdIdentity } from "../../../src/place/document/data-id.ts";
import { buildPlace } from "../../support/build-place.ts";
import { toChange, toDeletion, writeBatches, writeLive } from "../../support/live-changes.ts";
import { startThreeEngines, type ThreeEngines } from "../../support/three-engines.ts";
import { startCountingProxy } from "./counting-proxy.ts";
import { importRecords, readEverything, readStates, records, titlesOf } from "./import-files.ts";

let engines: ThreeEngines;
beforeAll(async () => {
  // Each import creates an index for every replica: three partitions are half the work of six.
  engines = await startThreeEngines({ partitions: 3 });
  return () => engines[Symbol.asyncDispose]();
});

let number = 0;
let topology: Topology;
beforeEach(() => {
  topology = { ...engines.topology, prefix: `own${(number += 1)}` };
});

async function catchUp(index: Topology): Promise<void> {
  const signal = new AbortController().signal;
  await createReplicas({ topology: index, coordination: UNCOORDINATED, signal }).catchUp();
}

/** Writes as a process that is killed as soon as an engine has got a batch. */
async function writeAndEnd(index: Topology, ...changes: Change[]): Promise<void> {
  let hasEnded = false;
  const mayWrite = (path: string): boolean => {
    const isLate = hasEnded;
    hasEnded ||= path.includes(`/indexes/${index.prefix}_`) && !path.includes("_map/");
    return !isLate;
  };
  await using proxies = new AsyncDisposableStack();
  const engines = await Promise.all(
    index.engines.map(async (engine) => {
      const proxy = proxies.use(await startCountingProxy(engine.url, mayWrite));
      return { ...engine, url: proxy.url };
    }),
  );
  await Promise.allSettled([writeLive({ ...index, engines }, ...changes)]);
  expect(hasEnded).toBe(true);
}

test("an engine that fails in the middle of a batch is behind, and the other replica has the whole batch", async () => {
  const [first, second] = topology.engines;
  const pair = { ...topology, engines: [first!, second!], partitions: 1 };
  await importRecords(pair, [records(10)]);
  const [changed, gone] = await readEverything(pair);
  // The first engine gets the additions, and not the deletions that follow.
  await using proxy = await startCountingProxy(first!.url, (path) => !path.includes("delete"));
  const broken = { ...pair, engines: [{ ...first!, url: proxy.url }, second!] };
  await writeLive(broken, toChange({ ...changed!, title: "Tên mới" }), toDeletion(gone!));
  expect(await readStates(pair)).toEqual([{ partition: 0, states: ["behind", "current"] }]);
  const places = await readEverything(pair);
  expect(places).toHaveLength(9);
  expect(titlesOf(places)).toContain("Tên mới");
});

test("an engine that missed a batch is not read for the next one", async () => {
  const [first, second] = topology.engines;
  const pair = { ...topology, engines: [first!, second!], partitions: 1 };
  await importRecords(pair, [records(10)]);
  const [place] = await readEverything(pair);
  const patch = (text: string): Change => ({
    identity: dataIdIdentity(place!.data_id),
    bytes: 0,
    named: text,
    patch: (before) => ({ ...before, title: before.title + text }),
  });
  await using proxy = await startCountingProxy(first!.url, () => false);
  const broken = { ...pair, engines: [{ ...first!, url: proxy.url }, second!] };
  await writeBatches(broken, [[patch(" một")], [patch(" hai")]]);
  expect(await readStates(pair)).toEqual([{ partition: 0, states: ["behind", "current"] }]);
  expect(titlesOf(await readEverything(pair))).toContain(`${place!.title} một hai`);
});

test("a replica that missed changes serves nobody while the one that has them is away, and catches up after that", async () => {
  const single = { ...topology, partitions: 1 };
  const [first, second] = engines.servers;
  await importRecords(single, [records(10)]);
  const [changed] = await readEverything(single);
  const change = toChange({ ...changed!, title: "Tên mới" });
  const server = openPlaceIndex(single);
  try {
    await first!.kill();
    await writeLive(single, change);
    await second!.kill();
    await first!.revive();
    expect(await readStates(single)).toEqual([{ partition: 0, states: ["behind", "away"] }]);
    await expect(readEverything(single)).rejects.toThrow("missed changes");
    await expect(server.getPlace(changed!.data_id)).rejects.toMatchObject({ code: "engine_unavailable" });
    await second!.revive();
    expect(titlesOf(await readEverything(single))).toContain("Tên mới");
    await catchUp(single);
    expect(await readStates(single)).toEqual([{ partition: 0, states: ["current", "current"] }]);
    await second!.kill();
    expect(titlesOf(await readEverything(single))).toContain("Tên mới");
    await second!.revive();
  } finally {
    await server.close();
  }
});

test("a writer that ends right after an engine got a batch: a replica that lacks it serves nobody while that engine is away", async () => {
  const single = { ...topology, partitions: 1 };
  const [first, second] = engines.servers;
  await importRecords(single, [records(10)]);
  const [changed] = await readEverything(single);
  await first!.kill();
  await writeAndEnd(single, toChange({ ...changed!, title: "Tên mới" }));
  await second!.kill();
  await first!.revive();
  expect(await readStates(single)).toEqual([{ partition: 0, states: ["behind", "away"] }]);
  await expect(readEverything(single)).rejects.toThrow("missed changes");
  await second!.revive();
  expect(titlesOf(await readEverything(single))).toContain("Tên mới");
  await catchUp(single);
  expect(await readStates(single)).toEqual([{ partition: 0, states: ["current", "current"] }]);
});

test("an engine that alone has a batch of a writer that was killed is behind, though the next batch has the same number", async () => {
  const single = { ...topology, partitions: 1 };
  const [first] = engines.servers;
  await importRecords(single, [records(10)]);
  const [changed, other] = await readEverything(single);
  await writeAndEnd(single, toChange({ ...changed!, title: "Tên mới" }));
  expect(await readStates(single)).toEqual([{ partition: 0, states: ["current", "behind"] }]);
  await first!.kill();
  await writeLive(single, toChange({ ...other!, title: "Tên khác" }));
  await first!.revive();
  expect(await readStates(single)).toEqual([{ partition: 0, states: ["behind", "current"] }]);
  await catchUp(single);
  expect(await readStates(single)).toEqual([{ partition: 0, states: ["current", "current"] }]);
  const titles = titlesOf(await readEverything(single));
  expect(titles).toContain("Tên khác");
  expect(titles).not.toContain("Tên mới");
});

test("an import goes on without an engine that fails on the way", async () => {
  let isFirst = true;
  const killOnce = (text: string): void => {
    if (!text.includes("written; waiting") || !isFirst) return;
    isFirst = false;
    void engines.servers[2]!.kill();
  };
  try {
    const { places, said } = await importRecords(topology, [records(30)], { onSay: killOnce });
    expect(places).toBe(30);
    expect(said.join()).toContain("continues without that replica");
    expect(await readEverything(topology)).toHaveLength(30);
  } finally {
    await engines.servers[2]!.revive();
  }
  const states = (await readStates(topology)).flatMap((partition) => partition.states);
  expect(states.filter((state) => state === "current")).toHaveLength(4);
  expect(states.filter((state) => state !== "current")).toHaveLength(2);
});

test("an import has the changes that were made meanwhile, also those beyond a border", async () => {
  await importRecords(topology, [records(60)]);
  const before = await readEverything(topology);
  const [renamed, moved, gone] = [before[0]!, before[1]!, before[2]!];
  const added = buildPlace({ title: "Quán thêm", location: { latitude: 12 } });
  const changes = [
    toChange({ ...renamed, title: "Quán đổi tên" }),
    toChange({ ...moved, location: { ...moved.location, latitude: 14.9 } }),
    toDeletion(gone),
    toChange(added),
  ];
  const coordination: Coordination = {
    ...UNCOORDINATED,
    changeLog: {
      ...UNCOORDINATED.changeLog,
      async *read() {
        // They are made while the import runs, before it looks for them.
        await writeLive(topology, ...changes);
        yield changes.map(({ identity }) => identity);
      },
    },
  };
  await importRecords(topology, [records(60)], { coordination });
  const after = await readEverything(topology);
  const titles = titlesOf(after);
  expect(after).toHaveLength(60);
  expect(titles).toContain("Quán đổi tên");
  expect(titles).toContain("Quán thêm");
  expect(titles).not.toContain(gone.title);
  const found = after.filter(({ data_id: dataId }) => dataId === moved.data_id);
  expect(found.map(({ location }) => location.latitude)).toEqual([14.9]);
});
