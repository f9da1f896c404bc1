import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

interface Stamp<T> {
  readonly form: string;
  readonly result: T;
}

export interface Buildable<T> {
  /** Holds all that is built, and nothing else. */
  readonly folder: string;
  /** What it is built from, in words: another form is built anew. */
  readonly form: string;
  /** Which forms built before will do; by default the same one only. */
  readonly accepts?: (form: string) => boolean;
  /** Fills the empty folder. */
  readonly build: () => Promise<T>;
}

/** What was built before when its form will do, else builds it. One that was interrupted has no stamp and is built anew. */
export async function ensureBuilt<T>(buildable: Buildable<T>): Promise<T> {
  const { folder, form, accepts = (known) => known === form, build } = buildable;
  const stampFile = `${folder}.json`;
  const known = readStamp<T>(stampFile);
  if (known !== undefined && accepts(known.form)) return known.result;
  rmSync(stampFile, { force: true });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const result = await build();
  writeFileSync(stampFile, `${JSON.stringify({ form, result } satisfies Stamp<T>)}\n`);
  return result;
}

function readStamp<T>(file: string): Stamp<T> | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Stamp<T>) : undefined;
}
