import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { programPath } from "../program-path.ts";
import { ensureBuilt } from "./ensure-built.ts";
import { readSample, type GazetteerSample } from "./gazetteer-sample.ts";

const SEED = 1;

/** Raise it when the demo gazetteer or the sample changes so much that one made before should not be reused. */
const FORM = 1;

export interface Gazetteer {
  readonly file: string;
  readonly form: string;
  readonly sample: GazetteerSample;
}

interface GazetteerOptions {
  readonly places: number;
  readonly dataDir: string;
  readonly signal: AbortSignal;
}

/** The demo gazetteer of so many places, and what queries are made from; both are made once and kept. */
export async function ensureGazetteer({ places, dataDir, signal }: GazetteerOptions): Promise<Gazetteer> {
  const folder = join(dataDir, "gazetteer");
  const file = join(folder, "places.jsonl");
  const form = `demo gazetteer ${FORM}, ${places} places, seed ${SEED}`;
  const sample = await ensureBuilt({
    folder,
    form,
    build: async () => {
      await writeDemoPlaces({ places, file, signal });
      return readSample(file, signal);
    },
  });
  return { file, form, sample };
}

interface WriteOptions {
  readonly places: number;
  readonly file: string;
  readonly signal: AbortSignal;
}

/** Without the long members that only a detail shows: they would fill disks and say nothing about search. */
async function writeDemoPlaces({ places, file, signal }: WriteOptions): Promise<void> {
  const demo = spawn(
    process.execPath,
    [programPath("indexer/demo/main.ts"), "--places", String(places), "--seed", String(SEED), "--lean"],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = once(demo, "close") as Promise<[number | null]>;
  try {
    await pipeline(createInterface({ input: demo.stdout }), withDataIds, createWriteStream(file), { signal });
  } finally {
    // The generator ends by itself when nobody listens.
    demo.stdout.destroy();
  }
  const [status] = await ended;
  if (status !== 0) throw new Error(`The demo generator ended with status ${status}.`);
}

/** Each record gets a data id of its own, so that a place can be asked for by one without knowing how the indexer makes them. */
async function* withDataIds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    yield `{"data_id":"0x1:${toIdentity(number)}",${line.slice(1)}\n`;
  }
}

/** Scattered like a real one, and the same for the same number. */
const toIdentity = (number: number): string =>
  `0x${BigInt(`0x${hash("sha256", `${number}`, "hex").slice(0, 16)}`).toString(16)}`;
