import type { RedisConnection } from "./connection.ts";
import { changesKey, rebuildKey } from "./keys.ts";

/**
 * Which places changed while an index is being rebuilt, so that the new one gets the changes too. It holds identities only: what
 * became of a place is in the live index, so reading it twice does no harm.
 */
export interface ChangeLog {
  /** From now on changes are written down for this rebuild, and those for any other are forgotten. */
  begin(buildId: string): Promise<void>;
  /** Whether all changes since this rebuild began are here. */
  isOf(buildId: string): Promise<boolean>;
  /** To be called before the places are changed. Does nothing while no rebuild is under way. */
  note(identities: readonly string[]): Promise<void>;
  /** The identities of this rebuild, some at a time; each at least once. */
  read(buildId: string): AsyncIterable<readonly string[]>;
  /** Forgets all of this rebuild. */
  end(buildId: string): Promise<void>;
}

/** A rebuild that broke off can be resumed for this long; then its log stops growing and goes. */
const KEPT_SECONDS = 3 * 86_400;

/** One answer of Redis, and one question to the engine. */
const IDENTITIES_AT_ONCE = 1_000;

/** KEYS: rebuild. ARGV: the beginning of the changes' key, seconds, identities. The two keys are in one slot by their braces. */
const NOTE = `
local build = redis.call("GET", KEYS[1])
if not build then return 0 end
local key = ARGV[1] .. build
for i = 3, #ARGV do redis.call("SADD", key, ARGV[i]) end
redis.call("EXPIRE", key, ARGV[2])
return 1`;

/** The change log of one index, by the prefix of its name. */
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
