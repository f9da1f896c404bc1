/** All names this service uses in Redis. They hold caller ids (hashes), never a key that opens anything. */
const PREFIX = "hereabouts";

/** The requests of one caller's last minute, an entry for each. */
export const minuteLogKey = (callerId: string): string => `${PREFIX}:minute:${callerId}`;

/** The counters of one caller, a field for each UTC date (`2026-11-20`). */
export const dayCountsKey = (callerId: string): string => `${PREFIX}:days:${callerId}`;

/**
 * The keys of one index, by the prefix of its name. The braces keep them together on one node of a cluster: some are read and
 * written in one step.
 */
const indexKey = (indexPrefix: string, name: string): string => `${PREFIX}:{${indexPrefix}}:${name}`;

/** Who may do something of which only one may be under way; `next` is who waits longest for it. */
export const leaseKeys = (indexPrefix: string, name: string): { held: string; next: string } => ({
  held: indexKey(indexPrefix, `lease:${name}`),
  next: indexKey(indexPrefix, `lease:${name}:next`),
});

/** The id of the rebuild for which changes are written down. */
export const rebuildKey = (indexPrefix: string): string => indexKey(indexPrefix, "rebuild");

/** The identities of the places that changed while a rebuild was under way. */
export const changesKey = (indexPrefix: string, buildId: string): string =>
  indexKey(indexPrefix, `changes:${buildId}`);
/** The list of what was last done to the index, newest first. */
export const RUN_HISTORY_KEY = `${PREFIX}:runs`;

/** The records of all API keys, by id; what they hold opens nothing. */
export const API_KEYS_KEY = `${PREFIX}:keys`;

/** When each API key was last used, by id. */
export const API_KEY_USES_KEY = `${PREFIX}:keys:used`;
