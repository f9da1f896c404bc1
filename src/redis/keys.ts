/** All names this service uses in Redis. They contain caller ids (hashes), never an API key. */
const PREFIX = "hereabouts";

/** Before the id of a caller, the name of the requests of its last minute, one entry each. */
export const MINUTE_LOGS = `${PREFIX}:minute`;

export const minuteLogKey = (callerId: string): string => `${MINUTE_LOGS}:${callerId}`;

/** The counters of one caller, one field per UTC date (`2026-11-20`). */
export const dayCountsKey = (callerId: string): string => `${PREFIX}:days:${callerId}`;

/**
 * The keys of one index, by the prefix of its name. The braces keep them on one node of a cluster, because
 * some are read and written in one step.
 */
const indexKey = (indexPrefix: string, name: string): string => `${PREFIX}:{${indexPrefix}}:${name}`;

/**
 * `rebuild` is for a whole import or sync, `write` for one batch of writing to the live index, `replicas` for bringing replicas up to
 * date.
 */
export const LEASE_NAMES = ["rebuild", "write", "replicas"] as const;

export type LeaseName = (typeof LEASE_NAMES)[number];

/**
 * The holder of a lease on work that must not run twice at a time; `next` is the one that has waited longest
 * for it, `last` the one that took it last, also after it expired.
 */
export const leaseKeys = (
  indexPrefix: string,
  name: LeaseName,
): { held: string; next: string; last: string } => ({
  held: indexKey(indexPrefix, `lease:${name}`),
  next: indexKey(indexPrefix, `lease:${name}:next`),
  last: indexKey(indexPrefix, `lease:${name}:last`),
});

/** The id of the rebuild for which changes are recorded. */
export const rebuildKey = (indexPrefix: string): string => indexKey(indexPrefix, "rebuild");

/** The identities of the places that changed while a rebuild was under way. */
export const changesKey = (indexPrefix: string, buildId: string): string =>
  indexKey(indexPrefix, `changes:${buildId}`);

/** The writes that callers have sent: those that wait, how much they hold, what was decided about the batch under way, and each one's state. */
export const writeKeys = (indexPrefix: string) => ({
  stream: indexKey(indexPrefix, "writes"),
  bytes: indexKey(indexPrefix, "writes:bytes"),
  decisions: indexKey(indexPrefix, "writes:decisions"),
  stateOf: (id: string): string => indexKey(indexPrefix, `write:${id}`),
  /** By the caller and its `Idempotency-Key`. */
  repeatOf: (callerId: string, key: string): string => indexKey(indexPrefix, `write-key:${callerId}:${key}`),
});

/** When an index was last found to be that of its sources, and which one. */
export const LAST_CHECK_KEY = `${PREFIX}:checked`;

/** The list of the index's latest runs, newest first. */
export const RUN_HISTORY_KEY = `${PREFIX}:runs`;

/** The records of all API keys, by id; nothing in them gives access. */
export const API_KEYS_KEY = `${PREFIX}:keys`;

/** When each API key was last used, by id. */
export const API_KEY_USES_KEY = `${PREFIX}:keys:used`;

/** Braces: days are added up in one step. */
const QUERIES = `${PREFIX}:{queries}`;

/** How often each query was searched on a UTC date: all searches, or those without results. */
export const queryCountsKey = (date: string, which: "all" | "empty"): string => `${QUERIES}:${date}:${which}`;

/** Estimates how many callers searched a query on a UTC date (HyperLogLog). */
export const queryCallersKey = (date: string, query: string): string => `${QUERIES}:${date}:callers:${query}`;
