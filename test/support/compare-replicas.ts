import { isDeepStrictEqual } from "node:util";

/** An engine as a topology has it. */
interface Engine {
  readonly name: string;
  readonly url: string;
  readonly key?: string | undefined;
}

interface StoredMap {
  readonly live: {
    readonly generation: string;
    readonly partitions: readonly { readonly engines: readonly string[] }[];
  };
}

/** More documents than any test has in a partition. */
const ALL = 100_000;

async function ask<T>({ url, key = "" }: Engine, path: string): Promise<T> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as T;
}

/** All documents of an index and its settings, in one order. */
async function readIndex(engine: Engine, uid: string) {
  const path = `/indexes/${uid}`;
  const { results } = await ask<{ results: { id: string }[] }>(engine, `${path}/documents?limit=${ALL}`);
  const documents = results.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return { documents, settings: await ask<object>(engine, `${path}/settings`) };
}

/**
 * Compares the replicas of each partition of the live index, document by document, past all code of ours. Resolves to the partitions
 * whose replicas differ, each with how.
 */
export async function findDifferentReplicas(engines: readonly Engine[]): Promise<string[]> {
  const { _map: map } = await ask<{ _map: StoredMap }>(engines[0]!, "/indexes/places_map/documents/map");
  const compared = map.live.partitions.map(async ({ engines: names }, partition) => {
    const uid = `places_${map.live.generation}_${partition}`;
    const replicas = engines.filter(({ name }) => names.includes(name));
    const [first, ...others] = await Promise.all(replicas.map((engine) => readIndex(engine, uid)));
    return others.flatMap((other) =>
      describe(`partition ${partition} on ${names.join(", ")}`, first!, other),
    );
  });
  return (await Promise.all(compared)).flat();
}

type Read = Awaited<ReturnType<typeof readIndex>>;

function describe(where: string, one: Read, other: Read): string[] {
  const texts = new Set(one.documents.map((document) => JSON.stringify(document)));
  const different = other.documents.find((document) => !texts.has(JSON.stringify(document)));
  if (different) return [`${where}: ${different.id}`];
  if (one.documents.length !== other.documents.length)
    return [`${where}: ${one.documents.length} and ${other.documents.length} documents`];
  return isDeepStrictEqual(one.settings, other.settings) ? [] : [`${where}: settings`];
}
