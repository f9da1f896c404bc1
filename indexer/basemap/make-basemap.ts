import { mkdtempSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createAtomicFile, type AtomicFile } from "../../src/cli/atomic-file.ts";
import { CommandError } from "../../src/cli/errors.ts";
import { encodeTiles } from "./encode-tiles.ts";
import { createFeatureBuckets, LEVELS, MAX_ZOOM, type FeatureBuckets } from "./feature-buckets.ts";
import { boxOf, LAYERS, UNITS_PER_DEGREE, type Box, type MapFeature } from "./map-feature.ts";
import { createPmtilesWriter, type PmtilesWriter } from "./pmtiles-writer.ts";

/** What goes into a basemap. */
export interface BasemapSource {
  /** Yields features in lists, also empty ones. A file at `scratchPath` may be used while it reads. */
  read(scratchPath: string, onShare: (share: number) => void): AsyncIterable<readonly MapFeature[]>;
  /** Whom to credit on the map, as plain text. */
  readonly attribution: string;
}

/** How far it has come. */
export interface BasemapProgress {
  phase: "reading" | "drawing" | "writing";
  /** Of the phase, 0 to 1. */
  share: number;
  features: number;
  tiles: number;
}

interface MakeOptions {
  readonly output: string;
  readonly signal: AbortSignal;
  readonly progress: BasemapProgress;
}

/**
 * Makes a PMTiles file of vector tiles. Features and tiles wait on disk, in a folder beside the output which is removed in
 * the end, so that memory does not grow with the extract.
 * @throws {CommandError} when nothing is drawn or the file cannot be written; the signal's reason when it is aborted.
 *   The output is then as it was.
 */
export async function makeBasemap(source: BasemapSource, options: MakeOptions): Promise<void> {
  // First, because a wrong path should not show after minutes of work.
  const file = createAtomicFile(options.output);
  let folder: string | undefined;
  let writer: PmtilesWriter | undefined;
  try {
    folder = mkdtempSync(join(dirname(options.output), `.${basename(options.output)}-`));
    writer = createPmtilesWriter(join(folder, "tiles"));
    await makeTiles(source, { ...options, folder, writer, file });
    file.finish();
  } finally {
    writer?.close();
    file.discard();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

interface Workplace extends MakeOptions {
  readonly folder: string;
  readonly writer: PmtilesWriter;
  readonly file: AtomicFile;
}

async function makeTiles(source: BasemapSource, workplace: Workplace): Promise<void> {
  const { folder, writer, file, progress } = workplace;
  const buckets = createFeatureBuckets(join(folder, "features"));
  const box = await collect(source, buckets, workplace);
  if (progress.features === 0)
    throw new CommandError("Nothing in this file is drawn on a map: it has no roads, water or buildings.");
  await drawAll(buckets, workplace);
  progress.phase = "writing";
  const { west, south, east, north } = box;
  writer.write(file, {
    minZoom: 0,
    maxZoom: MAX_ZOOM,
    west: west / UNITS_PER_DEGREE,
    south: south / UNITS_PER_DEGREE,
    east: east / UNITS_PER_DEGREE,
    north: north / UNITS_PER_DEGREE,
    metadata: {
      name: "Hereabouts basemap",
      type: "baselayer",
      attribution: source.attribution,
      vector_layers: LAYERS.map((id) => ({ id, fields: FIELDS, minzoom: 0, maxzoom: MAX_ZOOM })),
    },
  });
}

/** The fields of features, as viewers of tiles list them. */
const FIELDS = { kind: "String", kind_detail: "String", name: "String" } as const;

/** Puts all features into buckets. Resolves to the box around them. */
async function collect(
  source: BasemapSource,
  buckets: FeatureBuckets,
  { folder, signal, progress }: Workplace,
): Promise<Box> {
  let all: Box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  const onShare = (share: number): void => void (progress.share = share);
  for await (const features of source.read(join(folder, "nodes"), onShare)) {
    signal.throwIfAborted();
    for (const feature of features) {
      buckets.add(feature);
      const { west, south, east, north } = boxOf(feature.lines);
      all = {
        west: Math.min(all.west, west),
        south: Math.min(all.south, south),
        east: Math.max(all.east, east),
        north: Math.max(all.north, north),
      };
    }
    progress.features += features.length;
    // Signals are heard between two turns only.
    await nextTurn();
  }
  return all;
}

async function drawAll(buckets: FeatureBuckets, { writer, signal, progress }: Workplace): Promise<void> {
  const all = LEVELS.flatMap((level) => buckets.bucketsOf(level));
  progress.phase = "drawing";
  for (const [index, bucket] of all.entries()) {
    signal.throwIfAborted();
    progress.share = index / all.length;
    encodeTiles(bucket, (z, x, y, tile) => writer.add(z, x, y, tile));
    progress.tiles = writer.tiles;
    await nextTurn();
  }
}
