import type { LiveIndex } from "../../src/place-index/live-index.ts";
import { dataIdIdentity, parseDataId } from "../../src/place/data-id.ts";
import { countRejected } from "../import-tally.ts";
import { readLines } from "../sources/native/lines.ts";
import type { Change } from "./change.ts";
import { readChunks, type ReadChangesOptions } from "./read-changes.ts";

/** An identity and a name. */
const REMOVAL_BYTES = 100;

/** The removal of a place by its data id in canonical form. */
const removalOf = (dataId: string): Change => ({
  identity: dataIdIdentity(dataId),
  deleted: dataId,
  bytes: REMOVAL_BYTES,
});

/** The removals of the data ids of a text, one a line; a line that is none is counted in the tally. */
export async function* readDeletions(
  path: string,
  options: Pick<ReadChangesOptions, "tally" | "stdin" | "signal">,
): AsyncGenerator<Change> {
  const file = path === "-" ? "stdin" : path;
  for await (const line of readLines(readChunks(path, options))) {
    const text = "text" in line ? line.text.trim() : "";
    if ("text" in line && text === "") continue;
    options.tally.read += 1;
    const dataId = parseDataId(text);
    if (dataId !== undefined) yield removalOf(dataId);
    else {
      const rejected = { field: "data_id", reason: "not of the form 0x<hex>:0x<hex>", value: text };
      countRejected(options.tally, { file, part: "line", number: line.number }, rejected);
    }
  }
}

/** The removals of data ids, each in its canonical form. */
export async function* listDeletions(
  dataIds: readonly string[],
  { tally }: Pick<ReadChangesOptions, "tally">,
): AsyncGenerator<Change> {
  for (const dataId of dataIds) {
    tally.read += 1;
    yield removalOf(dataId);
  }
}

/**
 * The removals of all places of a source. The whole index is read before the first is handed out: what is removed would move
 * the others under the reader.
 */
export async function* findDeletions(
  source: string,
  live: LiveIndex,
  { tally, signal }: Pick<ReadChangesOptions, "tally" | "signal">,
): AsyncGenerator<Change> {
  const identities: string[] = [];
  for await (const places of live.readSources()) {
    signal.throwIfAborted();
    for (const place of places) if (place.source === source) identities.push(place.id);
  }
  for (const identity of identities) {
    tally.read += 1;
    yield { identity, deleted: identity, bytes: REMOVAL_BYTES };
  }
}
