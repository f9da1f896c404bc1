import { expect, test } from "vitest";
import { createConfiguredKeys, createKeyDirectory } from "../../../src/keys/callers.ts";
import { revokeKey, rotateKey } from "../../../src/keys/change-key.ts";
import type { KeyRecord } from "../../../src/keys/key-record.ts";
import { noTelemetry } from "../../../src/telemetry/telemetry.ts";
import { buildKey, KEY_MADE_AT } from "../../support/build-key.ts";
import { createLogBook } from "../../support/log-lines.ts";

const LIMITS = { perMinute: 600, perDay: 0 };
const yes = () => true;
const no = () => false;

/** A directory over a store of records that a test changes, and that it can take away. */
function directoryOf(...records: KeyRecord[]) {
  const world = { records: new Map(records.map((record) => [record.id, record])), isGone: false, reads: 0 };
  const used: string[] = [];
  const directory = createKeyDirectory({
    findConfigured: createConfiguredKeys(["configured-key-0123456789"], LIMITS),
    store: {
      async read(id) {
        world.reads += 1;
        if (world.isGone) throw new Error("Redis is gone");
        return world.records.get(id);
      },
      writeUses: async (uses) => void used.push(...uses.keys()),
    },
    askStore: (_operation, ask) => ask().catch(() => undefined),
    limits: LIMITS,
    logger: createLogBook().logger,
    telemetry: noTelemetry,
    now: () => Temporal.Instant.fromEpochMilliseconds(KEY_MADE_AT.getTime()),
    clock: () => 1_000_000,
  });
  return { world, used, directory };
}

const callerOf = ({ id }: KeyRecord) => ({ caller: expect.objectContaining({ callerId: id }) as unknown });

test("configured keys and invalid texts never reach the store", async () => {
  const { world, directory } = directoryOf();
  expect(await directory.findCaller("configured-key-0123456789", no)).toHaveProperty("caller");
  expect(await directory.findCaller("nonsense", yes)).toEqual({ refused: "invalid_api_key" });
  expect(world.reads).toBe(0);
});

test("a stored key has a caller and is marked as used; a refused key is not", async () => {
  const [good, bad] = [buildKey(), buildKey()];
  const { used, directory } = directoryOf(good.record, revokeKey(bad.record, KEY_MADE_AT));
  expect(await directory.findCaller(good.key, yes)).toEqual(callerOf(good.record));
  expect(await directory.findCaller(bad.key, yes)).toEqual({ refused: "revoked_api_key" });
  expect(await directory.findCaller(buildKey().key, yes)).toEqual({ refused: "invalid_api_key" });
  await directory.close();
  expect(used).toEqual([good.record.id]);
});

test("without admission, an unknown key is not checked", async () => {
  const { record, key } = buildKey();
  const { world, directory } = directoryOf(record);
  expect(await directory.findCaller(key, no)).toEqual({ unchecked: "not_admitted" });
  expect(world.reads).toBe(0);
});

test("a known valid key requires no admission", async () => {
  const { record, key } = buildKey();
  const { world, directory } = directoryOf(record);
  await directory.findCaller(key, yes);
  expect(await directory.findCaller(key, no)).toEqual(callerOf(record));
  expect(world.reads).toBe(1);
});

test("without the store an unknown key cannot be checked", async () => {
  const { record, key } = buildKey();
  const { world, directory } = directoryOf(record);
  world.isGone = true;
  expect(await directory.findCaller(key, yes)).toEqual({ unchecked: "unavailable" });
});

test("a secret newer than the cached record is looked up again", async () => {
  const { record, key } = buildKey();
  const { world, directory } = directoryOf(record);
  await directory.findCaller(key, yes);
  const rotated = rotateKey(record, 0, KEY_MADE_AT);
  world.records.set(record.id, rotated.record);
  expect(await directory.findCaller(rotated.key, no)).toEqual({ unchecked: "not_admitted" });
  expect(await directory.findCaller(rotated.key, yes)).toEqual(callerOf(record));
  expect(world.reads).toBe(2);
});

test("a wrong secret is refused from the cache when the store is unavailable", async () => {
  const { record, key } = buildKey();
  const { world, directory } = directoryOf(record);
  await directory.findCaller(key, yes);
  world.isGone = true;
  const wrong = rotateKey(record, 0, KEY_MADE_AT).key;
  expect(await directory.findCaller(wrong, yes)).toEqual({ refused: "invalid_api_key" });
});

test("a wrong secret that was just read is not read again", async () => {
  const { record } = buildKey();
  const { world, directory } = directoryOf(record);
  expect(await directory.findCaller(rotateKey(record, 0, KEY_MADE_AT).key, yes)).toEqual({
    refused: "invalid_api_key",
  });
  expect(world.reads).toBe(1);
});
