import { existsSync } from "node:fs";
import { join } from "node:path";
import { openPlaceIndex } from "../../src/partitions/open-place-index.ts";
import { createPlaceSearch } from "../../src/search/search-places.ts";
import type { Weights } from "../../src/search/score.ts";
import type { PlaceIndex } from "../../src/meilisearch/place-index.ts";
import { CONNECTIONS, PATIENT_MS, openWorkshop } from "../eval/ask.ts";
import { EVAL_MOMENT } from "../eval/dataset.ts";
import { importDataset } from "../eval/import-dataset.ts";
import { type FitCase, makeFitCases, sentenceCases } from "./fit-cases.ts";
import { type RankedCase, toRanked } from "./ranked-cases.ts";

/** A dataset in an engine, and what is asked of it. */
export interface Ranker {
  readonly name: string;
  readonly index: PlaceIndex;
  readonly cases: readonly FitCase[];
}

interface CityOptions {
  readonly data?: string | undefined;
  readonly places: number;
  readonly seed: number;
  readonly cases: number;
}

interface City {
  readonly name: string;
  readonly osm?: string;
  readonly isAside: boolean;
  readonly sentences: readonly FitCase[];
}

/** The demo city, and the cities of the folder. With two of them, nothing is fitted to the second: it is new to the weights. */
function citiesOf({ data }: CityOptions): City[] {
  const demo: City = { name: "demo", isAside: false, sentences: [] };
  if (data === undefined) return [demo];
  const cities: City[] = [
    demo,
    {
      name: "Ho Chi Minh City",
      osm: join(data, "osm/saigon.overpass.json.gz"),
      isAside: false,
      sentences: sentenceCases(data),
    },
    { name: "Hanoi", osm: join(data, "osm/hanoi.overpass.json"), isAside: true, sentences: [] },
  ];
  return cities.filter(({ osm }) => osm === undefined || existsSync(osm));
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Imports each city into an engine of its own and makes its cases. */
export async function openCities(
  options: CityOptions,
  signal: AbortSignal,
): Promise<AsyncDisposable & { readonly rankers: readonly Ranker[] }> {
  await using stack = new AsyncDisposableStack();
  const rankers: Ranker[] = [];
  const areas = options.data === undefined ? undefined : join(options.data, "vietnam");
  for (const { name, osm, isAside, sentences } of citiesOf(options)) {
    const { index: topology } = stack.use(await openWorkshop(signal));
    const source = { scripts: false, places: options.places, seed: options.seed, osm, areas };
    const dataset = await importDataset(source, topology, signal);
    const made = makeFitCases({ seed: options.seed, count: options.cases, isAside, dataset });
    const index = openPlaceIndex(topology);
    stack.defer(() => index.close());
    rankers.push({ name, index, cases: [...made, ...sentences] });
    say(`${name}: ${dataset.places.length} places, ${made.length + sentences.length} cases.`);
  }
  const kept = stack.move();
  return { rankers, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** The candidates of every case with these weights, in the order of the cases. */
export async function rankAll(
  rankers: readonly Ranker[],
  weights: Weights,
  signal: AbortSignal,
): Promise<RankedCase[]> {
  const ranked: RankedCase[] = [];
  for (const { index, cases } of rankers) {
    const search = createPlaceSearch(index, { deadlineMs: PATIENT_MS, weights });
    await search.prepared;
    const found = Array.from(cases, (): RankedCase | undefined => undefined);
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < cases.length) {
        signal.throwIfAborted();
        const number = next++;
        const asked = cases[number]!;
        const { query, centre } = asked;
        const places = await search.rank({ query, centre, limit: 20, offset: 0, now: EVAL_MOMENT });
        found[number] = toRanked(asked, places);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
    ranked.push(...found.filter((one) => one !== undefined));
  }
  return ranked;
}
