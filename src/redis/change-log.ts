import type { RedisConnection } from "./connection.ts";
import { changesKey, rebuildKey } from "./keys.ts";

/**
 * Records which places change while an index is being rebuilt, so that the new index gets the changes too.
 * Holds identities only: the live index has the places' current state, so reading one twice does no harm.
 */
export interface ChangeLog {
  /** Starts recording changes for this rebuild, and deletes those for any other. */
  begin(buildId: string): Promise<void>;
  /** Whether all changes since this rebuild began are recorded. */
  isOf(buildId: string): Promise<boolean>;
  /** Must be called before the places are changed. Does nothing while no rebuild is under way. */
  note(identities: readonly string[]): Promise<void>;
  /** The identities recorded for this rebuild, in batches; each at least once. */
  read(buildId: string): AsyncIterable<readonly string[]>;
  /** Deletes everything of this rebuild. */
  end(buildId: string): Promise<void>;
}

/** How long an interrupted rebuild can be resumed. After that its log stops growing and expires. */
const KEPT_SECONDS = 3 * 86_400;

/** The size of one response of Redis and of one request to the engine. */
const IDENTITIES_AT_ONCE = 1_000;

/**
 * KEYS: rebuild. ARGV: the prefix of the changes key, seconds, identities. Their braces put both keys in one
 * slot.
 */
const NOTE = `
local build = redis.call("GET", KEYS[1])
if not build then return 0 end
local key = ARGV[1] .. build
for i = 3, #ARGV do redis.call("SADD", key, ARGV[i]) end
redis.call("EXPIRE", key, ARGV[2])
return 1`;

/** Creates the change log of one index, by the prefix of its name. */
export function createChangeLog(redis: RedisConnection, indexPrefix: string): ChangeLog {
  const marker = rebuildKey(indexPrefix);
  const changesOf = (buildId: string): string => changesKey(indexPrefix, buildId);
  return {
    async begin(buildId) {
      const earlier = await redis.get(marker);
      await redis.set(marker, buildId, "EX", KEPT_SECONDS);
      if (earlier !== null && earlier !== buildId) await redis.unlink(changesOf(earlier));
    },
    isOf: async (buildId) => (await redis.get(marker)) === buildId,
    async note(identities) {
      for (let start = 0; start < identities.length; start += IDENTITIES_AT_ONCE) {
        const some = identities.slice(start, start + IDENTITIES_AT_ONCE);
        await redis.eval(NOTE, 1, marker, changesOf(""), KEPT_SECONDS, ...some);
      }
    },
    async *read(buildId) {
      let cursor = "0";
      do {
        const [next, identities] = await redis.sscan(changesOf(buildId), cursor, "COUNT", IDENTITIES_AT_ONCE);
        cursor = next;
        if (identities.length > 0) yield identities;
      } while (cursor !== "0");
    },
    async end(buildId) {
      if ((await redis.get(marker)) === buildId) await redis.del(marker);
      await redis.unlink(changesOf(buildId));
    },
  };
}
