import { resolve } from "node:path";
import { toErrorText, ImportError } from "./interruption.ts";
import { type ImportTally, totalRejected, type OnRejected } from "../clean/import-tally.ts";
import type { Source } from "../sources/open-sources.ts";
import { createWholeFile, type WholeFile } from "./files.ts";
import type { SourceOptions } from "./source-options.ts";
import { countBytes, type InputBytes } from "./progress.ts";
import { formatCount } from "./format.ts";
import type { Rejection } from "../clean/place-draft.ts";
import type { Position } from "../sources/source.ts";

/**
 * Attends to what the tally counts as rejected. With `--rejects` every record goes into that file, which is returned; without
 * it the reading ends as soon as there are too many: nobody need wait hours for a failure that is certain.
 * @throws {ImportError} when the file cannot be begun or is one of those to be read.
 */
export function watchRejects(
  sources: readonly Source[],
  tally: ImportTally,
  { rejects: path, maxRejects }: SourceOptions,
): WholeFile | undefined {
  const inputs = sources.map(({ input }) => input);
  if (path === undefined) {
    tally.onRejected = () => checkForHopelessness(tally, inputs, maxRejects);
    return undefined;
  }
  if (inputs.some(({ name }) => resolve(name) === resolve(path)))
    throw new ImportError(`The rejects file ${path} is one of the files to read.`);
  const file = createWholeFile(path);
  tally.onRejected = createRejectsWriter(file);
  return file;
}

/** Puts the file in its place after a failure, when it is wanted most. Returns what went wrong with it. */
export function finishRejects(file: WholeFile | undefined): string[] {
  try {
    file?.finish();
    return [];
  } catch (error) {
    return [toErrorText(error)];
  }
}

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

/**
 * A record of usual length is kept whole, so that it can be mended and imported again (`jq -r .record`); a line of megabytes
 * would make the file as large as the input.
 */
const MAX_RECORD_LENGTH = 64 * 1024;
const MAX_VALUE_LENGTH = 1_000;

/** Writes rejected records into a file, one JSON line each: where it stood, field, reason, value, and the record's own text. */
export const createRejectsWriter =
  (file: WholeFile): OnRejected =>
  (position, rejection, record) =>
    file.write(`${JSON.stringify(toLine(position, rejection, record))}\n`);

function toLine(
  { file, part, number }: Position,
  { field, reason, value }: Rejection,
  record: unknown,
): object {
  const shown = value === undefined ? undefined : toText(value).slice(0, MAX_VALUE_LENGTH).toWellFormed();
  const text = record === undefined ? undefined : toText(record);
  const isCut = text !== undefined && text.length > MAX_RECORD_LENGTH;
  return {
    file,
    [part]: number,
    field,
    reason,
    ...(shown !== undefined && { value: shown }),
    ...(text !== undefined && { record: isCut ? text.slice(0, MAX_RECORD_LENGTH).toWellFormed() : text }),
    ...(isCut && { record_length: text.length }),
  };
}

const toText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
