import { setTimeout as sleep } from "node:timers/promises";
import { fc } from "@fast-check/vitest";
import { expect, onTestFinished, test } from "vitest";
import { withLiveWriter } from "../../../indexer/changes/apply-changes.ts";
import type { Change } from "../../../indexer/changes/change-queue.ts";
import { UNCOORDINATED, type Coordination } from "../../../indexer/session/coordination.ts";
import { connectEngine } from "../../../src/meilisearch/connection.ts";
import { toIndexedPlace } from "../../../src/meilisearch/index-form.ts";
import type { Topology } from "../../../src/partitions/topology.ts";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import { buildPlace } from "../../support/build-place.ts";
import { importInto } from "../../support/divided-index.ts";
import { toChange, toDeletion, writeBatches } from "../../support/live-changes.ts";
import { createTestPrefix, removeTestIndex, testTopology, uidOf } from "../../support/test-index.ts";
import { startCountingProxy } from "../partitions/counting-proxy.ts";
import { readEverything, titlesOf } from "../partitions/import-files.ts";

/** The live index of these places, in the engine of the test run. */
async function importPlaces(places: readonly PlaceDocument[]): Promise<Topology> {
  const prefix = createTestPrefix();
  onTestFinished(() => removeTestIndex(prefix));
  await importInto(testTopology(prefix), places);
  return testTopology(prefix);
}

const titled = (place: PlaceDocument, title: string): Change => toChange({ ...place, title });

test("a batch is sent while those before it are not written yet", async () => {
  const place = buildPlace();
  const topology = await importPlaces([place]);
  const allSent = Promise.withResolvers<void>();
  let sent = 0;
  const onWrite = (path: string): boolean => {
    sent += path.includes("/documents") ? 1 : 0;
    if (sent === 3) allSent.resolve();
    return true;
  };
  // Nothing is known of any before all have been sent.
  const hold = async (path: string): Promise<void> =>
    path.includes("/tasks/") ? allSent.promise : undefined;
  const [engine] = topology.engines;
  await using proxy = await startCountingProxy(engine!.url, onWrite, hold);
  const others = [place, buildPlace(), buildPlace()];
  const written = await writeBatches(
    { ...topology, engines: [{ ...engine!, url: proxy.url }] },
    others.map((other) => [titled(other, "Mới")]),
  );
  expect(written).toHaveLength(3);
  expect(titlesOf(await readEverything(topology))).toEqual(["Mới", "Mới", "Mới"]);
});

/** What happens to one of a few places. */
type Step = readonly [id: number, action: "add" | "patch" | "delete"];

const step: fc.Arbitrary<Step> = fc.tuple(fc.nat(4), fc.constantFrom("add", "patch", "delete"));
const batchOfSteps = fc.uniqueArray(step, { maxLength: 4, minLength: 1, selector: ([id]) => id });

test("batches that follow each other do what they would one after the other", async () => {
  const places = Array.from({ length: 5 }, () => buildPlace());
  const anchor = buildPlace({ title: "" });
  const property = fc.asyncProperty(fc.array(batchOfSteps, { maxLength: 8 }), async (batches) => {
    const topology = await importPlaces([anchor]);
    const model = new Map<number, string>();
    const expected: object[] = [];
    const changes = batches.map((batch, number) => {
      const counts = { applied: 0, deleted: 0, unknown: [] as string[] };
      expected.push(counts);
      return batch.map(([id, action]): Change => {
        const { identity, bytes } = toDeletion(places[id]!);
        const before = model.get(id);
        if (action === "add") model.set(id, `${number}`);
        else if (action === "delete") model.delete(id);
        else if (before !== undefined) model.set(id, `${before}+${number}`);
        const isKnown = before !== undefined || action === "add";
        if (!isKnown) counts.unknown.push(places[id]!.data_id);
        else if (action === "delete") counts.deleted += 1;
        else counts.applied += 1;
        if (action === "add") return titled(places[id]!, `${number}`);
        if (action === "delete") return toDeletion(places[id]!);
        const patch = (place: PlaceDocument) => ({ ...place, title: `${place.title}+${number}` });
        return { identity, bytes, patch, named: places[id]!.data_id };
      });
    });
    const sortUnknown = (one: { unknown: readonly string[] }) => ({
      ...one,
      unknown: one.unknown.toSorted(),
    });
    expect((await writeBatches(topology, changes)).map(sortUnknown)).toEqual(
      (expected as { unknown: string[] }[]).map(sortUnknown),
    );
    expect(titlesOf(await readEverything(topology))).toEqual(["", ...model.values()].toSorted());
  });
  await fc.assert(property, { numRuns: 8 });
});

test("no more is sent than is kept in mind", async () => {
  const topology = await importPlaces([buildPlace()]);
  const checked = Promise.withResolvers<void>();
  let sent = 0;
  const onWrite = (path: string): boolean => {
    sent += path.includes("/documents") ? 1 : 0;
    return true;
  };
  const hold = async (path: string): Promise<void> =>
    path.includes("/tasks/") ? checked.promise : undefined;
  const [engine] = topology.engines;
  await using proxy = await startCountingProxy(engine!.url, onWrite, hold);
  const unknown = (id: number): Change => ({ identity: `0xfff${id}`, deleted: `${id}`, bytes: 0 });
  // Of 100,000 changes that searches may lack.
  const batches = Array.from({ length: 12 }, (_, batch) => [
    toChange(buildPlace()),
    ...Array.from({ length: 9_999 }, (__, id) => unknown(batch * 10_000 + id)),
  ]);
  const writing = writeBatches({ ...topology, engines: [{ ...engine!, url: proxy.url }] }, batches);
  await expect.poll(() => sent, { timeout: 60_000 }).toBe(10);
  await sleep(500);
  expect(sent).toBe(10);
  checked.resolve();
  expect(await writing).toHaveLength(12);
});

test("others that wait may write after each batch", async () => {
  const place = buildPlace();
  const topology = await importPlaces([place]);
  let turns = 0;
  const coordination: Coordination = {
    ...UNCOORDINATED,
    holdWrite(run, signal) {
      turns += 1;
      return run({ signal, check: async () => {}, isWanted: async () => true });
    },
  };
  const batches = ["a", "b", "c"].map((title) => [titled(buildPlace(), title)]);
  expect(await writeBatches(topology, batches, coordination)).toHaveLength(3);
  expect(turns).toBe(3);
});

test("what a writer that was killed has left to the engine comes before what is decided next", async () => {
  const topology = await importPlaces([buildPlace()]);
  const left = buildPlace();
  const connection = connectEngine(topology.engines[0]!);
  onTestFinished(() => connection.close());
  const index = connection.client.index(await uidOf(topology));
  const many = Array.from({ length: 3_000 }, () => toIndexedPlace(buildPlace()));
  for (const places of [many, [toIndexedPlace(left)]])
    await index.addDocuments(places as unknown as Record<string, unknown>[], { primaryKey: "id" });
  expect(await writeBatches(topology, [[toDeletion(left)]])).toEqual([
    { applied: 0, deleted: 1, unknown: [] },
  ]);
});

test("a batch that the engine refuses ends the writing, after those before it are written", async () => {
  const topology = await importPlaces([buildPlace()]);
  const [good, bad] = [buildPlace(), buildPlace()];
  const written: unknown[] = [];
  async function* batches() {
    yield [toChange(good)];
    // No id of the engine has a space.
    yield [{ ...toChange({ ...bad, data_id: "0x1:0x 1" }) }];
    yield [toChange(buildPlace())];
  }
  const writing = withLiveWriter({ index: topology, coordination: UNCOORDINATED }, (writer) =>
    writer.write(batches(), (batch) => written.push(batch)),
  );
  await expect(writing).rejects.toThrow("failed");
  expect(written).toEqual([{ applied: 1, deleted: 0, unknown: [] }]);
});
