import { Readable } from "node:stream";
import { createDemoPlaces } from "../../indexer/demo/demo-places.ts";
import { createTally, totalRejected } from "../../indexer/clean/import-tally.ts";
import { fillIndex } from "../../indexer/import/fill-index.ts";
import { openSources } from "../../indexer/sources/open-sources.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";

interface Imported {
  readonly places: readonly PlaceDocument[];
  /** What the import had to say about some of them. */
  readonly notes: readonly unknown[];
}

/** The places of a file in the native format, as an import reads and cleans them. @throws {Error} when one is invalid. */
export async function readImported(file: string, stdin = Readable.from([])): Promise<Imported> {
  const { signal } = new AbortController();
  const places: PlaceDocument[] = [];
  const tally = createTally();
  const build = {
    add: async (batch: readonly PlaceDocument[]) => void places.push(...batch),
    knownDataIds: async () => new Map<string, string>(),
  };
  await fillIndex(await openSources([file], { format: "native", signal, stdin }), {
    build,
    tally,
    today: Temporal.PlainDate.from("2027-01-01"),
    signal,
  });
  if (totalRejected(tally) > 0) throw new Error(JSON.stringify([...tally.rejected.values()]));
  return { places, notes: [...tally.notes.values()] };
}

/** The first places of the demo city, as an import reads them. */
export async function importDemoPlaces(count: number): Promise<readonly PlaceDocument[]> {
  const demo = createDemoPlaces({ places: count, seed: 1, lean: true });
  const lines = Array.from({ length: count }, (_, i) =>
    Buffer.from(`${JSON.stringify(demo.placeAt(i + 1))}\n`),
  );
  return (await readImported("-", Readable.from(lines))).places;
}
