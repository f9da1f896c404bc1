import type { IndexBuild } from "../index/index-build.ts";
import { dataIdIdentity } from "../../src/place/document/data-id.ts";
import { CommandError } from "../../src/cli/errors.ts";
import { untilAborted } from "../../src/cli/interruption.ts";
import {
  readDocuments,
  withKnownDataId,
  type ReadDocument,
  type ReadOptions,
} from "../clean/clean-records.ts";
import type { Source } from "../sources/open-sources.ts";
import { hash } from "node:crypto";

interface FillOptions extends ReadOptions {
  readonly build: Pick<IndexBuild, "add" | "knownDataIds"> &
    Partial<Pick<IndexBuild, "alreadyAdded" | "pass">>;
}

/** What the check of the index needs to know about the written places. */
export interface Written {
  /**
   * The approximate number of different places. The later of two records of one place replaces the earlier.
   */
  readonly distinctPlaces: number;
  /** Data ids from all over the input. */
  readonly sampleIds: readonly string[];
  /**
   * The sources that the places name, in order of first occurrence. The list is cut when it gets too long.
   */
  readonly sourceNames: readonly string[];
}

/**
 * A broken or lost batch shows in a few dozen places spread over the input. Each costs two requests to the
 * engine.
 */
const SAMPLE_SIZE = 32;

/**
 * Limits the memory when each record in a file names another source. The order beyond this matters little.
 */
const MAX_SOURCE_NAMES = 100;

/**
 * Reads the sources one after the other and sends their places to the build in batches. Skips places that a
 * resumed build already has. Counts everything in the tally.
 * @throws {CommandError} for a source that cannot be read to its end, the engine's errors, and the signal's
 *   reason.
 */
export async function fillIndex(sources: readonly Source[], options: FillOptions): Promise<Written> {
  const { build, tally, signal } = options;
  const batch = createBatch<ReadDocument>();
  const distinct = createDistinctCounter();
  const sample = createSample<string>(SAMPLE_SIZE);
  const sourceNames = new Set<string>();
  let placesToPass = build.alreadyAdded ?? 0;
  /** The places of this batch that came without a data id. */
  const madeIdentities = new Set<string>();

  const handOver = async (): Promise<void> => {
    const taken = batch.take();
    if (taken.length === 0) return;
    const known = await untilAborted(() => build.knownDataIds([...madeIdentities]), signal);
    madeIdentities.clear();
    const places = taken.map(({ place }) => withKnownDataId(place, known));
    // The document of a place that got another id would have the wrong one.
    const documents = taken.map(({ place, document }, index) =>
      place === places[index] ? document : undefined,
    );
    await untilAborted(() => build.add(places, documents), signal);
    tally.written += places.length;
  };

  for await (const read of readDocuments(sources, options)) {
    const { place, hasMadeId, inputBytes } = read;
    const identity = dataIdIdentity(place.data_id);
    distinct.add(identity);
    sample.add(place.data_id);
    if (sourceNames.size < MAX_SOURCE_NAMES) sourceNames.add(place.source);
    if (placesToPass > 0) {
      placesToPass -= 1;
      build.pass?.(place);
      tally.written += 1;
      continue;
    }
    if (hasMadeId) madeIdentities.add(identity);
    if (batch.add(read, inputBytes)) await handOver();
  }
  await handOver();
  if (placesToPass > 0)
    throw new CommandError("The files hold fewer places than were read before: start without --resume.");
  return { distinctPlaces: distinct.estimate(), sampleIds: sample.values(), sourceNames: [...sourceNames] };
}

/**
 * Here a batch is in memory as objects and as text at once. A thousand places are few enough to be freed
 * before the garbage collector treats them as long-lived. The build sends several batches together.
 */
const MAX_PLACES = 1_000;

/** Measured on the input, which costs nothing: long records make long documents. */
const MAX_INPUT_BYTES = 1024 * 1024;

/** Collects places until there are enough to be sent. */
export function createBatch<T>(maxPlaces: number = MAX_PLACES, maxInputBytes: number = MAX_INPUT_BYTES) {
  let places: T[] = [];
  let firstByte = 0;
  let lastByte = 0;
  return {
    /** `inputBytes` is how much has been read so far. Returns true when the batch should be sent. */
    add(place: T, inputBytes: number): boolean {
      places.push(place);
      lastByte = inputBytes;
      return places.length >= maxPlaces || lastByte - firstByte >= maxInputBytes;
    },
    /** Returns the places so far and empties the batch. */
    take(): T[] {
      const taken = places;
      places = [];
      firstByte = lastByte;
      return taken;
    },
  };
}

/**
 * Samples a stream of unknown length evenly: keeps every n-th value, where n doubles whenever there are too
 * many.
 */
export function createSample<T>(maxSize: number) {
  let kept: T[] = [];
  let step = 1;
  let count = 0;
  return {
    add(value: T): void {
      if (count % step === 0) kept.push(value);
      count += 1;
      if (kept.length <= maxSize) return;
      kept = kept.filter((_, index) => index % 2 === 0);
      step *= 2;
    },
    values: (): readonly T[] => kept,
  };
}

/** 2^14 registers of one byte: a standard error of 1.04 / √16384, which is 0.8 %. */
const REGISTER_BITS = 14;
const REGISTERS = 2 ** REGISTER_BITS;

/** The constant that corrects the bias of the harmonic mean for this many registers. */
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS);

/** Few places are counted one by one: of eighty, one more or less is a percent. They take a megabyte. */
const MOST_KEPT = 10_000;

/**
 * Counts different texts, above a number without storing them (HyperLogLog, Flajolet and others 2007). An import of any
 * length then knows how many places the index must hold, although records may repeat.
 */
export function createDistinctCounter() {
  const registers = new Uint8Array(REGISTERS);
  const kept = new Set<string>();
  return {
    add(text: string): void {
      if (kept.size <= MOST_KEPT) kept.add(text);
      const digest = hash("sha1", text, "buffer");
      const register = digest.readUInt16BE(0) >> (16 - REGISTER_BITS);
      const rank = Math.clz32(digest.readUInt32BE(4)) + 1;
      registers[register] = Math.max(registers[register] ?? 0, rank);
    },
    /** The number of different texts: exact up to ten thousand, approximate above. */
    estimate(): number {
      if (kept.size <= MOST_KEPT) return kept.size;
      const raw = (ALPHA * REGISTERS ** 2) / registers.reduce((sum, rank) => sum + 2 ** -rank, 0);
      const empty = registers.reduce((count, rank) => count + (rank === 0 ? 1 : 0), 0);
      // Linear counting is the better estimate while many registers are still empty.
      return raw <= 2.5 * REGISTERS && empty > 0 ? REGISTERS * Math.log(REGISTERS / empty) : raw;
    },
  };
}
