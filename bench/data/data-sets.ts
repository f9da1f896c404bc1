import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { SystemName } from "../systems/system.ts";
import type { BuildResult } from "./build-result.ts";
import { indexingFingerprint } from "./code-fingerprint.ts";
import { ensureBuilt } from "./ensure-built.ts";
import { ensureGazetteer, type Gazetteer } from "./gazetteer.ts";
import { buildOwnIndex } from "./own-index.ts";
import { buildPlainIndex, PLAIN_INDEX_FORM } from "./plain-index.ts";

export interface DataSetOptions {
  readonly places: number;
  readonly dataDir: string;
  readonly systems: readonly SystemName[];
  /** Takes our index as it is, also when the code that builds it has changed since. */
  readonly reuse: boolean;
  readonly onProgress: (what: string) => void;
}

/** One gazetteer in all systems that are measured. */
export interface DataSets {
  readonly gazetteer: Gazetteer;
  readonly plainDir: string;
  readonly ownDir: string;
  readonly builds: Readonly<Record<string, BuildResult>>;
}

/** Builds what is missing or of another form, one after the other, so that each build has the machine to itself. */
export async function ensureDataSets(options: DataSetOptions): Promise<DataSets> {
  const { places, systems, reuse, onProgress } = options;
  const dataDir = join(options.dataDir, String(places));
  mkdirSync(dataDir, { recursive: true });
  onProgress("gazetteer");
  const gazetteer = await ensureGazetteer(places, dataDir);
  const { file, form } = gazetteer;
  const plainDir = join(dataDir, "plain");
  const ownDir = join(dataDir, "own");
  const builds: Record<string, BuildResult> = {};
  if (systems.some((system) => ["naive", "naive-plain", "floor"].includes(system))) {
    onProgress("plain index");
    builds["plain index"] = await ensureBuilt({
      folder: plainDir,
      form: `${form}, plain index ${PLAIN_INDEX_FORM}`,
      build: () => buildPlainIndex(file, plainDir),
    });
  }
  if (systems.includes("api")) {
    onProgress("own index");
    const ownForm = `${form}, own index, code `;
    builds["own index"] = await ensureBuilt({
      folder: ownDir,
      form: ownForm + indexingFingerprint(),
      ...(reuse && { accepts: (known: string) => known.startsWith(ownForm) }),
      build: () => buildOwnIndex(file, ownDir),
    });
  }
  return { gazetteer, plainDir, ownDir, builds };
}
