import { once } from "node:events";
import type { Writable } from "node:stream";
import { createGazetteer, type GazetteerOptions } from "./gazetteer.ts";

/** Lines are handed over in blocks of about this many characters: one write for each line would cost more than making it. */
const BLOCK_LENGTH = 256 * 1024;

/** Writes the gazetteer as JSON lines. It waits while the reader is behind, so memory stays flat for any number of places. */
export async function writePlaces(options: GazetteerOptions, output: Writable): Promise<void> {
  const gazetteer = createGazetteer(options);
  let block = "";
  for (let number = 1; number <= options.places; number += 1) {
    block += `${JSON.stringify(gazetteer.placeAt(number))}\n`;
    if (block.length >= BLOCK_LENGTH) {
      if (!output.write(block)) await once(output, "drain");
      block = "";
    }
  }
  if (block !== "" && !output.write(block)) await once(output, "drain");
}
