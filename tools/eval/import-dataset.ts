import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { programPath } from "../../test/support/program.ts";
import { type Areas, readAreas } from "./areas.ts";
import { openHcmc } from "./hcmc.ts";
import { openScripts } from "./scripts.ts";
import { fillIndex } from "../../indexer/import/fill-index.ts";
import { createTally } from "../../indexer/clean/import-tally.ts";
import { closeSources, openSources } from "../../indexer/sources/open-sources.ts";
import type { IndexBuild } from "../../indexer/index/index-build.ts";
import { startIndexBuild } from "../../indexer/index/start-build.ts";
import { cellNumber } from "../../src/partitions/partition-map.ts";
import type { Topology } from "../../src/partitions/topology.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { dataIdIdentity } from "../../src/place/document/data-id.ts";
import { type Dataset, type TruePlace, createDataset, toTruePlace } from "./dataset.ts";

/** The sources of the places. Given sources are combined; the demo is used only without any. */
export interface DatasetSource {
  /** An OpenStreetMap file. */
  readonly osm?: string | undefined;
  /** The folder of open data for places of Ho Chi Minh City. */
  readonly hcmc?: string | undefined;
  /** Places with names in Japanese, Korean, Arabic and German. */
  readonly scripts: boolean;
  /** The folder of open data with the boundaries of wards. */
  readonly areas?: string | undefined;
  /** Size of the demo, and of Ho Chi Minh City. */
  readonly places: number;
  readonly seed: number;
}

/**
 * Reads and cleans the places as an import does, indexes them in the engine, and keeps the fields that cases
 * are made from. So searches and the truth come from the same reading.
 */
export async function importDataset(
  source: DatasetSource,
  topology: Topology,
  signal: AbortSignal,
): Promise<Dataset> {
  return fillFrom(source, await startIndexBuild(topology), signal);
}

/** Imports the places but those that are left out. Returns all of them, each once. */
export async function importPart(
  source: DatasetSource,
  topology: Topology,
  {
    isLeftOut,
    signal,
  }: { readonly isLeftOut: (place: PlaceDocument) => boolean; readonly signal: AbortSignal },
): Promise<PlaceDocument[]> {
  const all = new Map<string, PlaceDocument>();
  const build = await startIndexBuild(topology);
  const add = async (places: readonly PlaceDocument[]): Promise<void> => {
    for (const place of places) all.set(place.data_id, place);
    await build.add(places.filter((place) => !isLeftOut(place)));
  };
  await fillFrom(source, { ...build, add }, signal);
  return [...all.values()];
}

/** A large dataset takes minutes: whoever waits sees how far it is. */
const SHOWN_EVERY = 100_000;

const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** The same places again, divided among several engines: each partition gets equally many. */
export async function importDivided(
  source: DatasetSource,
  { topology, dataset }: { readonly topology: Topology; readonly dataset: Dataset },
  signal: AbortSignal,
): Promise<void> {
  const numbers = dataset.places.map(({ location }) => cellNumber(location)).toSorted((a, b) => a - b);
  const cells = [...Map.groupBy(numbers, (number) => number)].map(
    ([number, those]) => [number, those.length] as const,
  );
  const build = await startIndexBuild(topology, {
    readBorders: () => Promise.resolve({ cells, places: numbers.length }),
    say,
    signal,
  });
  await fillFrom(source, build, signal);
}

async function fillFrom(source: DatasetSource, build: IndexBuild, signal: AbortSignal): Promise<Dataset> {
  const areasFolder = source.areas ?? source.hcmc;
  const areas = areasFolder === undefined ? undefined : await readAreas(areasFolder);
  const found = new Map<string, TruePlace>();
  for (const open of openersOf(source, signal)) await fill(await open(), { build, found, areas, signal });
  if (found.size === 0) throw new Error("There is no place in the dataset.");
  if (found.size >= SHOWN_EVERY) say("The engines index what they were sent.");
  await build.finish();
  await build.completeForSearch();
  await build.swap();
  return createDataset(found.values());
}

interface Filling {
  readonly build: IndexBuild;
  readonly found: Map<string, TruePlace>;
  readonly areas: Areas | undefined;
  readonly signal: AbortSignal;
}

async function fill(
  sources: Awaited<ReturnType<typeof openSources>>,
  { build, found, areas, signal }: Filling,
): Promise<void> {
  try {
    await fillIndex(sources, {
      build: {
        ...build,
        async add(places) {
          // The later of two records of one place replaces the earlier one, as in the index.
          for (const place of places) {
            const area = areas?.locate(place.location);
            found.set(dataIdIdentity(place.data_id), { ...toTruePlace(place), ...(area && { area }) });
            if (found.size % SHOWN_EVERY === 0) say(`${found.size} places sent to the engines.`);
          }
          await build.add(places);
        },
      },
      tally: createTally(),
      today: Temporal.Now.plainDateISO("UTC"),
      signal,
    });
  } finally {
    closeSources(sources);
  }
}

/** The sources in order; each is opened after the previous one has been read. */
function openersOf(
  { osm, hcmc, scripts, places, seed }: DatasetSource,
  signal: AbortSignal,
): (() => Promise<Awaited<ReturnType<typeof openSources>>>)[] {
  const openLines = (lines: Readable) => openSources(["-"], { format: "native", signal, stdin: lines });
  return [
    ...(osm === undefined
      ? []
      : [() => openSources([osm], { format: "osm", signal, stdin: Readable.from([]) })]),
    ...(hcmc === undefined ? [] : [async () => openLines(await openHcmc(hcmc, places, seed))]),
    ...(scripts ? [() => openLines(openScripts(seed))] : []),
    ...(osm === undefined && hcmc === undefined && !scripts
      ? [() => openLines(runDemo({ places, seed }, signal))]
      : []),
  ];
}

function runDemo({ places, seed }: { places: number; seed: number }, signal: AbortSignal): Readable {
  const demo = spawn(
    process.execPath,
    [programPath("indexer/demo/main.ts"), "--places", String(places), "--seed", String(seed), "--lean"],
    { stdio: ["ignore", "pipe", "inherit"], signal },
  );
  demo.on("error", () => {});
  return demo.stdout;
}
