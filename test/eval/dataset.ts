import { type Coordinates, distanceMeters } from "../../src/place/coordinates.ts";
import type { PlaceDocument } from "../../src/place/place-document.ts";
import { TYPE_CODES } from "../../src/place/type-codes.ts";
import { fold, joinWords, words } from "../../src/place/text/fold.ts";
import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { fillIndex } from "../../indexer/index-build/fill-index.ts";
import { createTally } from "../../indexer/clean/import-tally.ts";
import { closeSources, openSources } from "../../indexer/sources/open-sources.ts";
import type { EngineAddress } from "../../src/meilisearch/connection.ts";
import type { IndexBuild } from "../../indexer/index-build/create-index-build.ts";
import { startIndexBuild } from "../../indexer/index-build/start-index-build.ts";
import { dataIdIdentity } from "../../src/place/data-id.ts";

/** What cases are made from and answers are judged by: the part of a place that a caller can mean. */
export interface TruePlace {
  readonly dataId: string;
  readonly title: string;
  /** The title folded; empty for a title without letters and digits. */
  readonly folded: string;
  /** Title and other names, folded and without spaces: "Coop Mart" and "CoopMart" are one name. */
  readonly joinedNames: readonly string[];
  readonly type: string;
  readonly street: string;
  readonly ward: string;
  readonly isClosed: boolean;
  readonly reviews: number;
  readonly location: Coordinates;
}

/** The truth: all places of the dataset in an order that does not depend on the file's. */
export interface Dataset {
  readonly places: readonly TruePlace[];
  readonly byDataId: ReadonlyMap<string, TruePlace>;
  /** Who bears a name, which is folded and without spaces. */
  bearersOf(joinedName: string): readonly TruePlace[];
  /** Whether these words mean something by themselves, so that they cannot stand for another name half typed or mistyped. */
  isTaken(joined: string): boolean;
}

export function toTruePlace({
  data_id,
  title,
  alternate_names,
  type,
  location,
  ...rest
}: PlaceDocument): TruePlace {
  const { latitude, longitude, address } = location;
  const joinedNames = [title, ...alternate_names].map((name) => joinWords(fold(name)));
  return {
    dataId: data_id,
    title,
    folded: fold(title),
    joinedNames: [...new Set(joinedNames)].filter((name) => name !== ""),
    type,
    street: address.street,
    ward: address.ward,
    reviews: rest.reviews,
    isClosed: rest.business_status === "closed_permanently",
    location: { latitude, longitude },
  };
}

export function createDataset(found: Iterable<TruePlace>): Dataset {
  const places = [...found].toSorted((a, b) => (a.dataId < b.dataId ? -1 : 1));
  const bearers = new Map<string, TruePlace[]>();
  for (const place of places)
    for (const name of place.joinedNames) bearers.getOrInsertComputed(name, () => []).push(place);
  return {
    places,
    byDataId: new Map(places.map((place) => [place.dataId, place])),
    bearersOf: (joinedName) => bearers.get(joinedName) ?? [],
    isTaken: (joined) => bearers.has(joined) || isCategory(joined),
  };
}

const CATEGORY_WORDS: ReadonlySet<string> = new Set(
  Object.values(TYPE_CODES)
    .flatMap(({ vi, en, words: others }) => [vi, en, ...others])
    .map((word) => joinWords(fold(word))),
);

/** Whether the whole text is a way of typing a category: then it means the category, whoever bears it as a name. */
const isCategory = (joined: string): boolean => CATEGORY_WORDS.has(joined);

/** A place whose name says which place is meant: open, and with a name of two letters or more that is no category. */
export function hasTellingName(place: TruePlace): boolean {
  const joined = joinWords(place.folded);
  return !place.isClosed && joined.length >= 2 && !isCategory(joined);
}

export const wordsOf = (place: TruePlace): string[] => words(place.folded);

/** The places with their distances, nearest first. */
export function byDistance(
  places: readonly TruePlace[],
  centre: Coordinates,
): { readonly place: TruePlace; readonly meters: number }[] {
  return places
    .map((place) => ({ place, meters: distanceMeters(centre, place.location) }))
    .toSorted((a, b) => a.meters - b.meters);
}

/** Where the places come from: a file of OpenStreetMap, or the demo program. */
export type DatasetSource = { readonly osm: string } | { readonly demoPlaces: number; readonly seed: number };

const DEMO_PROGRAM = fileURLToPath(new URL("../../indexer/demo/main.ts", import.meta.url));

/**
 * Reads and cleans the places as an import does, puts them into the engine's live index, and keeps of each what cases are
 * made from: what is searched and what is held for true come from the same reading.
 */
export async function importDataset(
  source: DatasetSource,
  engine: EngineAddress,
  signal: AbortSignal,
): Promise<Dataset> {
  const build = await startIndexBuild(engine);
  const found = await fill(source, build, signal);
  if (found.size === 0) throw new Error("There is no place in the dataset.");
  await build.finish();
  await build.swap();
  return createDataset(found.values());
}

async function fill(
  source: DatasetSource,
  build: IndexBuild,
  signal: AbortSignal,
): Promise<Map<string, TruePlace>> {
  const found = new Map<string, TruePlace>();
  const sources = "osm" in source ? await openOsm(source.osm, signal) : await openDemo(source, signal);
  try {
    await fillIndex(sources, {
      build: {
        ...build,
        async add(places) {
          // The later of two records of one place replaces the earlier, as in the index.
          for (const place of places) found.set(dataIdIdentity(place.data_id), toTruePlace(place));
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
  return found;
}

const openOsm = (file: string, signal: AbortSignal) =>
  openSources([file], { format: "osm", signal, stdin: Readable.from([]) });

function openDemo({ demoPlaces, seed }: { demoPlaces: number; seed: number }, signal: AbortSignal) {
  const demo = spawn(
    process.execPath,
    [DEMO_PROGRAM, "--places", String(demoPlaces), "--seed", String(seed), "--lean"],
    { stdio: ["ignore", "pipe", "inherit"], signal },
  );
  demo.on("error", () => {});
  return openSources(["-"], { format: "native", signal, stdin: demo.stdout });
}
