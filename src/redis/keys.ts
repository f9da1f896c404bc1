/** All names this service uses in Redis. They hold caller ids (hashes), never a key that opens anything. */
const PREFIX = "hereabouts";

/** The namespace of the minute limits; koa-ratelimit appends `:<callerId>`. */
export const MINUTE_LIMIT_NAMESPACE = `${PREFIX}:minute`;

/** The counter of one caller on one UTC date (`2026-11-20`). */
export function dayCountKey(callerId: string, date: string): string {
  return `${PREFIX}:day:${date}:${callerId}`;
}

/** The list of what was last done to the index, newest first. */
export const RUN_HISTORY_KEY = `${PREFIX}:runs`;
