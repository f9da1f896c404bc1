import { parseArgs } from "node:util";
import type { DemoOptions } from "./demo-places.ts";

/** The command line is wrong; the message says what to change. */
export class UsageError extends Error {
  override name = "UsageError";
}

const DEFAULT_PLACES = "5000";
const DEFAULT_SEED = "1";
/** The generator takes the seed and the number of a place as 32 bits each. */
const LARGEST = 4_294_967_295;

export const HELP = `Writes made-up places in Vietnam to standard output: one JSON record a line, in the native format of the
indexer (docs/data-format.md). Streets, wards, landmarks and chains have real names. Everything said
about them is invented.

Usage: npm run -s demo-data -- [options] > places.jsonl

  --places <n>   number of places, 1 to ${LARGEST} (default ${DEFAULT_PLACES})
  --seed <n>     another seed gives other places, 0 to ${LARGEST} (default ${DEFAULT_SEED})
  --lean         leave out reviews, photos and popular times: about half the bytes
  --help         show this text

The same options give the same bytes on every machine. The number of places decides the cities:
  below 20,000       Ho Chi Minh City
  below 1,000,000    and Hanoi and Da Nang
  from 1,000,000     and nineteen more cities
Within one of these ranges a smaller dataset is the beginning of a larger one with the same seed.
--lean changes nothing else about the places.

Examples:
  npm run -s demo-data -- --places 5000 | npm run -s index -- import - --format native
  npm run -s demo-data -- --places 1000000 --lean --seed 7 | gzip > million.jsonl.gz
`;

/** The options of the command line, or `"help"`. Throws a UsageError that says what to change. */
export function parseArguments(args: readonly string[]): DemoOptions | "help" {
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
