import { cellToLatLng } from "h3-js";
import { countryCoder, onFirstUse } from "../large-libraries.ts";
import { loadVietnamAreas } from "../clean/areas.ts";
import { enginesOfPartition, type Topology } from "../../src/partitions/topology.ts";
import { partitionOf } from "../../src/partitions/partition-map.ts";
import { shortAreaName } from "../../src/place/geometry/areas.ts";
import type { Coordinates } from "../../src/place/geometry/coordinates.ts";
import { cutIntoPartitions, type Borders, type CellCounts } from "./borders.ts";

/** What an import would make of some files, before anything is written. */
export interface Plan {
  readonly places: number;
  readonly partitions: readonly PlannedPartition[];
  readonly engines: readonly PlannedEngine[];
}

interface PlannedPartition {
  readonly partition: number;
  readonly places: number;
  readonly engines: readonly string[];
  /** The regions with most of its places, each with its share. */
  readonly regions: readonly { readonly name: string; readonly share: number }[];
  /** The rectangle around its places: west, south, east, north. */
  readonly bounds: readonly number[];
}

interface PlannedEngine {
  readonly engine: string;
  readonly partitions: readonly number[];
  readonly places: number;
  /** While an import runs, an engine has the live index, the previous one and the new one. */
  readonly diskBytes: number;
  readonly memoryBytes: number;
}

/** Live, previous and the one that an import builds. */
const INDEXES_ON_DISK = 3;

/** Of the live index, so that few searches wait for the disk: the guide for one engine in docs/production.md. */
const SHARE_IN_MEMORY = 0.4;

/** The program itself, and what indexing takes. */
const BASE_MEMORY_BYTES = 600_000_000;

/** @param bytesPerPlace what one place takes in an index. */
export function planPartitions(
  topology: Pick<Topology, "engines" | "partitions" | "replicas" | "prefix">,
  { cells, places }: Borders,
  bytesPerPlace: number,
): Plan {
  const first = cutIntoPartitions(cells, topology.partitions).map((first_cell) => ({ first_cell }));
  const cellsOf: (readonly [number, number])[][] = first.map(() => []);
  for (const cell of cells) cellsOf[partitionOf(first, cell[0])]!.push(cell);
  const counted = Math.max(1, sumPlaces(cells));
  const partitions = cellsOf.map((held, partition): PlannedPartition => ({
    partition,
    // The cells may be a sample.
    places: Math.round((sumPlaces(held) * places) / counted),
    engines: enginesOfPartition(topology, partition).map(({ name }) => name),
    ...describeCells(held),
  }));
  const engines = topology.engines.map(({ name: engine }): PlannedEngine => {
    const held = partitions.filter(({ engines: names }) => names.includes(engine));
    const placesHeld = held.reduce((sum, partition) => sum + partition.places, 0);
    const indexBytes = placesHeld * bytesPerPlace;
    return {
      engine,
      partitions: held.map(({ partition }) => partition),
      places: placesHeld,
      diskBytes: Math.round(indexBytes * INDEXES_ON_DISK),
      memoryBytes: Math.round(BASE_MEMORY_BYTES + indexBytes * SHARE_IN_MEMORY),
    };
  });
  return { places, partitions, engines };
}

const sumPlaces = (cells: CellCounts): number => cells.reduce((sum, [, places]) => sum + places, 0);

/** Enough to know the regions of a partition by their shares. */
const LOOKED_AT = 2_000;
const REGIONS_TOLD = 3;
const LEAST_SHARE = 0.01;

function describeCells(cells: CellCounts): Pick<PlannedPartition, "regions" | "bounds"> {
  const step = Math.max(1, Math.floor(cells.length / LOOKED_AT));
  const looked = cells.filter((_, index) => index % step === 0);
  const counts = new Map<string, number>();
  const bounds = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [number, places] of looked) {
    const point = pointOf(number);
    const name = regionOf(point);
    counts.set(name, (counts.get(name) ?? 0) + places);
    bounds[0] = Math.min(bounds[0]!, point.longitude);
    bounds[1] = Math.min(bounds[1]!, point.latitude);
    bounds[2] = Math.max(bounds[2]!, point.longitude);
    bounds[3] = Math.max(bounds[3]!, point.latitude);
  }
  const total = Math.max(1, sumPlaces(looked));
  const regions = [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, REGIONS_TOLD)
    .map(([name, places]) => ({ name, share: places / total }))
    .filter(({ share }) => share >= LEAST_SHARE);
  return { regions, bounds: looked.length === 0 ? [] : bounds };
}

/** The middle of a finest cell: the reverse of `cellNumber`. */
function pointOf(number: number): Coordinates {
  const digits = (number * 4 + 3).toString(16).padStart(9, "0");
  const [latitude, longitude] = cellToLatLng(`89${digits}ffff`);
  return { latitude, longitude };
}

const vietnamAreas = onFirstUse(loadVietnamAreas);

/** A province of Viet Nam, or the country elsewhere. */
function regionOf(point: Coordinates): string {
  const province = vietnamAreas().find(point, "")?.current.at(-1);
  if (province) return shortAreaName(province.name);
  const { longitude, latitude } = point;
  return countryCoder().feature([longitude, latitude])?.properties.nameEn ?? "the sea";
}
