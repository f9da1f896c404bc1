import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { POSTGIS_FORM, PostgisMissing, buildPostgisTable } from "./postgis.ts";
import { PLAIN_SYSTEMS, type SystemName } from "./system.ts";
import {
  type BuildResult,
  type Buildable,
  buildOwnIndex,
  ensureBuilt,
  indexingFingerprint,
} from "./builds.ts";
import { type Dataset, ensureDataset } from "./dataset.ts";
import { PLAIN_INDEX_FORM, buildPlainIndex } from "./plain.ts";

export interface DataSetOptions {
  readonly places: number;
  readonly dataDir: string;
  readonly systems: readonly SystemName[];
  /** Uses our index as it is, even if the code that builds it has changed. */
  readonly reuse: boolean;
  readonly onProgress: (what: string) => void;
  readonly signal: AbortSignal;
}

/** One dataset in all measured systems. */
export interface DataSets {
  readonly dataset: Dataset;
  readonly plainDir: string;
  readonly ownDir: string;
  readonly postgisDir: string;
  readonly builds: Builds;
  /** The systems that cannot be measured here, with the reasons. */
  readonly skipped: Readonly<Partial<Record<SystemName, string>>>;
}

/** Each build under the name of the first system that uses it. */
export type Builds = Readonly<Partial<Record<SystemName, BuildResult>>>;

/** Builds what is missing or outdated, one after the other, so that each build has the machine alone. */
export async function ensureDataSets(options: DataSetOptions): Promise<DataSets> {
  const dataDir = join(options.dataDir, String(options.places));
  mkdirSync(dataDir, { recursive: true });
  options.onProgress("dataset");
  const dataset = await ensureDataset({ ...options, dataDir });
  const folders = {
    plainDir: join(dataDir, "plain"),
    ownDir: join(dataDir, "own"),
    postgisDir: join(dataDir, "postgis"),
  };
  const builds: Partial<Record<SystemName, BuildResult>> = {};
  const skipped: Partial<Record<SystemName, string>> = {};
  for (const { name, ...buildable } of listBuildables({ ...options, ...dataset, ...folders })) {
    options.onProgress(`data of ${name}`);
    try {
      builds[name] = await ensureBuilt(buildable);
    } catch (error) {
      if (!(error instanceof PostgisMissing)) throw error;
      skipped[name] = error.message;
    }
  }
  return { dataset, ...folders, builds, skipped };
}

interface BuildOptions extends Dataset, DataSetOptions {
  readonly plainDir: string;
  readonly ownDir: string;
  readonly postgisDir: string;
}

function listBuildables(options: BuildOptions): (Buildable<BuildResult> & { readonly name: SystemName })[] {
  const { file, form, systems, reuse, signal, plainDir, ownDir, postgisDir } = options;
  const plainName = systems.find((name) => PLAIN_SYSTEMS.includes(name));
  const ownForm = `${form}, own index, code `;
  return [
    plainName && {
      name: plainName,
      folder: plainDir,
      form: `${form}, plain index ${PLAIN_INDEX_FORM}`,
      build: () => buildPlainIndex({ file, folder: plainDir, signal }),
    },
    systems.includes("api") && {
      name: "api" as const,
      folder: ownDir,
      form: ownForm + indexingFingerprint(),
      ...(reuse && { accepts: (known: string) => known.startsWith(ownForm) }),
      build: () => buildOwnIndex({ file, folder: ownDir, signal }),
    },
    systems.includes("postgis") && {
      name: "postgis" as const,
      folder: postgisDir,
      form: `${form}, PostGIS table ${POSTGIS_FORM}`,
      build: () => buildPostgisTable({ file, folder: postgisDir, signal }),
    },
  ].filter((buildable) => buildable !== false && buildable !== undefined);
}
