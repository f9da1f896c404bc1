import { isTopology, type IndexAddress } from "../../src/partitions/topology.ts";
import type { IndexBuild, UnfinishedManifest } from "../index-build/create-index-build.ts";
import { readUnfinished, resumeIndexBuild, startIndexBuild } from "../index-build/start-index-build.ts";
import type { Borders } from "./borders.ts";
import { findSingleIndex } from "./last-borders.ts";
import { openIndexAdmin, type IndexAdmin } from "./index-admin.ts";
import {
  readUnfinishedGeneration,
  resumePartitionedBuild,
  startPartitionedBuild,
  type PartitionedStart,
} from "./start-partitioned-build.ts";
import { readMap } from "./store-map.ts";

/** How an import begins or resumes a build, in one engine or divided among several. */

interface StartOptions extends Omit<PartitionedStart, "borders"> {
  /** Called only when there are partitions to cut. */
  readonly readBorders: () => Promise<Borders>;
}

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
