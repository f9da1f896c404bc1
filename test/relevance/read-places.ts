import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { fillIndex } from "../../indexer/index-build/fill-index.ts";
import { createTally, totalRejected } from "../../indexer/clean/import-tally.ts";
import { openSources } from "../../indexer/sources/open-sources.ts";
import type { PlaceDocument } from "../../src/place/place-document.ts";

const FILE = fileURLToPath(new URL("./places.jsonl", import.meta.url));

/** The places of places.jsonl as an import reads and cleans them. @throws {Error} when one is invalid. */
export async function readTestPlaces(): Promise<PlaceDocument[]> {
  const { signal } = new AbortController();
  const places: PlaceDocument[] = [];
  const tally = createTally();
  const build = {
    add: async (batch: readonly PlaceDocument[]) => void places.push(...batch),
    knownDataIds: async () => new Map<string, string>(),
  };
  await fillIndex(await openSources([FILE], { format: "native", signal, stdin: Readable.from([]) }), {
    build,
    tally,
    today: Temporal.PlainDate.from("2027-01-01"),
    signal,
  });
  if (totalRejected(tally) > 0 || tally.notes.size > 0)
    throw new Error(JSON.stringify([...tally.rejected.values(), ...tally.notes.values()]));
  return places;
}
