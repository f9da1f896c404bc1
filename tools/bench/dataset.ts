import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { programPath } from "../../test/support/program.ts";
import { ensureBuilt } from "./builds.ts";
import { type Random, createRandom, seedOf } from "../../test/support/random.ts";
import { withoutMarks } from "./typed-text.ts";

const SEED = 1;

/** Raise this when the demo dataset or the sample changes so much that older ones must not be reused. */
const FORM = 1;

export interface Dataset {
  readonly file: string;
  readonly form: string;
  readonly sample: DatasetSample;
}

interface DatasetOptions {
  readonly places: number;
  /** Only what an OpenStreetMap record has: names, kind, address, phone and hours. */
  readonly isLean?: boolean;
  readonly dataDir: string;
  readonly signal: AbortSignal;
}

/**
 * The demo dataset with this many places, and a sample to make queries from. Both are created once and kept.
 */
export async function ensureDataset(options: DatasetOptions): Promise<Dataset> {
  const { places, dataDir, isLean = false, signal } = options;
  const folder = join(dataDir, isLean ? "lean-dataset" : "dataset");
  const file = join(folder, "places.jsonl");
  const form = `${isLean ? "lean" : "demo"} dataset ${FORM}, ${places} places, seed ${SEED}`;
  const sample = await ensureBuilt({
    folder,
    form,
    build: async () => {
      await writeDemoPlaces({ places, file, isLean, signal });
      return readSample(file, signal);
    },
  });
  return { file, form, sample };
}

interface WriteOptions {
  readonly places: number;
  readonly isLean: boolean;
  readonly file: string;
  readonly signal: AbortSignal;
}

/** Leaves out the long fields of the place details, which would fill disks and do not affect searches. */
async function writeDemoPlaces({ places, file, isLean, signal }: WriteOptions): Promise<void> {
  const demo = spawn(
    process.execPath,
    [programPath("indexer/demo/main.ts"), "--places", String(places), "--seed", String(SEED), "--lean"],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = once(demo, "close") as Promise<[number | null]>;
  try {
    const write = isLean ? [leaveOut, withDataIds] : [withDataIds];
    await pipeline([createInterface({ input: demo.stdout }), ...write, createWriteStream(file)], { signal });
  } finally {
    // The generator ends by itself when its output is closed.
    demo.stdout.destroy();
  }
  const [status] = await ended;
  if (status !== 0) throw new Error(`The demo generator ended with status ${status}.`);
}

/** What OpenStreetMap does not say of a place. */
const UNKNOWN_TO_OSM = ["rating", "reviews", "pricing", "features", "special_days", "description"];

async function* leaveOut(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) {
    const { contacts, ...record } = JSON.parse(line) as Record<string, unknown> & {
      readonly contacts?: { readonly phone?: string };
    };
    for (const field of UNKNOWN_TO_OSM) delete record[field];
    yield JSON.stringify({ ...record, ...(contacts?.phone && { contacts: { phone: contacts.phone } }) });
  }
}

/** Gives each record a data id, so that requests for details do not depend on how the indexer makes ids. */
async function* withDataIds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    yield `{"data_id":"0x1:${toIdentity(number)}",${line.slice(1)}\n`;
  }
}

/** Distributed like a real identity, and reproducible for the same number. */
const toIdentity = (number: number): string =>
  `0x${BigInt(`0x${hash("sha256", `${number}`, "hex").slice(0, 16)}`).toString(16)}`;

/** A place that queries are made from. */
export interface SampledPlace {
  readonly dataId: string;
  readonly title: string;
  readonly type: string;
  readonly street: string;
  readonly latitude: number;
  readonly longitude: number;
}

export interface DatasetSample {
  readonly places: readonly SampledPlace[];
  /** The names that most places share, most frequent first. */
  readonly chains: readonly string[];
}

/** Enough that a text hardly comes twice in a run. */
const SAMPLE_SIZE = 50_000;

/** A country has some dozens of well-known chains. */
const CHAINS = 50;

/** A name with fewer branches is a coincidence. */
const MIN_BRANCHES = 5;

const BATCH_SIZE = 1_000;

/** Reads the file once. Returns places picked at random, the same for the same file, and the chains. */
async function readSample(file: string, signal: AbortSignal): Promise<DatasetSample> {
  const random = createRandom(seedOf("sample"));
  const places: SampledPlace[] = [];
  const names = new Map<string, NameCount>();
  let read = 0;
  for await (const batch of readBatches(file, { size: BATCH_SIZE, signal })) {
    for (const place of batch) {
      keepOrDrop(places, place, { read, random });
      read += 1;
      for (const name of new Set([place.title, ...(place.alternate_names ?? [])])) countName(names, name);
    }
  }
  return { places, chains: mostFrequent(names) };
}

interface Draw {
  readonly read: number;
  readonly random: Random;
}

/** Reservoir sampling (Vitter's algorithm R): every place has the same chance, however many there are. */
function keepOrDrop(places: SampledPlace[], place: NativePlace, { read, random }: Draw): void {
  const slot = read < SAMPLE_SIZE ? read : random.below(read + 1);
  if (slot < SAMPLE_SIZE) places[slot] = toSampledPlace(place);
}

function toSampledPlace({ data_id, title, type, location }: NativePlace): SampledPlace {
  const { latitude, longitude, address } = location;
  return { dataId: data_id, title, type, street: address.street || address.full, latitude, longitude };
}

interface NameCount {
  readonly name: string;
  count: number;
}

/** Spellings with and without marks are one name, represented by the first one found. */
function countName(names: Map<string, NameCount>, name: string): void {
  const key = withoutMarks(name);
  const known = names.get(key);
  if (known) known.count += 1;
  else names.set(key, { name, count: 1 });
}

function mostFrequent(names: ReadonlyMap<string, NameCount>): string[] {
  return [...names.values()]
    .filter(({ count }) => count >= MIN_BRANCHES)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, CHAINS)
    .map(({ name }) => name);
}

/** The fields of a demo dataset line that the bench reads. Others pass through unchanged. */
export interface NativePlace {
  readonly data_id: string;
  readonly title: string;
  readonly alternate_names?: readonly string[];
  readonly type: string;
  readonly location: {
    readonly latitude: number;
    readonly longitude: number;
    readonly address: { readonly full: string; readonly street: string };
  };
}

interface BatchOptions {
  readonly size: number;
  readonly signal: AbortSignal;
}

/**
 * The places of a file of native JSON lines, in batches, so that a million of them needs little memory.
 * @throws the signal's reason when it is aborted.
 */
export async function* readBatches(
  file: string,
  { size, signal }: BatchOptions,
): AsyncGenerator<NativePlace[]> {
  let batch: NativePlace[] = [];
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    if (line === "") continue;
    batch.push(JSON.parse(line) as NativePlace);
    if (batch.length < size) continue;
    signal.throwIfAborted();
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
