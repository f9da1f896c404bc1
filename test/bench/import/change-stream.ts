import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

interface StreamOptions {
  /** Native JSON lines: what is changed. */
  readonly file: string;
  readonly rate: number;
  readonly seconds: number;
  /** Called when the last change has been handed over. */
  readonly onEnd: () => void;
}

/** In such steps a stream of single changes comes through a pipe. */
const STEP_MS = 50;

/** One in this many changes is a removal, as in the night's changes of a real gazetteer. */
const REMOVED = 50;

/** So many changes a second for so long, each of another place: its rating and its count of reviews, or its end. */
export function createChangeStream(options: StreamOptions): Readable {
  return Readable.from(paced(options), { objectMode: false });
}

async function* paced({ file, rate, seconds, onEnd }: StreamOptions): AsyncGenerator<string> {
  const changes = readChanges(file);
  const perStep = Math.round((rate * STEP_MS) / 1_000);
  const startedAt = performance.now();
  for (let step = 0; step < (seconds * 1_000) / STEP_MS; step += 1) {
    await sleep(Math.max(0, startedAt + step * STEP_MS - performance.now()));
    const lines: string[] = [];
    while (lines.length < perStep) {
      const next = await changes.next();
      if (next.done) break;
      lines.push(next.value);
    }
    yield lines.join("");
  }
  await changes.return(undefined);
  onEnd();
}

async function* readChanges(file: string): AsyncGenerator<string, undefined> {
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    number += 1;
    yield `${JSON.stringify(toChange(JSON.parse(line) as ChangedPlace, number))}\n`;
  }
  return undefined;
}

interface ChangedPlace {
  readonly data_id: string;
  readonly reviews?: number;
}

const toChange = (place: ChangedPlace, number: number): object =>
  number % REMOVED === 0
    ? { op: "delete", data_id: place.data_id }
    : { ...place, rating: 3.5, reviews: (place.reviews ?? 0) + 1 };
