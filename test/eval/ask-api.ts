import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import type { Coordinates } from "../../src/place/coordinates.ts";
import type { Api } from "./api.ts";
import { isAutocomplete, type EvalCase } from "./cases/case.ts";
import { askAll, type Ask, type Asked } from "./ask-all.ts";

/** Few enough that no search waits for another longer than its deadline; two cores are busy with it. */
export const CONNECTIONS = 4;

/** The API's own number of suggestions, and of results on a page. */
export const SUGGESTIONS = 4;
export const PAGE = 20;

/** A busy machine may not answer in time; what is measured here is the order, so it is asked again. */
const TRIES = 3;
const PAUSE_MS = 300;

/** The density of places is read beside the first search; later ones know it. */
const WARM_UP_MS = 1_000;

/** Asks the API for every case. Resolves to the data ids of the answers, in the order of the cases. */
export async function askApi(cases: readonly EvalCase[], api: Api, signal: AbortSignal): Promise<Asked> {
  const pool = new Pool(api.url, { connections: CONNECTIONS });
  const ask: Ask = async ({ kind, query, centre }) => {
    const path = isAutocomplete(kind) ? autocompletePath(query, centre) : searchPath(query, centre);
    const body = await getPatiently(pool, path, api.key);
    return (body.suggestions ?? body.local_result ?? []).map((place) => place.data_id);
  };
  try {
    const [first] = cases;
    if (first) await ask(first);
    await sleep(WARM_UP_MS, undefined, { signal });
    return await askAll(cases, ask, { connections: CONNECTIONS, signal });
  } finally {
    await pool.close();
  }
}

const withCentre = (path: string, query: string, { latitude, longitude }: Coordinates): string =>
  `${path}?${new URLSearchParams({ q: query, lat: String(latitude), lng: String(longitude) }).toString()}`;

const searchPath = (query: string, centre: Coordinates): string =>
  withCentre("/api/maps/search", query, centre);
const autocompletePath = (query: string, centre: Coordinates): string =>
  withCentre("/api/maps/autocomplete", query, centre);

interface Body {
  readonly local_result?: readonly { readonly data_id: string }[];
  readonly suggestions?: readonly { readonly data_id: string }[];
}

async function getPatiently(pool: Pool, path: string, key: string): Promise<Body> {
  for (let tried = 1; ; tried++) {
    const { statusCode, body } = await pool.request({ path, method: "GET", headers: { "x-api-key": key } });
    const text = await body.text();
    if (statusCode === 200) return JSON.parse(text) as Body;
    if (tried === TRIES) throw new Error(`${path}: ${statusCode} ${text}`);
    await sleep(PAUSE_MS);
  }
}
