import type { Command } from "commander";
import { writeToStream } from "../../src/cli/atomic-file.ts";
import { wholeNumber } from "../../src/cli/options.ts";
import { createProgram, runProgram, type ProgramProcess } from "../../src/cli/run-program.ts";
import { linesOfPlaces, linesOfStreets, type DemoOptions } from "./demo-places.ts";

const DEFAULT_PLACES = 5_000;
const DEFAULT_SEED = 1;
/** The generator takes the seed and the number of a place as 32 bits each. */
const LARGEST = 4_294_967_295;

const HELP = `
Each line is a JSON record in the native format (docs/data-format.md). Streets, wards, landmarks and
chains have real names. Everything said about them is invented. Streets of central Ho Chi Minh City are
© OpenStreetMap contributors (ODbL).

The same options give the same bytes on every machine. The number of places decides the cities:
  below 20,000       Ho Chi Minh City
  below 1,000,000    and Hanoi and Da Nang
  from 1,000,000     and nineteen more cities
Within one of these ranges a smaller dataset is the beginning of a larger one with the same seed.
--lean changes nothing else about the places. --streets gives the streets along which they lie, for
the map page (docs/map-tiles.md).

Examples:
  $ npm run -s demo-data -- --places 5000 | npm run -s index -- import - --format native
  $ npm run -s demo-data -- --places 1000000 --lean --seed 7 | gzip > million.jsonl.gz`;

interface DemoCommandOptions extends DemoOptions {
  /** Writes streets in place of places. */
  readonly streets: boolean;
}

/** Makes a command of it that writes demo places. `run` gets the parsed command line. */
export const defineDemo = (command: Command, run: (options: DemoCommandOptions) => Promise<void>): Command =>
  command
    .description("Writes made-up places in Vietnam to standard output.")
    .option("--places <number>", "number of places", wholeNumber(1, LARGEST), DEFAULT_PLACES)
    .option("--seed <number>", "another seed gives other places", wholeNumber(0, LARGEST), DEFAULT_SEED)
    .option("--lean", "leave out reviews, photos and popular times: about half the bytes", false)
    .option("--streets", "write the streets of the cities as GeoJSON instead", false)
    .addHelpText("after", HELP)
    .action(run);

/** Makes a command of it that writes demo places to the standard output of the process. */
export const defineDemoIn = (command: Command, host: ProgramProcess): Command =>
  defineDemo(command, async (options) => {
    const lines = options.streets ? linesOfStreets(options.places) : linesOfPlaces(options);
    await writeToStream(host.stdout, lines);
  });

if (import.meta.main)
  await runProgram(() => defineDemoIn(createProgram("demo-data", process), process).parseAsync());
