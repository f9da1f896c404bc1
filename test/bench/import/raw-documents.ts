import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { EngineCalls } from "./engine-calls.ts";

/** The index that is searched, and of which the documents are taken. */
const INDEX = "/indexes/places";

/** Some megabytes an answer. */
const PAGE = 1_000;

const LINE_FEED = 0x0a;

/**
 * Writes all documents of the index to a file, each as a line of JSON as the indexer handed it over. Resolves to the settings
 * of the index.
 */
export async function writeDocuments(
  engine: EngineCalls,
  file: string,
  signal: AbortSignal,
): Promise<object> {
  const output = await open(file, "w");
  try {
    for (let offset = 0; ; offset += PAGE) {
      signal.throwIfAborted();
      const page = { offset, limit: PAGE };
      const { results } = await engine.send<{ results: object[] }>("POST", `${INDEX}/documents/fetch`, page);
      if (results.length === 0) break;
      await output.appendFile(results.map((document) => `${JSON.stringify(document)}\n`).join(""));
    }
  } finally {
    await output.close();
  }
  return engine.get<object>(`${INDEX}/settings`);
}

interface PostOptions {
  readonly file: string;
  readonly settings: object;
  readonly batchBytes: number;
  readonly signal: AbortSignal;
}

/** Posts the documents as fast as the engine takes them. Resolves to the seconds until all were indexed. */
export async function postDocuments(
  engine: EngineCalls,
  { file, settings, batchBytes, signal }: PostOptions,
): Promise<number> {
  await engine.send("POST", "/indexes", { uid: "places", primaryKey: "id" });
  await engine.send("PATCH", `${INDEX}/settings`, settings);
  await engine.waitForAll();
  const startedAt = performance.now();
  for await (const lines of readBatches(file, batchBytes)) {
    signal.throwIfAborted();
    await engine.postLines(`${INDEX}/documents`, lines);
  }
  await engine.waitForAll();
  return (performance.now() - startedAt) / 1_000;
}

/** Whole lines of about so many bytes together. */
async function* readBatches(file: string, bytes: number): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: bytes })) {
    const joined = Buffer.concat([rest, chunk as Buffer]);
    const end = joined.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) yield joined.subarray(0, end);
    rest = joined.subarray(end);
  }
  if (rest.length > 0) yield rest;
}
