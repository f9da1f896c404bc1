import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Dataset, ensureDataset } from "./dataset.ts";
import { readCpuMs } from "./process-usage.ts";
import { type PlainEngine, startPlainEngine } from "./plain.ts";
import { type EngineCalls, createEngineCalls, postDocuments, writeDocuments } from "./engine-calls.ts";
import type { ImportBenchOptions } from "./options.ts";
import { type ImportContext, type LiveResult, measureLive } from "./measure-live.ts";
import { type IndexerOptions, type IndexerRun, runIndexer } from "./run-indexer.ts";

/** All measurements of the indexer. */
export interface ImportResult extends LiveResult {
  readonly places: number;
  /** An import of a thousand places: the costs that do not grow with the file. */
  readonly smallImport: IndexerRun;
  readonly import: IndexerRun;
  /** The engine's processor time during the import, and while the same documents were posted. */
  readonly importEngineCpuSeconds: number;
  readonly rawEngineCpuSeconds: number;
  readonly rawSeconds: number;
}

const SMALL_PLACES = 1_000;

/** A thousand documents of the demo, the indexer's batch size (indexer/batch.ts). */
const BATCH_BYTES = 2_400_000;

/** Builds everything again, measures, and removes everything except the datasets. */
export async function measureImport(
  options: ImportBenchOptions,
  context: ImportContext,
): Promise<ImportResult> {
  const { places } = options;
  const folder = join(options.dataDir, `import-${places}`);
  const work: Work = {
    ...context,
    smallDir: join(folder, "small"),
    ownDir: join(folder, "own"),
    rawDir: join(folder, "raw"),
    documents: join(folder, "documents"),
  };
  rmSync(folder, { recursive: true, force: true });
  for (const path of [work.smallDir, work.ownDir, work.rawDir]) mkdirSync(path, { recursive: true });
  try {
    const small = await datasetOf(SMALL_PLACES, options, context);
    const dataset = await datasetOf(places, options, context);
    const smallImport = await importSmall(small, work);
    const { settings, ...imported } = await importAll(dataset, work);
    const raw = await postRaw(settings, work);
    const live = await measureLive(dataset, { ...options, ...context, dataDir: work.ownDir });
    return { places, smallImport, ...imported, ...raw, ...live };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function datasetOf(
  places: number,
  options: ImportBenchOptions,
  { signal, onProgress }: ImportContext,
): Promise<Dataset> {
  onProgress(`dataset of ${places.toLocaleString("en")} places`);
  const dataDir = join(options.dataDir, String(places));
  mkdirSync(dataDir, { recursive: true });
  return ensureDataset({ places, dataDir, signal });
}

interface Work extends ImportContext {
  readonly smallDir: string;
  readonly ownDir: string;
  readonly rawDir: string;
  readonly documents: string;
}

/** All costs of an import that do not grow with the file. */
async function importSmall(dataset: Dataset, { smallDir, signal, onProgress }: Work): Promise<IndexerRun> {
  onProgress("import of a thousand places");
  return withEngine(smallDir, () => importFile(dataset.file, { dataDir: smallDir, signal }));
}

/** Imports the dataset, and writes the resulting documents to a file. */
async function importAll(dataset: Dataset, { ownDir, documents, signal, onProgress }: Work) {
  return withEngine(ownDir, async (engine, cpuSeconds) => {
    onProgress("import");
    const before = cpuSeconds();
    const run = await importFile(dataset.file, { dataDir: ownDir, signal });
    const importEngineCpuSeconds = cpuSeconds() - before;
    onProgress("reading the documents");
    const settings = await writeDocuments(engine, documents, signal);
    return { import: run, importEngineCpuSeconds, settings };
  });
}

async function importFile(file: string, options: IndexerOptions): Promise<IndexerRun> {
  return (await runIndexer(["import", file, "--format", "native"], options)).run;
}

async function postRaw(
  settings: object,
  { rawDir, documents, signal, onProgress }: Work,
): Promise<Pick<ImportResult, "rawSeconds" | "rawEngineCpuSeconds">> {
  onProgress("posting the documents raw");
  const raw = await withEngine(rawDir, async (engine, cpuSeconds) => {
    const before = cpuSeconds();
    const posting = { file: documents, settings, batchBytes: BATCH_BYTES, signal };
    const rawSeconds = await postDocuments(engine, posting);
    return { rawSeconds, rawEngineCpuSeconds: cpuSeconds() - before };
  });
  rmSync(rawDir, { recursive: true });
  rmSync(documents);
  return raw;
}

type WithEngine<T> = (engine: EngineCalls, cpuSeconds: () => number) => Promise<T>;

/** Runs with a separate engine on the folder. */
async function withEngine<T>(folder: string, run: WithEngine<T>): Promise<T> {
  const plain: PlainEngine = await startPlainEngine(folder);
  const engine = createEngineCalls(plain);
  try {
    return await run(engine, () => readCpuMs([plain.pid]) / 1_000);
  } finally {
    await engine.close();
    await plain.stop();
  }
}
