/** Where Redis is when Sentinels know it, as options of ioredis. */
export interface SentinelAddress {
  readonly sentinels: { readonly host: string; readonly port: number }[];
  /** The name by which the Sentinels know the master. */
  readonly name: string;
  readonly username?: string;
  readonly password?: string;
  readonly db: number;
}

/** `redis-sentinel://:password@host1:26379,host2/0#mymaster`, as Lettuce writes it. No URL may name several hosts, so it is read here. */
const SENTINEL_URL =
  /^redis-sentinel:\/\/(?:(?<username>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^@/#?]+)(?:\/(?<db>\d{0,5}))?(?:#(?<name>[\w.-]+))?$/;

/** A host or an address, IPv6 in brackets, perhaps with a port. */
const HOST = /^(?<host>\[[\da-f:.]+\]|[\w.-]+)(?::(?<port>\d{1,5}))?$/i;

/** Those that Redis and its documents use. */
const SENTINEL_PORT = "26379";
const MASTER_NAME = "mymaster";

/** `undefined` for what is no such URL. Names and passwords may be percent-encoded, as in any URL. */
export function parseSentinelUrl(url: string): SentinelAddress | undefined {
  const { username, password, hosts = "", db, name } = SENTINEL_URL.exec(url)?.groups ?? {};
  const sentinels = hosts.split(",").map((text) => {
    const { host, port = SENTINEL_PORT } = HOST.exec(text)?.groups ?? {};
    return { host: host?.replaceAll(/[[\]]/g, "") ?? "", port: Number(port) };
  });
  if (sentinels.some(({ host }) => host === "")) return undefined;
  return {
    sentinels,
    name: name ?? MASTER_NAME,
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    db: Number(db ?? 0),
  };
}

/** The hosts of `REDIS_URL`, without the password that it may contain. */
export const redisHosts = (url: string): string =>
  parseSentinelUrl(url)
    ?.sentinels.map(({ host, port }) => `${host}:${port}`)
    .join(", ") ?? new URL(url).host;
