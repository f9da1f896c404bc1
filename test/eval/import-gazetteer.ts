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
import { createGazetteer, toTruePlace, type Gazetteer, type TruePlace } from "./gazetteer.ts";

/** Where the places come from: a file of OpenStreetMap, or the demo program. */
export type GazetteerSource =
  | { readonly osm: string }
  | { readonly demoPlaces: number; readonly seed: number };

const DEMO_PROGRAM = fileURLToPath(new URL("../../indexer/demo/main.ts", import.meta.url));

/**
 * Reads and cleans the places as an import does, puts them into the engine's live index, and keeps of each what cases are
 * made from: what is searched and what is held for true come from the same reading.
 */
export async function importGazetteer(
  source: GazetteerSource,
  engine: EngineAddress,
  signal: AbortSignal,
): Promise<Gazetteer> {
  const build = await startIndexBuild(engine);
  const found = await fill(source, build, signal);
  if (found.size === 0) throw new Error("There is no place in the gazetteer.");
  await build.finish();
  await build.swap();
  return createGazetteer(found.values());
}

async function fill(
  source: GazetteerSource,
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
