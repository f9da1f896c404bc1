import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { hasHeldData } from "./check-data.ts";
import { LocalEnginesError } from "./engine-process.ts";

/*
 * A data directory with one engine keeps its data in `meilisearch`. With several, each has a folder of its own (`engine-1/meilisearch`),
 * and `engines.json` says how many there are: every start has to begin with the same ones.
 */

const count = v.pipe(v.number(), v.integer(), v.minValue(1));

const divisionSchema = v.object({ engines: count, partitions: count, replicas: count });

/** How many engines share the index, and into how many partitions and replicas an import divides it. */
export type Division = v.InferOutput<typeof divisionSchema>;

/** What the settings ask for; what they leave open is as before. */
export type WantedDivision = { readonly [Name in keyof Division]?: number | undefined };

/** What the settings of the environment ask for. */
export const readWantedDivision = (config: {
  readonly ENGINES?: number | undefined;
  readonly PARTITIONS?: number | undefined;
  readonly REPLICAS?: number | undefined;
}): WantedDivision => ({
  engines: config.ENGINES,
  partitions: config.PARTITIONS,
  replicas: config.REPLICAS,
});

const DEFAULT_REPLICAS = 2;

/** One of the engines: its name, and the folder that has all its files. */
export interface EngineFolder {
  readonly name: `engine-${number}` | "meilisearch";
  readonly folder: string;
}

const divisionPath = (dataDir: string): string => join(dataDir, "engines.json");

/** The folders of the engines that have ever run here. */
export function listEngineFolders(dataDir: string): EngineFolder[] {
  const several = existsSync(dataDir) ? readdirSync(dataDir).filter(isEngineName) : [];
  return [
    { name: "meilisearch", folder: dataDir },
    ...several.map((name) => ({ name, folder: join(dataDir, name) })),
  ];
}

const isEngineName = (name: string): name is `engine-${number}` => /^engine-\d+$/.test(name);

/** The folders of the engines to start. */
export const engineFolders = (dataDir: string, { engines }: Division): EngineFolder[] =>
  Array.from({ length: engines }, (_, index) => {
    const name = `engine-${index + 1}` as const;
    return { name, folder: join(dataDir, name) };
  });

/** True when any engine of the data directory has ever held an index, even an unfinished one. */
export const hasEverHeldData = (dataDir: string): boolean =>
  listEngineFolders(dataDir).some(({ folder }) => hasHeldData(folder));

/** True when engines of the data directory have run before. */
export const hasEngines = (dataDir: string): boolean =>
  existsSync(join(dataDir, "meilisearch")) || existsSync(divisionPath(dataDir));

/**
 * The engines of a data directory: those that it has, else those that are wanted. Remembers them. `undefined` for a single engine
 * with the whole index.
 * @throws {LocalEnginesError} when it holds the index of another number of engines.
 */
export function chooseDivision(dataDir: string, wanted: WantedDivision): Division | undefined {
  const found = readDivision(dataDir);
  if (hasEverHeldData(dataDir)) checkNumber(dataDir, found?.engines ?? 1, wanted.engines);
  const engines = wanted.engines ?? found?.engines ?? 1;
  const before = found?.engines === engines ? found : undefined;
  if (engines === 1) return undefined;
  const { partitions = before?.partitions ?? engines, replicas = before?.replicas ?? DEFAULT_REPLICAS } =
    wanted;
  if (replicas > engines)
    throw new LocalEnginesError(
      `REPLICAS is ${replicas} and ENGINES is ${engines}: an engine holds a partition once. Set REPLICAS to ${engines} or less.`,
    );
  const division = { engines, partitions, replicas };
  writeFileSync(divisionPath(dataDir), `${JSON.stringify(division)}\n`);
  return division;
}

function checkNumber(dataDir: string, found: number, wanted = found): void {
  if (found === wanted) return;
  throw new LocalEnginesError(
    `${dataDir} holds an index on ${found === 1 ? "one engine" : `${found} engines`}, and ENGINES is ${wanted}. Nothing was changed. ` +
      `Leave ENGINES out to go on with it, or set DATA_DIR to a new folder and import your places again.`,
  );
}

/** @throws {LocalEnginesError} when the file is broken. */
function readDivision(dataDir: string): Division | undefined {
  const path = divisionPath(dataDir);
  if (!existsSync(path)) return undefined;
  try {
    return v.parse(divisionSchema, JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    throw new LocalEnginesError(
      `${path} is broken. It says how many engines there are, such as {"engines":3,"partitions":6,"replicas":2}.`,
      { cause: error },
    );
  }
}
