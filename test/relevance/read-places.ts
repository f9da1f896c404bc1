import { fileURLToPath } from "node:url";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { readImported } from "../support/imported-places.ts";

const FILE = fileURLToPath(new URL("./places.jsonl", import.meta.url));

/** The places of places.jsonl as an import reads and cleans them. @throws {Error} when one is invalid or unclear. */
export async function readTestPlaces(): Promise<readonly PlaceDocument[]> {
  const { places, notes } = await readImported(FILE);
  if (notes.length > 0) throw new Error(JSON.stringify(notes));
  return places;
}
