import { describe, expect, test } from "vitest";
import { fillIndex } from "../../../../indexer/import/fill-index.ts";
import { createTally } from "../../../../indexer/clean/import-tally.ts";
import { readNative } from "../../../../indexer/sources/native/native.ts";
import type { PlaceDocument } from "../../../../src/place/document/place-document.ts";
import { TODAY, textInput } from "../text-input.ts";

const record = (id: number, members: object = {}) =>
  JSON.stringify({
    title: `Place ${id}`,
    source: "test",
    source_id: String(id),
    location: { latitude: 10.7031, longitude: 106.7052 },
    ...members,
  });

async function fill(
  lines: string[],
  add: (places: readonly PlaceDocument[]) => Promise<void>,
  signal = new AbortController().signal,
) {
  const tally = createTally();
  const sources = [{ input: textInput(lines.join("\n"), 1000), format: "native" as const, read: readNative }];
  const written = await fillIndex(sources, {
    build: { add, knownDataIds: () => Promise.resolve(new Map()) },
    tally,
    today: TODAY,
    signal,
  });
  return { tally, written };
}

const keep = (places: PlaceDocument[]) => (batch: readonly PlaceDocument[]) => {
  places.push(...batch);
  return Promise.resolve();
};

describe("fillIndex", () => {
  test("a batch that the engine rejects ends the import", async () => {
    await expect(fill([record(1)], () => Promise.reject(new Error("disk full")))).rejects.toThrow(
      "disk full",
    );
  });

  test("aborting ends the import even while it waits for the engine", async () => {
    const controller = new AbortController();
    const filling = fill([record(1)], () => new Promise(() => {}), controller.signal);
    controller.abort(new Error("stop"));
    await expect(filling).rejects.toThrow("stop");
  });

  test("invalid records are counted by reason with their lines, the others are written", async () => {
    const places: PlaceDocument[] = [];
    const { tally } = await fill(
      [record(1), "x", record(2, { title: " " }), record(3, { rating: 9 }), record(4, { title: "" })],
      keep(places),
    );
    expect(places.map((place) => place.source_id)).toEqual(["1", "3"]);
    expect(tally).toMatchObject({ read: 5, written: 2 });
    expect([...tally.rejected.values()]).toEqual([
      {
        field: "line",
        reason: "not JSON",
        count: 1,
        examples: [{ file: "test-file", part: "line", number: 2, value: "x" }],
      },
      {
        field: "title",
        reason: "empty",
        count: 2,
        examples: [
          { file: "test-file", part: "line", number: 3 },
          { file: "test-file", part: "line", number: 5 },
        ],
      },
    ]);
    expect([...tally.notes.values()]).toEqual([
      {
        field: "rating",
        kind: "not of the documented form",
        count: 1,
        examples: [{ file: "test-file", part: "line", number: 4, value: "9" }],
      },
    ]);
  });

  test("it reports the number of different places and a sample of their ids", async () => {
    const places: PlaceDocument[] = [];
    const { written } = await fill([record(1), record(2), record(1), record(3)], keep(places));
    expect(Math.round(written.distinctPlaces)).toBe(3);
    expect(written.sampleIds).toEqual(places.map((place) => place.data_id));
  });
});
