import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { cellsAround } from "../../src/place/geometry/cells.ts";
import { dataIdIdentity } from "../../src/place/document/data-id.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { toSignature, type Commonness, type Signature } from "../../src/same-place/signature.ts";
import { countFilled } from "./merged-place.ts";

/** A signature with the number that it was stored under, which is larger than 0. */
export interface NumberedSignature extends StoredSignature {
  readonly number: number;
}

export interface Pair {
  readonly one: number;
  readonly other: number;
  readonly evidence: string;
  readonly distanceMeters: number;
}

/** The signatures of all places, and the matching pairs among them, on disk. */
export type SignatureStore = ReturnType<typeof createSignatureStore>;

/** Writes in one transaction. Transactions only batch the writes: nothing needs to outlive the process. */
const WRITES_AT_ONCE = 10_000;

/** In KiB. The rest is read from the file, which the operating system caches while it has room. */
const CACHE_KIB = 16_384;

/** Five places with one name in a source are a chain, or the name is a generic one. */
const COMMON_NAME = 5;
const COMMON_CONTACT = 2;

const SCHEMA = `
  PRAGMA journal_mode = OFF;
  PRAGMA synchronous = OFF;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA cache_size = -${CACHE_KIB};
  CREATE TABLE place (number INTEGER PRIMARY KEY, identity TEXT UNIQUE, source TEXT, cell TEXT, name TEXT, phone TEXT, site TEXT, facts TEXT);
  CREATE TABLE pair (score INTEGER, distance REAL, one INTEGER, other INTEGER, evidence TEXT);`;

/**
 * Opens a store in the folder, or in the system's temporary folder when there is no such folder. Its file has
 * no name, so it disappears with the process.
 */
export function createSignatureStore(folder: string) {
  const database = openNameless(folder);
  const write = createWriter(database);
  const putPlace = database.prepare("INSERT OR REPLACE INTO place VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)");
  const putPair = database.prepare("INSERT INTO pair VALUES (?, ?, ?, ?, ?)");
  const all = <T>(sql: string, ...values: (string | number)[]): T[] =>
    database.prepare(sql).all(...values) as T[];
  const getFacts = database.prepare("SELECT number, facts FROM place WHERE number = ?");
  const getCell = database.prepare("SELECT number, facts FROM place WHERE cell = ? ORDER BY number");
  return {
    /** A later signature of the same identity replaces the earlier one. */
    put(signature: StoredSignature): void {
      const { identity, source, cell, name, phone, site } = signature;
      write(() => putPlace.run(identity, source, cell, name, phone, site, JSON.stringify(signature)));
    },
    /** The largest number. */
    last: () => all<{ last: number | null }>("SELECT MAX(number) AS last FROM place")[0]?.last ?? 0,
    get: (number: number): NumberedSignature | undefined =>
      (getFacts.all(number) as unknown as StoredFacts[]).map(fromStoredFacts)[0],
    /** All cells, each with its number of places. */
    cells() {
      database.exec("CREATE INDEX IF NOT EXISTS place_cell ON place (cell)");
      const statement = database.prepare("SELECT cell, COUNT(*) AS places FROM place GROUP BY cell");
      return statement.iterate() as unknown as Iterable<{ readonly cell: string; readonly places: number }>;
    },
    inCell: (cell: string): NumberedSignature[] =>
      (getCell.all(cell) as unknown as StoredFacts[]).map(fromStoredFacts),
    /** The values that several places of a source share. */
    findCommon(): Commonness {
      const valuesOf = (column: "name" | "phone" | "site", least: number): Set<string> => {
        const sql = `SELECT ${column} AS value FROM place WHERE ${column} <> '' GROUP BY ${column}, source HAVING COUNT(*) >= ?`;
        return new Set(all<{ value: string }>(sql, least).map(({ value }) => value));
      };
      const names = valuesOf("name", COMMON_NAME);
      const phones = valuesOf("phone", COMMON_CONTACT);
      const sites = valuesOf("site", COMMON_CONTACT);
      return {
        isCommonName: (name) => names.has(name),
        isCommonPhone: (phone) => phones.has(phone),
        isCommonSite: (site) => sites.has(site),
      };
    },
    putPair: ({ score, distanceMeters, one, other, evidence }: Pair & { readonly score: number }) =>
      write(() => putPair.run(score, distanceMeters, one, other, evidence)),
    /** All pairs, the surest first. */
    pairs() {
      const sql =
        "SELECT one, other, evidence, distance AS distanceMeters FROM pair ORDER BY score DESC, distance, one, other";
      return database.prepare(sql).iterate() as unknown as Iterable<Pair>;
    },
    close: () => database.close(),
  };
}

interface StoredFacts {
  readonly number: number;
  readonly facts: string;
}

const fromStoredFacts = ({ number, facts }: StoredFacts): NumberedSignature => ({
  ...(JSON.parse(facts) as StoredSignature),
  number,
});

function openNameless(folder: string): DatabaseSync {
  const ownFolder = makeFolder(folder);
  const database = new DatabaseSync(join(ownFolder, "signatures.sqlite"));
  // Without a journal, SQLite writes to a file without a name. The schema creates the file.
  database.exec(SCHEMA);
  rmSync(ownFolder, { recursive: true });
  return database;
}

function makeFolder(folder: string): string {
  try {
    return mkdtempSync(join(folder, "merge-"));
  } catch {
    return mkdtempSync(join(tmpdir(), "hereabouts-merge-"));
  }
}

/** Batches writes into transactions. Reads see the writes at once, because they use the same connection. */
function createWriter(database: DatabaseSync): (run: () => void) => void {
  let pending = 0;
  database.exec("BEGIN");
  return (run) => {
    run();
    pending += 1;
    if (pending < WRITES_AT_ONCE) return;
    database.exec("COMMIT; BEGIN");
    pending = 0;
  };
}

/** Resolution of the cells in which places are compared. A cell and its neighbours reach at least 200 m. */
export const CELL_RESOLUTION = 9;

/** The signature of a record of an import. */
export interface StoredSignature extends Signature {
  readonly identity: string;
  readonly data_id: string;
  readonly cell: string;
  /** The number of fields that have content. */
  readonly filled: number;
}

/** The signature by which an import compares a place. */
export const toStoredSignature = (place: PlaceDocument): StoredSignature => ({
  ...toSignature(place),
  identity: dataIdIdentity(place.data_id),
  data_id: place.data_id,
  cell: cellsAround(place.location, CELL_RESOLUTION, 0)[0] ?? "",
  filled: countFilled(place),
});
