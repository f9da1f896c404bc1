import { parseKeyRecord, type KeyRecord } from "../keys/key-record.ts";
import type { RedisConnection } from "./connection.ts";
import { API_KEY_USES_KEY, API_KEYS_KEY } from "./keys.ts";

/**
 * Stores API keys: one hash of records as JSON, by id, and one of last uses. All methods reject when Redis
 * does not respond.
 */
export interface KeyStore {
  /** @throws {KeyRecordError} when the stored text is not a valid record. */
  read(id: string): Promise<KeyRecord | undefined>;
  /** All records, oldest first. Does not block Redis. @throws {KeyRecordError} */
  list(): Promise<KeyRecord[]>;
  /**
   * Changes records in one step. `decide` receives the existing records of these ids and returns what to
   * store instead. It is called again when another change came first, so that no concurrent change is lost.
   * If it throws, nothing changes.
   */
  change(ids: readonly string[], decide: Decide): Promise<void>;
  /** Times (ISO 8601) by id. */
  writeUses(uses: ReadonlyMap<string, string>): Promise<void>;
  readUses(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

type Decide = (found: ReadonlyMap<string, KeyRecord>) => readonly KeyRecord[];

/** Each failed attempt means that another change succeeded, so this many in a row are not a coincidence. */
const MAX_ATTEMPTS = 100;

const SCAN_COUNT = 500;

/**
 * Writes all records if none has changed since it was read. KEYS: records. ARGV: for each its id, the JSON
 * that was read or nothing, the new JSON.
 */
const REPLACE = `
for i = 1, #ARGV, 3 do
  if (redis.call("HGET", KEYS[1], ARGV[i]) or "") ~= ARGV[i + 1] then return 0 end
end
for i = 1, #ARGV, 3 do redis.call("HSET", KEYS[1], ARGV[i], ARGV[i + 2]) end
return 1`;

/** Creates the key store on a Redis connection. */
export function createKeyStore(redis: RedisConnection): KeyStore {
  return {
    async read(id) {
      const json = await redis.hget(API_KEYS_KEY, id);
      return json === null ? undefined : parseKeyRecord(json);
    },
    async list() {
      const records = (await readAll(redis)).map((json) => parseKeyRecord(json));
      return records.toSorted((a, b) => a.created_at.localeCompare(b.created_at) || a.id.localeCompare(b.id));
    },
    async change(ids, decide) {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        if (await tryChange(redis, ids, decide)) return;
      }
      throw new Error("The keys are being changed by too many at once. Try again.");
    },
    async writeUses(uses) {
      await redis.hset(API_KEY_USES_KEY, new Map(uses));
    },
    readUses: (ids) => readFields(redis, API_KEY_USES_KEY, ids),
  };
}

/** Entries that change while the hash is scanned may come twice. */
async function readAll(redis: RedisConnection): Promise<string[]> {
  const records = new Map<string, string>();
  let cursor = "0";
  do {
    const [next, fields] = await redis.hscan(API_KEYS_KEY, cursor, "COUNT", SCAN_COUNT);
    for (let i = 0; i + 1 < fields.length; i += 2) records.set(fields[i] ?? "", fields[i + 1] ?? "");
    cursor = next;
  } while (cursor !== "0");
  return [...records.values()];
}

async function tryChange(redis: RedisConnection, ids: readonly string[], decide: Decide): Promise<boolean> {
  const before = await readFields(redis, API_KEYS_KEY, ids);
  const found = new Map([...before].map(([id, json]) => [id, parseKeyRecord(json)]));
  const changes = decide(found).flatMap((record) => [
    record.id,
    before.get(record.id) ?? "",
    JSON.stringify(record),
  ]);
  // As one array: a backup has more values than a function can have arguments.
  return changes.length === 0 || (await redis.call("EVAL", [REPLACE, 1, API_KEYS_KEY, ...changes])) === 1;
}

async function readFields(
  redis: RedisConnection,
  hash: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const values = (await redis.call("HMGET", [hash, ...ids])) as (string | null)[];
  return new Map(
    ids.flatMap((id, i) => {
      const value = values[i];
      return typeof value === "string" ? [[id, value]] : [];
    }),
  );
}
