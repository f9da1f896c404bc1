import { isTopology, type IndexAddress } from "../../src/partitions/topology.ts";
import { createLiveIndex, type LiveIndex } from "../index-build/live-index.ts";
import { createIndexAdmin, type IndexAdmin } from "../index-build/index-admin.ts";
import type { IndexBuild } from "../index-build/create-index-build.ts";
import {
  readUnfinished,
  resumeIndexBuild,
  startIndexBuild,
  type UnfinishedManifest,
} from "../index-build/start-index-build.ts";
import type { Borders } from "./borders.ts";
import { findSingleIndex } from "./last-borders.ts";
import { createPartitionedAdmin } from "./partitioned-admin.ts";
import { createPartitionedLiveIndex } from "./partitioned-live-index.ts";
import {
  readUnfinishedGeneration,
  resumePartitionedBuild,
  startPartitionedBuild,
  type PartitionedStart,
} from "./start-partitioned-build.ts";
import { readMap } from "./store-map.ts";

/** An index as commands see it, in one engine or divided among several. */

interface StartOptions extends Omit<PartitionedStart, "borders"> {
  /** Called only when there are partitions to cut. */
  readonly readBorders: () => Promise<Borders>;
}

/** The live index, for commands that write to it. Opens no socket before the first call. */
export const openLiveIndex = (index: IndexAddress): LiveIndex =>
  isTopology(index) ? createPartitionedLiveIndex(index) : createLiveIndex(index);

/** Access for maintenance commands. Opens no socket before the first call. */
export const openIndexAdmin = (index: IndexAddress): IndexAdmin =>
  isTopology(index) ? createPartitionedAdmin(index) : createIndexAdmin(index);

/** Access to what an import replaces: the live index, or the single one that an engine had before it shared one with others. */
export async function openReplacedIndex(index: IndexAddress): Promise<IndexAdmin> {
  const isFirst = isTopology(index) && (await readMap(index)) === undefined;
  return openIndexAdmin((isFirst ? await findSingleIndex(index) : undefined) ?? index);
}

/** Begins a new index beside the live one, after it has removed what an interrupted import left behind. */
export async function startBuild(
  index: IndexAddress,
  { origin, readBorders, say, signal }: StartOptions,
): Promise<IndexBuild> {
  if (!isTopology(index)) return startIndexBuild(index, { origin, ...(signal && { signal }) });
  return startPartitionedBuild(index, { origin, borders: await readBorders(), say, signal });
}

/** Resumes an interrupted import; `undefined` when it cannot. */
export const resumeBuild = (
  index: IndexAddress,
  options: Pick<PartitionedStart, "say" | "signal">,
): Promise<IndexBuild | undefined> =>
  isTopology(index) ? resumePartitionedBuild(index, options) : resumeIndexBuild(index, options.signal);

/** Reads what an interrupted import left behind; `undefined` when nothing can be resumed. */
export const readUnfinishedBuild = (index: IndexAddress): Promise<UnfinishedManifest | undefined> =>
  isTopology(index) ? readUnfinishedGeneration(index) : readUnfinished(index);
