import { type EnqueuedTaskPromise, Meilisearch } from "meilisearch";
import type { EngineAddress } from "../../src/meilisearch/connection.ts";
import { CONNECTIONS, PAGE, SUGGESTIONS, askAll } from "./ask.ts";
import { type EvalCase, type Kind, NAME_KINDS, isAutocomplete } from "./cases.ts";
import type { Dataset } from "./dataset.ts";

/** What the engine alone finds in documents with a title and a point, with one choice of ranking rules. */
export interface Baseline {
  readonly name: string;
  readonly told: string;
  readonly rules: readonly string[];
  readonly sortsByDistance: boolean;
}

const DEFAULT_RULES = ["words", "typo", "proximity", "attribute", "sort", "exactness"];

export const BASELINES: readonly Baseline[] = [
  { name: "no geo", told: "default rules", rules: DEFAULT_RULES, sortsByDistance: false },
  {
    name: "geo first",
    told: "sort by _geoPoint, then words, typo, …",
    rules: ["sort", ...DEFAULT_RULES.filter((rule) => rule !== "sort")],
    sortsByDistance: true,
  },
  {
    name: "geo third",
    told: "words, typo, sort by _geoPoint, …",
    rules: ["words", "typo", "sort", "proximity", "attribute", "exactness"],
    sortsByDistance: true,
  },
  {
    name: "geo fifth",
    told: "default rules and sort by _geoPoint",
    rules: DEFAULT_RULES,
    sortsByDistance: true,
  },
];

/** The kinds whose data is in the plain documents. */
const KINDS_OF_BASELINES: ReadonlySet<Kind> = new Set([
  ...NAME_KINDS,
  "autocomplete",
  "autocomplete-known",
  "chain",
]);

export const hasBaseline = ({ kind }: EvalCase): boolean => KINDS_OF_BASELINES.has(kind);

/**
 * The responses of one baseline, in the order of the cases. Each baseline has a separate index beside ours.
 */
export async function askBaseline(
  { name, rules, sortsByDistance }: Baseline,
  { cases, dataset, engine, signal }: BaselineRun,
): Promise<readonly (readonly string[])[]> {
  const { places } = dataset;
  const index = connect(engine).index<PlainDocument>(`baseline_${name.replaceAll(" ", "_")}`);
  await succeed(
    index.updateSettings({
      searchableAttributes: ["title"],
      sortableAttributes: ["_geo"],
      rankingRules: [...rules],
    }),
  );
  await succeed(index.addDocuments(places.map(toPlainDocument), { primaryKey: "id" }));
  const ask = async ({ kind, query, centre }: EvalCase): Promise<string[]> => {
    const { hits } = await index.search(query, {
      limit: isAutocomplete(kind) ? SUGGESTIONS : PAGE,
      attributesToRetrieve: ["id"],
      ...(sortsByDistance && { sort: [`_geoPoint(${centre.latitude}, ${centre.longitude}):asc`] }),
    });
    return hits.map(({ id }) => places[id]!.dataId);
  };
  const { answers } = await askAll(cases, ask, { connections: CONNECTIONS, signal });
  await succeed(connect(engine).deleteIndex(index.uid));
  return answers;
}

interface BaselineRun {
  readonly cases: readonly EvalCase[];
  readonly dataset: Dataset;
  readonly engine: EngineAddress;
  readonly signal: AbortSignal;
}

interface PlainDocument {
  /** The place's number in the dataset. */
  readonly id: number;
  readonly title: string;
  readonly _geo: { readonly lat: number; readonly lng: number };
}

const toPlainDocument = ({ title, location }: Dataset["places"][number], id: number): PlainDocument => ({
  id,
  title,
  _geo: { lat: location.latitude, lng: location.longitude },
});

/** The stock client, without compressed responses, for which it would wait 44 ms each. */
const connect = ({ url, key }: EngineAddress): Meilisearch =>
  new Meilisearch({
    host: url,
    ...(key !== undefined && { apiKey: key }),
    requestInit: { headers: { "accept-encoding": "identity" } },
  });

/** Indexing a few thousand documents takes seconds. */
const TASK_TIMEOUT_MS = 600_000;

async function succeed(task: EnqueuedTaskPromise): Promise<void> {
  const { status, error } = await task.waitTask({ timeout: TASK_TIMEOUT_MS });
  if (status !== "succeeded") throw new Error(`The engine's task ${status}: ${error?.message ?? ""}`);
}
