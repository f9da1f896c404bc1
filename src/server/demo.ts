import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { randomBytes } from "node:crypto";
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { Config } from "../config.ts";
import { readMapTiles, type MapTiles } from "../assets/map-tiles.ts";
import { OperatorError } from "../errors.ts";
import type { IndexState, PlaceIndex } from "../meilisearch/place-index.ts";

/** Generating or importing the demo places failed. The program that failed has printed the reason. */
class DemoImportError extends OperatorError {
  override readonly name = "DemoImportError";
}

interface DemoOptions {
  readonly places: number;
  readonly dataDir: string;
  /** Cancels the import; the index stays unchanged. */
  readonly signal: AbortSignal;
}

/** The path of one of our programs: a `.ts` file as this one, or a `.js` file in the npm package. */
export const programPath = (name: string): string =>
  fileURLToPath(new URL(`../../${name}${extname(import.meta.filename)}`, import.meta.url));

/**
 * Fills an empty index with generated places, in the same way as a data team imports real ones: `demo-data | index import -`.
 * The server runs the two programs as processes and never imports their code. They find its engines through the data directory.
 * @throws {DemoImportError} when one of them fails.
 */
export async function importDemoPlaces({ places, dataDir, signal }: DemoOptions): Promise<void> {
  writeFileSync(unfinishedPath(dataDir), "");
  const demo = spawn(process.execPath, [programPath("indexer/demo/main"), "--places", String(places)], {
    stdio: ["ignore", "pipe", "inherit"],
    signal,
  });
  const importer = spawn(
    process.execPath,
    [programPath("indexer/main"), "import", "-", "--format", "native"],
    {
      // Through the channel the importer notices when this process is killed, and ends too.
      stdio: ["pipe", "ignore", "inherit", "ipc"],
      signal,
    },
  );
  if (importer.stdin === null) throw new Error("the importer has no standard input");
  demo.stdout.pipe(importer.stdin);
  // The exit status of the import is the outcome, even when the pipe breaks.
  importer.stdin.on("error", () => demo.stdout.destroy());
  const [demoStatus, importStatus] = await Promise.all([exitStatus(demo), exitStatus(importer)]);
  signal.throwIfAborted();
  if (demoStatus !== 0) throw new DemoImportError("The demo places could not be made.");
  if (importStatus !== 0) throw new DemoImportError("The demo places could not be imported.");
  markDemoFinished(dataDir);
}

/** The map of the demo: central Ho Chi Minh City from OpenStreetMap, and elsewhere the demo's own streets (`script/demo-map.ts`). */
const DEMO_MAP = fileURLToPath(new URL("../../indexer/demo/demo-map.pmtiles", import.meta.url));

const TILES_EXTENSION = ".pmtiles";

/** Lays the map under the demo places of this index. */
export const layDemoMap = (dataDir: string, builtAt: string): void =>
  copyFileSync(DEMO_MAP, demoMapPath(dataDir, builtAt));

/**
 * The path of the demo's map for an index: by the time of its build, so that a map of invented streets never lies under the
 * places of another import.
 */
export const demoMapPath = (dataDir: string, builtAt: string): string =>
  join(dataDir, `demo-map-${builtAt.replaceAll(/[^\w]/g, "-")}${TILES_EXTENSION}`);

/** Whether the index is still that of the demo is asked so often. */
const ASK_AGAIN_MS = 2_000;

/** Finds the map of the demo while its places are served. */
export function createDemoMapFinder(
  index: Pick<PlaceIndex, "readState">,
  dataDir: string,
): () => Promise<MapTiles | undefined> {
  let askedAt = -Infinity;
  let found: Promise<MapTiles | undefined> = Promise.resolve(undefined);
  const find = async (): Promise<MapTiles | undefined> => {
    const state = await index.readState();
    if (state.state !== "ready") return undefined;
    const path = demoMapPath(dataDir, state.builtAt);
    return existsSync(path) ? { ...(await readMapTiles(path)), isOverlay: true } : undefined;
  };
  return () => {
    if (performance.now() - askedAt > ASK_AGAIN_MS) {
      askedAt = performance.now();
      // A broken file of the demo is not worth an error.
      found = find().catch(() => undefined);
    }
    return found;
  };
}

/** Its presence means that the demo is never imported again. */
export const markDemoFinished = (dataDir: string): void => rmSync(unfinishedPath(dataDir), { force: true });

/** Exists while demo places are imported. */
const unfinishedPath = (dataDir: string): string => join(dataDir, "demo-import-unfinished");

/** True after an interrupted first start, which may be repeated. */
export const isDemoUnfinished = (dataDir: string): boolean => existsSync(unfinishedPath(dataDir));

async function exitStatus(child: ChildProcess): Promise<number> {
  // A child that the signal ends also emits an error before its exit.
  child.on("error", () => {});
  const [status] = (await once(child, "close")) as [number | null];
  return status ?? 1;
}

/**
 * The key of a server without configured keys. It is created once and kept in the data directory (mode 0600), so that a command
 * copied from the terminal yesterday still works today.
 */
export function readDemoKey(dataDir: string): string {
  const path = join(dataDir, "demo-key");
  try {
    const key = readFileSync(path, "utf8").trim();
    if (key !== "") return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const key = `hab_demo_${randomBytes(18).toString("base64url")}`;
  writeFileSync(path, `${key}\n`, { mode: 0o600 });
  return key;
}

interface BannerOptions {
  readonly config: Config;
  readonly state: IndexState;
  /** The key that the server made; configured keys are never printed, as the output may be a log. */
  readonly demoKey: string | undefined;
  readonly hasRedis: boolean;
}

/** The text after the start: the address of the map, the key, and three calls to try. */
export function printBanner(options: BannerOptions): void {
  process.stdout.write(`${buildBanner(options)}\n`);
}

function buildBanner({ config, state, demoKey, hasRedis }: BannerOptions): string {
  const api = `${config.PUBLIC_BASE_URL}/api/maps`;
  const curl = (path: string): string => `  curl -s -H 'x-api-key: ${demoKey}' '${api}/${path}'`;
  const lines = [
    "",
    `Hereabouts serves ${describeIndex(state)} at ${config.PUBLIC_BASE_URL}`,
    ...(config.PLAYGROUND === "on" ? [`  Map:     ${config.PUBLIC_BASE_URL}/`] : []),
    `  API key: ${demoKey ?? "those of API_KEYS"}`,
    ...(state.state === "wrong_version" && demoKey !== undefined
      ? [`  For new demo places, stop, delete ${config.DATA_DIR} with everything in it, and start again.`]
      : []),
    ...(hasRedis
      ? []
      : ["  No redis-server was found: this process holds the rate limits in its own memory."]),
    "",
    ...(demoKey === undefined
      ? []
      : [
          curl("search?q=highlands%20coffee&lat=10.7769&lng=106.7009"),
          curl("autocomplete?q=ben%20th&lat=10.7769&lng=106.7009"),
          `${curl("search?q=nha%20thuoc&type=full&lang=en")} | head -c 2000`,
          "",
        ]),
    "Your own places: npm run -s index -- import --help        Stop: Ctrl-C",
  ];
  return lines.join("\n");
}

function describeIndex(state: IndexState): string {
  switch (state.state) {
    case "ready":
      return `${state.places} places`;
    case "missing":
      return "no places yet (import some)";
    case "wrong_version":
      return `no places (the index has form ${state.found}, and this version reads ${state.wanted}: import again)`;
    case "damaged":
      return "nothing (the data of the engine is damaged; the log says more)";
    case "unreachable":
      return "nothing yet (the engine does not answer)";
  }
}
