import { expect, test } from "vitest";
import { parseSentinelUrl, redisHosts } from "../../../src/redis/redis-url.ts";

test.each([
  [
    "redis-sentinel://a:26379,b,[::1]:7/3#places",
    {
      sentinels: [
        { host: "a", port: 26379 },
        { host: "b", port: 26379 },
        { host: "::1", port: 7 },
      ],
      name: "places",
      db: 3,
    },
  ],
  [
    "redis-sentinel://:p%40ss@a",
    { sentinels: [{ host: "a", port: 26379 }], name: "mymaster", password: "p@ss", db: 0 },
  ],
  [
    "redis-sentinel://user:pass@10.0.0.1:1/",
    {
      sentinels: [{ host: "10.0.0.1", port: 1 }],
      name: "mymaster",
      username: "user",
      password: "pass",
      db: 0,
    },
  ],
])("%s names Sentinels", (url, address) => {
  expect(parseSentinelUrl(url)).toStrictEqual(address);
});

test.each([
  "redis://a:6379",
  "redis-sentinel://",
  "redis-sentinel://a,,b",
  "redis-sentinel://a b",
  "redis-sentinel://a/x",
  "redis-sentinel://a#two words",
])("%s names none", (url) => {
  expect(parseSentinelUrl(url)).toBeUndefined();
});

test("the hosts of a URL are told without its password", () => {
  expect(redisHosts("redis://:secret@a:6379/0")).toBe("a:6379");
  expect(redisHosts("redis-sentinel://:secret@a,b:7#places")).toBe("a:26379, b:7");
});
