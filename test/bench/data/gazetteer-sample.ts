import { createRandom, seedOf, type Random } from "../queries/random.ts";
import { withoutMarks } from "../queries/typed-text.ts";
import { readBatches, type NativePlace } from "./native-line.ts";

/** A place that queries are made from. */
export interface SampledPlace {
  readonly dataId: string;
  readonly title: string;
  readonly type: string;
  readonly street: string;
  readonly latitude: number;
  readonly longitude: number;
}

export interface GazetteerSample {
  readonly places: readonly SampledPlace[];
  /** The names that most places share, most frequent first. */
  readonly chains: readonly string[];
}

/** Enough that a text hardly comes twice in a run. */
const SAMPLE_SIZE = 50_000;

/** A country has some dozens of chains that everybody names. */
const CHAINS = 50;

/** A name of fewer branches is a coincidence. */
const MIN_BRANCHES = 5;

const BATCH_SIZE = 1_000;

/** Reads the file once: some places picked at random, the same for the same file, and the chains. */
export async function readSample(file: string, signal: AbortSignal): Promise<GazetteerSample> {
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

/** Spellings with and without marks are one name; the first one met stands for it. */
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
