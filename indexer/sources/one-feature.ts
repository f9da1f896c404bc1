import { ImportError } from "../import-error.ts";
import type { Head } from "./head.ts";
import type { Input } from "./input.ts";
import { describeJsonError } from "./native/json-error.ts";

/** A single place with all its reviews has some hundred kilobytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** A file that is one GeoJSON feature over several lines, as examples and answers for one place are written. */
export function isOneFeature({ bytes, document, lines, text }: Head): boolean {
  const isSequence =
    bytes[0] === RECORD_SEPARATOR || lines.slice(1).some((line) => line.get("type") === "Feature");
  return document.get("type") === "Feature" && !isSequence && !isJson(text.split("\n", 1)[0] ?? "");
}

/** Begins each record of a text sequence (RFC 8142), which may have line ends within. */
const RECORD_SEPARATOR = 0x1e;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** @throws {ImportError} when the file is no JSON, or far too large for one place. */
export async function readOneFeature(input: Input): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input.chunks()) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new ImportError(`${input.name} is too large for a single feature.`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  try {
    return JSON.parse(text);
  } catch (error) {
    const problem = describeJsonError(error as SyntaxError, text);
    throw new ImportError(`${input.name} is broken or cut off: ${problem}.`, { cause: error });
  }
}
