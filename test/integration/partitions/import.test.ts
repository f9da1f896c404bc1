import { beforeAll, describe, expect, test } from "vitest";
import { startThreeEngines, type ThreeEngines } from "../../support/three-engines.ts";
import { countByPartition, importRecords, readEverything, records, titlesOf } from "./import-files.ts";

let engines: ThreeEngines;
beforeAll(async () => {
  engines = await startThreeEngines();
  return () => engines[Symbol.asyncDispose]();
});

/** Each test has indexes of its own in the same engines. */
let number = 0;
const ownTopology = () => ({ ...engines.topology, prefix: `own${(number += 1)}` });

describe("an import into several engines", () => {
  test("divides places into partitions of equal size", async () => {
    const topology = ownTopology();
    const { places } = await importRecords(topology, [records(120)]);
    expect(places).toBe(120);
    expect(await countByPartition(topology)).toEqual([20, 20, 20, 20, 20, 20]);
    expect(titlesOf(await readEverything(topology))).toEqual(
      records(120)
        .map((record) => (record as { title: string }).title)
        .toSorted(),
    );
  });
});
