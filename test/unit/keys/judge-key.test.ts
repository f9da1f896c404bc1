import { expect, test } from "vitest";
import { hashSecret, judgeKey, type KeyRecord } from "../../../src/keys/key-record.ts";
import { revokeKey, rotateKey } from "../../../src/keys/change-key.ts";
import { buildKey, KEY_MADE_AT, secretOf } from "../../support/build-key.ts";

const LIMITS = { perMinute: 600, perDay: 100_000 };
const HOUR_MS = 3_600_000;
const after = (ms: number): Date => new Date(KEY_MADE_AT.getTime() + ms);

const judge = (record: KeyRecord | undefined, key: string, now = KEY_MADE_AT) =>
  judgeKey({ record, secretHash: hashSecret(secretOf(key)), nowMs: now.getTime(), limits: LIMITS });

const stranger = buildKey();
const plain = buildKey();
const expiring = buildKey({ expiresAt: after(HOUR_MS) });
const rotated = rotateKey(plain.record, HOUR_MS, KEY_MADE_AT);
const rotatedTwice = rotateKey(rotateKey(plain.record, 0, KEY_MADE_AT).record, 0, KEY_MADE_AT);
const revoked = revokeKey(expiring.record, KEY_MADE_AT);

test.each([
  ["an id that nobody has", undefined, stranger.key, 0, "invalid_api_key"],
  ["a wrong secret", plain.record, stranger.key, 0, "invalid_api_key"],
  ["a wrong secret of a revoked key", revoked, stranger.key, 0, "invalid_api_key"],
  ["a wrong secret of an expired key", expiring.record, stranger.key, HOUR_MS, "invalid_api_key"],
  ["the right secret of a revoked key", revoked, expiring.key, 0, "revoked_api_key"],
  ["the right secret of a revoked key that expired", revoked, expiring.key, HOUR_MS, "revoked_api_key"],
  ["the right secret at the moment it expires", expiring.record, expiring.key, HOUR_MS, "expired_api_key"],
  ["the older secret at the end of its grace", rotated.record, plain.key, HOUR_MS, "expired_api_key"],
  ["a secret that was rotated away twice", rotatedTwice.record, plain.key, 0, "invalid_api_key"],
] as const)("%s is refused with its code", (...[, record, key, ms, code]) => {
  expect(judge(record, key, after(ms))).toStrictEqual({ refused: code });
});

test.each([
  ["a key that never expires", plain.record, plain.key, 100_000 * HOUR_MS],
  ["a key a moment before it expires", expiring.record, expiring.key, HOUR_MS - 1],
  ["the newer of two secrets", rotated.record, rotated.key, HOUR_MS],
  ["the older of two secrets within its grace", rotated.record, plain.key, HOUR_MS - 1],
] as const)("%s is accepted", (...[, record, key, ms]) => {
  expect(judge(record, key, after(ms))).toMatchObject({ caller: { callerId: record.id } });
});

test("a key without a limit has that of the server", () => {
  const { record, key } = buildKey({ scopes: ["place"], limits: { perDay: 0 } });
  expect(judge(record, key)).toStrictEqual({
    caller: { callerId: record.id, limits: { perMinute: 600, perDay: 0 }, scopes: new Set(["place"]) },
  });
});
