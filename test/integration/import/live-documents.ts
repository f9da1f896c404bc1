/** Where an engine of a test is. */
export interface TestEngine {
  readonly url: string;
  readonly key: string | undefined;
}

/** Asks the engine as no code of ours does; `undefined` for what is not there. */
export async function askEngine<T>(
  { url, key }: TestEngine,
  path: string,
  body?: object,
): Promise<T | undefined> {
  const response = await fetch(`${url}/${path}`, {
    method: body ? "POST" : "GET",
    // Compressed responses wait 44 ms on the socket (`connection.ts`).
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "accept-encoding": "identity",
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return response.ok ? ((await response.json()) as T) : undefined;
}

interface Documents {
  readonly results: readonly Readonly<Record<string, unknown>>[];
}

/** What an operator can read of a stored place. */
interface StoredPlace {
  readonly title: string;
  readonly _geo: { readonly lat: number };
}

export const asStored = (place: Readonly<Record<string, unknown>>): StoredPlace =>
  place as unknown as StoredPlace;

interface MapDocuments {
  readonly _map?: { readonly live: { readonly generation: string } };
  readonly _next?: { readonly generation: { readonly generation: string } };
}

/** The name of the index that is live; "none" before the first import. */
export async function readLiveUid(engine: TestEngine): Promise<string> {
  const map = await askEngine<MapDocuments>(engine, "indexes/places_map/documents/map");
  return map?._map ? `places_${map._map.live.generation}_0` : "none";
}

/** All places of the live index with everything that is stored of them but the time of indexing, in the order of their ids. */
export async function readAllPlaces(engine: TestEngine): Promise<Documents["results"]> {
  const path = `indexes/${await readLiveUid(engine)}/documents/fetch`;
  const answer = await askEngine<Documents>(engine, path, { limit: 1_000_000 });
  return (answer?.results ?? [])
    .filter(({ id }) => String(id).startsWith("0x"))
    .map((place): Documents["results"][number] => ({ ...place, indexed_at: undefined }))
    .toSorted((one, other) => String(one["id"]).localeCompare(String(other["id"])));
}

interface ManifestDocument {
  readonly _manifest: { readonly built_at: string; readonly build?: { readonly added: number } };
}

/** How many places the index under construction has by its own account; `undefined` when there is none. */
export async function readAdded(engine: TestEngine): Promise<number | undefined> {
  const next = await askEngine<MapDocuments>(engine, "indexes/places_map/documents/next");
  const uid = `places_${next?._next?.generation.generation}_0`;
  if ((await askEngine(engine, `indexes/${uid}`)) === undefined) return undefined;
  const document = await askEngine<ManifestDocument>(engine, `indexes/${uid}/documents/manifest`);
  return document ? document._manifest.build?.added : 0;
}
