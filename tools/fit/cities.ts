import { existsSync } from "node:fs";
import { join } from "node:path";
import { openPlaceIndex } from "../../src/partitions/open-place-index.ts";
import type { Candidate } from "../../src/search/find-page.ts";
import { createPlaceSearch } from "../../src/search/search-places.ts";
import type { Weights } from "../../src/search/score.ts";
import type { PlaceIndex } from "../../src/meilisearch/place-index.ts";
import { CONNECTIONS, PATIENT_MS, openWorkshop } from "../eval/ask.ts";
import { EVAL_MOMENT } from "../eval/dataset.ts";
import { importDataset } from "../eval/import-dataset.ts";
import { type FitCase, makeFitCases, sentenceCases } from "./fit-cases.ts";
import type { Found, RankedCase } from "./fit-weights.ts";

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
  readonly sentences: readonly FitCase[];
}

/** The demo city, and the cities of the folder. */
function citiesOf({ data }: CityOptions): City[] {
  const demo: City = { name: "demo", sentences: [] };
  if (data === undefined) return [demo];
  const cities: City[] = [
    demo,
    {
      name: "Ho Chi Minh City",
      osm: join(data, "osm/saigon.overpass.json.gz"),
      sentences: sentenceCases(data),
    },
    { name: "Hanoi", osm: join(data, "osm/hanoi.overpass.json"), sentences: [] },
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
  for (const { name, osm, sentences } of citiesOf(options)) {
    const { index: topology } = stack.use(await openWorkshop(signal));
    const source = { scripts: false, places: options.places, seed: options.seed, osm, areas };
    const dataset = await importDataset(source, topology, signal);
    const made = makeFitCases({ seed: options.seed, count: options.cases, dataset });
    const index = openPlaceIndex(topology);
    stack.defer(() => index.close());
    rankers.push({ name, index, cases: [...made, ...sentences] });
    say(`${name}: ${dataset.places.length} places, ${made.length + sentences.length} cases.`);
  }
  const kept = stack.move();
  return { rankers, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** A case with what was found for it, best first. */
export interface Ranked
  extends Pick<FitCase, "group" | "kind" | "part" | "judged">, Pick<RankedCase, "found"> {}

/** The candidates of every case with these weights, in the order of the cases. */
export async function rankAll(
  rankers: readonly Ranker[],
  weights: Weights,
  signal: AbortSignal,
): Promise<Ranked[]> {
  const ranked: Ranked[] = [];
  for (const { index, cases } of rankers) {
    const search = createPlaceSearch(index, { deadlineMs: PATIENT_MS, weights });
    await search.prepared;
    const found = Array.from(cases, (): Ranked | undefined => undefined);
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < cases.length) {
        signal.throwIfAborted();
        const number = next++;
        const asked = cases[number]!;
        const { query, centre } = asked;
        const candidates = await search.rank({ query, centre, limit: 20, offset: 0, now: EVAL_MOMENT });
        found[number] = { ...asked, found: toFound(asked, candidates) };
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
    ranked.push(...found.filter((one) => one !== undefined));
  }
  return ranked;
}

/** Places further down come first with no weights near the present ones. */
const MOST_COMPARED = 40;

const toFound = ({ isRight }: FitCase, candidates: readonly Candidate[]): Found[] =>
  candidates
    .map(({ place, ways }) => ({ isRight: isRight(place), ways: differing(ways) }))
    .filter((one, at) => at < MOST_COMPARED || one.isRight);

/** Several lookups of a reading find a place. */
const differing = (ways: Candidate["ways"]): Candidate["ways"] => [
  ...new Map(ways.map((way) => [JSON.stringify(way), way])).values(),
];
