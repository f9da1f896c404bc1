import type { IndexAdmin, IndexRole } from "../src/place-index/index-admin.ts";
import { ImportError } from "./import-error.ts";
import { toNativeRecord } from "./to-native-record.ts";

/** How far an export has come. */
export interface Exported {
  places: number;
  readonly total: number;
  readonly builtAt: string | undefined;
  /** When the index was last written to. */
  readonly updatedAt: string;
}

/**
 * Looks whether an index can be exported.
 * @throws {ImportError} when it is not there, or another version built it.
 */
export async function beginExport(admin: IndexAdmin, role: IndexRole): Promise<Exported> {
  const index = await admin.readIndex(role);
  if (!index) throw new ImportError(`There is no ${role} index to export.`);
  if (!index.isReadable)
    throw new ImportError(
      `The ${role} index was built by another version of this program (${index.version ?? "unknown"}): export it with that one.`,
    );
  return { places: 0, total: index.places, builtAt: index.builtAt, updatedAt: index.updatedAt };
}

/**
 * The lines of the export, a page of them at a time. Counts them in `exported`.
 * @throws {ImportError} when places are missing in an index that nobody has written to.
 */
export async function* exportLines(
  admin: IndexAdmin,
  role: IndexRole,
  exported: Exported,
): AsyncGenerator<string> {
  for await (const places of admin.readPlaces(role)) {
    yield places.map((place) => `${JSON.stringify(toNativeRecord(place))}\n`).join("");
    exported.places += places.length;
  }
  const { updatedAt } = (await admin.readIndex(role)) ?? {};
  if (exported.places === exported.total || updatedAt !== exported.updatedAt) return;
  throw new ImportError(
    `The engine gave ${exported.places} places of ${exported.total}. Look into its log, then export again.`,
  );
}
