import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cellNumber } from "../../../src/partitions/partition-map.ts";
import { openPlaceIndex } from "../../../src/partitions/open-place-index.ts";
import { readMap } from "../../../indexer/index/store-map.ts";
import { findDeadPort } from "../../support/dead-servers.ts";
import { startThreeEngines, type ThreeEngines } from "../../support/three-engines.ts";
import {
  countByPartition,
  importRecords,
  readEverything,
  readStates,
  recordOf,
  records,
  titlesOf,
} from "./import-files.ts";

let engines: ThreeEngines;
beforeAll(async () => {
  // Each import creates an index for every replica: three partitions are half the work of six.
  engines = await startThreeEngines({ partitions: 3 });
  return () => engines[Symbol.asyncDispose]();
});

/** Each test has indexes of its own in the same engines. */
let number = 0;
let topology: ThreeEngines["topology"];
beforeEach(() => {
  topology = { ...engines.topology, prefix: `own${(number += 1)}` };
});

const titlesOfRecords = (list: readonly object[]): string[] =>
  list.map((record) => (record as { title: string }).title).toSorted();

describe("an import does not begin", () => {
  test("when no engine of a partition responds", async () => {
    const url = `http://127.0.0.1:${await findDeadPort()}`;
    const broken = topology.engines.map((engine, index) => (index === 0 ? { ...engine, url } : engine));
    const { prefix } = topology;
    const importing = importRecords({ engines: broken, partitions: 3, replicas: 1, prefix }, [records(9)]);
    await expect(importing).rejects.toThrow(
      `Partition 0 cannot be built: ${url} (it does not respond) should hold it. Start the engines, or correct the topology file.`,
    );
  });
});

describe("the first import after an index in one engine", () => {
  test("fails when it lost much of that index, which stays as it was, and so does the one after it", async () => {
    const single = { ...topology, engines: [topology.engines[1]!], partitions: 1, replicas: 1 };
    await importRecords(single, [records(60)]);
    await expect(importRecords(topology, [records(30)])).rejects.toThrow(
      "30 places where the live index has 60",
    );
    const index = openPlaceIndex(single);
    expect(await index.readState()).toMatchObject({ state: "ready", places: 60 });
    await index.close();
    expect((await importRecords(topology, [records(62)])).places).toBe(62);
    await expect(importRecords(topology, [records(30)])).rejects.toThrow(
      "30 places where the live index has 62",
    );
    expect(await readEverything(topology)).toHaveLength(62);
  });
});

/** A border may lie a tenth of a partition away from where all would hold equally many. */
function expectAboutEqual(counts: readonly (number | undefined)[], places: number): void {
  const share = places / counts.length;
  expect(counts.reduce<number>((sum, count = 0) => sum + count, 0)).toBe(places);
  for (const count of counts) expect(Math.abs((count ?? 0) - share)).toBeLessThanOrEqual(0.2 * share);
}

describe("an import into several engines", () => {
  test("divides places into partitions of about equal size, and the next by where the places were", async () => {
    topology = { ...topology, partitions: 6 };
    const { places, said } = await importRecords(topology, [records(120)], { stdin: true });
    expect(places).toBe(120);
    expect(said.join()).toContain("Reading where the places are");
    expectAboutEqual(await countByPartition(topology), 120);
    expect(titlesOf(await readEverything(topology))).toEqual(titlesOfRecords(records(120)));
    const again = await importRecords(topology, [records(126)]);
    expect(again.said.join()).not.toContain("Reading where the places are");
    expectAboutEqual(await countByPartition(topology), 126);
  });

  test("leaves out a replica that does not respond, and says so", async () => {
    const url = `http://127.0.0.1:${await findDeadPort()}`;
    const [first, second] = topology.engines;
    const pair = { ...topology, engines: [{ ...first!, url }, second!], partitions: 2 };
    const { places, said } = await importRecords(pair, [records(20)]);
    expect(places).toBe(20);
    expect(said.join()).toContain(`${url} is left out`);
    expect(await readStates(pair)).toEqual([
      { partition: 0, states: ["away", "current"] },
      { partition: 1, states: ["current", "away"] },
    ]);
    // It is back, and has nothing.
    expect(await readStates({ ...pair, engines: [first!, second!] })).toEqual([
      { partition: 0, states: ["empty", "current"] },
      { partition: 1, states: ["current", "empty"] },
    ]);
  });

  test("has the last of two records of a place, although another partition has the first", async () => {
    const moved = recordOf(3, { title: "Quán dời", latitude: 14 });
    await importRecords(topology, [records(60), [moved]]);
    const places = await readEverything(topology);
    expect(places).toHaveLength(60);
    const title = "Quán số 3";
    expect(titlesOf(places)).toEqual(
      titlesOfRecords(records(60))
        .map((one) => (one === title ? "Quán dời" : one))
        .toSorted(),
    );
  });

  test("keeps the id of a place that has moved since the last import", async () => {
    await importRecords(topology, [records(60)]);
    const before = (await readEverything(topology)).find(({ title }) => title === "Quán số 3");
    await importRecords(topology, [[...records(60), recordOf(3, { latitude: 14 })]]);
    const after = (await readEverything(topology)).find(({ title }) => title === "Quán số 3");
    expect(after?.location.latitude).toBe(14);
    expect(after?.data_id).toBe(before?.data_id);
    const index = openPlaceIndex(topology);
    expect((await index.getPlace(before?.data_id ?? ""))?.title).toBe("Quán số 3");
    await index.close();
  });

  test("merges records of two sources on both sides of a border", async () => {
    const [south, north] = findBorder();
    const facts = { title: "Phở Thìn Bờ Hồ", contacts: { phone: "+84 24 3825 1234" } };
    const one = { ...recordOf(1, { latitude: south }), ...facts, source: "one" };
    const other = { ...recordOf(1, { latitude: north }), ...facts, source: "other", description: "Ngon" };
    const divided = { ...topology, partitions: 2 };
    const { places, tally } = await importRecords(divided, [[one], [other]], { merge: true });
    expect(places).toBe(1);
    expect(tally.merges.total).toBe(1);
    const [merged] = tally.merges.pairs;
    const index = openPlaceIndex(divided);
    const found = await index.getPlaces([merged?.kept.data_id ?? "", merged?.merged.data_id ?? ""]);
    expect(found.map((place) => place?.data_id)).toEqual([merged?.kept.data_id, merged?.kept.data_id]);
    await index.close();
  });
});

describe("indexes in the engines that are not ours", () => {
  const ask = async (engine: number, path: string, init: RequestInit = {}): Promise<unknown> => {
    const { url, key } = topology.engines[engine]!;
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await fetch(`${url}/indexes${path}`, { ...init, headers });
    return response.json();
  };

  /** Those of the test's prefix. */
  const listNames = async (engine: number): Promise<string[]> => {
    const { results } = (await ask(engine, "?limit=1000")) as { results: { uid: string }[] };
    return results.map(({ uid }) => uid).filter((uid) => uid.startsWith(`${topology.prefix}_`));
  };

  test("stay, whatever their names, while ours of older imports go", async () => {
    const { prefix } = topology;
    const begun = Date.now().toString(36);
    const endings = ["backup_1", "2026_11", `${begun}_0`, `${begun}_99`, "next", "previous", "new", "0_0"];
    const foreign = endings.map((ending) => `${prefix}_${ending}`);
    for (const uid of foreign)
      await ask(2, `/${uid}/documents`, { method: "POST", body: '[{"id":"1","theirs":true}]' });
    await expect.poll(async () => (await listNames(2)).length).toBe(foreign.length);
    const generations = new Set<string>();
    for (const count of [60, 61, 62]) {
      await importRecords(topology, [records(count)]);
      generations.add((await readMap(topology))!.live.generation);
    }
    const kept = [...generations].slice(-2);
    for (const engine of [0, 1, 2]) {
      const names = await listNames(engine);
      const ours = names.filter((uid) => !foreign.includes(uid) && uid !== `${prefix}_map`);
      expect(new Set(ours.map((uid) => uid.split("_").at(1)))).toEqual(new Set(kept));
    }
    expect(await listNames(2)).toEqual(expect.arrayContaining(foreign));
    for (const uid of foreign) expect(await ask(2, `/${uid}/documents/1`)).toMatchObject({ theirs: true });
  });

  test("stay when an engine returns that was away for two imports, and its old ones go", async () => {
    const url = `http://127.0.0.1:${await findDeadPort()}`;
    const away = {
      ...topology,
      engines: topology.engines.map((one, index) => (index === 2 ? { ...one, url } : one)),
    };
    await importRecords(topology, [records(60)]);
    const old = (await listNames(2)).filter((uid) => uid !== `${topology.prefix}_map`);
    expect(old.length).toBeGreaterThan(0);
    await importRecords(away, [records(61)]);
    await importRecords(away, [records(62)]);
    expect(await listNames(2)).toEqual(expect.arrayContaining(old));
    await importRecords(topology, [records(63)]);
    const names = await listNames(2);
    expect(old.filter((uid) => names.includes(uid))).toEqual([]);
  });
});

test("an import that broke off is resumed, with records whose places it had in another partition", async () => {
  const list = [...records(60), recordOf(3, { title: "Quán dời", latitude: 14 })];
  const lose = (text: string): void => {
    if (text.includes("written; waiting")) throw new TypeError("the connection is lost");
  };
  await expect(importRecords(topology, [list], { onSay: lose, folder: "resumed" })).rejects.toThrow("lost");
  const { places, said } = await importRecords(topology, [list], { resume: true, folder: "resumed" });
  expect(said.join()).toContain("is resumed");
  expect(places).toBe(60);
  expect(titlesOf(await readEverything(topology))).toContain("Quán dời");
});

/** Two points some metres apart that lie in different finest cells. */
function findBorder(): [south: number, north: number] {
  const step = 0.0001;
  const cellAt = (latitude: number): number => cellNumber({ latitude, longitude: 106.7 });
  for (let latitude = 10.7769; ; latitude += step)
    if (cellAt(latitude) !== cellAt(latitude + step)) return [latitude, latitude + step];
}
