import type { Command } from "commander";
import { statSync } from "node:fs";
import { CommandError, EXIT } from "../../src/cli/errors.ts";
import { formatBytes, formatCount, formatDuration } from "../../src/cli/format.ts";
import { startProgress } from "../../src/cli/progress.ts";
import { runOrPrint, type CommandContext, type RunCommand } from "../../src/cli/run-program.ts";
import { readGeojsonFeatures } from "../basemap/geojson-features.ts";
import { makeBasemap, type BasemapProgress } from "../basemap/make-basemap.ts";
import { readOsmFeatures } from "../basemap/osm-features.ts";

interface BasemapCommandOptions {
  readonly output: string;
  readonly attribution: string;
}

const OSM_ATTRIBUTION = "© OpenStreetMap contributors";

const HELP = `
Draws roads, water, green, buildings and the names of towns and streets: vector tiles up to zoom 14
in one file, in the layers of the Protomaps basemap. The map page shows it when TILES_URL names it
(docs/map-tiles.md). It needs no engine.

It reads an .osm.pbf extract, or GeoJSON whose properties are OpenStreetMap tags: a collection, or
features one after the other; - is the standard input.

It keeps features on disk next to the output, so memory does not grow with the extract: about 300 MB,
and 600 MB for the densest cities. The file is written under a temporary name and renamed when it is
complete.

Exit status: 0 written; 1 failed, an older file stays; 2 wrong usage or configuration; 130 or
143 interrupted by Ctrl-C or SIGTERM.

Examples:
  $ npm run -s index -- basemap vietnam.osm.pbf --output map.pmtiles
  $ TILES_URL=map.pmtiles script/server`;

/** Adds the `basemap` command. */
export function addCommand(program: Command, start: RunCommand): void {
  program
    .command("basemap")
    .summary("draw a map from an OpenStreetMap extract, for the map page")
    .description("Writes the streets of an OpenStreetMap extract as a map for the map page.")
    .argument("<file>", "an .osm.pbf extract, or GeoJSON with OpenStreetMap tags")
    .requiredOption("-o, --output <file>", "the file to write, such as map.pmtiles")
    .option("--attribution <text>", "credit to show on the map", OSM_ATTRIBUTION)
    .addHelpText("after", HELP)
    .action((file: string, options: BasemapCommandOptions) =>
      start((context) => runBasemap(file, options, context)),
    );
}

/** Draws the map and reports on it. Resolves to the exit code. */
function runBasemap(
  path: string,
  { output, attribution }: BasemapCommandOptions,
  context: CommandContext,
): Promise<number> {
  const { stdin, stderr, interruption } = context;
  return runOrPrint(context, false, async () => {
    if (path !== "-") checkFile(path);
    const startedAt = performance.now();
    const state: BasemapProgress = { phase: "reading", share: 0, features: 0, tiles: 0 };
    const progress = startProgress(stderr, "basemap", () => ({ text: describe(state), share: state.share }));
    try {
      await makeBasemap(
        {
          attribution,
          read: (nodesPath, onShare) =>
            /\.pbf$/i.test(path)
              ? readOsmFeatures(path, { nodesPath, onShare })
              : readGeojsonFeatures(path, { stdin, signal: interruption.signal, onShare }),
        },
        { output, signal: interruption.signal, progress: state },
      );
    } finally {
      progress.stop();
    }
    const seconds = (performance.now() - startedAt) / 1000;
    stderr.write(
      `Wrote ${output}: ${formatBytes(statSync(output).size)}, ${formatCount(state.tiles)} tiles of ` +
        `${formatCount(state.features)} features, in ${formatDuration(seconds)}.\n` +
        `Show it on the map page with TILES_URL=${output}\n`,
    );
    return EXIT.done;
  });
}

/** @throws {CommandError} when there is no such file. */
function checkFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new CommandError(`Cannot read ${path}: there is no such file.`);
  if (!stats.isFile()) throw new CommandError(`Cannot read ${path}: it is not a file.`);
}

function describe({ phase, share, features, tiles }: BasemapProgress): string {
  const percent = `${Math.floor(share * 100)} %`;
  if (phase === "reading") return `reading: ${formatCount(features)} features, ${percent}`;
  return phase === "drawing" ? `drawing: ${formatCount(tiles)} tiles, ${percent}` : "writing the file";
}
