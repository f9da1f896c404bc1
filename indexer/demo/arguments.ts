import { parseArgs } from "node:util";
import type { GazetteerOptions } from "./gazetteer.ts";

/** What was wrong with the command line, for the person who typed it. */
export class UsageError extends Error {
  override name = "UsageError";
}

const DEFAULT_PLACES = "5000";
const DEFAULT_SEED = "1";
/** Numbers of places and seeds are the streams and the key of the generator, which has 32 bits for each. */
const LARGEST = 4_294_967_295;

export const HELP = `Writes a made-up gazetteer of Vietnamese places: one JSON record a line on standard output, in the
native format of the indexer (docs/data-format.md). Nothing in it is measured or collected; streets,
wards, landmarks and chains carry real names, everything said about them is invented.

Usage: npm run -s demo-data -- [options] > places.jsonl

  --places <n>   how many places, 1 to ${LARGEST} (default ${DEFAULT_PLACES})
  --seed <n>     which gazetteer, 0 to ${LARGEST} (default ${DEFAULT_SEED})
  --lean         without reviews, photos and popular times: about half the bytes
  --help         this text

The same options give the same bytes on every machine. Place n depends on the seed and on n, and on
--places only through the size of the world:
  below 20,000       Ho Chi Minh City
  below 1,000,000    with Hanoi and Da Nang
  above              with nineteen more cities
So the first 1,000 of 5,000 places are the places of --places 1000, but not the first of a million.
With --lean every place is the same, only without its long members.

Examples:
  npm run -s demo-data -- --places 5000 | npm run -s index -- import - --format native
  npm run -s demo-data -- --places 1000000 --lean --seed 7 | gzip > million.jsonl.gz
`;

/** The options of the command line, or `"help"`. Throws a UsageError that says what to change. */
export function parseArguments(args: readonly string[]): GazetteerOptions | "help" {
  const { values } = readValues(args);
  if (values.help === true) return "help";
  return {
    places: parseNumber("--places", values.places, 1),
    seed: parseNumber("--seed", values.seed, 0),
    lean: values.lean === true,
  };
}

function readValues(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        places: { type: "string", default: DEFAULT_PLACES },
        seed: { type: "string", default: DEFAULT_SEED },
        lean: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function parseNumber(option: string, text: string, smallest: number): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= smallest && number <= LARGEST) return number;
  throw new UsageError(`${option} takes a whole number from ${smallest} to ${LARGEST}, not "${text}"`);
}
