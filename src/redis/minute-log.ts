import RateLimiter from "async-ratelimiter";

/**
 * Put in front of koa-ratelimit's own script, which takes the moment of a request from the process that asks. It counts by the clock of
 * Redis instead: the clocks of two processes are never quite the same, and a minute that one began and another ends would be shorter than
 * one. And the log holds one entry for each moment, so two requests of the same one would share it and one too many would pass (measured:
 * docs/decisions/0016): the later one moves on, a microsecond at a time, until it has a moment of its own.
 */
const FIND_OWN_MOMENT = `
local clock = redis.call('TIME')
local moment = tonumber(clock[1]) * 1000 + tonumber(clock[2]) / 1000
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
