import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

/** What the bench reads of a line of the demo gazetteer; the other members go through it untouched. */
export interface NativePlace {
  readonly data_id: string;
  readonly title: string;
  readonly alternate_names?: readonly string[];
  readonly type: string;
  readonly location: {
    readonly latitude: number;
    readonly longitude: number;
    readonly address: { readonly full: string; readonly street: string };
  };
}

interface BatchOptions {
  readonly size: number;
  readonly signal: AbortSignal;
}

/**
 * The places of a file of native JSON lines, in batches, so that a million of them needs little memory.
 * @throws the signal's reason when it is aborted.
 */
export async function* readBatches(
  file: string,
  { size, signal }: BatchOptions,
): AsyncGenerator<NativePlace[]> {
  let batch: NativePlace[] = [];
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    if (line === "") continue;
    batch.push(JSON.parse(line) as NativePlace);
    if (batch.length < size) continue;
    signal.throwIfAborted();
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
