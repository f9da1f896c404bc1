import { expect, test } from "vitest";
import { mergeBackup, parseBackup } from "../../../src/key-commands/backup.ts";
import { limitKey, revokeKey } from "../../../src/keys/change-key.ts";
import { buildKey } from "../../support/build-key.ts";

const NOW = new Date("2026-11-20T13:00:00Z");
const { record } = buildKey();
const limited = limitKey(record, { perDay: 5 }, NOW);
const revoked = revokeKey(record, NOW);
const limitedTwice = limitKey(limited, { perMinute: 5 }, NOW);
const namesake = { ...buildKey({}, NOW).record, id: record.id, revision: 9 };

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
const map = (...records: (typeof record)[]) => new Map(records.map((one) => [one.id, one]));

test("all invalid lines are reported, and nothing is restored", () => {
  const text = `${line(record)}garbage\n\n${line({ ...limited, scopes: ["all"] })}${line(limited)}`;
  expect(() => parseBackup(text)).toThrow(
    `Nothing was imported.\nline 2: it is no JSON\nline 4: scopes.0 is missing or wrong\nline 5: the key ${record.id} is in the file twice`,
  );
});

test("of many invalid lines the first ones are reported", () => {
  expect(() => parseBackup("x\n".repeat(1_000))).toThrow(/line 10: it is no JSON\nand 990 more$/);
});

test("a file without lines has no keys", () => {
  expect(parseBackup("\n \n")).toStrictEqual([]);
});

test.each([
  ["changed since", limited, record],
  ["revoked since", revoked, record],
  ["revoked, while the backup has more changes", revoked, limitedTwice],
  ["another key with the same id", record, namesake],
])("a key that was %s is overwritten only on request", (_, there, incoming) => {
  expect(() => mergeBackup([incoming], map(there), false)).toThrow(
    `--replace overwrites them.\n  ${record.id}`,
  );
  expect(mergeBackup([incoming], map(there), true)).toMatchObject({ replaced: [incoming] });
});

test("new keys and newer states are restored, equal ones stay unchanged", () => {
  const added = buildKey().record;
  const same = buildKey().record;
  expect(mergeBackup([added, same, limited], map(record, same), false)).toStrictEqual({
    added: [added],
    replaced: [limited],
    unchanged: 1,
  });
});
