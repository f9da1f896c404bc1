import { Command, InvalidArgumentError, Option } from "commander";
import { KINDS, type Kind } from "./cases/case.ts";

export interface EvalOptions {
  readonly osm?: string | undefined;
  readonly places: number;
  readonly seed: number;
  readonly cases: number;
  readonly kinds: readonly Kind[];
  readonly baselines: boolean;
  readonly showMisses: number;
  readonly writeCases?: string | undefined;
  readonly json: boolean;
}

const HELP = `
Kinds: ${KINDS.join(", ")}.
docs/relevance.md says what each means and how to read the table.

Examples:
  $ npm run -s eval
  $ npm run -s eval -- --osm hanoi.overpass.json --baselines
  $ npm run -s eval -- --kinds typo-1,chain --show-misses 10`;

/** Far more than any gazetteer that is evaluated in memory. */
const MAX_PLACES = 10_000_000;

export function createProgram(run: (options: EvalOptions) => Promise<void>): Command {
  return new Command("eval")
    .description(
      "Measures how often the API puts the right place first, with an engine, an index and a server of its own.",
    )
    .option("--osm <file>", "the gazetteer: a file of OpenStreetMap instead of the demo gazetteer")
    .addOption(wholeNumber("--places <n>", "size of the demo gazetteer", 10_000))
    .addOption(wholeNumber("--seed <n>", "another seed makes other cases", 1))
    .addOption(wholeNumber("--cases <n>", "cases of each kind, as far as there are", 400))
    .addOption(
      new Option("--kinds <list>", "only these kinds, separated by commas")
        .default(KINDS, "all")
        .argParser(parseKinds),
    )
    .option("--baselines", "also measure what the engine does by itself with plain documents", false)
    .addOption(wholeNumber("--show-misses <n>", "print up to n answers of each kind that are wrong", 0))
    .option("--write-cases <file>", "write the cases as JSON lines")
    .option("--json", "print one JSON object instead of tables", false)
    .addHelpText("after", HELP)
    .showHelpAfterError("(--help tells more)")
    .exitOverride()
    .action(run);
}

const wholeNumber = (flags: string, description: string, fallback: number): Option =>
  new Option(flags, description).default(fallback).argParser((text) => {
    if (/^\d{1,8}$/.test(text) && Number(text) <= MAX_PLACES) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number up to ${MAX_PLACES}.`);
  });

function parseKinds(text: string): Kind[] {
  const wanted = text.split(",").map((kind) => kind.trim());
  const unknown = wanted.filter((kind) => !(KINDS as readonly string[]).includes(kind));
  if (unknown.length > 0) throw new InvalidArgumentError(`Unknown: ${unknown.join(", ")}.`);
  return KINDS.filter((kind) => wanted.includes(kind));
}
