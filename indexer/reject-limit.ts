import { ImportError } from "./import-error.ts";
import { totalRejected, type ImportTally } from "./import-tally.ts";

/** In a small file one bad record is already many percent: this many pass, as long as they are not the half of it. */
const ALWAYS_ALLOWED = 10;

/** How many rejections an import of so many records may have; 0 percent means none at all. */
export function allowedRejections(read: number, maxRejectsPercent: number): number {
  if (maxRejectsPercent === 0) return 0;
  return Math.max(
    Math.floor((read * maxRejectsPercent) / 100),
    Math.min(ALWAYS_ALLOWED, Math.floor(read / 2)),
  );
}

/** @throws {ImportError} when more records were rejected than may be. */
export function checkRejectLimit(tally: ImportTally, maxRejectsPercent: number): void {
  const rejected = totalRejected(tally);
  const allowed = allowedRejections(tally.read, maxRejectsPercent);
  if (rejected <= allowed) return;
  throw new ImportError(
    `${rejected} of ${tally.read} records were rejected, more than the ${allowed} that --max-rejects ${maxRejectsPercent} allows. ` +
      "Mend the records (the report says which), or allow more.",
  );
}
