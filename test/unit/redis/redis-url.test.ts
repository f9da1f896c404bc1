import { expect, test } from "vitest";
import { parseRedisUrl, redisHosts } from "../../../src/redis/redis-url.ts";

test.each(["redis://a:6379", "rediss://user:pass@a/2", "redis://[::1]"])("%s names one Redis", (url) => {
  expect(parseRedisUrl(url)).toStrictEqual({ url });
});

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
  expect(parseRedisUrl(url)).toStrictEqual(address);
});

test.each([
  [
    "redis-cluster://a:7001,b,[::1]:7",
    {
      nodes: [
        { host: "a", port: 7001 },
        { host: "b", port: 6379 },
        { host: "::1", port: 7 },
      ],
      usesTls: false,
      login: {},
    },
  ],
  [
    "rediss-cluster://user:p%40ss@cache.example/",
    {
      nodes: [{ host: "cache.example", port: 6379 }],
      usesTls: true,
      login: { username: "user", password: "p@ss" },
    },
  ],
])("%s names nodes of a cluster", (url, address) => {
  expect(parseRedisUrl(url)).toStrictEqual(address);
});

test.each([
  "http://a:6379",
  "a:6379",
  "redis-sentinel://",
  "redis-sentinel://a,,b",
  "redis-sentinel://a b",
  "redis-sentinel://a/x",
  "redis-sentinel://a#two words",
  "redis-cluster://",
  "redis-cluster://a,,b",
  // A cluster has one database and no name.
  "redis-cluster://a,b/1",
  "redis-cluster://a,b#places",
])("%s is no address of a Redis", (url) => {
  expect(parseRedisUrl(url)).toBeUndefined();
});

test("the hosts of a URL are told without its password", () => {
  expect(redisHosts("redis://:secret@a:6379/0")).toBe("a:6379");
  expect(redisHosts("redis-sentinel://:secret@a,b:7#places")).toBe("a:26379, b:7");
  expect(redisHosts("redis-cluster://:secret@a,b:7")).toBe("a:6379, b:7");
});
