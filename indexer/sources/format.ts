import type { Head } from "./head.ts";
import type { ReadSource } from "./source.ts";

/** One format the indexer reads: a line of the table in formats.ts. */
export interface Format {
  /** What reports call it. */
  readonly name: string;
  /** The value of `--format` that asks for it; several formats of one source share it. */
  readonly option: string;
  /** How a person knows it, for the message that lists what can be read. */
  readonly description: string;
  /** Whether a file that begins like this is of this format. The first format of the table that says yes is taken. */
  readonly looksLike: (head: Head) => boolean;
  /** Whether it may be tried when `--format` asks for it although it looks like nothing known. Absent: it may not. */
  readonly couldBe?: (head: Head) => boolean;
  /** Read by its path (`Input.path`) instead of its bytes: neither compressed nor from the standard input. */
  readonly needsPath?: true;
  /** What is wrong with a file of this format as far as its beginning tells ("lacks the column title."). */
  readonly problemOf?: (head: Head) => string | undefined;
  readonly read: ReadSource;
}
