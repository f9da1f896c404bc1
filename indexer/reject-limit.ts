import { ImportError } from "./import-error.ts";
import { totalRejected, type ImportTally } from "./import-tally.ts";
import { countBytes, type InputBytes } from "./input-bytes.ts";
import { formatCount } from "./format.ts";

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
    `${formatCount(rejected)} of ${formatCount(tally.read)} records were rejected, more than the ${formatCount(allowed)} ` +
      `that --max-rejects ${maxRejectsPercent} allows. ${WHAT_TO_DO}`,
  );
}

const WHAT_TO_DO =
  "Mend the records (the report says what is wrong, --rejects FILE lists every one), or allow more.";

/** Too little was read before to tell how much the rest holds; an import of less is over in no time anyway. */
const MIN_BYTES = 16 * 1024 * 1024;

/** The records still to come may be shorter than those until now: not judged lost before there would have to be so many times more. */
const MARGIN = 4;

/** Asked for each rejection, and answered now and then. */
const CHECK_INTERVAL = 1_000;

/**
 * Gives up on an import that cannot end well, instead of reading hours on: more was rejected than even the whole input may have.
 * @throws {ImportError} then. Never while the length of the input is unknown.
 */
export function checkForHopelessness(
  tally: ImportTally,
  inputs: readonly InputBytes[],
  maxRejectsPercent: number,
): void {
  const rejected = totalRejected(tally);
  if (rejected % CHECK_INTERVAL !== 0) return;
  const { read, total } = countBytes(inputs);
  if (total === undefined || read < MIN_BYTES || read >= total) return;
  const records = (tally.read * total * MARGIN) / read;
  if (rejected <= allowedRejections(records, maxRejectsPercent)) return;
  throw new ImportError(
    `Gave up after ${Math.floor((read * 100) / total)} % of the input: ${formatCount(rejected)} of ${formatCount(tally.read)} ` +
      `records were rejected, more than --max-rejects ${maxRejectsPercent} allows in the whole of it. ${WHAT_TO_DO}`,
  );
}
