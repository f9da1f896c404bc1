import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { cellNumber } from "../../src/partitions/partition-map.ts";
import { isCoordinates } from "../../src/place/geometry/coordinates.ts";
import { createSample } from "../import/fill-index.ts";
import type { PlaceDraft } from "../clean/place-draft.ts";
import type { Borders } from "../index/borders.ts";
import { openInput, type Input } from "../sources/input.ts";
import type { Source } from "../sources/open-sources.ts";
import type { SourceContext } from "../sources/source.ts";

/** With so many, the share of a partition is accurate to a few tenths of a percent. */
const SAMPLED = 200_000;

/** Enough to know the usual size of a record. */
const DRAFTS = 200;

interface Scan {
  readonly borders: Borders;
  /** The same sources, to be read from their beginning. */
  readonly sources: readonly Source[];
  /** Some of the records, from all over the files. */
  readonly drafts: readonly PlaceDraft[];
  /** Removes what was kept of pipes. */
  readonly remove: () => Promise<void>;
}

/** Reads where the places of all sources are, without cleaning them. What comes from a pipe is kept in a temporary file. */
export async function scanPositions(sources: readonly Source[], signal: AbortSignal): Promise<Scan> {
  const folder = await mkdtemp(join(tmpdir(), "hereabouts-scan-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const sample = createSample<number>(SAMPLED);
  const drafts = createSample<PlaceDraft>(DRAFTS);
  const context: SourceContext = { today: Temporal.Now.plainDateISO("UTC"), note: () => {} };
  const kept: Source[] = [];
  let places = 0;
  try {
    for (const [number, source] of sources.entries()) {
      const open = await keepOpenable(source.input, join(folder, String(number)), signal);
      for await (const item of source.read(await open(), context)) {
        signal.throwIfAborted();
        if (!("draft" in item) || !isCoordinates(item.draft.location)) continue;
        places += 1;
        sample.add(cellNumber(item.draft.location));
        drafts.add(item.draft);
      }
      kept.push(isFile(source.input) ? source : { ...source, input: await open() });
    }
  } catch (error) {
    await remove();
    throw error;
  }
  const numbers = Float64Array.from(sample.values()).sort();
  return {
    borders: { cells: Array.from(numbers, (cell) => [cell, 1] as const), places },
    sources: kept,
    drafts: drafts.values(),
    remove,
  };
}

const isFile = (input: Input): input is Input & { readonly file: string } =>
  input.file !== undefined && !input.isDecoded;

/** A function that opens an input from its beginning, as often as needed. */
async function keepOpenable(input: Input, copy: string, signal: AbortSignal): Promise<() => Promise<Input>> {
  const nothing = Readable.from([]);
  if (isFile(input)) return async () => (await openInput(input.file, signal, nothing, input.name)).input;
  await pipeline(Readable.from(input.chunks()), createWriteStream(copy, { mode: 0o600 }), { signal });
  return async () => ({ ...(await openInput(copy, signal, nothing)).input, name: input.name });
}
