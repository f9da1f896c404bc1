interface Node {
  readonly host: string;
  readonly port: number;
}

interface Login {
  readonly username?: string;
  readonly password?: string;
}

/** Where Redis is: one server, the master that Sentinels know, or the nodes of a cluster. */
export type RedisAddress =
  | { readonly url: string }
  /** `name` is what the Sentinels call the master. */
  | ({ readonly sentinels: Node[]; readonly name: string; readonly db: number } & Login)
  /** Some of the nodes; they know the others. */
  | { readonly nodes: Node[]; readonly usesTls: boolean; readonly login: Login };

/**
 * `redis-sentinel://:password@host1:26379,host2/0#mymaster`, as Lettuce writes it, and `redis-cluster://:password@host1:6379,host2`. No
 * URL may name several hosts, so they are read here.
 */
const SEVERAL_HOSTS =
  /^(?<scheme>redis-sentinel|rediss?-cluster):\/\/(?:(?<username>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^@/#?]+)(?<rest>(?:[/#].*)?)$/;

/** Only Sentinels have a database and a name: a cluster has one database. */
const SENTINEL_REST = /^(?:\/(?<db>\d{0,5}))?(?:#(?<name>[\w.-]+))?$/;

/** A host or an address, IPv6 in brackets, perhaps with a port. */
const HOST = /^(?<host>\[[\da-f:.]+\]|[\w.-]+)(?::(?<port>\d{1,5}))?$/i;

/** Those that Redis and its documents use. */
const SENTINEL_PORT = "26379";
const CLUSTER_PORT = "6379";
const MASTER_NAME = "mymaster";

/** `undefined` for what is no address of a Redis. Names and passwords may be percent-encoded, as in any URL. */
export function parseRedisUrl(url: string): RedisAddress | undefined {
  const { scheme, username, password, hosts = "", rest = "" } = SEVERAL_HOSTS.exec(url)?.groups ?? {};
  if (scheme === undefined)
    return URL.canParse(url) && /^rediss?:$/.test(new URL(url).protocol) ? { url } : undefined;
  const isSentinel = scheme === "redis-sentinel";
  const nodes = parseHosts(hosts, isSentinel ? SENTINEL_PORT : CLUSTER_PORT);
  const login = {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
  };
  if (!isSentinel)
    return nodes && /^\/?$/.test(rest) ? { nodes, usesTls: scheme === "rediss-cluster", login } : undefined;
  const named = SENTINEL_REST.exec(rest)?.groups;
  return nodes && named
    ? { sentinels: nodes, name: named["name"] ?? MASTER_NAME, ...login, db: Number(named["db"] ?? 0) }
    : undefined;
}

/** `undefined` when one of them is no host. */
function parseHosts(text: string, defaultPort: string): Node[] | undefined {
  const nodes = text.split(",").map((one) => {
    const { host = "", port = defaultPort } = HOST.exec(one)?.groups ?? {};
    return { host: host.replaceAll(/[[\]]/g, ""), port: Number(port) };
  });
  return nodes.every(({ host }) => host !== "") ? nodes : undefined;
}

/** The hosts of `REDIS_URL`, without the password that it may contain. */
export function redisHosts(url: string): string {
  const address = parseRedisUrl(url);
  if (!address || "url" in address) return new URL(url).host;
  const nodes = "nodes" in address ? address.nodes : address.sentinels;
  return nodes.map(({ host, port }) => `${host}:${port}`).join(", ");
}
