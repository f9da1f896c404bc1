import { expect, test } from "vitest";
import { readAllPlaces } from "./live-documents.ts";
import { useOwnEngines } from "./own-engines.ts";
import { runIndex } from "./run-index.ts";

const own = useOwnEngines("workers");

/** Without data ids, so that the import makes them. */
const record = (id: number, longitude = 106.70001): string =>
  `${JSON.stringify({
    title: `Quán ${id}`,
    source: "ours",
    source_id: String(id),
    location: { latitude: 10.7 + id / 10_000, longitude },
    contacts: { phone: "028 5550 1204" },
  })}\n`;

const SNAPSHOT = Array.from({ length: 1_500 }, (_, id) => record(id));
const MOVED = [record(0, 106.9), ...SNAPSHOT.slice(1)];

async function importWith(workers: number, lines: readonly string[]) {
  const args = ["import", "-", "--workers", String(workers), "--force"];
  const { exitCode, stderr } = await runIndex(args, own.env, lines.join(""));
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return readAllPlaces(own.engines.meilisearch);
}

test("an import with three threads builds the same index as with one, and moved places keep their ids", async () => {
  const before = await importWith(1, SNAPSHOT);
  const together = await importWith(3, MOVED);
  const idsOf = (places: typeof before): unknown[] => places.map((place) => place["data_id"]);
  expect(idsOf(together)).toEqual(idsOf(before));
  expect(await importWith(1, MOVED)).toEqual(together);
});

test("a sync of the same with threads finds that index unchanged", async () => {
  const args = ["sync", "-", "--workers", "2", "--json"];
  const { stdout } = await runIndex(args, own.env, MOVED.join(""));
  expect(JSON.parse(stdout)).toMatchObject({ outcome: "synced", unchanged: 1_500, written: 0 });
});

test.each(["0", "33", "two"])("--workers %s is no number of threads", async (workers) => {
  const { exitCode, stderr } = await runIndex(["validate", "-", "--workers", workers], own.env, record(1));
  expect(exitCode).toBe(2);
  expect(stderr).toContain("a whole number from 1 to 32");
});
