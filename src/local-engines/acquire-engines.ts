import { claimDataDir, makeDataDir, type Role, type Runtime } from "./data-dir.ts";
import { type OnEngineEvent, LocalEnginesError } from "./engine-process.ts";
import type { WantedDivision } from "./engine-folders.ts";
import { findExecutable } from "./meilisearch-process.ts";
import { ownEngines } from "./own-engines.ts";
import { DEFAULT_INDEX_PREFIX, oneEngine, type Topology } from "../partitions/topology.ts";

/** The addresses of the engines, and how to release them. */
export interface Engines {
  /** Where the index is. */
  readonly index: Topology;
  /** The only engine of the index, or the first of several. */
  readonly meilisearch: { readonly url: string; readonly key: string | undefined };
  /** Undefined when Redis was not needed, or none is available. */
  readonly redis: { readonly url: string } | undefined;
  /**
   * True when one of our processes started Meilisearch, instead of a URL naming it: then nothing else uses
   * its index.
   */
  readonly isLocal: boolean;
  /** True when the data directory has never held an index. */
  readonly isNew: boolean;
  /** True when this process started the engines: then `stop()` ends them, else it does nothing. */
  readonly isOwner: boolean;
  /** When this process started Redis, with a password that no earlier process knows; absent for any other Redis. */
  readonly redisStartedAt?: Date;
  /** True while this process does not restart its Meilisearch because the data is damaged; absent for any other. */
  readonly isDataDamaged?: () => boolean;
  readonly stop: () => Promise<void>;
}

export interface AcquireOptions {
  /** Created when an engine is started; otherwise untouched. */
  readonly dataDir: string;
  /** The engines that the settings name; without them they are started. */
  readonly index?: Topology | undefined;
  readonly redisUrl?: string | undefined;
  /** How much memory a Meilisearch that is started may use for an import, such as `512MiB`. */
  readonly indexingMemory?: string | undefined;
  /** How many engines to start, instead of those that the data directory has. */
  readonly division?: WantedDivision | undefined;
  readonly role: Role;
  readonly needs: { readonly redis: boolean };
  readonly onEvent: OnEngineEvent;
  /** Stops the start of the engines; those already started are ended again. */
  readonly signal?: AbortSignal | undefined;
}

const NO_REDIS = "no redis-server is on the PATH and REDIS_URL is not set";

/** The redis-server to start, if any. */
function findRedis({ needs, redisUrl, onEvent }: AcquireOptions): string | undefined {
  if (!needs.redis || redisUrl !== undefined) return undefined;
  const file = findExecutable("redis-server");
  if (file === undefined) onEvent({ name: "redis_unavailable", reason: NO_REDIS });
  return file;
}

/** The engines given by URL, which take precedence over local ones. */
function givenEngines({ index, redisUrl }: AcquireOptions) {
  return {
    index,
    redis: redisUrl === undefined ? undefined : { url: redisUrl },
  };
}

/**
 * @throws {LocalEnginesError} when the owner of the directory uses a Meilisearch URL that only it was given.
 */
function chooseEngines(options: AcquireOptions, { owner, ...local }: Runtime) {
  const given = givenEngines(options);
  const index =
    given.index ??
    (local.topology && toTopology(local.topology)) ??
    (local.meilisearch && oneEngine(local.meilisearch));
  if (index === undefined) {
    throw new LocalEnginesError(
      `The ${owner.role} on ${options.dataDir} (process ${owner.pid}) uses a Meilisearch given by URL. ` +
        "Set the same MEILISEARCH_URL and MEILISEARCH_KEY (or TOPOLOGY) here.",
    );
  }
  const redis = given.redis ?? local.redis;
  return { ...describeIndex(index), redis: redis && { url: redis.url } };
}

const toTopology = ({ engines, ...division }: NonNullable<Runtime["topology"]>): Topology => ({
  engines: engines.map(({ name, url, key }) => ({ name, url, key })),
  ...division,
  prefix: DEFAULT_INDEX_PREFIX,
});

const describeIndex = (index: Topology): Pick<Engines, "index" | "meilisearch"> => ({
  index,
  meilisearch: index.engines[0]!,
});

const nothingToStop = (): Promise<void> => Promise.resolve();

/**
 * Returns the engines: those given by URL, else those of the process that owns the data directory (for an
 * indexer), else new ones that are kept alive until `stop()`.
 * @throws {LocalEnginesError} when an engine is missing or does not start, or another process owns the
 *   directory; the signal's reason when that is aborted.
 */
export async function acquireEngines(options: AcquireOptions): Promise<Engines> {
  const { role, onEvent, signal = new AbortController().signal } = options;
  const { index, redis } = givenEngines(options);
  const redisFile = findRedis(options);
  if (index !== undefined && redisFile === undefined) {
    return {
      ...describeIndex(index),
      redis,
      isLocal: false,
      isNew: false,
      isOwner: false,
      stop: nothingToStop,
    };
  }
  const dataDir = makeDataDir(options.dataDir, onEvent);
  const claim = await claimDataDir(dataDir, role, signal);
  if ("runtime" in claim) {
    const engines = chooseEngines(options, claim.runtime);
    return {
      ...engines,
      isLocal: index === undefined,
      isNew: false,
      isOwner: false,
      stop: nothingToStop,
    };
  }
  const wanted = { meilisearch: index === undefined, redisFile };
  const startedAt = new Date();
  const { runtime, isNew, isDataDamaged, stop } = await ownEngines({
    dataDir,
    role,
    lock: claim.lock,
    wanted,
    indexingMemory: options.indexingMemory,
    division: options.division ?? {},
    onEvent,
    signal,
  });
  return {
    ...chooseEngines(options, runtime),
    isLocal: index === undefined,
    isNew,
    isDataDamaged,
    isOwner: true,
    ...(redisFile !== undefined && { redisStartedAt: startedAt }),
    stop,
  };
}

/** The address of Redis, and how to release it. */
export interface AcquiredRedis {
  /** Undefined when none is available. */
  readonly url: string | undefined;
  /** True when this process started it: then `stop()` ends it. */
  readonly isOwner: boolean;
  readonly stop: () => Promise<void>;
}

/** A placeholder where a Meilisearch URL is required but never used. */
const NO_MEILISEARCH = oneEngine({ url: "http://127.0.0.1:0", key: undefined });

/**
 * Returns Redis without Meilisearch: the one given by URL, else that of the process that owns the data
 * directory, else a new one until `stop()`.
 * @throws {LocalEnginesError} when it does not start; the signal's reason when that is aborted.
 */
export async function acquireRedis(options: Omit<AcquireOptions, "index" | "needs">): Promise<AcquiredRedis> {
  const engines = await acquireEngines({
    ...options,
    index: NO_MEILISEARCH,
    needs: { redis: true },
  });
  return { url: engines.redis?.url, isOwner: engines.isOwner, stop: engines.stop };
}
