import { resolve } from "node:path";
import { CommandError, toErrorText } from "../../src/cli/errors.ts";
import { type ImportTally, totalRejected, type OnRejected } from "./import-tally.ts";
import type { Source } from "../sources/open-sources.ts";
import { createAtomicFile, type AtomicFile } from "../../src/cli/atomic-file.ts";
import { countBytes, type InputBytes } from "../sources/input.ts";
import { formatCount } from "../../src/cli/format.ts";
import type { Rejection } from "./place-draft.ts";
import type { Position } from "../sources/source.ts";

interface RejectOptions {
  /** The file for all rejected records. */
  readonly rejects?: string | undefined;
  /** As a percentage of the records. */
  readonly maxRejects: number;
}

/**
 * Watches the rejections in the tally. With `--rejects`, every rejected record is written to that file, which
 * is returned. Without it, the reading stops as soon as there are too many, so that a certain failure does
 * not take hours.
 * @throws {CommandError} when the file cannot be created or is one of the inputs.
 */
export function watchRejects(
  sources: readonly Source[],
  tally: ImportTally,
  { rejects: path, maxRejects }: RejectOptions,
): AtomicFile | undefined {
  const inputs = sources.map(({ input }) => input);
  if (path === undefined) {
    tally.onRejected = () => checkRejectLimitEarly(tally, inputs, maxRejects);
    return undefined;
  }
  if (inputs.some(({ name }) => resolve(name) === resolve(path)))
    throw new CommandError(`The rejects file ${path} is one of the files to read.`);
  const file = createAtomicFile(path);
  tally.onRejected = createRejectsWriter(file);
  return file;
}

/** Finishes the file after a failure, when it is needed most. Returns the errors of doing so. */
export function finishRejects(file: AtomicFile | undefined): string[] {
  try {
    file?.finish();
    return [];
  } catch (error) {
    return [toErrorText(error)];
  }
}

/**
 * In a small file one wrong record is already many percent. This many are always allowed, unless they are
 * half of the file.
 */
const ALWAYS_ALLOWED = 10;

/** How many rejections an import of `read` records may have; 0 percent allows none at all. */
export function allowedRejections(read: number, maxRejectsPercent: number): number {
  if (maxRejectsPercent === 0) return 0;
  return Math.max(
    Math.floor((read * maxRejectsPercent) / 100),
    Math.min(ALWAYS_ALLOWED, Math.floor(read / 2)),
  );
}

/**
 * @param advice what to do about them, for a command without `--rejects`.
 * @throws {CommandError} when too many records were rejected.
 */
export function checkRejectLimit(
  tally: ImportTally,
  maxRejectsPercent: number,
  advice: string = WHAT_TO_DO,
): void {
  const rejected = totalRejected(tally);
  const allowed = allowedRejections(tally.read, maxRejectsPercent);
  if (rejected <= allowed) return;
  throw new CommandError(
    `${formatCount(rejected)} of ${formatCount(tally.read)} records were rejected, more than the ${formatCount(allowed)} ` +
      `that --max-rejects ${maxRejectsPercent} allows. ${advice}`,
  );
}

const WHAT_TO_DO =
  "Fix the records (the report says what is wrong, --rejects FILE lists all of them), or allow more.";

/** With less input than this, it is too early to estimate the rest, and the import ends quickly anyway. */
const MIN_BYTES = 16 * 1024 * 1024;

/**
 * The remaining records may be shorter. The import stops early only if this many times more records could not
 * save it.
 */
const MARGIN = 4;

/** Called for each rejection, but checks only at this interval. */
const CHECK_INTERVAL = 1_000;

/**
 * Stops an import early when more records were rejected than the whole input may have.
 * @throws {CommandError} in that case; never while the length of the input is unknown.
 */
export function checkRejectLimitEarly(
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
  throw new CommandError(
    `Stopped after ${Math.floor((read * 100) / total)} % of the input: ${formatCount(rejected)} of ${formatCount(tally.read)} ` +
      `records were rejected, more than --max-rejects ${maxRejectsPercent} allows for all of it. ${WHAT_TO_DO}`,
  );
}

/**
 * A record of usual length is kept whole, so that it can be fixed and imported again (`jq -r .record`). Lines
 * of megabytes would make the file as large as the input.
 */
const MAX_RECORD_LENGTH = 64 * 1024;
const MAX_VALUE_LENGTH = 1_000;

/**
 * Writes rejected records to a file as JSON lines: position, field, reason, value, and the original record.
 */
export const createRejectsWriter =
  (file: AtomicFile): OnRejected =>
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
