import RateLimiter from "async-ratelimiter";

/**
 * The log of koa-ratelimit holds one entry for each moment, a quarter of a microsecond by the clock of the process. Two
 * processes that ask in the same moment would share an entry, and one request more would pass (measured: docs/decisions/0016).
 * So the later one moves on, a microsecond at a time, until it has a moment of its own.
 */
const FIND_OWN_MOMENT = `
local moment = tonumber(ARGV[1])
while redis.call('ZSCORE', KEYS[1], moment) do moment = moment + 0.001 end
ARGV[1] = moment`;

interface Script {
  readonly numberOfKeys: number;
  readonly lua: string;
}

/** The types of the package leave this out; its README tells of it. */
const { defineCommand } = RateLimiter as unknown as { defineCommand: { ratelimiter: Script } };

/** koa-ratelimit's own script, which it does not load where a connection has one of this name already. */
export const minuteLogScripts: Readonly<Record<"ratelimiter", Script>> = {
  ratelimiter: {
    ...defineCommand.ratelimiter,
    lua: FIND_OWN_MOMENT + defineCommand.ratelimiter.lua,
  },
};
