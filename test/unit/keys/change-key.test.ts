import { describe, expect, test } from "vitest";
import { KeyChangeError, limitKey, revokeKey, rotateKey } from "../../../src/keys/change-key.ts";
import { formatLimits } from "../../../src/key-commands/show.ts";
import { judgeKey, KeyRecordError, parseKeyRecord, type KeyRecord } from "../../../src/keys/key-record.ts";
import { buildKey, KEY_MADE_AT, secretOf } from "../../support/build-key.ts";

const LATER = new Date(KEY_MADE_AT.getTime() + 60_000);
const HOUR_MS = 3_600_000;

test("a record does not contain the secret", () => {
  const { record, key } = buildKey();
  const text = JSON.stringify(record);
  expect(text).not.toContain(secretOf(key));
  expect(text).not.toContain(secretOf(key).slice(0, 8));
  expect(parseKeyRecord(text)).toStrictEqual(record);
});

test("a key with two valid secrets cannot get a third", () => {
  const { record } = rotateKey(buildKey().record, HOUR_MS, KEY_MADE_AT);
  expect(() => rotateKey(record, HOUR_MS, LATER)).toThrow(KeyChangeError);
  expect(rotateKey(record, 0, LATER).record.secrets[1]?.ends_at).toBe(LATER.toISOString());
  const afterGrace = new Date(KEY_MADE_AT.getTime() + HOUR_MS);
  expect(rotateKey(record, HOUR_MS, afterGrace).record.secrets).toHaveLength(2);
});

test("a revoked key is neither rotated nor limited, and revoking it again changes nothing", () => {
  const revoked = revokeKey(buildKey().record, LATER);
  expect(() => rotateKey(revoked, 0, LATER)).toThrow("is revoked");
  expect(() => limitKey(revoked, { perDay: 1 }, LATER)).toThrow("is revoked");
  expect(revokeKey(revoked, new Date())).toBe(revoked);
});

test("a limit can be set, kept and removed", () => {
  const expiresAt = new Date("2027-01-01T00:00:00.000Z");
  const { record } = buildKey({ expiresAt, limits: { perMinute: 5 } });
  const more = limitKey(record, { perDay: 0, scopes: ["search"] }, LATER);
  expect(more).toMatchObject({
    limits: { per_minute: 5, per_day: 0 },
    scopes: ["search"],
    expires_at: expiresAt.toISOString(),
    revision: 2,
    changed_at: LATER.toISOString(),
  });
  const less = limitKey(more, { perMinute: null, expiresAt: null }, LATER);
  expect(less.limits).toStrictEqual({ per_day: 0 });
  expect(less).not.toHaveProperty("expires_at");
});

test.each([
  ["not json", "it is no JSON"],
  ["null", "the record is missing or wrong"],
  [{ version: 2 }, "version is missing or wrong"],
  [{ id: "NOT-AN-ID" }, "id must be 12 digits and lower-case letters"],
  [{ name: "two\nlines" }, "name is missing or wrong"],
  [{ scopes: [] }, "scopes is missing or wrong"],
  [{ scopes: ["everything"] }, "scopes.0 is missing or wrong"],
  [{ limits: { per_minute: 0 } }, "limits.per_minute is missing or wrong"],
  [{ expires_at: "tomorrow" }, "expires_at must be a time such as 2026-11-20T09:00:00Z"],
  [{ secrets: [] }, "secrets is missing or wrong"],
  [
    { secrets: [{ hash: "deadbeef", created_at: KEY_MADE_AT }] },
    "secrets.0.hash must be 64 hexadecimal digits",
  ],
  [{ is_admin: true }, "is_admin is missing or wrong"],
])("a record with %j is refused with a reason", (change, problem) => {
  const json = typeof change === "string" ? change : JSON.stringify({ ...buildKey().record, ...change });
  expect(() => parseKeyRecord(json)).toThrow(new KeyRecordError(problem));
});

describe("the weight of a key", () => {
  const limits = { perMinute: 60, perDay: 0 };
  const callerOf = (record: KeyRecord) => {
    const verdict = judgeKey({
      record,
      secretHash: Buffer.from(record.secrets[0]!.hash, "hex"),
      nowMs: KEY_MADE_AT.getTime(),
      limits,
    });
    return "caller" in verdict ? verdict.caller : undefined;
  };

  test("can be set, kept and removed, and reaches the caller", () => {
    const heavy = limitKey(buildKey().record, { weight: 4 }, LATER);
    expect(callerOf(heavy)?.limits).toStrictEqual({ ...limits, weight: 4 });
    expect(limitKey(heavy, { perDay: 5 }, LATER).limits).toStrictEqual({ per_day: 5, weight: 4 });
    expect(limitKey(heavy, { weight: null }, LATER).limits).toStrictEqual({});
  });

  test("is missing in a key that an older version wrote, which is read and works as before", () => {
    const { record } = buildKey({ limits: { perMinute: 5, perDay: 6 } });
    expect(JSON.stringify(record)).not.toContain("weight");
    expect(callerOf(parseKeyRecord(JSON.stringify(record)))?.limits).toStrictEqual({
      perMinute: 5,
      perDay: 6,
    });
  });

  test.each([0, 0.5, 101, "4", null])("is not %j", (weight) => {
    const record = { ...buildKey().record, limits: { weight } };
    expect(() => parseKeyRecord(JSON.stringify(record))).toThrow("limits.weight is missing or wrong");
  });

  test("is shown also where the other limits are the server's", () => {
    expect(formatLimits({})).toBe("the server's");
    expect(formatLimits({ weight: 4 })).toBe("the server's a minute, the server's a day, weight 4");
  });
});
