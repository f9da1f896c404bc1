import type { OnRejected } from "./import-tally.ts";
import type { Rejection } from "./place-draft.ts";
import type { Position } from "./sources/source.ts";
import type { WholeFile } from "./whole-file.ts";

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
