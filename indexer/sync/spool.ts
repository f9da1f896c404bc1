import { once } from "node:events";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createZstdCompress, createZstdDecompress } from "node:zlib";
import type { PlaceDocument } from "../../src/place/place-document.ts";
import { readLines } from "../sources/native/lines.ts";

/** Places that are kept on disk until it is sure that they are to be written. */
export interface Spool {
  put(place: PlaceDocument): Promise<void>;
  /** All places in their order. Nothing can be put afterwards. */
  read(): AsyncGenerator<PlaceDocument>;
  close(): Promise<void>;
}

/** A stored place is somewhat longer than its line of input. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/**
 * A compressed file in the folder, or in the system's for temporary files when there is no such folder. It has no name, so
 * that it goes with the process however that ends.
 */
export async function createSpool(folder: string): Promise<Spool> {
  const ownFolder = await mkdtemp(join(folder, "spool-")).catch(() =>
    mkdtemp(join(tmpdir(), "hereabouts-spool-")),
  );
  const file = await open(join(ownFolder, "places"), "w+", 0o600);
  await rm(ownFolder, { recursive: true });
  const zip = createZstdCompress();
  const written = (async () => {
    for await (const chunk of zip) await file.appendFile(chunk as Buffer);
  })();
  // Told to whoever puts or reads next.
  written.catch(() => {});
  return {
    async put(place) {
      if (!zip.write(`${JSON.stringify(place)}\n`)) await Promise.race([once(zip, "drain"), written]);
    },
    async *read() {
      zip.end();
      await written;
      const stored = file.createReadStream({ start: 0, autoClose: false });
      for await (const line of readLines(stored.pipe(createZstdDecompress()), MAX_LINE_BYTES))
        if ("text" in line) yield JSON.parse(line.text) as PlaceDocument;
    },
    async close() {
      zip.destroy();
      await written.catch(() => {});
      await file.close();
    },
  };
}
