import { isDeepStrictEqual } from "node:util";
import { KeyRecordError, parseKeyRecord, type KeyRecord } from "../src/keys/key-record.ts";
import { KeysError } from "./keys-error.ts";

/** A file that is wrong altogether need not be told line by line. */
const MAX_TOLD = 10;

/**
 * Reads a backup, all of it or nothing.
 * @throws {KeysError} that names the lines that are wrong.
 */
export function parseBackup(text: string): KeyRecord[] {
  const records = new Map<string, KeyRecord>();
  const problems: string[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const problem = readLine(line, records);
    if (problem !== undefined) problems.push(`line ${index + 1}: ${problem}`);
  }
  if (problems.length === 0) return [...records.values()];
  const told = problems.slice(0, MAX_TOLD).join("\n");
  const rest = problems.length > MAX_TOLD ? `\nand ${problems.length - MAX_TOLD} more` : "";
  throw new KeysError(`This is no backup of keys. Nothing was imported.\n${told}${rest}`);
}

/** Adds the record of a line, or says what is wrong with it. */
function readLine(line: string, records: Map<string, KeyRecord>): string | undefined {
  try {
    const record = parseKeyRecord(line);
    if (records.has(record.id)) return `the key ${record.id} stands twice in the file`;
    records.set(record.id, record);
    return undefined;
  } catch (error) {
    if (error instanceof KeyRecordError) return error.message;
    throw error;
  }
}

/** What a backup does to the keys there are. */
export interface Merge {
  readonly added: readonly KeyRecord[];
  /** Other than the one there, and taken over. */
  readonly replaced: readonly KeyRecord[];
  readonly unchanged: number;
}

/**
 * Decides what of a backup is written. A key that is there already is replaced by a later state of itself only, unless `replace`.
 * @throws {KeysError} that names the keys that would be lost.
 */
export function mergeBackup(
  backup: readonly KeyRecord[],
  found: ReadonlyMap<string, KeyRecord>,
  replace: boolean,
): Merge {
  const added = backup.filter(({ id }) => !found.has(id));
  const different = backup.filter((record) => {
    const there = found.get(record.id);
    return there !== undefined && !isDeepStrictEqual(there, record);
  });
  const lost = different.filter((record) => !isLaterState(record, found.get(record.id)));
  if (lost.length > 0 && !replace) {
    const ids = lost.map(({ id }) => `  ${id}`).join("\n");
    throw new KeysError(
      `These keys were changed since the backup, or are others. Nothing was imported; --replace overwrites them.\n${ids}`,
    );
  }
  return { added, replaced: different, unchanged: backup.length - added.length - different.length };
}

/** A revoked key never comes back by itself. */
const isLaterState = (record: KeyRecord, there: KeyRecord | undefined): boolean =>
  there !== undefined &&
  there.created_at === record.created_at &&
  there.revision < record.revision &&
  (there.revoked_at === undefined || record.revoked_at !== undefined);
