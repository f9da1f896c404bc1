import { resolve } from "node:path";
import { toErrorText } from "../error-text.ts";
import { ImportError } from "../import-error.ts";
import type { ImportTally } from "../import-tally.ts";
import { checkForHopelessness } from "../reject-limit.ts";
import { createRejectsWriter } from "../rejects-writer.ts";
import type { Source } from "../sources/open-sources.ts";
import { createWholeFile, type WholeFile } from "../whole-file.ts";
import type { SourceOptions } from "./source-options.ts";

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
