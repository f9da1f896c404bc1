import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { PostgisMissing } from "../systems/postgres-server.ts";
import { PLAIN_SYSTEMS, type SystemName } from "../systems/system.ts";
import type { BuildResult } from "./build-result.ts";
import { indexingFingerprint } from "./code-fingerprint.ts";
import { ensureBuilt, type Buildable } from "./ensure-built.ts";
import { ensureGazetteer, type Gazetteer } from "./gazetteer.ts";
import { buildOwnIndex } from "./own-index.ts";
import { buildPlainIndex, PLAIN_INDEX_FORM } from "./plain-index.ts";
import { buildPostgisTable, POSTGIS_FORM } from "./postgis-table.ts";

export interface DataSetOptions {
  readonly places: number;
  readonly dataDir: string;
  readonly systems: readonly SystemName[];
  /** Takes our index as it is, also when the code that builds it has changed since. */
  readonly reuse: boolean;
  readonly onProgress: (what: string) => void;
  readonly signal: AbortSignal;
}

/** One gazetteer in all systems that are measured. */
export interface DataSets {
  readonly gazetteer: Gazetteer;
  readonly plainDir: string;
  readonly ownDir: string;
  readonly postgisDir: string;
  readonly builds: Builds;
  /** Systems that cannot be measured here, and why not. */
  readonly skipped: Readonly<Partial<Record<SystemName, string>>>;
}

/** Under the name of the first system that asks what was built. */
export type Builds = Readonly<Partial<Record<SystemName, BuildResult>>>;

/** Builds what is missing or of another form, one after the other, so that each build has the machine to itself. */
export async function ensureDataSets(options: DataSetOptions): Promise<DataSets> {
  const dataDir = join(options.dataDir, String(options.places));
  mkdirSync(dataDir, { recursive: true });
  options.onProgress("gazetteer");
  const gazetteer = await ensureGazetteer({ ...options, dataDir });
  const folders = {
    plainDir: join(dataDir, "plain"),
    ownDir: join(dataDir, "own"),
    postgisDir: join(dataDir, "postgis"),
  };
  const builds: Partial<Record<SystemName, BuildResult>> = {};
  const skipped: Partial<Record<SystemName, string>> = {};
  for (const { name, ...buildable } of listBuildables({ ...options, ...gazetteer, ...folders })) {
    options.onProgress(`data of ${name}`);
    try {
      builds[name] = await ensureBuilt(buildable);
    } catch (error) {
      if (!(error instanceof PostgisMissing)) throw error;
      skipped[name] = error.message;
    }
  }
  return { gazetteer, ...folders, builds, skipped };
}

interface BuildOptions extends Gazetteer, DataSetOptions {
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
